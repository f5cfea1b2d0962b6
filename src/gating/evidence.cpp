#include "gating/evidence.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/formats.h"
#include "gating/pattern_example.h"
#include "phases/requirement_words.h"

namespace phasegate::gating {

using base::Error;
using base::Json;
using base::Result;
using phases::Gate;
using phases::Requirement;
using phases::ValueType;

namespace {

Json scalar_json(const phases::Scalar& scalar) {
  return std::visit([](const auto& value) { return Json(value); }, scalar);
}

/// Whole numbers are written without a fraction, as an author would.
Json number_json(double value) {
  if (std::floor(value) == value && std::fabs(value) < 1e15) {
    return Json(static_cast<std::int64_t>(value));
  }
  return Json(value);
}

/// ARCHITECTURE §5: a required boolean of an exit gate must be true unless its author wrote
/// otherwise.
bool must_be_true(const Requirement& requirement) {
  return requirement.type == ValueType::boolean && requirement.required &&
         !requirement.false_allowed && !requirement.constant && requirement.one_of.empty();
}

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

Json scalars_json(const std::vector<phases::Scalar>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(scalar_json(value));
  return list;
}

/// What every item of a list must be; like a required text, a text among them is not blank.
Json items_schema(const phases::ItemRule& rule) {
  Json schema = Json::object();
  schema["type"] = phases::to_text(rule.type);
  if (!rule.one_of.empty()) schema["enum"] = scalars_json(rule.one_of);
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
  if (!requirement.description.empty()) {
    schema["description"] =
        base::shortened(requirement.description, base::limits::kDescriptionCharsMax);
  }
  if (requirement.constant) {
    schema["const"] = scalar_json(*requirement.constant);
  } else if (must_be_true(requirement)) {
    schema["const"] = true;
  }
  if (!requirement.one_of.empty()) schema["enum"] = scalars_json(requirement.one_of);
  const auto number = [&](const char* keyword, const std::optional<double>& bound) {
    if (bound) schema[keyword] = number_json(*bound);
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

// ── Examples ─────────────────────────────────────────────────────────────────────────────────────

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
  if (!rule.one_of.empty()) return scalar_json(rule.one_of.front());
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
  if (requirement.constant) return scalar_json(*requirement.constant);
  if (!requirement.one_of.empty()) return scalar_json(requirement.one_of.front());
  switch (requirement.type) {
    case ValueType::boolean:
      return true;
    case ValueType::integer:
    case ValueType::number:
      return number_json(example_number(requirement));
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

// ── Compiling ────────────────────────────────────────────────────────────────────────────────────

Error invalid(const Requirement& requirement, std::string message, std::string hint = "") {
  return Error{"invalid_gate", base::in_quotes(requirement.name) + ": " + std::move(message),
               std::move(hint), phases::to_text(requirement.source)};
}

/// An array bound this large is a slip of the pen, and its example would fill an answer.
constexpr std::int64_t kItemsBoundMax = 1000;
constexpr std::int64_t kLengthBoundMax = 10000;

/// A value that a required text may have, yet that says nothing.
bool allows_blank(const Requirement& requirement) {
  if (requirement.type != ValueType::string || !requirement.required) return false;
  const auto blank = [](const phases::Scalar& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && base::is_blank(*text);
  };
  return (requirement.constant && blank(*requirement.constant)) ||
         std::any_of(requirement.one_of.begin(), requirement.one_of.end(), blank);
}

Result<void> check_fit(const Requirement& requirement) {
  const ValueType type = requirement.type;
  if (allows_blank(requirement)) {
    return invalid(requirement, "a required text may not be blank, and one of its values is",
                   "remove the value, or write required: false");
  }
  const bool numeric = type == ValueType::integer || type == ValueType::number;
  if ((requirement.minimum || requirement.maximum || requirement.exclusive_minimum ||
       requirement.exclusive_maximum) &&
      !numeric) {
    return invalid(requirement, "a numeric bound on " + std::string(phases::to_text(type)),
                   "make it integer or number");
  }
  if ((requirement.min_length || requirement.max_length || requirement.pattern ||
       requirement.format) &&
      type != ValueType::string) {
    return invalid(requirement, "a text rule on " + std::string(phases::to_text(type)),
                   "make it string");
  }
  if ((requirement.min_items || requirement.max_items || requirement.items) &&
      type != ValueType::array) {
    return invalid(requirement, "a rule for items on " + std::string(phases::to_text(type)),
                   "make it array");
  }
  if (requirement.min_items.value_or(0) > kItemsBoundMax ||
      requirement.min_length.value_or(0) > kLengthBoundMax) {
    return invalid(requirement, "asks for more than anybody can hand over");
  }
  return {};
}

constexpr std::string_view kNotBlankWords = "a text that is not blank";

FieldProblem make_problem(const Requirement& requirement, const SchemaProblem& problem,
                          const std::string& inner_path, const Json* sent) {
  FieldProblem field;
  field.field = requirement.name;
  field.keyword = problem.keyword;
  // The whole rule is said where nothing came or something of another kind, so that one more try is
  // enough.
  const bool whole =
      inner_path.empty() && (problem.keyword == "required" || problem.keyword == "type");
  const bool has_pattern = inner_path.empty() ? requirement.pattern.has_value()
                                              : requirement.items && requirement.items->pattern;
  const bool blank = problem.keyword == "pattern" && !has_pattern;
  field.wanted = blank   ? std::string(kNotBlankWords)
                 : whole ? phases::type_and_rules(requirement)
                         : problem.wanted;
  field.got = problem.got;
  field.description = requirement.description;
  field.source = requirement.source;
  const std::string described =
      requirement.description.empty() ? "no description" : requirement.description;
  if (problem.keyword == "required") {
    field.text = requirement.name + " (required: " + described + ")";
  } else if (problem.keyword == "type" && inner_path.empty() && sent != nullptr) {
    field.text = requirement.name + " (wrong type: expected " +
                 std::string(phases::to_text(requirement.type)) + ", got " +
                 std::string(base::json_type_name(*sent)) + ")";
  } else {
    field.text = requirement.name + inner_path + " (validation failed: " +
                 (requirement.description.empty() ? "" : described + "; ") + "wanted " +
                 field.wanted + ", got " + problem.got + ")";
  }
  return field;
}

/// Two names of one requirement with two values: nobody can say which of them counts.
FieldProblem conflict_problem(const Requirement& requirement,
                              const std::vector<AliasConflict>& conflicts) {
  FieldProblem field;
  field.field = requirement.name;
  field.keyword = "aliases";
  field.wanted = "one value under the name " + base::in_quotes(requirement.name);
  for (const AliasConflict& conflict : conflicts) {
    if (conflict.name != requirement.name) continue;
    std::vector<std::string> names;
    for (const std::string& name : conflict.sent_as) {
      if (names.size() == 3) break;
      names.push_back(base::in_quotes(base::shortened(name, 80)));
    }
    field.got = "values that differ under " + base::joined(names, " and ");
  }
  field.description = requirement.description;
  field.source = requirement.source;
  field.text =
      requirement.name + " (validation failed: wanted " + field.wanted + ", got " + field.got + ")";
  return field;
}

/// The place within a value at which a text is blank that may not be: "" for the value itself, `/2`
/// for an item; nullopt if there is none. Patterns such as `.*` do not see what nobody sees.
std::optional<std::string> blank_at(const Requirement& requirement, const Json& value) {
  const auto blank = [](const Json& text) {
    return text.is_string() && base::is_blank(text.get_ref<const std::string&>());
  };
  if (requirement.type == ValueType::string && requirement.required && blank(value)) return "";
  const bool of_texts = requirement.items && requirement.items->type == ValueType::string &&
                        requirement.items->one_of.empty();
  if (!of_texts || !value.is_array()) return std::nullopt;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (blank(value[i])) return "/" + std::to_string(i);
  }
  return std::nullopt;
}

/// The first token of a JSON Pointer, unescaped, and what follows it.
std::pair<std::string, std::string> split_pointer(const std::string& pointer) {
  std::string name;
  std::size_t i = 1;
  for (; i < pointer.size() && pointer[i] != '/'; ++i) {
    if (pointer[i] == '~' && i + 1 < pointer.size()) {
      name += pointer[++i] == '1' ? '/' : '~';
    } else {
      name += pointer[i];
    }
  }
  return {name, i < pointer.size() ? pointer.substr(i) : ""};
}

/// Rules are never cut from an answer, descriptions are: what remains has to fit on one page.
std::size_t bytes_as_sent(Json schema, const Json& example) {
  for (auto& field : schema["properties"]) field.erase("description");
  return base::dump(schema).size() + base::dump(example).size();
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

Json evidence_example(const Gate& gate) {
  Json example = Json::object();
  for (const Requirement& requirement : gate.requirements) {
    example[requirement.name] = example_value(requirement);
  }
  return example;
}

Result<EvidenceGate> EvidenceGate::compile(const Gate& gate) {
  if (gate.requirements.size() > base::limits::kRequirementsPerGateMax) {
    return Error{"invalid_gate",
                 "the gate has " + std::to_string(gate.requirements.size()) +
                     " requirements, the limit is " +
                     std::to_string(base::limits::kRequirementsPerGateMax),
                 "", phases::to_text(gate.source)};
  }
  std::set<std::string> names;
  for (const Requirement& requirement : gate.requirements) {
    if (requirement.name.empty()) return invalid(requirement, "a requirement without a name");
    if (!names.insert(requirement.name).second) {
      return invalid(requirement, "two requirements have this name");
    }
    if (const auto fit = check_fit(requirement); !fit) return fit.error();
  }
  auto compiled = JsonSchema::compile(evidence_schema(gate));
  if (!compiled) {
    // `/properties/<name>/<keyword>`: name the requirement, not the place in a schema nobody wrote.
    const auto [unused, rest] = split_pointer(compiled.error().where);
    const auto [name, more] = split_pointer(rest);
    for (const Requirement& requirement : gate.requirements) {
      if (requirement.name == name) {
        return invalid(requirement, compiled.error().message, compiled.error().hint);
      }
    }
    return compiled.error();
  }
  EvidenceGate ready(gate, std::move(compiled).value());
  if (const std::size_t bytes = bytes_as_sent(*ready.schema_, *ready.example_);
      bytes > base::limits::kGateBytesMax) {
    return Error{"invalid_gate",
                 "what the gate asks for takes " + std::to_string(bytes) +
                     " bytes to say, the limit is " + std::to_string(base::limits::kGateBytesMax),
                 "ask for less in one phase, or split it", phases::to_text(gate.source)};
  }
  for (const FieldProblem& problem : ready.judge(*ready.example_).problems) {
    // Rules for texts may well have an example that was not found; bounds and choices are exact.
    const bool hard_to_find = problem.keyword == "pattern" || problem.keyword == "format" ||
                              problem.keyword == "minLength" || problem.keyword == "maxLength";
    for (const Requirement& requirement : gate.requirements) {
      if (requirement.name != problem.field) continue;
      if (!requirement.example.empty()) {
        return invalid(requirement,
                       "its example does not satisfy its rules: wanted " + problem.wanted +
                           ", got " + problem.got,
                       "correct the example or the rule");
      }
      if (hard_to_find) {
        ready.example_complete_ = false;
        continue;
      }
      return invalid(requirement, "no value satisfies its rules (wanted " + problem.wanted + ")");
    }
  }
  return ready;
}

EvidenceGate::EvidenceGate(Gate gate, JsonSchema compiled)
    : gate_(std::move(gate)),
      aliases_(gate_),
      schema_(std::make_unique<const Json>(evidence_schema(gate_))),
      example_(std::make_unique<const Json>(evidence_example(gate_))),
      compiled_(std::move(compiled)) {}

EvidenceGate::EvidenceGate(EvidenceGate&&) noexcept = default;
EvidenceGate& EvidenceGate::operator=(EvidenceGate&&) noexcept = default;
EvidenceGate::~EvidenceGate() = default;

EvidenceVerdict EvidenceGate::judge(const Json& sent_evidence) const {
  EvidenceVerdict verdict;
  NamedEvidence named = published(sent_evidence);
  const Json& evidence = named.evidence ? *named.evidence : sent_evidence;
  verdict.aliases_taken = std::move(named.taken);
  if (!evidence.is_object()) {
    FieldProblem problem;
    problem.keyword = "type";
    problem.wanted = "an object with the fields of evidence_schema";
    problem.got = evidence.is_null() ? "nothing" : std::string(base::json_type_name(evidence));
    problem.text = "evidence (wrong type: expected object, got " + problem.got + ")";
    verdict.problems.push_back(std::move(problem));
    return verdict;
  }
  for (const auto& [name, unused] : evidence.get_ref<const Json::object_t&>()) {
    const bool asked = std::any_of(gate_.requirements.begin(), gate_.requirements.end(),
                                   [&](const Requirement& r) { return r.name == name; });
    (asked ? verdict.self_attested : verdict.extra_fields).push_back(name);
  }
  std::set<std::string> in_conflict;
  for (const AliasConflict& conflict : named.conflicts) in_conflict.insert(conflict.name);
  const std::vector<SchemaProblem> problems = compiled_.validate(evidence);
  for (const Requirement& requirement : gate_.requirements) {
    if (in_conflict.contains(requirement.name)) {
      verdict.problems.push_back(conflict_problem(requirement, named.conflicts));
      continue;
    }
    std::set<std::string> known_at;
    for (const SchemaProblem& problem : problems) {
      const auto [name, inner_path] = split_pointer(problem.path);
      if (requirement.name != name) continue;
      FieldProblem field = make_problem(requirement, problem, inner_path,
                                        base::find_member(evidence, requirement.name));
      if (problem.keyword == "required") {
        field.sent_as = base::nearest_name(name, verdict.extra_fields).value_or("");
      }
      known_at.insert(inner_path);
      verdict.problems.push_back(std::move(field));
    }
    const Json* sent = base::find_member(evidence, requirement.name);
    const auto blank = sent == nullptr ? std::nullopt : blank_at(requirement, *sent);
    if (blank && !known_at.contains(*blank)) {
      verdict.problems.push_back(make_problem(
          requirement, {"", "pattern", std::string(kNotBlankWords), "a blank text"}, *blank, sent));
    }
  }
  return verdict;
}

}  // namespace phasegate::gating
