#include "mcp/tools/read_answers.h"

#include <algorithm>

#include "base/clock.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/artifacts_block.h"
#include "mcp/tools/checks_block.h"
#include "mcp/tools/content_digest.h"
#include "mcp/tools/criteria.h"
#include "mcp/tools/decision_block.h"
#include "mcp/tools/input_block.h"
#include "mcp/tools/outline_block.h"
#include "mcp/tools/paging.h"
#include "mcp/tools/phase_block.h"
#include "mcp/tools/run_block.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::PhaseView;
using gating::engine::RunView;
using gating::engine::TaskView;

namespace {

/// Completed phases listed one by one in get_workflow_state; older ones are in `progress`.
constexpr std::size_t kPassedShownMax = 20;
constexpr std::size_t kTaskNameBytesMax = 200;
/// Of the run's input: with a phase's content, and where there is no other content.
constexpr std::size_t kInputBytesShown = 400;
constexpr std::size_t kInputBytesShownInState = 2000;

/// True if the caller has all of this content already. Only the first page can be left out: a later
/// one is asked for by somebody who lacks it.
bool is_known(const TextWish& wish, const std::string& digest) {
  return wish.cursor.empty() && wish.known_digest == digest;
}

/// A review shows the phase's accepted evidence whole: behind its text, where it is too long to
/// stand among the artifacts.
std::string with_evidence(const PhaseView& phase) {
  std::string text = phase.content;
  for (const auto& row : phase.artifacts) {
    if (row.artifact.evidence.size() <= base::limits::kArtifactBytesShownMax) continue;
    text += "\n\n## Evidence accepted for phase " + row.artifact.phase + " at " +
            base::to_rfc3339(row.accepted_at) + "\n\n" + row.artifact.evidence + "\n";
  }
  return text;
}

/// The linked files that have no call of their own: phases and tasks are asked for by their number.
std::vector<std::string> other_files(const TaskView& task) {
  std::vector<std::string> files = task.links;
  const auto& documents = task.view.workflow().documents;
  const auto has_its_call = [&](const std::string& file) {
    const phases::Phase* owner = task.view.workflow().find_phase(documents.at(file).phase);
    if (owner == nullptr) return false;
    return file == owner->file ||
           std::any_of(owner->tasks.begin(), owner->tasks.end(),
                       [&](const phases::Task& other) { return other.file == file; });
  };
  std::erase_if(files, has_its_call);
  return files;
}

}  // namespace

protocol::ToolResult state_answer(const RunView& view) {
  const gating::RunState& run = view.run;
  Answer answer;
  add_run(answer, view, {.workflow = true, .progress = true});
  Json& out = answer.structured();
  out["progress_percentage"] = progress_percentage(view);
  const auto marks = marks_of_open_phase(view);
  for (const std::string& mark : marks) {
    out["leniency"].push_back(mark);
    answer.line("Leniency: " + mark);
  }
  out["attempts"] = run.attempts;
  out["visit"] = run.visit;
  out["state_version"] = run.version;
  const bool can_go_on = run.status == gating::RunStatus::active;
  out["can_resume"] = can_go_on;
  if (!run.target.empty()) out["target_file"] = run.target;
  if (!run.branch.empty()) out["branch"] = run.branch;
  out["created_at"] = base::to_rfc3339(run.created_at);
  out["updated_at"] = base::to_rfc3339(run.updated_at);
  answer.line(std::to_string(progress_percentage(view)) +
              " % completed; attempts at this phase: " + std::to_string(run.attempts) + " (visit " +
              std::to_string(run.visit) + "); state version " + std::to_string(run.version) +
              (can_go_on ? "; can be resumed" : "; cannot be resumed"));
  if (!run.target.empty()) answer.line("Target: " + base::in_quotes(run.target));
  if (!run.branch.empty()) answer.line("Branch: " + base::in_quotes(run.branch));
  answer.line("Started " + base::to_rfc3339(run.created_at) + ", changed " +
              base::to_rfc3339(run.updated_at));
  if (run.verified && !run.pending) {
    answer.structured()["last_checks_attempt"] = run.verified->attempt;
    add_results(
        answer, run.verified->results,
        "What the server saw for itself at attempt " + std::to_string(run.verified->attempt) + ":");
  }
  add_input(answer, run, kInputBytesShownInState);
  add_outline(answer, view);
  Json passed = Json::array();
  const std::vector<const gating::AcceptedPhase*> completed = run.completed();
  const std::size_t first =
      completed.size() > kPassedShownMax ? completed.size() - kPassedShownMax : 0;
  for (std::size_t i = first; i < completed.size(); ++i) {
    const gating::AcceptedPhase& accepted = *completed[i];
    Json row = base::object_with_room(7);
    row["phase"] = accepted.phase;
    row["accepted_at"] = base::to_rfc3339(accepted.accepted_at);
    row["attempt"] = accepted.attempt;
    row["self_attested"] = accepted.self_attested;
    if (accepted.checked > 0) row["checked"] = accepted.checked;
    if (accepted.skipped > 0) row["skipped_checks"] = accepted.skipped;
    if (accepted.stale) row["stale"] = true;
    if (!accepted.deciders.empty()) row["decided_by"] = accepted.deciders;
    passed.push_back(std::move(row));
    answer.line(
        "- phase " + accepted.phase + " passed at " + base::to_rfc3339(accepted.accepted_at) +
        " in attempt " + std::to_string(accepted.attempt) + ", " +
        base::counted(static_cast<std::size_t>(accepted.self_attested), "field") +
        " self-attested" +
        (accepted.deciders.empty() ? std::string()
                                   : ", decided by " + base::joined(accepted.deciders, ", ")));
  }
  out["phases_passed"] = std::move(passed);
  return std::move(answer).finish();
}

