#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::gating {

/// A word of the expression language.
struct ExpressionToken {
  enum class Kind { end, name, number, text, sign, bad };
  Kind kind = Kind::end;
  std::string_view written;           ///< as it stands in the text
  std::uint32_t begin = 0;            ///< byte in the text
  std::string quoted;                 ///< what a text stands for
  std::optional<std::int64_t> whole;  ///< a number, if it is whole and not too large
  double number = 0;                  ///< any other number
  std::string problem;                ///< why it is bad
};

/// Takes an expression's text apart, one word at a time. The parser asks for members itself, since
/// what a name may consist of depends on what stands in front of it: `steps.plan-b`.
class ExpressionScanner {
 public:
  explicit ExpressionScanner(std::string_view text) : text_(text) {}

  /// The next word; `end` behind the last one. A bad one says why and is followed by itself.
  [[nodiscard]] ExpressionToken next();
  /// The name of a member, right behind its `.`; with `id` also `0B`, `plan-b`. Nothing there:
  /// empty.
  [[nodiscard]] std::string_view member(bool id);
  /// The rest of a name with hyphens and a `(` behind it (`unit-tests(`), from the byte `begin`;
  /// nothing is taken.
  [[nodiscard]] std::string_view hyphenated_call(std::uint32_t begin) const;
  /// Goes on behind the byte `end`.
  void skip_to(std::size_t end) { at_ = end; }

 private:
  [[nodiscard]] ExpressionToken bad(std::size_t begin, std::string problem) const;
  [[nodiscard]] ExpressionToken number();
  [[nodiscard]] ExpressionToken quoted();
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_blanks();

  std::string_view text_;
  std::size_t at_ = 0;
};

[[nodiscard]] bool is_name_start(char c);
[[nodiscard]] bool is_name_part(char c);

/// Reads a quoted text that begins at byte `at` with its quote: the text it stands for, and `at`
/// behind it. nullopt: it is not closed. `\"`, `\'`, `\\`, `\n`, `\r` and `\t` stand for what they
/// usually do; before any other character a backslash stands for itself, as patterns want it.
[[nodiscard]] std::optional<std::string> read_quoted(std::string_view text, std::size_t& at);

}  // namespace phasegate::gating
