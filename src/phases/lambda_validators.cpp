#include "phases/lambda_validators.h"

#include <optional>

#include "base/text.h"

namespace phasegate::phases {
namespace {

using Tokens = std::vector<std::string>;

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Names, numbers, quoted texts and operators; nullopt for a character that no shape holds.
std::optional<Tokens> tokens_of(std::string_view text) {
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t length = 1;
    if (c == ' ' || c == '\t') {
      ++at;
      continue;
    }
    if (is_name_char(c) || (c == '-' && at + 1 < text.size() && is_name_char(text[at + 1]))) {
      while (at + length < text.size() &&
             (is_name_char(text[at + length]) || text[at + length] == '.')) {
        ++length;
      }
    } else if (c == '"' || c == '\'') {
      const auto end = text.find(c, at + 1);
      if (end == std::string_view::npos) return std::nullopt;
      length = end - at + 1;
    } else if (std::string_view("<>=").find(c) != std::string_view::npos) {
      if (at + 1 < text.size() && text[at + 1] == '=') length = 2;
    } else if (std::string_view("(),:").find(c) == std::string_view::npos) {
      return std::nullopt;
    }
    tokens.emplace_back(text.substr(at, length));
    at += length;
  }
  return tokens;
}

std::optional<RuleKind> comparison(const std::string& sign) {
  if (sign == ">") return RuleKind::greater;
  if (sign == ">=") return RuleKind::at_least;
  if (sign == "<") return RuleKind::less;
  if (sign == "<=") return RuleKind::at_most;
  if (sign == "==") return RuleKind::equals;
  return std::nullopt;
}

/// `5 < x` says the same as `x > 5`.
RuleKind mirrored(RuleKind kind) {
  switch (kind) {
    case RuleKind::greater:
      return RuleKind::less;
    case RuleKind::at_least:
      return RuleKind::at_most;
    case RuleKind::less:
      return RuleKind::greater;
    case RuleKind::at_most:
      return RuleKind::at_least;
    default:
      return kind;
  }
}

class LambdaReader {
 public:
  LambdaReader(Tokens tokens, const std::map<std::string, std::string>& params)
      : tokens_(std::move(tokens)), params_(params) {}

  std::optional<std::vector<ValidatorRule>> read() {
    if (!take("lambda") || at_ >= tokens_.size()) return std::nullopt;
    value_ = tokens_[at_++];
    if (!is_name(value_)) return std::nullopt;
    while (take(",")) {
      if (at_ >= tokens_.size() || !is_name(tokens_[at_])) return std::nullopt;
      ++at_;
    }
    if (!take(":")) return std::nullopt;
    if (!read_body() || at_ != tokens_.size()) return std::nullopt;
    return std::move(rules_);
  }

 private:
  static bool is_name(const std::string& token) {
    return is_name_char(token.front()) && !(token.front() >= '0' && token.front() <= '9');
  }

  bool take(std::string_view token) {
    if (at_ >= tokens_.size() || tokens_[at_] != token) return false;
    ++at_;
    return true;
  }

  /// Takes `x` or `len(x)`; says which.
  std::optional<bool> take_subject() {
    if (take("len")) {
      if (take("(") && take(value_) && take(")")) return true;
      return std::nullopt;
    }
    if (take(value_)) return false;
    return std::nullopt;
  }

  /// A number, a quoted text, True, False, or an argument with a value among the parameters.
  std::optional<std::string> take_operand() {
    if (at_ >= tokens_.size()) return std::nullopt;
    const std::string& token = tokens_[at_];
    std::optional<std::string> operand;
    if (token.front() == '"' || token.front() == '\'') {
      operand = token.substr(1, token.size() - 2);
    } else if (token == "True" || token == "False") {
      operand = base::lowered(token);
    } else if (number_from(token)) {
      operand = token;
    } else if (const auto given = params_.find(token); given != params_.end()) {
      operand = given->second;
    }
    if (operand) ++at_;
    return operand;
  }

  bool add(RuleKind kind, const std::string& operand, bool of_length) {
    if (!of_length) {
      rules_.push_back({kind, operand});
      return true;
    }
    const auto length = length_from(operand);
    if (!length || (kind != RuleKind::greater && kind != RuleKind::at_least)) return false;
    rules_.push_back(
        {RuleKind::min_length, std::to_string(*length + (kind == RuleKind::greater ? 1 : 0))});
    return true;
  }

  bool read_body() {
    if (take("bool")) {
      rules_.push_back({RuleKind::is_true, ""});
      return take("(") && take(value_) && take(")");
    }
    const std::size_t begin = at_;
    if (const auto of_length = take_subject()) return read_behind_subject(*of_length);
    at_ = begin;
    return read_chain();
  }

  bool read_behind_subject(bool of_length) {
    if (at_ == tokens_.size()) return false;
    if (take("is")) {
      const auto wanted = take_operand();
      if (of_length || !wanted || (*wanted != "true" && *wanted != "false")) return false;
      rules_.push_back({*wanted == "true" ? RuleKind::is_true : RuleKind::is_false, ""});
      return true;
    }
    const auto kind = comparison(tokens_[at_++]);
    const auto operand = take_operand();
    return kind && operand && add(*kind, *operand, of_length);
  }

  /// `0 <= x <= 100`, or only its first half.
  bool read_chain() {
    const auto low = take_operand();
    if (!low || at_ >= tokens_.size()) return false;
    const auto kind = comparison(tokens_[at_++]);
    const auto of_length = take_subject();
    if (!kind || !of_length || !add(mirrored(*kind), *low, *of_length)) return false;
    return at_ == tokens_.size() || read_behind_subject(*of_length);
  }

  Tokens tokens_;
  const std::map<std::string, std::string>& params_;
  std::size_t at_ = 0;
  std::string value_;
  std::vector<ValidatorRule> rules_;
};

}  // namespace

base::Result<std::vector<ValidatorRule>> rules_from_lambda(
    std::string_view text, const std::map<std::string, std::string>& params) {
  constexpr std::size_t kLambdaBytesMax = 300;
  if (text.size() <= kLambdaBytesMax) {
    if (auto tokens = tokens_of(text)) {
      if (auto rules = LambdaReader(std::move(*tokens), params).read()) return std::move(*rules);
    }
  }
  return base::Error{"unknown_validator",
                     "the validator " + base::in_quotes(base::shortened(text, 80)) +
                         " is code, and code in gate files is not run",
                     "use a validator word such as greater_than_0, min_length_3 or between_0_100",
                     ""};
}

}  // namespace phasegate::phases
