#include "phases/constraint.h"

#include <vector>

#include "base/text.h"
#include "phases/project_paths.h"

namespace phasegate::phases {
namespace {

std::string plain_text(const Scalar& value) {
  struct {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return base::number_text(v); }
    std::string operator()(const std::string& v) const { return v; }
  } text;
  return std::visit(text, value);
}

/// Bounds at both ends are a range, be they open or not.
std::string bounds_of(const Requirement& requirement) {
  const auto low = requirement.minimum ? requirement.minimum : requirement.exclusive_minimum;
  const auto high = requirement.maximum ? requirement.maximum : requirement.exclusive_maximum;
  if (requirement.minimum && requirement.minimum == requirement.maximum) {
    return "== " + base::number_text(*requirement.minimum);
  }
  if (low && high) return "range:" + base::number_text(*low) + ".." + base::number_text(*high);
  if (requirement.minimum) return ">= " + base::number_text(*requirement.minimum);
  if (requirement.exclusive_minimum) {
    return "> " + base::number_text(*requirement.exclusive_minimum);
  }
  if (requirement.maximum) return "<= " + base::number_text(*requirement.maximum);
  if (requirement.exclusive_maximum) {
    return "< " + base::number_text(*requirement.exclusive_maximum);
  }
  return "";
}

std::string enum_of(const std::vector<Scalar>& values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const Scalar& value : values) words.push_back(plain_text(value));
  return "enum:" + base::joined(words, "|");
}

}  // namespace

std::string constraint_of(const Requirement& requirement) {
  if (requirement.constant) return "== " + plain_text(*requirement.constant);
  if (!requirement.one_of.empty()) return enum_of(requirement.one_of);
  switch (requirement.type) {
    case ValueType::boolean:
      return requirement.required && !requirement.false_allowed ? "== true" : "";
    case ValueType::integer:
    case ValueType::number:
      return bounds_of(requirement);
    case ValueType::string:
      if (names_place(requirement.format)) return "exists";
      if (requirement.format) return "format:" + *requirement.format;
      return requirement.required || requirement.min_length.value_or(0) > 0 ? "non-empty" : "";
    case ValueType::array:
    case ValueType::object:
      return requirement.required || requirement.min_items.value_or(0) > 0 ? "non-empty" : "";
  }
  return "";
}

}  // namespace phasegate::phases
