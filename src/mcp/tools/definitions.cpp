#include "mcp/tools/definitions.h"

#include "mcp/tools/tools.h"

namespace phasegate::mcp::tools {
namespace {

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
                       "The workflows that can be started here: id, title, description, inputs. "
                       "Phases are shown once a session has reached them.",
                       R"({"type":"object","properties":{
"cursor":{"type":"string","description":"next_cursor of the page before"}},
"additionalProperties":false})",
                       true));
  tools.push_back(tool(
      "start_workflow", "Start a workflow",
      "Begins a session and returns its first phase with the exact evidence its gate requires. The "
      "same target, branch and input resume the open session instead. Keep the session_id; "
      "list_sessions finds it again.",
      R"({"type":"object","properties":{
"workflow_type":{"type":"string","description":"id from list_workflows"},
"target_file":{"type":"string","description":"the file, folder or feature that the work is about"},
"input":{"type":"object","description":"the workflow's inputs by name; a plain text is taken as {\"text\": …}"},
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
"cursor":{"type":"string"}},
"additionalProperties":false})",
      true));
  tools.push_back(tool("get_workflow_state", "Get the state of a session",
                       "Progress, attempts, what is missing or waited for, and the next call; no "
                       "phase text.",
                       R"({"type":"object","properties":{
"session_id":{"type":"string"}},
"required":["session_id"],"additionalProperties":false})",
                       true));
  tools.push_back(tool("get_current_phase", "Get the current phase",
                       "The open phase: its text, its tasks, the exact evidence its gate requires, "
                       "and the artifacts of completed phases.",
                       R"({"type":"object","properties":{
"session_id":{"type":"string"},
"include_tasks":{"type":"boolean","description":"append the text of all tasks"},
"known_digest":{"type":"string","description":"content_digest of what you have: sent again only if changed"},
"cursor":{"type":"string","description":"next_cursor of the page before"}},
"required":["session_id"],"additionalProperties":false})",
                       true));
  tools.push_back(tool(
      "get_phase_content", "Get a phase",
      "The current phase, or a completed one for review with its accepted evidence. Later phases "
      "are refused until the gates before them have passed.",
      R"({"type":"object","properties":{
"session_id":{"type":"string"},
"phase":{"type":"string","description":"phase id"},
"known_digest":{"type":"string","description":"as in get_current_phase"},
"cursor":{"type":"string"}},
"required":["session_id","phase"],"additionalProperties":false})",
      true));
  tools.push_back(tool(
      "get_task", "Get a task",
      "One task of the current or a completed phase; with file, a file that the text reached so "
      "far links to.",
      R"({"type":"object","properties":{
"session_id":{"type":"string"},
"phase":{"type":"string","description":"phase id"},
"task_number":{"type":"string","description":"as listed with the phase"},
"file":{"type":"string","description":"a linked file, as the text names it"},
"known_digest":{"type":"string","description":"as in get_current_phase"},
"cursor":{"type":"string"}},
"required":["session_id","phase"],"additionalProperties":false})",
      true));
  tools.push_back(tool(
      "complete_phase", "Complete the current phase",
      "Hands over the evidence of the current phase: names and types of evidence_schema, reporting "
      "what was really done. If its gate is satisfied the next phase is returned; if not, every "
      "field is named with what was wanted and what came, and the phase stays open.",
      R"({"type":"object","properties":{
"session_id":{"type":"string"},
"phase":{"type":"string","description":"id of the current phase"},
"evidence":{"type":"object","description":"the fields of evidence_schema"},
"visit":{"type":"integer","minimum":1,"maximum":1000000,"description":"only for a phase entered more than once"},
"state_version":{"type":"integer","minimum":1,"maximum":9007199254740991,"description":"refuse if the session has changed since"}},
"required":["session_id","phase","evidence"],"additionalProperties":false})",
      false));
  tools.push_back(tool(
      "search_standards", "Search the project's documents",
      "The passages of this project's standards and guides that answer a question best; ask before "
      "guessing how something is done here. With session_id also what that session has reached of "
      "its workflow.",
      R"({"type":"object","properties":{
"query":{"type":"string","description":"words or a question; \"quoted\" words must stand together"},
"n_results":{"type":"integer","minimum":1,"maximum":20,"description":"default 5"},
"filter_phase":{"type":"string","description":"only documents of this phase"},
"filter_tags":{"type":"array","items":{"type":"string"},"description":"only documents with one of these tags"},
"session_id":{"type":"string"},
"workflow":{"type":"string","description":"only texts of the session's workflow with this id"},
"max_tokens":{"type":"integer","minimum":50,"maximum":1000000,"description":"of all passages together"},
"cursor":{"type":"string"}},
"required":["query"],"additionalProperties":false})",
      true));
  tools.push_back(tool(
      "cancel_workflow", "Cancel a session",
      "Ends an open session for good, once the person has confirmed it in the client. Only if they "
      "want it; a no is final.",
      R"({"type":"object","properties":{
"session_id":{"type":"string"},
"reason":{"type":"string","description":"why, in a sentence; kept in its history"}},
"required":["session_id"],"additionalProperties":false})",
      false));
  tools.back().idempotent = false;
  tools.back().destructive = true;
  tools.back().waits = true;
  return tools;
}

}  // namespace

const std::vector<protocol::ToolDefinition>& tool_definitions() {
  static const std::vector<protocol::ToolDefinition> kTools = make_definitions();
  return kTools;
}

std::string_view instructions() {
  return "Work in phases: a phase is done only when complete_phase says checkpoint_passed; later "
         "phases cannot be seen before. In a fresh context call list_sessions first and continue "
         "what is open.\n"
         "Begin with start_workflow (ids from list_workflows). Read the phase, fetch its tasks "
         "with "
         "get_task, do the work, then hand over evidence with exactly the names and types of "
         "evidence_schema. Report what you really did: false evidence is recorded under your "
         "session. A refusal names every field to mend; mend it and call again. How things are "
         "done in this project search_standards tells. When an answer "
         "says that a person must decide or that the session waits, stop and say so.";
}

}  // namespace phasegate::mcp::tools
