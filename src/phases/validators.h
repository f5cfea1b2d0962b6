#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// What a validator asks for, before it is known whether it fits a type.
enum class RuleKind {
  non_empty,
  non_empty_list,
  exists,         ///< a file: a path within the project
  folder_exists,  ///< a folder: a path within the project
  is_true,
  is_false,
  greater,
  at_least,
  less,
  at_most,
  equals,
  min_length,
  percent,
  pattern
};

/// One rule and its operand as written: `5`, `0_85`, `high`, a regular expression.
struct ValidatorRule {
  RuleKind kind = RuleKind::non_empty;
  std::string operand;
  /// The operand is part of a validator word, where `_` stands for the decimal point.
  bool underscore_point = false;
  friend bool operator==(const ValidatorRule&, const ValidatorRule&) = default;
};

/// Reads one validator word of the documents: `greater_than_0`, `between_1_10`,
/// `custom:regex:^v\d`. Errors: `unknown_validator` (hint: the nearest known word, or all).
[[nodiscard]] base::Result<std::vector<ValidatorRule>> rules_from_word(std::string_view word);

/// Reads every validator of a table's cell; words are separated by commas, semicolons, `+`, `&`,
/// `and` or blanks, and `custom:regex:` takes the rest. `-`, `none` and nothing are no validator.
[[nodiscard]] base::Result<std::vector<ValidatorRule>> rules_from_cell(std::string_view cell);

/// A word that takes its operands from elsewhere: (`greater_than`, {"5"}).
/// Errors: `unknown_validator`; `unsupported_validator_params` for a wrong number of operands.
[[nodiscard]] base::Result<std::vector<ValidatorRule>> rules_from_parts(
    std::string_view word, const std::vector<std::string>& operands);

/// Adds a rule to a requirement; of two bounds the stricter stays.
/// Errors: `validator_does_not_fit` for a rule that means nothing for the requirement's type or an
/// operand that is no number; `ambiguous_number` for `greater_than_10_000`; `number_too_large` for
/// a number beyond ±kExactIntegerMax.
[[nodiscard]] base::Result<void> apply_rule(const ValidatorRule& rule, Requirement& requirement);

/// Refuses (`impossible_rule`) bounds that no value satisfies.
[[nodiscard]] base::Result<void> check_satisfiable(const Requirement& requirement);

/// Whole numbers up to here are told apart as doubles: 2^53 - 1.
inline constexpr double kExactIntegerMax = 9007199254740991.0;

/// A plain number: `5`, `-1`, `0.85`; nullopt for anything else, `1_000` included.
[[nodiscard]] std::optional<double> number_from(std::string_view text);
/// A number as validator words write it, with `_` for the decimal point: `0_85`.
[[nodiscard]] std::optional<double> word_number_from(std::string_view text);
/// The same for whole numbers from 0 on, such as a length.
[[nodiscard]] std::optional<std::int64_t> length_from(std::string_view text);

}  // namespace phasegate::phases
