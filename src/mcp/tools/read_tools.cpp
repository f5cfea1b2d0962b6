#include <algorithm>

#include "base/clock.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/artifacts_block.h"
#include "mcp/tools/content_digest.h"
#include "mcp/tools/criteria.h"
#include "mcp/tools/handlers.h"
#include "mcp/tools/input_block.h"
#include "mcp/tools/outline_block.h"
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
/// Of the run's input: with a phase's content, and where there is no other content.
constexpr std::size_t kInputBytesShown = 400;
constexpr std::size_t kInputBytesShownInState = 2000;

/// What is read of a phase.
struct Reading {
  std::string_view text;           ///< of the phase and what goes with it
  std::string_view artifacts_key;  ///< under which its artifacts stand
  std::string_view call;           ///< that gives the next page; see TextPages::add
  bool workflow = false;           ///< name the workflow and its input: a fresh context may ask
};

/// True if the caller has all of this content already. Only the first page can be left out: a later
/// one is asked for by somebody who lacks it.
bool is_known(const Arguments& arguments, const std::string& digest) {
  return arguments.text("cursor").empty() && arguments.text("known_digest") == digest;
}

/// The criteria and the artifacts stand on the first page, the text is paged.
protocol::ToolResult phase_answer(const PhaseView& phase, const Arguments& arguments,
                                  const Reading& reading) {
  const auto pages = TextPages::at(reading.text, arguments.text("cursor"));
  if (!pages) return error_result(pages.error());
  Answer answer;
  add_run(answer, phase.view, {.workflow = reading.workflow && pages->first()});
  if (const std::string digest = content_digest(phase, reading.text); is_known(arguments, digest)) {
    add_unchanged(answer, digest);
    return std::move(answer).finish();
  }
  if (pages->first()) {
    if (reading.workflow) add_input(answer, phase.view.run, kInputBytesShown);
    // Nothing can be handed over any more once the session has ended.
    if (is_open(phase.view.run.status)) add_criteria(answer, phase);
    add_artifacts(answer, reading.artifacts_key, phase);
  }
  add_phase(answer, "phase_content", phase, reading.text, *pages, reading.call);
  return std::move(answer).finish();
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

protocol::ToolResult get_workflow_state(const Hands& hands, const Arguments& arguments) {
  const auto view = hands.engine.view(arguments.text("session_id"));
  if (!view) return error_result(view.error());
  const gating::RunState& run = view->run;
  Answer answer;
  add_run(answer, *view, {.workflow = true, .progress = true});
  Json& out = answer.structured();
  out["progress_percentage"] = progress_percentage(*view);
  const auto marks = marks_of_open_phase(*view);
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
  answer.line(std::to_string(progress_percentage(*view)) +
              " % completed; attempts at this phase: " + std::to_string(run.attempts) + " (visit " +
              std::to_string(run.visit) + "); state version " + std::to_string(run.version) +
              (can_go_on ? "; can be resumed" : "; cannot be resumed"));
  if (!run.target.empty()) answer.line("Target: " + base::in_quotes(run.target));
  if (!run.branch.empty()) answer.line("Branch: " + base::in_quotes(run.branch));
  answer.line("Started " + base::to_rfc3339(run.created_at) + ", changed " +
              base::to_rfc3339(run.updated_at));
  add_input(answer, run, kInputBytesShownInState);
  add_outline(answer, *view);
  Json passed = Json::array();
  const std::size_t first =
      run.accepted.size() > kPassedShownMax ? run.accepted.size() - kPassedShownMax : 0;
  for (std::size_t i = first; i < run.accepted.size(); ++i) {
    const gating::AcceptedPhase& accepted = run.accepted[i];
    Json row = base::object_with_room(4);
    row["phase"] = accepted.phase;
    row["accepted_at"] = base::to_rfc3339(accepted.accepted_at);
    row["attempt"] = accepted.attempt;
    row["self_attested"] = accepted.self_attested;
    passed.push_back(std::move(row));
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
  Reading reading{phase->content, "artifacts_available", "get_current_phase(", true};
  if (!phase->current || !arguments.flag("include_tasks")) {
    return phase_answer(*phase, arguments, reading);
  }
  const auto text = with_tasks(hands, *phase);
  if (!text) return error_result(text.error());
  reading.text = *text;
  reading.call = "get_current_phase(include_tasks=true";
  return phase_answer(*phase, arguments, reading);
}

protocol::ToolResult get_phase_content(const Hands& hands, const Arguments& arguments) {
  const auto id = arguments.phase();
  if (!id) return error_result(id.error());
  const auto read = hands.engine.phase_content(arguments.text("session_id"), *id);
  if (!read) return error_result(read.error());
  if (const auto* refused = std::get_if<ReadRefused>(&*read)) {
    return violation(refused->refusal, refused->open_phase, *id);
  }
  const PhaseView& phase = std::get<PhaseView>(*read);
  const std::string call = "get_phase_content(phase=\"" + *id + "\"";
  // 004-08: artifacts of earlier phases belong to the current phase only.
  if (phase.current) {
    return phase_answer(phase, arguments, {phase.content, "artifacts_from_previous", call});
  }
  const std::string text = with_evidence(phase);
  return phase_answer(phase, arguments, {text, "accepted_evidence", call});
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
    return violation(refused->refusal, refused->open_phase, *id);
  }
  const TaskView& task = std::get<TaskView>(*read);
  const auto pages = TextPages::at(task.content, arguments.text("cursor"));
  if (!pages) return error_result(pages.error());
  Answer answer;
  add_run(answer, task.view);
  const std::string digest = content_digest(task);
  if (is_known(arguments, digest)) {
    add_unchanged(answer, digest);
    return std::move(answer).finish();
  }
  const std::string about = pages->first() ? "" : " (continued)";
  Json content = {{"phase", task.phase->id}};
  std::string call = "get_task(phase=\"" + *id + "\"";
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
  if (!number->empty()) call += ", task_number=\"" + *number + "\"";
  if (!file.empty()) call += ", file=" + base::in_quotes(file);
  pages->add(answer, content, call);
  add_digest(answer, content, digest);
  answer.structured()["task"] = std::move(content);
  return std::move(answer).finish();
}

}  // namespace phasegate::mcp::tools
