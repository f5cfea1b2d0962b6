#include "gating/engine/start_input.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/text.h"

namespace phasegate::gating::engine {

using base::Error;
using base::Json;
using base::Result;

namespace {

/// The folder of the document that phases come from, where the input itself does not name it.
void fill_folder(const phases::Workflow& workflow, const Json* options, std::string_view target,
                 Json& input) {
  if (!workflow.dynamic || !input.is_object() || input.contains(workflow.dynamic->input)) return;
  const std::string& name = workflow.dynamic->input;
  const auto optional = options == nullptr ? std::nullopt : base::string_member(*options, name);
  if (optional && !optional->empty()) {
    input[name] = *optional;
  } else if (!target.empty()) {
    input[name] = std::string(target);
  }
}

}  // namespace

Result<Json> taken_input(const Definition& definition, const Json* given, const Json* options,
                         std::string_view target) {
  const phases::Workflow& workflow = definition.workflow;
  Json input = given == nullptr ? Json(nullptr) : *given;
  if (workflow.input.empty() && !workflow.input_closed && !workflow.dynamic) return input;
  if (input.is_string()) input = Json{{"text", std::move(input)}};
  if (input.is_null()) input = Json::object();
  const auto declared = [&](std::string_view name) {
    return std::any_of(workflow.input.begin(), workflow.input.end(),
                       [&](const phases::Requirement& member) { return member.name == name; });
  };
  if (input.is_object() && declared("target_file") && !input.contains("target_file") &&
      !target.empty()) {
    input["target_file"] = std::string(target);
  }
  fill_folder(workflow, options, target, input);
  const EvidenceVerdict verdict = definition.input->judge(input);
  std::vector<std::string> problems;
  for (const FieldProblem& problem : verdict.problems) {
    problems.push_back(
        problem.field.empty()
            ? "input: wanted an object, got " + problem.got
            : problem.text + ": wanted " + problem.wanted + ", got " + problem.got +
                  (problem.sent_as.empty()
                       ? ""
                       : "; did you send it as " + base::in_quotes(problem.sent_as) + "?"));
  }
  if (workflow.input_closed) {
    for (const std::string& name : verdict.extra_fields) {
      problems.push_back(base::in_quotes(base::shortened(name, 80)) + " is no input of it");
    }
  }
  const bool nothing_given = given == nullptr || given->is_null();
  if (problems.empty()) return nothing_given && input.empty() ? Json(nullptr) : input;
  return Error{"invalid_input",
               "the input of " + base::in_quotes(workflow.id) +
                   " is not as required: " + base::joined(problems, "; "),
               "call start_workflow with input such as " + base::dump(definition.input->example()),
               "input"};
}

}  // namespace phasegate::gating::engine
