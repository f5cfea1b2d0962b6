#include "world/database/sql_text.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"

namespace phasegate::world::database {
namespace {

constexpr std::size_t kSqlBytesMax = 1U << 20U;

base::Error invalid(std::string message, std::string hint = "") {
  return {"invalid_sql", std::move(message), std::move(hint), ""};
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// As SQLite sees it: every byte beyond ASCII is a letter.
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Cutter {
 public:
  explicit Cutter(std::string_view sql) : sql_(sql) {}

  base::Result<std::vector<Token>> tokens() {
    while (skip_blank()) {
      const std::size_t begin = at_;
      const auto kind = next();
      if (!kind) return kind.error();
      const std::string_view text = sql_.substr(begin, at_ - begin);
      if (text == ")" && depth_ > 0) --depth_;
      tokens_.push_back({*kind, text, depth_});
      if (text == "(") ++depth_;
    }
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0';
  }

  void skip_to(std::string_view end) {
    const std::size_t found = sql_.find(end, at_);
    at_ = found == std::string_view::npos ? sql_.size() : found + end.size();
  }

  /// False at the end.
  bool skip_blank() {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";  // SQLite takes it for white space
    while (at_ < sql_.size()) {
      if (is_space(peek())) {
        ++at_;
      } else if (sql_.substr(at_).starts_with(kMark)) {
        at_ += kMark.size();
      } else if (sql_.substr(at_).starts_with("--")) {
        skip_to("\n");
      } else if (sql_.substr(at_).starts_with("/*")) {
        at_ += 2;
        skip_to("*/");
      } else {
        return true;
      }
    }
    return false;
  }

  base::Result<Token::Kind> next() {
    const char c = peek();
    if (c == '\'') return literal();
    if ((c == 'x' || c == 'X') && peek(1) == '\'') {
      ++at_;
      return literal();
    }
    if (c == '"' || c == '`') return quoted(c);
    if (c == '[') return quoted(']');
    if (c == '?') {
      ++at_;
      while (is_digit(peek())) ++at_;
      return Token::Kind::variable;
    }
    if (c == ':' || c == '@' || c == '#' || (c == '$' && is_word(peek(1)))) {
      ++at_;
      while (is_word(peek())) ++at_;
      if (peek() == '(')
        return invalid("a parameter has an argument", "name it without parentheses");
      return Token::Kind::variable;
    }
    if (is_word(c)) {
      while (is_word(peek())) ++at_;
      return is_digit(c) ? Token::Kind::literal : Token::Kind::word;
    }
    ++at_;
    return Token::Kind::sign;
  }

  base::Result<Token::Kind> literal() {
    if (!to_quote('\'')) return invalid("a text in the statement does not end");
    return Token::Kind::literal;
  }

  base::Result<Token::Kind> quoted(char end) {
    if (!to_quote(end)) return invalid("a quoted name in the statement does not end");
    return Token::Kind::quoted;
  }

  /// Behind the closing quote; a doubled one is none, but for brackets.
  bool to_quote(char end) {
    ++at_;
    while (at_ < sql_.size()) {
      if (sql_[at_++] != end) continue;
      if (end == ']' || peek() != end) return true;
      ++at_;
    }
    return false;
  }

  std::string_view sql_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

bool Token::is(std::string_view keyword) const {
  if (kind != Kind::word || text.size() != keyword.size()) return false;
  return std::equal(text.begin(), text.end(), keyword.begin(),
                    [](char a, char b) { return (a >= 'a' && a <= 'z' ? a - 'a' + 'A' : a) == b; });
}

bool SqlText::is(std::size_t n, std::string_view keyword) const {
  return n < tokens.size() && tokens[n].is(keyword);
}

std::string SqlText::digest() const {
  base::Digest digest;
  for (const Token& token : tokens) digest.add(token.text);
  return digest.hex();
}

base::Result<std::vector<Token>> tokens_of(std::string_view sql) {
  return Cutter(sql).tokens();
}

base::Result<SqlText> cut(std::string_view sql) {
  if (sql.size() > kSqlBytesMax) {
    return invalid("the statement has " + std::to_string(sql.size()) + " bytes; at most " +
                       std::to_string(kSqlBytesMax) + " are read",
                   "give long values as parameters, or split the work");
  }
  if (sql.find('\0') != std::string_view::npos) return invalid("the statement holds a NUL byte");
  if (!base::is_utf8(sql)) return invalid("the statement is not UTF-8");
  auto tokens = tokens_of(sql);
  if (!tokens) return std::move(tokens).error();
  SqlText text{sql, std::move(tokens).value()};
  const auto is_end = [](const Token& token) { return token.text == ";"; };
  while (!text.tokens.empty() && is_end(text.tokens.back())) text.tokens.pop_back();
  if (text.tokens.empty()) return invalid("there is no statement", "write one statement of SQL");
  if (std::any_of(text.tokens.begin(), text.tokens.end(), is_end)) {
    return invalid("there are several statements",
                   "give one at a time: each is looked at, and has a transaction, of its own");
  }
  return text;
}

bool may_replace(const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is("REPLACE")) continue;
    const bool is_call = i + 1 < tokens.size() && tokens[i + 1].text == "(";
    if (!is_call) return true;
  }
  return false;
}

}  // namespace phasegate::world::database
