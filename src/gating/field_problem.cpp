#include "gating/field_problem.h"

#include <string_view>

#include "base/json.h"
#include "base/text.h"
#include "phases/requirement_words.h"

namespace phasegate::gating {

using base::Json;
using phases::Requirement;

namespace {

constexpr std::string_view kNotBlankWords = "a text that is not blank";

}  // namespace

FieldProblem field_problem(const Requirement& requirement, const SchemaProblem& problem,
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

FieldProblem blank_problem(const Requirement& requirement, const std::string& inner_path,
                           const Json* sent) {
  return field_problem(requirement, {"", "pattern", std::string(kNotBlankWords), "a blank text"},
                       inner_path, sent);
}

}  // namespace phasegate::gating
