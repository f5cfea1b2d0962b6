#include "mcp/tools/workflow_row.h"

#include "base/json.h"
#include "base/json_write.h"
#include "base/named_commands.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/input_block.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::FoundWorkflow;

namespace {

constexpr std::size_t kTitleChars = 100;
constexpr std::size_t kVersionChars = 40;
constexpr std::size_t kDescriptionChars = 300;

/// A description as one line: documents wrap theirs.
std::string one_line(std::string_view text, std::size_t chars_max) {
  std::string line;
  for (const std::string_view part : base::split(text, '\n')) {
    const std::string_view words = base::trimmed(part);
    if (!words.empty()) line += (line.empty() ? "" : " ") + std::string(words);
  }
  return base::shortened(line, chars_max);
}

}  // namespace

std::string title_line(const phases::Workflow& workflow) {
  return one_line(workflow.title, kTitleChars);
}

std::string description_line(const phases::Workflow& workflow) {
  return one_line(workflow.description, kDescriptionChars);
}

WorkflowRow workflow_row(const FoundWorkflow& found, bool startable, const std::string& options) {
  const phases::Workflow& workflow = found.loaded->workflow;
  WorkflowRow row;
  constexpr std::size_t kMembersMax = 10;
  const std::string title = title_line(workflow);
  row.json = std::make_shared<Json>(base::object_with_room(kMembersMax));
  Json& json = *row.json;
  json["workflow_type"] = found.id;
  json["title"] = title;
  row.text = "- " + found.id + ": " + title;
  if (!workflow.description.empty()) {
    const std::string description = description_line(workflow);
    json["description"] = description;
    row.text += " – " + description;
  }
  if (!workflow.version.empty()) {
    const std::string version = one_line(workflow.version, kVersionChars);
    json["version"] = version;
    row.text += " (version " + version + ")";
  }
  if (!workflow.aliases.empty()) {
    json["also_called"] = workflow.aliases;
    row.text += ", also called " + base::joined(workflow.aliases, ", ");
  }
  if (!workflow.input.empty()) {
    json["inputs"] = inputs_json(workflow);
    row.text += "; inputs: " + inputs_line(workflow);
  }
  json["total_phases"] = workflow.phases.size();
  row.text += "; phases: " + std::to_string(workflow.phases.size());
  if (workflow.dynamic) {
    json["dynamic"] = true;
    row.text += ", more come from the " + workflow.dynamic->file + " in " + workflow.dynamic->input;
  } else if (!workflow.dynamic_reason.empty()) {
    json["dynamic"] = true;
    row.text += ", more follow that are not known in advance";
  }
  json["from"] = found.place;
  row.text += "; from " + found.place;
  json["startable"] = startable;
  if (!startable) {
    // The cause may quote a later phase's text, so only its place is named.
    const std::string why = base::with_options("`phasegate workflows` tells a person why", options);
    json["problem"] = "not startable: " + why;
    row.text += "; NOT STARTABLE: " + why;
  }
  return row;
}

}  // namespace phasegate::mcp::tools
