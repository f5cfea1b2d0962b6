#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::phases {

/// What a text says about a value: its type and the bound that it names.
struct Quantity {
  ValueType type = ValueType::boolean;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> exclusive_minimum;
  std::optional<double> exclusive_maximum;
  std::optional<Scalar> constant;
  std::vector<Scalar> one_of;
  bool path = false;          ///< names a file, or a folder if its own name says so
  bool may_be_empty = false;  ///< a list that is empty when all is well

  friend bool operator==(const Quantity&, const Quantity&) = default;
};

/// The measure with a stated bound that a sentence asks for: `≥ 80 %`, `at least 3 …`, `100 % pass
/// rate`, `10.0/10`, `0 errors`, `no more than 5`, `exactly one`, `exit code 0`, `under 200 ms`.
/// Percentages are in percent. nullopt where a number is none (`all 7 tasks`, a version, a date) or
/// the sentence is a condition about each of many (`every … at least one`). Linear.
[[nodiscard]] std::optional<Quantity> measure_in(std::string_view sentence);

/// A placeholder for a value: `[NUMBER]`, `{count}`, `[PASS/FAIL]`, `<path>`.
struct Slot {
  std::size_t begin = 0;  ///< bytes of the whole placeholder in the text
  std::size_t end = 0;
  Quantity value;
};

/// The placeholders of a text, in their order; boxes and links are none.
[[nodiscard]] std::vector<Slot> slots_in(std::string_view text);

/// The value that a type's name at the beginning of a text asks for: `Integer (0-100)`,
/// `Array of paths`, `string, non-empty`, `Must be 100`. nullopt for any other text.
[[nodiscard]] std::optional<Quantity> typed_value(std::string_view text);

/// What a field's name alone lets one expect: `files_touched` a list, `coverage_percent` a number,
/// `is_complete` true; a text otherwise.
[[nodiscard]] Quantity quantity_from_name(std::string_view name);

/// A value of this type and nothing else about it; numbers are not below zero.
[[nodiscard]] Quantity of_type(ValueType type);

/// Puts type and bounds into a requirement.
void apply_quantity(const Quantity& quantity, Requirement& requirement);

}  // namespace phasegate::phases
