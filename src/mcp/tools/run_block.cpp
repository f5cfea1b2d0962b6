#include "mcp/tools/run_block.h"

#include <algorithm>

#include "base/clock.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/text.h"
#include "mcp/tools/checks_block.h"
#include "mcp/tools/decision_block.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::AcceptedPhase;
using gating::RunState;
using gating::RunStatus;
using gating::engine::RunView;

namespace {

/// The first of many names, and how many more there are.
std::vector<std::string> first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kNamesShownMax = 12;
  if (names.size() <= kNamesShownMax) return names;
  std::vector<std::string> shown(names.begin(), names.begin() + kNamesShownMax);
  shown.push_back("and " + std::to_string(names.size() - kNamesShownMax) + " more");
  return shown;
}

/// Every leniency that this run has made use of or stands under, one sentence each.
std::vector<std::string> leniency_of(const RunView& view) {
  std::vector<std::string> marks;
  const RunState& run = view.run;
  if (run.gates == gating::GatePolicy::as_written) {
    marks.emplace_back(
        "gates as written: where a gate file says strict: false, evidence is not enforced");
  }
  std::vector<std::string> weak;
  std::vector<std::string> lenient;
  std::vector<std::string> skipped;
  std::vector<std::string> unproven;
  for (const AcceptedPhase& accepted : run.accepted) {
    if (static_cast<std::size_t>(accepted.decided) < accepted.deciders.size()) {
      unproven.push_back(accepted.phase);
    }
    if (accepted.weak) weak.push_back(accepted.phase);
    if (accepted.lenient) lenient.push_back(accepted.phase);
    if (accepted.skipped > 0) skipped.push_back(accepted.phase);
  }
  if (!weak.empty()) {
    marks.push_back("passed weak gates, whose documents require nothing: phase " +
                    base::joined(first_names(weak), ", "));
  }
  if (!lenient.empty()) {
    marks.push_back("passed leniently (strict: false): phase " +
                    base::joined(first_names(lenient), ", "));
  }
  if (!skipped.empty()) {
    marks.push_back(
        "checks left out because the project names no command for them (if_missing: skip): phase " +
        base::joined(first_names(skipped), ", "));
  }
  if (!unproven.empty()) {
    marks.push_back("decided through the client, which proves nobody (unauthenticated): phase " +
                    base::joined(first_names(unproven), ", "));
  }
  return marks;
}

std::string status_words(const RunState& run) {
  std::string words(to_text(run.status));
  if (run.status == RunStatus::completed)
    words += run.partial ? " (outcome partial)" : " (outcome ok)";
  return words;
}

/// What nothing rests on is left out, except one's own word.
Json assurance_json(const gating::Assurance& sure) {
  Json out = base::object_with_room(3);
  out["self_attested"] = sure.self_attested;
  if (sure.checked > 0) out["checked"] = sure.checked;
  if (sure.decided > 0) out["decided"] = sure.decided;
  return out;
}

std::string assurance_words(const gating::Assurance& sure) {
  std::string words = std::to_string(sure.self_attested) + " self-attested";
  if (sure.checked > 0) words += ", " + std::to_string(sure.checked) + " checked";
  if (sure.decided > 0) words += ", " + std::to_string(sure.decided) + " decided";
  return words;
}

/// The completed phases, the earliest of very many left out.
std::vector<std::string> completed_names(const RunState& run) {
  constexpr std::size_t kBytesMax = 1200;
  const std::vector<const AcceptedPhase*> completed = run.completed();
  std::size_t used = 0;
  std::size_t first = completed.size();
  while (first > 0 && used + completed[first - 1]->phase.size() + 3 <= kBytesMax) {
    used += completed[--first]->phase.size() + 3;
  }
  std::vector<std::string> names;
  if (first > 0) names.push_back("… " + std::to_string(first) + " earlier");
  for (; first < completed.size(); ++first) names.push_back(completed[first]->phase);
  return names;
}

}  // namespace

std::string next_call(const RunView& view) {
  const RunState& run = view.run;
  switch (run.status) {
    case RunStatus::active:
      if (run.pending) {
        return "get_workflow_state, or complete_phase with the same evidence, to wait for the "
               "checks";
      }
      return "complete_phase(phase=\"" + run.current_phase +
             (view.phase().gate.requirements.empty() ? "\", evidence={}" : "\", evidence") +
             (run.visit > 1 ? ", visit=" + std::to_string(run.visit) : "") +
             ") once its work is done";
    case RunStatus::waiting:
      return "none: stop and tell the person you work for what the session waits for";
    default:
      return "none: this session has ended";
  }
}

Json progress_json(const RunView& view) {
  Json out = base::object_with_room(3);
  out["completed"] = completed_names(view.run);
  out["current"] = view.run.current_phase;
  out["total"] = view.workflow().phases.size();
  return out;
}

