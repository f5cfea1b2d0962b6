#include "gating/expression_scanner.h"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "base/text.h"

namespace phasegate::gating {

using Kind = ExpressionToken::Kind;

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Longest first, so that `===` is not taken for `==`.
constexpr std::array<std::string_view, 25> kSigns = {
    "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "=>", "(", ")", "[", "]",
    ".",   ",",   "<",  ">",  "!",  "+",  "-",  "*",  "/",  "=", "&", "|"};

}  // namespace

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

std::optional<std::string> read_quoted(std::string_view text, std::size_t& at) {
  const char quote = text[at];
  std::string value;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == quote) {
      at = i + 1;
      return value;
    }
    if (c != '\\' || i + 1 == text.size()) {
      value += c;
      continue;
    }
    const char escaped = text[++i];
    switch (escaped) {
      case 'n':
        value += '\n';
        break;
      case 'r':
        value += '\r';
        break;
      case 't':
        value += '\t';
        break;
      case '\\':
      case '\'':
      case '"':
        value += escaped;
        break;
      default:
        value += '\\';
        value += escaped;
    }
  }
  return std::nullopt;
}

void ExpressionScanner::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

ExpressionToken ExpressionScanner::bad(std::size_t begin, std::string problem) const {
  ExpressionToken token;
  token.kind = Kind::bad;
  token.begin = static_cast<std::uint32_t>(begin);
  token.written = text_.substr(begin);
  token.problem = std::move(problem);
  return token;
}

ExpressionToken ExpressionScanner::number() {
  const std::size_t begin = at_;
  const auto digits = [&] {
    const std::size_t first = at_;
    while (is_digit(peek())) ++at_;
    return at_ > first;
  };
  digits();
  bool whole = true;
  if (peek() == '.' && is_digit(peek(1))) {
    whole = false;
    ++at_;
    digits();
  }
  if (peek() == 'e' || peek() == 'E') {
    whole = false;
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (!digits()) return bad(begin, "a number's exponent is missing");
  }
  if (is_name_part(peek())) return bad(begin, "a number has letters behind it");
  ExpressionToken token;
  token.kind = Kind::number;
  token.begin = static_cast<std::uint32_t>(begin);
  token.written = text_.substr(begin, at_ - begin);
  const char* first = token.written.data();
  const char* last = first + token.written.size();
  if (std::int64_t exact = 0; whole && std::from_chars(first, last, exact).ec == std::errc()) {
    token.whole = exact;
    return token;
  }
  if (std::from_chars(first, last, token.number).ec != std::errc() ||
      !std::isfinite(token.number)) {
    return bad(begin, "the number is too large");
  }
  return token;
}

ExpressionToken ExpressionScanner::quoted() {
  ExpressionToken token;
  token.kind = Kind::text;
  token.begin = static_cast<std::uint32_t>(at_);
  const std::size_t begin = at_;
  auto value = read_quoted(text_, at_);
  if (!value) return bad(begin, "the text in quotes is not closed");
  token.written = text_.substr(begin, at_ - begin);
  token.quoted = std::move(*value);
  return token;
}

ExpressionToken ExpressionScanner::next() {
  skip_blanks();
  ExpressionToken token;
  token.begin = static_cast<std::uint32_t>(at_);
  if (at_ == text_.size()) return token;
  const char c = peek();
  if (is_digit(c)) return number();
  if (c == '"' || c == '\'') return quoted();
  if (is_name_start(c)) {
    const std::size_t begin = at_;
    while (is_name_part(peek())) ++at_;
    token.kind = Kind::name;
    token.written = text_.substr(begin, at_ - begin);
    return token;
  }
  for (const std::string_view sign : kSigns) {
    if (!text_.substr(at_).starts_with(sign)) continue;
    token.kind = Kind::sign;
    token.written = text_.substr(at_, sign.size());
    at_ += sign.size();
    return token;
  }
  std::size_t length = 1;
  while (at_ + length < text_.size() &&
         (static_cast<unsigned char>(text_[at_ + length]) & 0xC0U) == 0x80U) {
    ++length;
  }
  return bad(at_, "the character " + base::in_quotes(text_.substr(at_, length)) +
                      " means nothing here" +
                      (c == '`' ? "; texts stand in single or double quotes" : ""));
}

std::string_view ExpressionScanner::member(bool id) {
  skip_blanks();
  const std::size_t begin = at_;
  if (id ? !is_name_part(peek()) : !is_name_start(peek())) return {};
  while (is_name_part(peek()) || (id && peek() == '-' && is_name_part(peek(1)))) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view ExpressionScanner::hyphenated_call(std::uint32_t begin) const {
  std::size_t end = begin;
  const auto part = [&](std::size_t i) { return i < text_.size() && is_name_part(text_[i]); };
  while (part(end) || (end < text_.size() && text_[end] == '-' && part(end + 1))) ++end;
  std::size_t behind = end;
  while (behind < text_.size() && is_blank(text_[behind])) ++behind;
  if (behind == text_.size() || text_[behind] != '(') return {};
  return text_.substr(begin, end - begin);
}

}  // namespace phasegate::gating
