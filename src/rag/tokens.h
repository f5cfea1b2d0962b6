#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct sb_stemmer;

namespace phasegate::rag {

/// Longest token in bytes; what a longer word has behind that is left out.
inline constexpr std::size_t kTokenBytesMax = 64;

/// A word of a text as it is compared: lower case, without accents.
struct Token {
  std::string text;
  std::uint32_t position = 0;  ///< counts the tokens that are not joined, from 0
  bool joined = false;         ///< several tokens as one, at the position of the first
};

/// Replaces `into` by the tokens of a text. Its strings are used again, so that a caller who keeps
/// the vector saves their memory.
///
/// A token is a run of letters and digits, in lower case (full case folding) and compatibility
/// form, without combining marks. Runs divide at `_`, between lower and upper case, and before the
/// last capital of several: `snake_case`, `camelCase` and `HTTPServer` give two tokens each and the
/// joined form (`snake_case`, `camelcase`, `httpserver`) unless that is longer than a token.
/// In scripts that are written without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer,
/// Burmese) every character is a token, and every two neighbours are a joined one.
/// Signs, emoji, control characters and ill-formed bytes are no part of a token. Linear in `utf8`.
void tokenise(std::string_view utf8, std::vector<Token>& into);

/// Makes index terms of tokens: Porter's stems of English words. Words with digits, `_` or letters
/// beyond ASCII and joined tokens stay as they are. Not for several threads at once.
class Stemmer {
 public:
  Stemmer();
  ~Stemmer();
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;

  /// The term of a token; refers to the token or to the stemmer, until its next call.
  [[nodiscard]] std::string_view term_of(const Token& token);
  /// The same for a word that is not joined.
  [[nodiscard]] std::string_view term_of(std::string_view word);

 private:
  struct Free {
    void operator()(sb_stemmer* stemmer) const;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::unique_ptr<sb_stemmer, Free> stemmer_;
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> known_;
};

}  // namespace phasegate::rag
