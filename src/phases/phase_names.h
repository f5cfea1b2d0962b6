#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace phasegate::phases {

/// Tells whether words name one of a set of phases, by title (`Root cause`) or by number (`Phase
/// 2`, `steps 2 and 3`, `#phase-2-root-cause`). A title of several words is recognised anywhere,
/// whatever stands between its words; one of a single short word, which everybody uses, only where
/// it stands by itself: at the beginning and with nothing or a mark (`:`, `-`, `(`) behind it.
class PhaseNames {
 public:
  /// Adds a phase; `number` and `title` may be empty. O(title).
  void add(std::string_view number, std::string_view title);
  /// Words that name another phase, which would otherwise be taken for one of these: the title
  /// `Plan the tests` where one of these is called `The tests`. To be called behind every add().
  void except(std::string_view number, std::string_view title);

  /// O(words).
  [[nodiscard]] bool named_in(std::string_view words) const;
  /// The same of words that begin with the name: `Phase 2: Root cause …`, `**Root cause** …`.
  [[nodiscard]] bool begin(std::string_view words) const;
  /// Nothing but the number of one of them: `2`, `2.`, `0B`.
  [[nodiscard]] bool is_bare_number(std::string_view words) const;
  /// A title of several words, or a number: what no text holds by accident.
  [[nodiscard]] bool clearly_named_in(std::string_view words) const;

 private:
  struct Word {
    std::string text;     ///< in lower case
    std::size_t end = 0;  ///< one behind its last byte
  };
  struct Match {
    bool named = false;           ///< a title of several words
    std::size_t other_words = 0;  ///< so many words name a phase that is none of these
  };

  [[nodiscard]] static std::vector<Word> words_of(std::string_view text);
  [[nodiscard]] static std::string key_of(const std::vector<Word>& words);
  [[nodiscard]] Match match(const std::vector<Word>& words, std::size_t at) const;
  [[nodiscard]] bool is_number(const std::vector<Word>& words, std::size_t at) const;
  [[nodiscard]] bool is_short_title(std::string_view text, const std::vector<Word>& words) const;

  std::unordered_set<std::string> numbers_;
  std::unordered_set<std::string> short_titles_;
  std::unordered_set<std::string> long_titles_;  ///< their first words
  std::unordered_set<std::string> excepted_;
  std::unordered_set<std::string> first_words_;  ///< of both
};

}  // namespace phasegate::phases
