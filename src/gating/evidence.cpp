#include "gating/evidence.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/evidence_example.h"
#include "gating/evidence_schema.h"

namespace phasegate::gating {

using base::Error;
using base::Json;
using base::Result;
using phases::Gate;
using phases::Requirement;
using phases::ValueType;

namespace {

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

/// What came for a secret field is not quoted, neither in an answer nor in the journal.
constexpr std::string_view kNotShown = "a value that is not shown, since the field is secret";

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
    if (const auto misuse = secret_misuse(requirement)) {
      return invalid(requirement, misuse->problem, misuse->hint);
    }
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
      secrets_(gate_),
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
    for (SchemaProblem problem : problems) {
      const auto [name, inner_path] = split_pointer(problem.path);
      if (requirement.name != name) continue;
      if (requirement.secret && problem.keyword != "required") problem.got = kNotShown;
      FieldProblem field = field_problem(requirement, problem, inner_path,
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
      verdict.problems.push_back(blank_problem(requirement, *blank, sent));
    }
  }
  return verdict;
}

EvidenceVerdict EvidenceGate::judge_kept(const Json& evidence) const {
  EvidenceVerdict verdict = judge(evidence);
  std::erase_if(verdict.problems, [&](const FieldProblem& problem) {
    const Json* kept = base::find_member(evidence, problem.field);
    return secrets_.contains(problem.field) && kept != nullptr && is_secret_digest(*kept);
  });
  return verdict;
}

}  // namespace phasegate::gating
