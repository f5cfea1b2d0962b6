#include "phases/native/rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/native/plain_json.h"
#include "phases/validators.h"

namespace phasegate::phases {
namespace {

/// More characters or items than anybody hands over.
constexpr std::int64_t kLengthMax = 1'000'000'000;

std::optional<double> number_of(const YamlNode& node) {
  if (scalar_kind(node) != ScalarKind::number) return std::nullopt;
  double value = 0;
  const char* end = node.scalar.data() + node.scalar.size();
  const auto read = std::from_chars(node.scalar.data(), end, value);
  if (read.ptr != end) return std::nullopt;
  // Too large for a double is too large for us, and said as such.
  return read.ec == std::errc() ? value : HUGE_VAL;
}

std::optional<double> as_number(const Scalar& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

/// The bounds of a number, exclusive ones of a whole number made inclusive.
struct Range {
  double low = -HUGE_VAL;
  double high = HUGE_VAL;
  bool open = false;  ///< low and high themselves are left out

  [[nodiscard]] bool is_empty() const { return low > high || (open && low == high); }
};

Range range_of(const Requirement& requirement) {
  Range range{requirement.minimum.value_or(-HUGE_VAL), requirement.maximum.value_or(HUGE_VAL)};
  const auto& above = requirement.exclusive_minimum;
  const auto& below = requirement.exclusive_maximum;
  if (requirement.type == ValueType::integer) {
    range.low = std::ceil(range.low);
    range.high = std::floor(range.high);
    if (above) range.low = std::max(range.low, std::floor(*above) + 1);
    if (below) range.high = std::min(range.high, std::ceil(*below) - 1);
    return range;
  }
  if (above && *above >= range.low) {
    range.low = *above;
    range.open = true;
  }
  if (below && *below <= range.high) {
    range.high = *below;
    range.open = true;
  }
  return range;
}

/// Whether one of the values that `enum` or `const` names lies within the bounds.
bool is_within(const Scalar& value, const Requirement& requirement) {
  if (const auto number = as_number(value)) {
    return *number >= requirement.minimum.value_or(-HUGE_VAL) &&
           *number <= requirement.maximum.value_or(HUGE_VAL) &&
           *number > requirement.exclusive_minimum.value_or(-HUGE_VAL) &&
           *number < requirement.exclusive_maximum.value_or(HUGE_VAL);
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return true;
  const auto length = static_cast<std::int64_t>(base::utf8_length(*text));
  return length >= requirement.min_length.value_or(0) &&
         length <= requirement.max_length.value_or(kLengthMax);
}

const char* upper_key(const Requirement& requirement) {
  if (requirement.maximum) return "maximum";
  return requirement.exclusive_maximum ? "exclusive_maximum" : "minimum";
}

}  // namespace

std::optional<double> read_native_number(const YamlNode& node, const std::string& what,
                                         const NativeReport& report) {
  const auto value = number_of(node);
  if (!value) {
    report.wrong_type(what, "a number", node, "write it as 1000 or 0.85, without quotes");
    return std::nullopt;
  }
  if (std::fabs(*value) > kExactIntegerMax) {
    report.error(
        "number_too_large",
        what + " is " + base::shortened(node.scalar, 60) + ", numbers lie between -2^53 and 2^53",
        "", report.at(node));
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> read_native_length(const YamlNode& node, const std::string& what,
                                               const NativeReport& report) {
  const auto value = number_of(node);
  if (!value || std::floor(*value) != *value || *value < 0 ||
      *value > static_cast<double>(kLengthMax)) {
    report.wrong_type(what, "a whole number from 0 to " + std::to_string(kLengthMax), node);
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*value);
}

std::optional<Scalar> read_native_scalar(const YamlNode& node, ValueType type,
                                         const std::string& what, const NativeReport& report) {
  const ScalarKind kind = scalar_kind(node);
  const bool scalar = node.kind == YamlNode::Kind::scalar;
  if (scalar && type == ValueType::string && kind == ScalarKind::text) return Scalar(node.scalar);
  if (type == ValueType::boolean && kind == ScalarKind::boolean) {
    return Scalar(node.scalar == "true");
  }
  const bool numeric = type == ValueType::integer || type == ValueType::number;
  if (numeric && kind == ScalarKind::number) {
    const auto number = read_native_number(node, what, report);
    if (!number) return std::nullopt;
    if (type == ValueType::number) return Scalar(*number);
    if (std::floor(*number) == *number) return Scalar(static_cast<std::int64_t>(*number));
  }
  const std::string wanted = type == ValueType::string    ? "a text"
                             : type == ValueType::boolean ? "true or false"
                             : type == ValueType::integer ? "a whole number"
                                                          : "a number";
  report.wrong_type(what, wanted + " like its field", node,
                    type == ValueType::string ? "write it in quotes" : "write it without quotes");
  return std::nullopt;
}

std::vector<Scalar> read_native_enum(const YamlNode& node, ValueType type, const std::string& what,
                                     const NativeReport& report) {
  std::vector<Scalar> values;
  if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
    report.wrong_type(what, "a list of values", node);
    return values;
  }
  for (const YamlNode& item : node.items) {
    if (auto value = read_native_scalar(item, type, "a value of " + what, report)) {
      values.push_back(std::move(*value));
    }
  }
  return values;
}

std::vector<std::string> read_native_aliases(const YamlNode& node, const std::string& what,
                                             const NativeReport& report) {
  constexpr std::size_t kAliasesMax = 20;
  constexpr std::size_t kAliasBytesMax = 200;
  std::vector<std::string> aliases;
  if (node.kind != YamlNode::Kind::sequence || node.items.size() > kAliasesMax) {
    report.wrong_type(what, "a list of at most " + std::to_string(kAliasesMax) + " names", node);
    return aliases;
  }
  for (const YamlNode& item : node.items) {
    auto alias = report.text(item, "a name in " + what);
    if (!alias) continue;
    if (is_blank(*alias) || alias->size() > kAliasBytesMax) {
      report.error(
          "unusable_name",
          base::in_quotes(base::shortened(*alias, 80)) + " in " + what + " cannot be a name",
          "a name has 1 to " + std::to_string(kAliasBytesMax) + " bytes, not all blank",
          report.at(item));
      continue;
    }
    if (std::find(aliases.begin(), aliases.end(), *alias) == aliases.end()) {
      aliases.push_back(std::move(*alias));
    }
  }
  return aliases;
}

std::string read_native_example(const YamlNode& node, const std::string& what,
                                const NativeReport& report) {
  if (node.is_null()) {
    report.wrong_type(what, "a value", node);
    return {};
  }
  if (depth_of(node) > base::limits::kEvidenceDepthMax) {
    report.error("example_too_large",
                 what + " is nested deeper than " +
                     std::to_string(base::limits::kEvidenceDepthMax) + " levels",
                 "", report.at(node));
    return {};
  }
  std::string text = base::dump(plain_json(node));
  if (text.size() <= base::limits::kExampleBytesMax) return text;
  report.error("example_too_large",
               what + " has " + std::to_string(text.size()) + " bytes, the limit is " +
                   std::to_string(base::limits::kExampleBytesMax),
               "an example is shown with every refusal: keep it short", report.at(node));
  return {};
}

std::optional<Impossible> impossible_rules(const Requirement& requirement) {
  const Range range = range_of(requirement);
  if (range.is_empty()) {
    const bool whole = requirement.type == ValueType::integer;
    return Impossible{
        upper_key(requirement),
        std::string("no ") + (whole ? "whole number" : "number") + " lies between its bounds"};
  }
  const auto crossed = [](const auto& low, const auto& high) {
    return low && high && *low > *high;
  };
  if (crossed(requirement.min_length, requirement.max_length)) {
    return Impossible{"max_length", "max_length is less than min_length"};
  }
  if (crossed(requirement.min_items, requirement.max_items)) {
    return Impossible{"max_items", "max_items is less than min_items"};
  }
  const bool free_text = requirement.type == ValueType::string && requirement.required &&
                         !requirement.constant && requirement.one_of.empty();
  if (free_text && requirement.max_length == 0) {
    return Impossible{"max_length", "a required text is never empty"};
  }
  if (requirement.constant) {
    if (!is_within(*requirement.constant, requirement)) {
      return Impossible{"const", "its const lies outside of its bounds"};
    }
    if (!requirement.one_of.empty() &&
        std::find(requirement.one_of.begin(), requirement.one_of.end(), *requirement.constant) ==
            requirement.one_of.end()) {
      return Impossible{"const", "its const is not among the values of its enum"};
    }
  }
  const bool none_fits =
      std::none_of(requirement.one_of.begin(), requirement.one_of.end(),
                   [&](const Scalar& value) { return is_within(value, requirement); });
  if (!requirement.one_of.empty() && none_fits) {
    return Impossible{"enum", "every value of its enum lies outside of its bounds"};
  }
  return std::nullopt;
}

}  // namespace phasegate::phases
