#include <algorithm>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/artifacts_block.h"
#include "mcp/tools/criteria.h"
#include "mcp/tools/handlers.h"
#include "mcp/tools/paging.h"
#include "mcp/tools/phase_block.h"
#include "mcp/tools/run_block.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::PhaseView;
using gating::engine::ReadRefused;
using gating::engine::TaskView;

namespace {

/// Completed phases listed one by one in get_workflow_state; older ones are in `progress`.
constexpr std::size_t kPassedShownMax = 20;
constexpr std::size_t kTaskNameBytesMax = 200;

/// The criteria and the artifacts stand on the first page, the text is paged.
protocol::ToolResult phase_answer(const PhaseView& phase, std::string_view text,
                                  std::string_view cursor, std::string_view artifacts_key,
                                  std::string_view how_to_continue) {
  const auto pages = TextPages::at(text, cursor);
  if (!pages) return error_result(pages.error());
  Answer answer;
  add_run(answer, phase.view);
  if (pages->first()) {
    // Nothing can be handed over any more once the session has ended.
    if (is_open(phase.view.run.status)) {
      answer.structured()["checkpoint_criteria"] = criteria_json(phase);
      add_criteria(answer, phase);
    }
    add_artifacts(answer, artifacts_key, phase.artifacts);
  }
  add_phase(answer, "phase_content", phase, *pages, how_to_continue);
  return std::move(answer).finish();
}

std::string call_of(const char* tool, const PhaseView& phase, std::string_view more) {
  return std::string(tool) + "(session_id=\"" + phase.view.run.id + "\"" + std::string(more) + ")";
}

/// The phase's text followed by the text of each of its tasks.
base::Result<std::string> with_tasks(const Hands& hands, const PhaseView& phase) {
  std::string text = phase.content;
  for (const phases::Task& task : phase.phase->tasks) {
    if (task.file.empty()) continue;
    auto read = hands.engine.task(phase.view.run.id, phase.phase->id, task.number, "");
    if (!read) return read.error();
    if (const auto* view = std::get_if<TaskView>(&*read)) {
      text += "\n\n---\n\n<!-- task " + task.number + " -->\n\n" + view->content;
    }
  }
  return text;
}

/// A review shows the phase's accepted evidence whole, behind its text.
std::string with_evidence(const PhaseView& phase) {
  std::string text = phase.content;
  for (const auto& row : phase.artifacts) {
    text += "\n\n## Evidence accepted for phase " + row.artifact.phase + " at " +
            base::to_rfc3339(row.accepted_at) + "\n\n" + row.artifact.evidence + "\n";
  }
  return text;
}

}  // namespace

protocol::ToolResult get_workflow_state(const Hands& hands, const Arguments& arguments) {
  const auto view = hands.engine.view(arguments.text("session_id"));
  if (!view) return error_result(view.error());
  const gating::RunState& run = view->run;
  Answer answer;
  add_run(answer, *view);
  Json& out = answer.structured();
  out["attempts"] = run.attempts;
  out["visit"] = run.visit;
  out["state_version"] = run.version;
  const bool can_go_on = run.status == gating::RunStatus::active;
  out["can_resume"] = can_go_on;
  if (!run.target.empty()) out["target_file"] = run.target;
  if (!run.branch.empty()) out["branch"] = run.branch;
  out["created_at"] = base::to_rfc3339(run.created_at);
  out["updated_at"] = base::to_rfc3339(run.updated_at);
  answer.line("Attempts at this phase: " + std::to_string(run.attempts) + " (visit " +
              std::to_string(run.visit) + "); state version " + std::to_string(run.version) +
              (can_go_on ? "; can be resumed" : "; cannot be resumed"));
  if (!run.target.empty()) answer.line("Target: " + base::in_quotes(run.target));
  if (!run.branch.empty()) answer.line("Branch: " + base::in_quotes(run.branch));
  answer.line("Started " + base::to_rfc3339(run.created_at) + ", changed " +
              base::to_rfc3339(run.updated_at));
  Json passed = Json::array();
  const std::size_t first =
      run.accepted.size() > kPassedShownMax ? run.accepted.size() - kPassedShownMax : 0;
  for (std::size_t i = first; i < run.accepted.size(); ++i) {
    const gating::AcceptedPhase& accepted = run.accepted[i];
    passed.push_back({{"phase", accepted.phase},
                      {"accepted_at", base::to_rfc3339(accepted.accepted_at)},
                      {"attempt", accepted.attempt},
                      {"self_attested", accepted.self_attested}});
    answer.line("- phase " + accepted.phase + " passed at " +
                base::to_rfc3339(accepted.accepted_at) + " in attempt " +
                std::to_string(accepted.attempt) + ", " +
                base::counted(static_cast<std::size_t>(accepted.self_attested), "field") +
                " self-attested");
  }
  out["phases_passed"] = std::move(passed);
  return std::move(answer).finish();
}

