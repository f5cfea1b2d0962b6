#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rag/collection.h"
#include "rag/tokens.h"

namespace phasegate::rag {

/// What is looked for in the texts of passages.
struct Sought {
  struct Word {
    std::string_view term;
    std::string_view word;  ///< the exact form
  };
  std::vector<Word> words;
  const std::vector<std::vector<std::string>>* phrases = nullptr;
};

/// What a closer look at one passage finds; of each word, in the order of Sought::words.
struct Seen {
  std::vector<Counts> exact;                          ///< occurrences in the exact form
  std::vector<std::vector<std::uint32_t>> positions;  ///< of all forms, ascending
  bool holds_phrases = true;                          ///< each of them, word by word in one field
};

/// Looks at the texts of passages word by word. What `sought` refers to must outlive it.
class CloserLook {
 public:
  explicit CloserLook(const Sought& sought);

  /// Linear in the texts (times limits::kQueryPhrasesMax * kPhraseWordsMax at worst).
  [[nodiscard]] Seen at(const PassageFields& fields);

 private:
  void note(const Token& token, std::size_t field, std::uint32_t base, Seen& seen);
  void find_phrases(std::vector<bool>& held) const;

  std::unordered_map<std::string_view, std::size_t> places_;  // of terms
  std::vector<std::string_view> exact_;
  std::unordered_map<std::string_view, std::uint32_t> phrase_words_;  // numbers from 1
  std::vector<std::vector<std::uint32_t>> phrases_;
  Stemmer stemmer_;
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> line_;  // a field's words as numbers; 0 is in no phrase
};

/// How near two words stand: over the occurrences of the first, the sum of what the best occurrence
/// of the second nearby counts, 1 for the very next word. Linear.
[[nodiscard]] double nearness(const std::vector<std::uint32_t>& first,
                              const std::vector<std::uint32_t>& second);

}  // namespace phasegate::rag