std::size_t progress_percentage(const RunView& view) {
  constexpr std::size_t kAlmost = 99;
  const std::size_t total = std::max<std::size_t>(1, view.workflow().phases.size());
  const std::size_t done = view.run.completed().size() * 100 / total;
  return view.run.status == RunStatus::completed ? done : std::min(done, kAlmost);
}

std::vector<std::string> marks_of_open_phase(const RunView& view) {
  std::vector<std::string> marks;
  const RunState& run = view.run;
  if (!is_open(run.status) || run.find_accepted(run.current_phase) != nullptr) return marks;
  const phases::Gate& gate = view.phase().gate;
  if (gate.weak) {
    marks.push_back("phase " + run.current_phase +
                    " has a weak gate: its documents require nothing");
  }
  if (gate.asks_leniency && run.gates == gating::GatePolicy::strict) {
    marks.push_back("phase " + run.current_phase +
                    "'s gate file asks for leniency, which is not honoured");
  }
  return marks;
}

void add_run(Answer& answer, const RunView& view, RunParts parts) {
  const RunState& run = view.run;
  const std::size_t total = view.workflow().phases.size();
  const gating::Assurance sure = assurance_of(run);
  Json& out = answer.structured();
  out["session_id"] = run.id;
  if (parts.workflow) out["workflow_type"] = run.workflow;
  out["status"] = to_text(run.status);
  if (run.status == RunStatus::completed) out["outcome"] = run.partial ? "partial" : "ok";
  if (!run.waiting.code.empty()) {
    out["waiting"] = {{"code", run.waiting.code}, {"reason", run.waiting.reason}};
  }
  if (!run.end_reason.empty()) out["end_reason"] = run.end_reason;
  out["current_phase"] = run.current_phase;
  out["phase_index"] = view.phase_index();
  out["total_phases"] = total;
  if (parts.progress) out["progress"] = progress_json(view);
  const std::vector<std::string> missing =
      parts.missing ? first_names(run.missing) : std::vector<std::string>();
  if (!missing.empty()) out["missing"] = missing;
  out["assurance"] = assurance_json(sure);
  const auto marks = leniency_of(view);
  if (!marks.empty()) out["leniency"] = marks;
  out["next_call"] = next_call(view);

  std::string line = "Session " + run.id + (parts.workflow ? " of " + run.workflow : "") + ": " +
                     status_words(run) + ", phase " + run.current_phase + " (" +
                     std::to_string(view.phase_index() + 1) + " of " + std::to_string(total) + ")";
  if (parts.progress) {
    line += ", completed: " +
            (run.completed().empty() ? "none" : base::joined(completed_names(run), ", "));
  }
  answer.line(line + ", gates rest on " + assurance_words(sure));
  if (!run.waiting.code.empty()) {
    answer.line("Waiting (" + run.waiting.code + "): " + run.waiting.reason);
  }
  if (!run.end_reason.empty()) answer.line("Ended: " + run.end_reason);
  add_verifying(answer, view);
  add_people(answer, view);
  if (!missing.empty()) answer.line("Not as required so far: " + base::joined(missing, ", "));
  for (const std::string& mark : marks) answer.line("Leniency: " + mark);
  answer.line("Next call: " + next_call(view));
}

Json summary_json(const gating::engine::RunSummary& run) {
  constexpr std::size_t kMembersMax = 9;
  Json row = base::object_with_room(kMembersMax);
  row["session_id"] = run.id;
  row["workflow_type"] = run.workflow;
  row["status"] = to_text(run.status);
  if (run.status == RunStatus::completed) row["outcome"] = run.partial ? "partial" : "ok";
  row["current_phase"] = run.current_phase;
  row["phases_completed"] = run.phases_completed;
  if (!run.target.empty()) row["target_file"] = run.target;
  if (!run.branch.empty()) row["branch"] = run.branch;
  row["updated_at"] = base::to_rfc3339(run.updated_at);
  return row;
}

std::string summary_line(const gating::engine::RunSummary& run) {
  constexpr std::size_t kBytesUsual = 256;
  std::string line;
  line.reserve(kBytesUsual);
  line.append("- ").append(run.id).append("  ").append(run.workflow).append("  ");
  line += to_text(run.status);
  if (run.status == RunStatus::completed) line += run.partial ? " (partial)" : " (ok)";
  line.append("  phase ").append(run.current_phase).append(", ");
  line.append(std::to_string(run.phases_completed)).append(" completed");
  if (!run.target.empty()) line.append("  target ").append(base::in_quotes(run.target));
  if (!run.branch.empty()) line.append("  branch ").append(run.branch);
  return line.append("  changed ").append(base::to_rfc3339(run.updated_at));
}

}  // namespace phasegate::mcp::tools
