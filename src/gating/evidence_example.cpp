#include "gating/evidence_example.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/formats.h"
#include "gating/pattern_example.h"
#include "phases/requirement_words.h"
#include "phases/workflow_json.h"

namespace phasegate::gating {

using base::Json;
using phases::Gate;
using phases::Requirement;
using phases::ValueType;

namespace {

double example_number(const Requirement& requirement) {
  const bool whole = requirement.type == ValueType::integer;
  double low = requirement.minimum.value_or(-HUGE_VAL);
  double high = requirement.maximum.value_or(HUGE_VAL);
  if (whole) {
    low = std::ceil(low);
    high = std::floor(high);
    if (requirement.exclusive_minimum) {
      low = std::max(low, std::floor(*requirement.exclusive_minimum) + 1);
    }
    if (requirement.exclusive_maximum) {
      high = std::min(high, std::ceil(*requirement.exclusive_maximum) - 1);
    }
  } else {
    const double above = requirement.exclusive_minimum.value_or(-HUGE_VAL);
    const double below = requirement.exclusive_maximum.value_or(HUGE_VAL);
    if (above >= low || below <= high) {
      const double from = std::max(low, above);
      const double to = std::min(high, below);
      if (std::isfinite(from) && std::isfinite(to)) return (from + to) / 2;
      if (std::isfinite(from)) return from + 1;
      if (std::isfinite(to)) return to - 1;
    }
  }
  constexpr double kPlain = 1;
  if (low <= kPlain && kPlain <= high) return kPlain;
  return std::isfinite(low) ? low : high;
}

/// A text that satisfies all of a requirement's rules, or in angle brackets what it would have to
/// be: that no example was found does not mean that there is none.
std::string example_text(const Requirement& requirement) {
  const auto length = static_cast<std::size_t>(requirement.min_length.value_or(0));
  if (!requirement.pattern && !requirement.format) {
    std::string text = "your " + requirement.name;
    while (base::utf8_length(text) < length) text += " …";
    const auto most = static_cast<std::size_t>(
        requirement.max_length.value_or(static_cast<std::int64_t>(text.size())));
    return base::utf8_length(text) <= most ? text
                                           : std::string(std::max<std::size_t>(length, 1), 'x');
  }
  const auto text = requirement.pattern ? pattern_example(*requirement.pattern)
                                        : std::optional(format_example(*requirement.format));
  if (text && base::utf8_length(*text) >= length &&
      (!requirement.format || has_format(*text, *requirement.format))) {
    return *text;
  }
  return "<a text: " + phases::rules_in_words(requirement) + ">";
}

/// An item is shown like a field of its own.
Json example_item(const Requirement& requirement, std::int64_t number) {
  if (!requirement.items) return "item " + std::to_string(number);
  const phases::ItemRule& rule = *requirement.items;
  if (!rule.one_of.empty()) return phases::scalar_json(rule.one_of.front());
  switch (rule.type) {
    case ValueType::boolean:
      return true;
    case ValueType::integer:
    case ValueType::number:
      return number;
    case ValueType::array:
      return Json::array();
    case ValueType::object:
      return Json::object();
    case ValueType::string:
      break;
  }
  Requirement text;
  text.name = "item " + std::to_string(number);
  text.min_length = rule.min_length;
  text.pattern = rule.pattern;
  return rule.pattern || rule.min_length ? example_text(text) : text.name;
}

Json example_value(const Requirement& requirement) {
  if (!requirement.example.empty()) {
    // Whether it satisfies the rules is found out with them, in EvidenceGate::compile.
    constexpr base::JsonLimits kExample{base::limits::kEvidenceBytesMax,
                                        base::limits::kEvidenceDepthMax};
    const auto written = base::parse_json(requirement.example, kExample);
    return written ? *written : Json(nullptr);
  }
  if (requirement.constant) return phases::scalar_json(*requirement.constant);
  if (!requirement.one_of.empty()) return phases::scalar_json(requirement.one_of.front());
  switch (requirement.type) {
    case ValueType::boolean:
      return true;
    case ValueType::integer:
    case ValueType::number:
      return base::number_json(example_number(requirement));
    case ValueType::string:
      return example_text(requirement);
    case ValueType::array: {
      Json items = Json::array();
      const auto count = std::max<std::int64_t>(1, requirement.min_items.value_or(1));
      for (std::int64_t i = 1; i <= count; ++i) items.push_back(example_item(requirement, i));
      return items;
    }
    case ValueType::object:
      return Json::object();
  }
  return nullptr;
}

}  // namespace

Json evidence_example(const Gate& gate) {
  Json example = Json::object();
  for (const Requirement& requirement : gate.requirements) {
    example[requirement.name] = example_value(requirement);
  }
  return example;
}

}  // namespace phasegate::gating
