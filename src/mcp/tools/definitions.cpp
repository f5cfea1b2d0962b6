#include "mcp/tools/definitions.h"

#include "mcp/tools/tools.h"

namespace phasegate::mcp::tools {
namespace {

constexpr const char* kSessionOnly = R"({"type":"object","properties":{
"session_id":{"type":"string","description":"from start_workflow or list_sessions"}},
"required":["session_id"],"additionalProperties":false})";

protocol::ToolDefinition tool(const char* name, const char* title, const char* description,
                              const char* schema, bool read_only) {
  protocol::ToolDefinition definition;
  definition.name = name;
  definition.title = title;
  definition.description = description;
  definition.input_schema = schema;
  definition.read_only = read_only;
  // A repeated call is answered the same and changes nothing a second time.
  definition.idempotent = true;
  return definition;
}

std::vector<protocol::ToolDefinition> make_definitions() {
  std::vector<protocol::ToolDefinition> tools;
  tools.push_back(tool("list_workflows", "List workflows",
                       "The workflows that can be started in this project: id, title, description. "
                       "Phases are shown one at a time, once a session has reached them.",
                       R"({"type":"object","properties":{
"cursor":{"type":"string","description":"next_cursor of the page before"}},
"additionalProperties":false})",
                       true));
  tools.push_back(tool(
      "start_workflow", "Start a workflow",
      "Begins a session of a workflow and returns its first phase with the exact evidence its gate "
      "requires. With the same target, branch and input the open session is resumed instead. Keep "
      "the session_id: it lasts across restarts, and list_sessions finds it again.",
      R"({"type":"object","properties":{
"workflow_type":{"type":"string","description":"id from list_workflows"},
"target_file":{"type":"string","description":"the file, folder or feature that the work is about"},
"input":{"type":"object","description":"what the workflow is to work on"},
"options":{"type":"object","description":"kept with the session; {\"new\": true} never resumes"}},
"required":["workflow_type"],"additionalProperties":false})",
      false));
  tools.back().idempotent = false;
  tools.push_back(tool(
      "list_sessions", "List sessions",
      "Sessions of this project, newest change first. Call it first in a fresh context: open work "
      "is continued with get_current_phase.",
      R"({"type":"object","properties":{
"status":{"type":"string","enum":["open","ended","all"],"description":"default open"},
"limit":{"type":"integer","minimum":1,"maximum":50},
"cursor":{"type":"string","description":"next_cursor of the page before"}},
"additionalProperties":false})",
      true));
  tools.push_back(tool("get_workflow_state", "Get the state of a session",
                       "Progress, attempts, what is missing, what the session waits for, and the "
                       "next call. Short: no phase text.",
                       kSessionOnly, true));
  tools.push_back(tool("get_current_phase", "Get the current phase",
                       "The open phase: its text, its tasks, the exact evidence its gate requires, "
                       "and the artifacts "
                       "of completed phases.",
                       R"({"type":"object","properties":{
"session_id":{"type":"string","description":"from start_workflow or list_sessions"},
"include_tasks":{"type":"boolean","description":"append the text of all tasks"},
"cursor":{"type":"string","description":"next_cursor of the page before"}},
"required":["session_id"],"additionalProperties":false})",
                       true));
  tools.push_back(tool(
      "get_phase_content", "Get a phase",
      "The current phase, or a completed one for review with its accepted evidence. Later phases "
      "are refused until the gates before them have passed.",
      R"({"type":"object","properties":{
"session_id":{"type":"string","description":"from start_workflow or list_sessions"},
"phase":{"type":"string","description":"phase id, for example 1"},
"cursor":{"type":"string","description":"next_cursor of the page before"}},
"required":["session_id","phase"],"additionalProperties":false})",
      true));
  tools.push_back(tool(
      "get_task", "Get a task",
      "One task of the current or a completed phase; with file, another file of the workflow that "
      "the text reached so far links to.",
      R"({"type":"object","properties":{
"session_id":{"type":"string","description":"from start_workflow or list_sessions"},
"phase":{"type":"string","description":"phase id, for example 1"},
"task_number":{"type":"string","description":"as listed with the phase"},
"file":{"type":"string","description":"a linked file, as the text names it"},
"cursor":{"type":"string","description":"next_cursor of the page before"}},
"required":["session_id","phase"],"additionalProperties":false})",
      true));
  tools.push_back(tool(
      "complete_phase", "Complete the current phase",
      "Hands over the evidence of the current phase. If its gate is satisfied the next phase is "
      "returned; if not, every field is named with what was wanted and what came, and the phase "
      "stays open. Evidence has the names and types of evidence_schema and reports what was really "
      "done.",
      R"({"type":"object","properties":{
"session_id":{"type":"string","description":"from start_workflow or list_sessions"},
"phase":{"type":"string","description":"id of the current phase"},
"evidence":{"type":"object","description":"the fields of evidence_schema"},
"visit":{"type":"integer","minimum":1,"maximum":1000000,"description":"only for a phase entered more than once"},
"state_version":{"type":"integer","minimum":1,"maximum":9007199254740991,"description":"refuse if the session has changed since"}},
"required":["session_id","phase","evidence"],"additionalProperties":false})",
      false));
  return tools;
}

}  // namespace

const std::vector<protocol::ToolDefinition>& tool_definitions() {
  static const std::vector<protocol::ToolDefinition> kTools = make_definitions();
  return kTools;
}

std::string_view instructions() {
  return "Work in phases: a phase is done only when complete_phase says checkpoint_passed; the "
         "next "
         "phase cannot be seen before. In a fresh context call list_sessions first and continue "
         "what is open.\n"
         "Begin with start_workflow (ids from list_workflows). Read the phase it returns, fetch "
         "tasks with get_task, do the work, then hand over evidence with exactly the names and "
         "types of evidence_schema. Report what you really did: a required boolean must be true, "
         "and false evidence is recorded under your session. A refusal names every field that is "
         "not as required; mend it and call again. When an answer says that a person must decide "
         "or that the session waits, stop and say so.";
}

}  // namespace phasegate::mcp::tools
