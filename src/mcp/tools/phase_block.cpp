#include "mcp/tools/phase_block.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"
#include "mcp/tools/artifacts_block.h"
#include "mcp/tools/content_digest.h"
#include "mcp/tools/criteria.h"
#include "mcp/tools/phase_names.h"
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
    Json entry = base::object_with_room(3);
    entry["task_number"] = task.number;
    entry["name"] = base::shortened(task.name, kTaskNameChars);
    if (!task.readable) entry["missing"] = "its file is missing from the workflow's folder";
    tasks.push_back(std::move(entry));
  }
  return tasks;
}

void add_task_lines(Answer& answer, const PhaseView& phase) {
  if (phase.tasks.empty()) return;
  answer.line("Tasks (get_task):");
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

void add_links(Answer& answer, Json& content, std::vector<std::string> links) {
  if (links.empty()) return;
  if (links.size() > kLinksShownMax) links.resize(kLinksShownMax);
  answer.line("Linked files (get_task with file): " + base::joined(links, ", "));
  content["linked_files"] = std::move(links);
}

void add_phase(Answer& answer, std::string_view key, const PhaseView& phase, std::string_view text,
               const TextPages& pages, const PageFrame& frame) {
  const std::string title = base::shortened(phase.phase->title, kTitleBytesMax);
  constexpr std::size_t kMembersMax = 12;
  Json content = base::object_with_room(kMembersMax);
  content["phase"] = phase.phase->id;
  content["phase_name"] = title;
  std::string about = " (continued)";
  if (pages.first()) {
    const std::size_t tokens = phase.content.size() / kCharsPerToken;
    about = " (" + phase.phase->file + ", about " + std::to_string(tokens) + " tokens)";
    content["sources"] = Json::array({phase.phase->file});
    if (phase.phase->file.empty()) {  // a step that is a person's own may have none
      about = " (none)";
      content["sources"] = Json::array();
    }
    content["total_tokens"] = tokens;
    const std::string purpose = base::shortened(phase.phase->purpose, kPurposeBytesMax);
    // Most texts begin with their purpose.
    if (phase.content.find(purpose) == std::string::npos) {
      content["purpose"] = purpose;
      answer.line("Purpose: " + purpose);
    }
    if (!phase.tasks.empty()) {
      content["tasks"] = tasks_json(phase);
      if (phase.tasks.size() > kTasksShownMax) content["task_count"] = phase.tasks.size();
    }
    add_task_lines(answer, phase);
    add_links(answer, content, phase.links);
  }
  answer.line("## Text of phase " + phase.phase->id + ", " + title + about);
  pages.add(answer, content, frame);
  add_digest(answer, content, content_digest(phase, text));
  answer.structured()[std::string(key)] = std::move(content);
}

void add_digest(Answer& answer, const Json& content, const std::string& digest) {
  if (content.contains("next_cursor") || answer.structured().contains("artifacts_shortened")) {
    return;
  }
  answer.structured()["content_digest"] = digest;
  answer.line("content_digest: " + digest);
}

void add_phase(Answer& answer, std::string_view key, const PhaseView& phase) {
  const auto first = TextPages::at(phase.content, "");
  add_phase(answer, key, phase, phase.content, *first,
            {"get_phase_content(phase=\"" + phase.phase->id + "\""});
}

void name_phase(Answer& answer, std::string_view key, const PhaseView& phase) {
  // Without a digest: whoever asks because of this line has not been given the content by it.
  answer.structured()[std::string(key)] = {{"phase", phase.phase->id},
                                           {"shown_by", "get_current_phase"}};
  answer.line("Phase " + phase.phase->id + " is shown by get_current_phase");
}

void add_unchanged(Answer& answer, const std::string& digest) {
  answer.structured()["unchanged"] = true;
  answer.structured()["content_digest"] = digest;
  answer.line("Unchanged: what you have with content_digest " + digest +
              " is still all there is to read here. Without known_digest it is shown again.");
}

void add_refusal(Answer& answer, const Refusal& refusal, const gating::engine::RunView& view,
                 std::string_view asked) {
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
    if (const auto meant = meant_phase(view, asked); meant && !refusal.accepted_at) {
      out["did_you_mean"] = *meant;
      answer.line("Did you mean phase " + base::in_quotes(*meant) + "?");
    }
  }
  if (refusal.accepted_at) out["accepted_at"] = base::to_rfc3339(*refusal.accepted_at);
}

protocol::ToolResult violation(const Refusal& refusal, const PhaseView& open_phase,
                               std::string_view asked) {
  Answer answer;
  add_refusal(answer, refusal, open_phase.view, asked);
  add_run(answer, open_phase.view, {.progress = true});
  if (is_open(open_phase.view.run.status) && open_phase.current) {
    add_criteria(answer, open_phase);
    add_artifacts(answer, "artifacts_available", open_phase, kArtifactBytesAside);
    add_phase(answer, "current_phase_content", open_phase);
  }
  return std::move(answer).finish(true);
}

}  // namespace phasegate::mcp::tools
