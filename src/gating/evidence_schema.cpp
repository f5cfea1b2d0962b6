#include "gating/evidence_schema.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/workflow_json.h"

namespace phasegate::gating {

using base::Json;
using phases::Gate;
using phases::Requirement;
using phases::ValueType;

namespace {

/// ARCHITECTURE §5: a required boolean of an exit gate must be true unless its author wrote
/// otherwise.
bool must_be_true(const Requirement& requirement) {
  return requirement.type == ValueType::boolean && requirement.required &&
         !requirement.false_allowed && !requirement.constant && requirement.one_of.empty();
}

/// What is said of a secret field before its description, which may be cut off.
const std::string kOnlyDigest = "Secret: judged now, and only a digest of it is kept.";

/// A required text of blanks says nothing.
constexpr std::string_view kNotBlank = "\\S";

bool must_not_be_blank(const Requirement& requirement) {
  return requirement.type == ValueType::string && requirement.required && !requirement.pattern &&
         !requirement.constant && requirement.one_of.empty() && !requirement.format;
}

/// A required text is never empty; one character is what "not blank" asks for already.
std::optional<std::int64_t> least_length(const Requirement& requirement, bool not_blank) {
  if (not_blank && requirement.min_length.value_or(0) <= 1) return std::nullopt;
  const bool free_text = requirement.type == ValueType::string && requirement.required &&
                         !requirement.constant && requirement.one_of.empty();
  if (!free_text) return requirement.min_length;
  return std::max<std::int64_t>(1, requirement.min_length.value_or(1));
}

/// What every item of a list must be; like a required text, a text among them is not blank.
Json items_schema(const phases::ItemRule& rule) {
  Json schema = Json::object();
  schema["type"] = phases::to_text(rule.type);
  if (!rule.one_of.empty()) schema["enum"] = phases::scalars_json(rule.one_of);
  if (rule.min_length) schema["minLength"] = *rule.min_length;
  if (rule.pattern) {
    schema["pattern"] = *rule.pattern;
  } else if (rule.type == ValueType::string && rule.one_of.empty()) {
    schema["pattern"] = kNotBlank;
  }
  return schema;
}

Json field_schema(const Requirement& requirement) {
  Json schema = Json::object();
  schema["type"] = phases::to_text(requirement.type);
  std::string description =
      base::shortened(requirement.description, base::limits::kDescriptionCharsMax);
  if (requirement.secret) {
    schema["writeOnly"] = true;
    description = kOnlyDigest + (description.empty() ? "" : " " + description);
  }
  if (!description.empty()) schema["description"] = std::move(description);
  if (requirement.constant) {
    schema["const"] = phases::scalar_json(*requirement.constant);
  } else if (must_be_true(requirement)) {
    schema["const"] = true;
  }
  if (!requirement.one_of.empty()) schema["enum"] = phases::scalars_json(requirement.one_of);
  const auto number = [&](const char* keyword, const std::optional<double>& bound) {
    if (bound) schema[keyword] = base::number_json(*bound);
  };
  number("minimum", requirement.minimum);
  number("maximum", requirement.maximum);
  number("exclusiveMinimum", requirement.exclusive_minimum);
  number("exclusiveMaximum", requirement.exclusive_maximum);
  const bool not_blank = must_not_be_blank(requirement);
  if (const auto length = least_length(requirement, not_blank)) schema["minLength"] = *length;
  if (requirement.max_length) schema["maxLength"] = *requirement.max_length;
  if (requirement.min_items) schema["minItems"] = *requirement.min_items;
  if (requirement.max_items) schema["maxItems"] = *requirement.max_items;
  if (requirement.items) schema["items"] = items_schema(*requirement.items);
  if (requirement.pattern) {
    schema["pattern"] = *requirement.pattern;
  } else if (not_blank) {
    schema["pattern"] = kNotBlank;
  }
  if (requirement.format) schema["format"] = *requirement.format;
  return schema;
}

}  // namespace

Json evidence_schema(const Gate& gate) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Requirement& requirement : gate.requirements) {
    properties[requirement.name] = field_schema(requirement);
    if (requirement.required) required.push_back(requirement.name);
  }
  Json schema = Json::object();
  schema["type"] = "object";
  schema["required"] = std::move(required);
  schema["properties"] = std::move(properties);
  return schema;
}

}  // namespace phasegate::gating