protocol::ToolResult content_answer(const PhaseView& phase, const Content& content,
                                    const TextWish& wish) {
  const auto pages = TextPages::at(content.text, wish.cursor);
  if (!pages) return error_result(pages.error());
  Answer answer;
  add_run(answer, phase.view, {.workflow = content.workflow && pages->first()});
  if (const std::string digest = content_digest(phase, content.text); is_known(wish, digest)) {
    add_unchanged(answer, digest);
    return std::move(answer).finish();
  }
  if (pages->first()) {
    if (content.workflow) add_input(answer, phase.view.run, kInputBytesShown);
    // Nothing can be handed over any more once the session has ended.
    if (is_open(phase.view.run.status)) add_criteria(answer, phase);
    add_artifacts(answer, content.artifacts_key, phase);
  }
  add_phase(answer, "phase_content", phase, content.text, *pages, {content.call, wish.bytes_max});
  return std::move(answer).finish();
}

protocol::ToolResult phase_answer(const PhaseView& phase, const TextWish& wish) {
  const std::string call = "get_phase_content(phase=\"" + phase.phase->id + "\"";
  // 004-08: artifacts of earlier phases belong to the current phase only.
  if (phase.current) {
    const std::string text = feedback_text(phase.view.run) + phase.content;
    return content_answer(phase, {text, "artifacts_from_previous", call}, wish);
  }
  const std::string text = with_evidence(phase);
  return content_answer(phase, {text, "accepted_evidence", call}, wish);
}

protocol::ToolResult task_answer(const TaskView& task, const TaskAsked& asked,
                                 const TextWish& wish) {
  const auto pages = TextPages::at(task.content, wish.cursor);
  if (!pages) return error_result(pages.error());
  Answer answer;
  add_run(answer, task.view);
  const std::string digest = content_digest(task);
  if (is_known(wish, digest)) {
    add_unchanged(answer, digest);
    return std::move(answer).finish();
  }
  const std::string about = pages->first() ? "" : " (continued)";
  Json content = {{"phase", task.phase->id}};
  std::string call = "get_task(phase=\"" + task.phase->id + "\"";
  if (pages->first()) {
    add_links(answer, content, other_files(task));
  }
  if (task.task != nullptr) {
    const std::string name = base::shortened(task.task->name, kTaskNameBytesMax);
    content["task_number"] = task.task->number;
    content["task_name"] = name;
    answer.line("## Task " + task.task->number + " of phase " + task.phase->id + ": " + name +
                about);
  } else {
    content["file"] = task.file;
    answer.line("## File " + task.file + about);
  }
  if (!asked.number.empty()) call += ", task_number=\"" + asked.number + "\"";
  if (!asked.file.empty()) call += ", file=" + base::in_quotes(asked.file);
  pages->add(answer, content, {call, wish.bytes_max});
  add_digest(answer, content, digest);
  answer.structured()["task"] = std::move(content);
  return std::move(answer).finish();
}

}  // namespace phasegate::mcp::tools
