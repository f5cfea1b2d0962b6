#include "mcp/tools/prompts.h"

#include <algorithm>

#include "base/json.h"
#include "base/limits.h"
#include "base/named_commands.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/input_block.h"
#include "mcp/tools/list_cursor.h"
#include "mcp/tools/startable.h"
#include "mcp/tools/workflow_row.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::FoundWorkflow;
using phases::Requirement;
using phases::ValueType;
using protocol::Prompt;
using protocol::PromptArgument;
using protocol::PromptResult;

namespace {

constexpr std::string_view kList = "prompts";
constexpr std::size_t kNameBytesShown = 80;

const Requirement* find_input(const phases::Workflow& workflow, std::string_view name) {
  const auto& inputs = workflow.input;
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const Requirement& input) { return input.name == name; });
  return found == inputs.end() ? nullptr : &*found;
}

/// The target first, since every workflow takes one; an input of that name is the same thing.
std::vector<PromptArgument> arguments_of(const phases::Workflow& workflow) {
  std::vector<PromptArgument> arguments;
  const Requirement* target = find_input(workflow, kTargetArgument);
  arguments.push_back({std::string(kTargetArgument), "",
                       target == nullptr ? "The file, folder or feature that the work is about"
                                         : input_words(*target),
                       target != nullptr && target->required});
  for (const Requirement& input : workflow.input) {
    if (&input == target) continue;
    arguments.push_back({input.name, "", input_words(input), input.required});
  }
  return arguments;
}

Prompt as_prompt(const FoundWorkflow& found) {
  const phases::Workflow& workflow = found.loaded->workflow;
  Prompt prompt;
  prompt.name = found.id;
  prompt.title = title_line(workflow);
  const std::string description = description_line(workflow);
  prompt.description = "Start this workflow" + (description.empty() ? "." : ": " + description);
  prompt.arguments = arguments_of(workflow);
  return prompt;
}

std::string names_of(const std::vector<PromptArgument>& arguments) {
  std::vector<std::string> names;
  for (const PromptArgument& argument : arguments) names.push_back(argument.name);
  return base::joined(names, ", ");
}

/// A prompt's arguments are texts; an input has a type. Nullopt: the text is no such value.
std::optional<Json> value_of(ValueType type, const std::string& text) {
  if (type == ValueType::string) return Json(text);
  auto value =
      base::parse_json(text, {base::limits::kOptionsBytesMax, base::limits::kEvidenceDepthMax});
  if (!value) return std::nullopt;
  const bool fits = (type == ValueType::boolean && value->is_boolean()) ||
                    (type == ValueType::integer && base::as_integer(*value)) ||
                    (type == ValueType::number && value->is_number()) ||
                    (type == ValueType::array && value->is_array()) ||
                    (type == ValueType::object && value->is_object());
  if (!fits) return std::nullopt;
  return std::move(*value);
}

base::Result<void> check_names(const std::vector<PromptArgument>& known, const Json& given) {
  std::vector<std::string> names;
  std::vector<std::string> missing;
  for (const PromptArgument& argument : known) {
    names.push_back(argument.name);
    const auto text = base::string_member(given, argument.name);
    if (argument.required && (!text || base::trimmed(*text).empty())) {
      missing.push_back(argument.name);
    }
  }
  for (const auto& [name, value] : given.items()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto nearest = base::nearest_name(name, names);
    return base::Error{
        "invalid_argument",
        "There is no argument " + base::in_quotes(base::shortened(name, kNameBytesShown)) + "; " +
            (nearest ? "did you mean " + *nearest + "?" : "there are " + names_of(known)),
        "", ""};
  }
  if (missing.empty()) return {};
  return base::Error{"invalid_argument", "Missing: " + base::joined(missing, ", "), "", ""};
}

