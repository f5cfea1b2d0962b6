#include "mcp/tools/phase_block.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "mcp/tools/artifacts_block.h"
#include "mcp/tools/criteria.h"
#include "mcp/tools/run_block.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::Refusal;
using gating::RefusalKind;
using gating::engine::PhaseView;

namespace {

/// Tasks beyond this are counted only; no real phase comes near it.
constexpr std::size_t kTasksShownMax = 60;
constexpr std::size_t kTaskNameChars = 100;
constexpr std::size_t kLinksShownMax = 20;
constexpr std::size_t kPurposeBytesMax = 300;
constexpr std::size_t kTitleBytesMax = 200;
/// What a token is taken for; the models' own counts differ.
constexpr std::size_t kCharsPerToken = 4;

Json tasks_json(const PhaseView& phase) {
  Json tasks = Json::array();
  for (const auto& task : phase.tasks) {
    if (tasks.size() == kTasksShownMax) break;
    Json entry = {{"task_number", task.number},
                  {"name", base::shortened(task.name, kTaskNameChars)}};
    if (!task.readable) entry["missing"] = "its file is missing from the workflow's folder";
    tasks.push_back(std::move(entry));
  }
  return tasks;
}

void add_task_lines(Answer& answer, const PhaseView& phase) {
  if (phase.tasks.empty()) return;
  answer.line("Tasks (get_task with phase=\"" + phase.phase->id + "\" and task_number):");
  std::size_t shown = 0;
  for (const auto& task : phase.tasks) {
    if (shown++ == kTasksShownMax) {
      answer.line("- … " + std::to_string(phase.tasks.size() - kTasksShownMax) + " more");
      break;
    }
    answer.line("- " + task.number + ": " + base::shortened(task.name, kTaskNameChars) +
                (task.readable ? "" : " (its file is missing from the workflow's folder)"));
  }
}

std::string_view violation_type(const Refusal& refusal) {
  return refusal.accepted_at ? "already_completed" : "attempted_skip";
}

}  // namespace

void add_phase(Answer& answer, std::string_view key, const PhaseView& phase, const TextPages& pages,
               std::string_view how_to_continue) {
  const std::string title = base::shortened(phase.phase->title, kTitleBytesMax);
  Json content = {{"phase", phase.phase->id}, {"phase_name", title}};
  if (pages.first()) {
    content["sources"] = Json::array({phase.phase->file});
    content["total_tokens"] = phase.content.size() / kCharsPerToken;
    if (!phase.phase->purpose.empty()) {
      const std::string purpose = base::shortened(phase.phase->purpose, kPurposeBytesMax);
      content["purpose"] = purpose;
      answer.line("Purpose: " + purpose);
    }
    if (!phase.tasks.empty()) {
      content["tasks"] = tasks_json(phase);
      if (phase.tasks.size() > kTasksShownMax) content["task_count"] = phase.tasks.size();
    }
    add_task_lines(answer, phase);
    if (!phase.links.empty()) {
      std::vector<std::string> links = phase.links;
      if (links.size() > kLinksShownMax) links.resize(kLinksShownMax);
      content["linked_files"] = links;
      answer.line("Linked files (get_task with phase=\"" + phase.phase->id +
                  "\" and file): " + base::joined(links, ", "));
    }
  }
  answer.line("## Text of phase " + phase.phase->id + ", " + title +
              (pages.first()
                   ? " (" + phase.phase->file + ", about " +
                         std::to_string(phase.content.size() / kCharsPerToken) + " tokens)"
                   : " (continued)"));
  pages.add(answer, content, how_to_continue);
  answer.structured()[std::string(key)] = std::move(content);
}

void add_phase(Answer& answer, std::string_view key, const PhaseView& phase) {
  const auto first = TextPages::at(phase.content, "");
  add_phase(answer, key, phase, *first,
            "get_phase_content(session_id=\"" + phase.view.run.id + "\", phase=\"" +
                phase.phase->id + "\")");
}

void add_refusal(Answer& answer, const Refusal& refusal) {
  Json& out = answer.structured();
  out["error"] = to_text(refusal.kind);
  out["message"] = refusal.message;
  out["reason"] = refusal.reason;
  out["required_action"] = refusal.required_action;
  out["phase_gating_enforced"] = true;
  answer.line("Refused (" + std::string(to_text(refusal.kind)) + "): " + refusal.message + ". " +
              refusal.reason + ".");
  answer.line("What to do: " + refusal.required_action);
  if (refusal.kind == RefusalKind::phase_sequence_violation) {
    out["violation_type"] = violation_type(refusal);
    answer.line("Violation: " + std::string(violation_type(refusal)) +
                "; phase gating is enforced by the server");
  }
  if (refusal.accepted_at) out["accepted_at"] = base::to_rfc3339(*refusal.accepted_at);
}

protocol::ToolResult violation(const Refusal& refusal, const PhaseView& open_phase) {
  Answer answer;
  add_refusal(answer, refusal);
  add_run(answer, open_phase.view);
  if (is_open(open_phase.view.run.status) && open_phase.current) {
    answer.structured()["checkpoint_criteria"] = criteria_json(open_phase);
    add_criteria(answer, open_phase);
    add_artifacts(answer, "artifacts_available", open_phase.artifacts);
    add_phase(answer, "current_phase_content", open_phase);
  }
  return std::move(answer).finish(true);
}

}  // namespace phasegate::mcp::tools