protocol::ToolResult get_current_phase(const Hands& hands, const Arguments& arguments) {
  const auto phase = hands.engine.current_phase(arguments.text("session_id"));
  if (!phase) return error_result(phase.error());
  const std::string cursor = arguments.text("cursor");
  if (!phase->current) {
    return phase_answer(*phase, phase->content, cursor, "artifacts_available",
                        call_of("get_current_phase", *phase, ""));
  }
  if (!arguments.flag("include_tasks")) {
    return phase_answer(*phase, phase->content, cursor, "artifacts_available",
                        call_of("get_current_phase", *phase, ""));
  }
  const auto text = with_tasks(hands, *phase);
  if (!text) return error_result(text.error());
  return phase_answer(*phase, *text, cursor, "artifacts_available",
                      call_of("get_current_phase", *phase, ", include_tasks=true"));
}

protocol::ToolResult get_phase_content(const Hands& hands, const Arguments& arguments) {
  const auto id = arguments.phase();
  if (!id) return error_result(id.error());
  const auto read = hands.engine.phase_content(arguments.text("session_id"), *id);
  if (!read) return error_result(read.error());
  if (const auto* refused = std::get_if<ReadRefused>(&*read)) {
    return violation(refused->refusal, refused->open_phase);
  }
  const PhaseView& phase = std::get<PhaseView>(*read);
  const std::string again = call_of("get_phase_content", phase, ", phase=\"" + *id + "\"");
  const std::string cursor = arguments.text("cursor");
  // 004-08: artifacts of earlier phases belong to the current phase only.
  if (phase.current) {
    return phase_answer(phase, phase.content, cursor, "artifacts_from_previous", again);
  }
  return phase_answer(phase, with_evidence(phase), cursor, "accepted_evidence", again);
}

protocol::ToolResult get_task(const Hands& hands, const Arguments& arguments) {
  const auto id = arguments.phase();
  if (!id) return error_result(id.error());
  const auto number = arguments.task_number();
  if (!number) return error_result(number.error());
  const std::string file = arguments.text("file");
  if (number->empty() && file.empty()) {
    return error_result({"invalid_argument", "neither task_number nor file was given",
                         "give the task_number that the phase's content lists", "task_number"});
  }
  const auto read = hands.engine.task(arguments.text("session_id"), *id, *number, file);
  if (!read) return error_result(read.error());
  if (const auto* refused = std::get_if<ReadRefused>(&*read)) {
    return violation(refused->refusal, refused->open_phase);
  }
  const TaskView& task = std::get<TaskView>(*read);
  const auto pages = TextPages::at(task.content, arguments.text("cursor"));
  if (!pages) return error_result(pages.error());
  Answer answer;
  add_run(answer, task.view);
  Json content = {{"phase", task.phase->id}};
  std::string again = "get_task(session_id=\"" + task.view.run.id + "\", phase=\"" + *id + "\"";
  if (task.task != nullptr) {
    content["task_number"] = task.task->number;
    content["task_name"] = base::shortened(task.task->name, kTaskNameBytesMax);
    answer.line("## Task " + task.task->number + " of phase " + task.phase->id + ": " +
                base::shortened(task.task->name, kTaskNameBytesMax));
  } else {
    answer.line("## File " + task.file);
  }
  if (!number->empty()) again += ", task_number=\"" + *number + "\"";
  if (!file.empty()) again += ", file=" + base::in_quotes(file);
  content["file"] = task.file;
  if (!task.links.empty() && pages->first()) {
    constexpr std::size_t kLinksShownMax = 30;
    std::vector<std::string> links = task.links;
    if (links.size() > kLinksShownMax) links.resize(kLinksShownMax);
    content["linked_files"] = links;
    answer.line("Linked files (get_task with file): " + base::joined(links, ", "));
  }
  pages->add(answer, content, again + ")");
  answer.structured()["task"] = std::move(content);
  return std::move(answer).finish();
}

}  // namespace phasegate::mcp::tools