/// The arguments of start_workflow. Empty texts are what was left out.
base::Result<Json> call_arguments(const FoundWorkflow& found, const Json& given) {
  const phases::Workflow& workflow = found.loaded->workflow;
  Json call = Json::object();
  call["workflow_type"] = found.id;
  Json input = Json::object();
  for (const auto& [name, value] : given.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (text.empty()) continue;
    const Requirement* asked = find_input(workflow, name);
    if (name == kTargetArgument && text.size() > base::limits::kTargetBytesMax) {
      return base::Error{"too_large",
                         name + " has " + std::to_string(text.size()) + " bytes, the limit is " +
                             std::to_string(base::limits::kTargetBytesMax),
                         "", ""};
    }
    if (name == kTargetArgument) call[name] = text;
    if (name == kTargetArgument && (asked == nullptr || asked->type == ValueType::string)) continue;
    const auto typed = value_of(asked->type, text);
    if (!typed) {
      return base::Error{"invalid_argument",
                         name + ": wanted " + std::string(to_text(asked->type)) + ", got " +
                             base::in_quotes(base::shortened(text, kNameBytesShown)),
                         "", ""};
    }
    input[name] = *typed;
  }
  if (!input.empty()) call["input"] = std::move(input);
  if (base::dump(call).size() > base::limits::kOptionsBytesMax) {
    return base::Error{
        "too_large",
        "The arguments have more than " + std::to_string(base::limits::kOptionsBytesMax) + " bytes",
        "", ""};
  }
  return call;
}

PromptResult message_for(const FoundWorkflow& found, const Json& call) {
  PromptResult result;
  result.description = "Starts the workflow " + found.id;
  protocol::PromptMessage message;
  message.content.text =
      "Start the workflow " + base::in_quotes(found.id) +
      " and work through it phase by phase. Call start_workflow with exactly these arguments:\n\n"
      "```json\n" +
      base::dump(call) +
      "\n```\n\nThen do what its answers say: read the phase, do its work, and hand over the "
      "evidence that its gate requires with complete_phase. When an answer says that a person must "
      "decide or that the session waits, stop and say so.";
  result.messages.push_back(std::move(message));
  return result;
}

protocol::RpcError unknown_prompt(const Hands& hands, std::string_view name) {
  const std::string shown = base::in_quotes(base::shortened(name, kNameBytesShown));
  std::vector<std::string> names;
  for (const FoundWorkflow& found : hands.engine.workflows()) {
    if (found.id == name) {
      return protocol::invalid_params("The workflow " + shown + " cannot be started; " +
                                      base::with_options("`phasegate workflows` tells a person why",
                                                         hands.context.command_options));
    }
    if (hands.engine.can_start(found)) names.push_back(found.id);
  }
  const auto nearest = base::nearest_name(name, names);
  return protocol::invalid_params(
      "There is no prompt " + shown +
      (nearest ? "; did you mean " + *nearest + "?" : "; prompts/list has all of them"));
}

}  // namespace

protocol::Listed<Prompt> list_prompts(const Hands& hands, std::string_view cursor) {
  protocol::Page<Prompt> page;
  page.cache = {base::limits::kListFreshMs, false};
  std::string after;
  if (!cursor.empty()) {
    auto id = id_of_cursor(kList, cursor);
    if (!id)
      return protocol::invalid_params("The cursor comes from no earlier page of prompts/list");
    after = *std::move(id);
  }
  for (const FoundWorkflow& found : hands.engine.workflows()) {
    if (found.id <= after || !hands.engine.can_start(found)) continue;
    if (page.items.size() == base::limits::kListItemsMax) {
      page.next_cursor = list_cursor(kList, page.items.back().name);
      break;
    }
    page.items.push_back(as_prompt(found));
  }
  return page;
}

protocol::Outcome<PromptResult> get_prompt(const Hands& hands, std::string_view name,
                                           const Json& arguments) {
  const auto found = find_startable(hands.engine, name);
  if (!found) return unknown_prompt(hands, name);
  const auto checked = check_names(arguments_of(found->loaded->workflow), arguments);
  if (!checked) return protocol::invalid_params(checked.error().message);
  const auto call = call_arguments(*found, arguments);
  if (!call) return protocol::invalid_params(call.error().message);
  return message_for(*found, *call);
}

}  // namespace phasegate::mcp::tools
