#include "mcp/tools/input_block.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/tools/abridge.h"
#include "phases/requirement_words.h"

namespace phasegate::mcp::tools {

using base::Json;

namespace {

constexpr std::size_t kInputsShownMax = 12;
constexpr std::size_t kExtraShownMax = 5;
constexpr std::size_t kRulesBytes = 100;
constexpr std::size_t kDescriptionBytes = 100;
constexpr std::size_t kNameBytes = 80;

}  // namespace

std::string input_words(const phases::Requirement& input) {
  std::string words = base::shortened(phases::type_and_rules(input), kRulesBytes);
  if (!input.description.empty()) {
    words += " – " + base::shortened(input.description, kDescriptionBytes);
  }
  return words;
}

void add_input(Answer& answer, const gating::RunState& run, std::size_t bytes_max) {
  constexpr base::JsonLimits kStoredInput{2 * base::limits::kOptionsBytesMax,
                                          base::limits::kMessageDepthMax};
  const auto input = base::parse_json(run.input, kStoredInput);
  if (!input || input->is_null() || (input->is_object() && input->empty())) return;
  bool cut = false;
  Json shown = abridged(*input, bytes_max, cut);
  answer.line("Input: " + base::dump(shown) + (cut ? " (shortened)" : ""));
  answer.structured()["input"] = std::move(shown);
  if (cut) answer.structured()["input_shortened"] = true;
}

Json inputs_json(const phases::Workflow& workflow) {
  Json inputs = Json::object();
  for (const phases::Requirement& input : workflow.input) {
    if (inputs.size() == kInputsShownMax) {
      inputs["…"] = std::to_string(workflow.input.size() - kInputsShownMax) + " more";
      break;
    }
    inputs[input.name] = input_words(input);
  }
  return inputs;
}

std::string inputs_line(const phases::Workflow& workflow) {
  std::vector<std::string> inputs;
  for (const phases::Requirement& input : workflow.input) {
    if (inputs.size() == kInputsShownMax) {
      inputs.push_back("… " + std::to_string(workflow.input.size() - kInputsShownMax) + " more");
      break;
    }
    inputs.push_back(input.name + " (" + input_words(input) + ")");
  }
  return base::joined(inputs, ", ");
}

void add_extra_input(Answer& answer, const phases::Workflow& workflow,
                     const std::vector<std::string>& extra) {
  if (extra.empty()) return;
  std::vector<std::string> declared;
  for (const phases::Requirement& input : workflow.input) declared.push_back(input.name);
  std::vector<std::string> shown;
  for (const std::string& name : extra) {
    if (shown.size() == kExtraShownMax) {
      shown.push_back("… " + std::to_string(extra.size() - kExtraShownMax) + " more");
      break;
    }
    std::string words = base::shortened(name, kNameBytes);
    if (const auto nearest = base::nearest_name(name, declared)) {
      words += " (did you mean " + base::in_quotes(*nearest) + "?)";
    }
    shown.push_back(std::move(words));
  }
  answer.line("Input that the workflow does not ask for: " + base::joined(shown, ", "));
  answer.structured()["extra_input"] = std::move(shown);
}

}  // namespace phasegate::mcp::tools
