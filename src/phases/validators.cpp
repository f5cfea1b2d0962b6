#include "phases/validators.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/limits.h"
#include "base/text.h"
#include "phases/project_paths.h"

namespace phasegate::phases {
namespace {

using Rules = std::vector<ValidatorRule>;

struct PlainWord {
  std::string_view word;
  RuleKind kind;
  std::string_view operand;
};

constexpr std::array<PlainWord, 11> kPlainWords = {{
    {"non_empty", RuleKind::non_empty, ""},
    {"not_empty", RuleKind::non_empty, ""},
    {"non_empty_list", RuleKind::non_empty_list, ""},
    {"is_true", RuleKind::is_true, ""},
    {"is_false", RuleKind::is_false, ""},
    {"file_exists", RuleKind::exists, ""},
    {"directory_exists", RuleKind::folder_exists, ""},
    {"positive", RuleKind::greater, "0"},
    {"non_negative", RuleKind::at_least, "0"},
    {"not_negative", RuleKind::at_least, "0"},
    {"non_zero_length", RuleKind::non_empty, ""},
}};

struct Family {
  std::string_view word;
  RuleKind kind;
};

/// Longer words first: `greater_than` is the beginning of `greater_than_or_equal`.
constexpr std::array<Family, 7> kFamilies = {{
    {"greater_than_or_equal", RuleKind::at_least},
    {"less_than_or_equal", RuleKind::at_most},
    {"greater_than", RuleKind::greater},
    {"less_than", RuleKind::less},
    {"percent_gte", RuleKind::percent},
    {"min_length", RuleKind::min_length},
    {"equals", RuleKind::equals},
}};

constexpr std::string_view kRegexPrefix = "custom:regex:";
constexpr std::string_view kBetween = "between";

const std::vector<std::string>& known_words() {
  static const std::vector<std::string> kWords = {"non_empty",
                                                  "non_empty_list",
                                                  "is_true",
                                                  "is_false",
                                                  "file_exists",
                                                  "directory_exists",
                                                  "greater_than_N",
                                                  "greater_than_or_equal_N",
                                                  "less_than_N",
                                                  "less_than_or_equal_N",
                                                  "between_N_M",
                                                  "equals_X",
                                                  "min_length_N",
                                                  "percent_gte_N",
                                                  "custom:regex:PATTERN",
                                                  "positive",
                                                  "non_negative"};
  return kWords;
}

base::Error unknown(std::string_view word) {
  // Digits would count as letters of the name: greater_then_10 shall find greater_than_N.
  std::string shape;
  for (const char c : word) {
    if (c >= '0' && c <= '9') {
      if (shape.empty() || shape.back() != 'N') shape += 'N';
    } else {
      shape += c;
    }
  }
  const auto nearest = base::nearest_name(shape, known_words());
  const std::string hint = nearest ? "did you mean " + *nearest + "?"
                                   : "known validators: " + base::joined(known_words(), ", ");
  return {"unknown_validator",
          "the validator " + base::in_quotes(base::shortened(word, 80)) + " is not known", hint,
          ""};
}

/// `1_10` → 1 and 10; `0_5_1_0` → 0.5 and 1.0. Three parts could be read in two ways.
std::optional<Rules> between_from(std::string_view operands) {
  const auto parts = base::split(operands, '_');
  std::string low;
  std::string high;
  if (parts.size() == 2) {
    low = parts[0];
    high = parts[1];
  } else if (parts.size() == 4) {
    low = std::string(parts[0]) + "_" + std::string(parts[1]);
    high = std::string(parts[2]) + "_" + std::string(parts[3]);
  }
  if (!word_number_from(low) || !word_number_from(high)) return std::nullopt;
  return Rules{{RuleKind::at_least, low, true}, {RuleKind::at_most, high, true}};
}

std::string counted_values(std::size_t count) {
  return count == 0 ? "no value" : count == 1 ? "one value" : std::to_string(count) + " values";
}

base::Error misfit(const Requirement& requirement, std::string_view wanted) {
  return {"validator_does_not_fit",
          "this validator needs " + std::string(wanted) + ", but " +
              base::in_quotes(requirement.name) + " is of type " +
              std::string(to_text(requirement.type)),
          "change the type or the validator", ""};
}

base::Error no_number(const ValidatorRule& rule) {
  return {"validator_does_not_fit",
          base::in_quotes(base::shortened(rule.operand, 40)) + " is no number that fits here",
          rule.underscore_point
              ? "write whole numbers as 5 and decimals as 0_85"
              : "write 1000 and 0.85; an underscore in a number could mean either",
          ""};
}

/// The number of a rule; an underscore is a decimal point in validator words only.
base::Result<double> operand_number(const ValidatorRule& rule) {
  const auto number =
      rule.underscore_point ? word_number_from(rule.operand) : number_from(rule.operand);
  if (!number) return no_number(rule);
  const auto mark = rule.operand.find('_');
  if (mark != std::string::npos && rule.operand.size() - mark == 4 && std::fabs(*number) >= 1) {
    // greater_than_10_000 could mean ten thousand as well as ten.
    const std::string whole = rule.operand.substr(0, mark);
    return base::Error{"ambiguous_number",
                       base::in_quotes(rule.operand) +
                           " could be read with a decimal point or with a thousands separator",
                       "write " + whole + rule.operand.substr(mark + 1) + " or " + whole + "_0",
                       ""};
  }
  if (std::fabs(*number) > kExactIntegerMax) {
    return base::Error{"number_too_large",
                       base::in_quotes(rule.operand) +
                           " is 2^53 or more, where whole numbers cannot be told apart",
                       "use a bound between -9007199254740991 and 9007199254740991", ""};
  }
  return *number;
}

bool is_numeric(ValueType type) {
  return type == ValueType::integer || type == ValueType::number;
}

template <typename T>
void keep_larger(std::optional<T>& bound, T value) {
  bound = bound ? std::max(*bound, value) : value;
}
template <typename T>
void keep_smaller(std::optional<T>& bound, T value) {
  bound = bound ? std::min(*bound, value) : value;
}

base::Result<void> apply_bound(const ValidatorRule& rule, Requirement& requirement) {
  if (!is_numeric(requirement.type)) return misfit(requirement, "an integer or a number");
  const auto number = operand_number(rule);
  if (!number) return number.error();
  switch (rule.kind) {
    case RuleKind::greater:
      keep_larger(requirement.exclusive_minimum, *number);
      break;
    case RuleKind::at_least:
      keep_larger(requirement.minimum, *number);
      break;
    case RuleKind::less:
      keep_smaller(requirement.exclusive_maximum, *number);
      break;
    case RuleKind::at_most:
      keep_smaller(requirement.maximum, *number);
      break;
    default:
      keep_larger(requirement.minimum, *number);
      keep_smaller(requirement.maximum, 100.0);
  }
  return {};
}

base::Result<void> apply_length(const ValidatorRule& rule, Requirement& requirement) {
  const auto length = rule.kind == RuleKind::min_length ? length_from(rule.operand)
                                                        : std::optional<std::int64_t>(1);
  if (!length) return no_number(rule);
  if (requirement.type == ValueType::array) {
    keep_larger(requirement.min_items, *length);
  } else if (requirement.type == ValueType::string && rule.kind != RuleKind::non_empty_list) {
    keep_larger(requirement.min_length, *length);
  } else {
    return misfit(requirement,
                  rule.kind == RuleKind::non_empty_list ? "an array" : "a string or an array");
  }
  return {};
}

base::Result<void> apply_equals(const ValidatorRule& rule, Requirement& requirement) {
  std::optional<Scalar> wanted;
  switch (requirement.type) {
    case ValueType::boolean: {
      const std::string word = base::lowered(rule.operand);
      if (word != "true" && word != "false") return misfit(requirement, "true or false");
      wanted = word == "true";
      requirement.false_allowed = word == "false";
      break;
    }
    case ValueType::integer: {
      const auto number = operand_number(rule);
      if (!number) return number.error();
      if (std::floor(*number) != *number) return no_number(rule);
      wanted = static_cast<std::int64_t>(*number);
      break;
    }
    case ValueType::number: {
      const auto number = operand_number(rule);
      if (!number) return number.error();
      wanted = *number;
      break;
    }
    case ValueType::string:
      wanted = rule.operand;
      break;
    default:
      return misfit(requirement, "a single value");
  }
  if (requirement.constant && *requirement.constant != *wanted) {
    return base::Error{
        "impossible_rule",
        base::in_quotes(requirement.name) + " would have to equal two values at once",
        "keep one of the two", ""};
  }
  requirement.constant = std::move(wanted);
  return {};
}

}  // namespace

base::Result<Rules> rules_from_word(std::string_view word) {
  if (word.starts_with(kRegexPrefix)) {
    const std::string_view pattern = word.substr(kRegexPrefix.size());
    if (pattern.empty() || pattern.size() > base::limits::kPatternBytesMax) {
      return base::Error{"unknown_validator",
                         "custom:regex: needs a pattern of 1 to " +
                             std::to_string(base::limits::kPatternBytesMax) + " bytes",
                         "write custom:regex:^v[0-9]+$", ""};
    }
    return Rules{{RuleKind::pattern, std::string(pattern)}};
  }
  const std::string name = base::lowered(word);
  for (const PlainWord& plain : kPlainWords) {
    if (plain.word == name) return Rules{{plain.kind, std::string(plain.operand)}};
  }
  const auto operand_of = [&](std::string_view family) -> std::optional<std::string_view> {
    if (!name.starts_with(family) || name.size() < family.size() + 2) return std::nullopt;
    if (name[family.size()] != '_') return std::nullopt;
    // The operand keeps its case: equals_High.
    return word.substr(family.size() + 1);
  };
  if (const auto operands = operand_of(kBetween)) {
    if (auto rules = between_from(*operands)) return std::move(*rules);
    return unknown(word);
  }
  for (const Family& family : kFamilies) {
    const auto operand = operand_of(family.word);
    if (!operand) continue;
    const bool fits =
        family.kind == RuleKind::equals ||
        (family.kind == RuleKind::min_length ? length_from(*operand).has_value()
                                             : word_number_from(*operand).has_value());
    if (!fits) return unknown(word);
    return Rules{{family.kind, std::string(*operand), true}};
  }
  return unknown(word);
}

base::Result<Rules> rules_from_cell(std::string_view cell) {
  std::string_view text = base::trimmed(cell);
  // Backticks around the whole cell are markup; inside a pattern they are the pattern's.
  while (text.size() >= 2 && text.front() == '`' && text.back() == '`') {
    text = base::trimmed(text.substr(1, text.size() - 2));
  }
  std::optional<std::string> pattern_word;
  if (const auto at = text.find(kRegexPrefix); at != std::string_view::npos) {
    std::string_view rest = text.substr(at);
    // A pattern in a code span of its own ends where the span ends.
    if (at > 0 && text[at - 1] == '`') rest = rest.substr(0, rest.find('`'));
    pattern_word = std::string(base::trimmed(rest));
    text = text.substr(0, at);
  }
  Rules rules;
  std::string word;
  const auto flush = [&]() -> base::Result<void> {
    const std::string lower = base::lowered(word);
    const bool nothing = word.empty() || lower == "and" || lower == "-" || lower == "—" ||
                         lower == "–" || lower == "none" || lower == "n/a";
    if (!nothing) {
      auto more = rules_from_word(word);
      if (!more) return more.error();
      rules.insert(rules.end(), more->begin(), more->end());
    }
    word.clear();
    return {};
  };
  for (const char c : std::string(text) + " ") {
    constexpr std::string_view kSeparators = " \t\r\n,;+&`";
    if (kSeparators.find(c) == std::string_view::npos) {
      word += c;
    } else if (auto done = flush(); !done) {
      return done.error();
    }
  }
  if (pattern_word) {
    auto more = rules_from_word(*pattern_word);
    if (!more) return more.error();
    rules.insert(rules.end(), more->begin(), more->end());
  }
  return rules;
}

base::Result<Rules> rules_from_parts(std::string_view word,
                                     const std::vector<std::string>& operands) {
  if (operands.empty()) return rules_from_word(word);
  const auto wrong = [&](std::size_t wanted) {
    return base::Error{"unsupported_validator_params",
                       "the validator " + base::in_quotes(word) + " takes " +
                           counted_values(wanted) + ", validator_params has " +
                           std::to_string(operands.size()),
                       "", ""};
  };
  const std::string name = base::lowered(word);
  if (name == kBetween) {
    if (operands.size() != 2) return wrong(2);
    return Rules{{RuleKind::at_least, operands[0]}, {RuleKind::at_most, operands[1]}};
  }
  if (name == "pattern" || name == "regex" || name == "matches") {
    if (operands.size() != 1) return wrong(1);
    return Rules{{RuleKind::pattern, operands[0]}};
  }
  for (const Family& family : kFamilies) {
    if (family.word != name) continue;
    if (operands.size() != 1) return wrong(1);
    return Rules{{family.kind, operands[0]}};
  }
  const auto plain = rules_from_word(word);
  return plain ? wrong(0) : plain.error();
}

base::Result<void> apply_rule(const ValidatorRule& rule, Requirement& requirement) {
  switch (rule.kind) {
    case RuleKind::is_true:
    case RuleKind::is_false:
      if (requirement.type != ValueType::boolean) return misfit(requirement, "a boolean");
      return apply_equals({RuleKind::equals, rule.kind == RuleKind::is_true ? "true" : "false"},
                          requirement);
    case RuleKind::non_empty:
    case RuleKind::non_empty_list:
    case RuleKind::min_length:
      return apply_length(rule, requirement);
    case RuleKind::exists:
    case RuleKind::folder_exists:
      if (requirement.type != ValueType::string) return misfit(requirement, "a string with a path");
      requirement.format = rule.kind == RuleKind::exists ? kProjectPath : kProjectFolder;
      return {};
    case RuleKind::equals:
      return apply_equals(rule, requirement);
    case RuleKind::pattern:
      if (requirement.type != ValueType::string) return misfit(requirement, "a string");
      if (rule.operand.empty() || rule.operand.size() > base::limits::kPatternBytesMax) {
        return base::Error{
            "validator_does_not_fit",
            "a pattern has 1 to " + std::to_string(base::limits::kPatternBytesMax) + " bytes", "",
            ""};
      }
      if (requirement.pattern && *requirement.pattern != rule.operand) {
        return base::Error{"validator_does_not_fit", "only one pattern can be asked for",
                           "join the two patterns into one", ""};
      }
      requirement.pattern = rule.operand;
      return {};
    default:
      return apply_bound(rule, requirement);
  }
}

base::Result<void> check_satisfiable(const Requirement& requirement) {
  double low = requirement.minimum.value_or(-HUGE_VAL);
  double high = requirement.maximum.value_or(HUGE_VAL);
  bool open = false;
  if (requirement.exclusive_minimum && *requirement.exclusive_minimum >= low) {
    low = *requirement.exclusive_minimum;
    open = true;
  }
  if (requirement.exclusive_maximum && *requirement.exclusive_maximum <= high) {
    high = *requirement.exclusive_maximum;
    open = true;
  }
  if (low > high || (open && low == high)) {
    return base::Error{"impossible_rule",
                       "no value of " + base::in_quotes(requirement.name) +
                           " lies between its bounds " + base::number_text(low) + " and " +
                           base::number_text(high),
                       "correct one of the bounds", ""};
  }
  return {};
}

}  // namespace phasegate::phases
