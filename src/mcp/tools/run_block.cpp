#include "mcp/tools/run_block.h"

#include <algorithm>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::AcceptedPhase;
using gating::RunState;
using gating::RunStatus;
using gating::engine::RunView;

namespace {

/// Every leniency that this run has made use of or stands under, one sentence each.
std::vector<std::string> leniency_of(const RunView& view) {
  std::vector<std::string> marks;
  const RunState& run = view.run;
  if (run.gates == gating::GatePolicy::as_written) {
    marks.emplace_back(
        "gates as written: where a gate file says strict: false, evidence is not enforced");
  }
  for (const AcceptedPhase& accepted : run.accepted) {
    if (accepted.weak) {
      marks.push_back("phase " + accepted.phase +
                      " passed a weak gate: its documents require nothing");
    }
    if (accepted.lenient) {
      marks.push_back("phase " + accepted.phase + " passed leniently (strict: false)");
    }
  }
  const phases::Gate& gate = view.phase().gate;
  const bool open = is_open(run.status) && run.find_accepted(run.current_phase) == nullptr;
  if (open && gate.weak) {
    marks.push_back("phase " + run.current_phase +
                    " has a weak gate: its documents require nothing");
  }
  if (open && gate.asks_leniency && run.gates == gating::GatePolicy::strict) {
    marks.push_back("phase " + run.current_phase +
                    "'s gate file asks for leniency (strict: false or allow_override); it is not "
                    "honoured, the gate must be satisfied");
  }
  return marks;
}

/// The first of the fields that are not as required; a refusal names them all.
std::vector<std::string> first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kNamesShownMax = 12;
  if (names.size() <= kNamesShownMax) return names;
  std::vector<std::string> shown(names.begin(), names.begin() + kNamesShownMax);
  shown.push_back("and " + std::to_string(names.size() - kNamesShownMax) + " more");
  return shown;
}

/// Of the phases that are known; all of it only once the run is complete.
std::size_t percentage(const RunView& view) {
  constexpr std::size_t kAlmost = 99;
  const std::size_t total = std::max<std::size_t>(1, view.workflow().phases.size());
  const std::size_t done = view.run.accepted.size() * 100 / total;
  return view.run.status == RunStatus::completed ? done : std::min(done, kAlmost);
}

std::string quoted_session(const RunState& run) {
  return "session_id=\"" + run.id + "\"";
}

std::string status_words(const RunState& run) {
  std::string words(to_text(run.status));
  if (run.status == RunStatus::completed)
    words += run.partial ? " (outcome partial)" : " (outcome ok)";
  return words;
}

}  // namespace

std::string next_call(const RunView& view) {
  const RunState& run = view.run;
  switch (run.status) {
    case RunStatus::active:
      return "complete_phase(" + quoted_session(run) + ", phase=\"" + run.current_phase +
             "\", evidence={…}) once the work of this phase is done";
    case RunStatus::waiting:
      return "none: stop and tell the person you work for what the session waits for";
    default:
      return "none: this session has ended; start_workflow begins a new one if there is more to do";
  }
}

Json progress_json(const RunView& view) {
  Json completed = Json::array();
  for (const AcceptedPhase& accepted : view.run.accepted) completed.push_back(accepted.phase);
  return {{"completed", std::move(completed)},
          {"current", view.run.current_phase},
          {"total", view.workflow().phases.size()}};
}

void add_run(Answer& answer, const RunView& view) {
  const RunState& run = view.run;
  const std::size_t total = view.workflow().phases.size();
  const gating::Assurance sure = assurance_of(run);
  Json& out = answer.structured();
  out["session_id"] = run.id;
  out["workflow_type"] = run.workflow;
  out["status"] = to_text(run.status);
  if (run.status == RunStatus::completed) out["outcome"] = run.partial ? "partial" : "ok";
  if (!run.waiting.code.empty()) {
    out["waiting"] = {{"code", run.waiting.code}, {"reason", run.waiting.reason}};
  }
  if (!run.end_reason.empty()) out["end_reason"] = run.end_reason;
  out["current_phase"] = run.current_phase;
  out["phase_index"] = view.phase_index();
  out["total_phases"] = total;
  out["progress"] = progress_json(view);
  out["progress_percentage"] = percentage(view);
  const std::vector<std::string> missing = first_names(run.missing);
  if (!missing.empty()) out["missing"] = missing;
  out["assurance"] = {
      {"self_attested", sure.self_attested}, {"checked", sure.checked}, {"decided", sure.decided}};
  const auto marks = leniency_of(view);
  if (!marks.empty()) out["leniency"] = marks;
  out["next_call"] = next_call(view);

  answer.line("Session " + run.id + " of " + run.workflow + ": " + status_words(run) + ", phase " +
              run.current_phase + " (number " + std::to_string(view.phase_index() + 1) + " of " +
              std::to_string(total) + "), " + std::to_string(run.accepted.size()) + " completed (" +
              std::to_string(percentage(view)) + " %)");
  if (!run.waiting.code.empty()) {
    answer.line("Waiting (" + run.waiting.code + "): " + run.waiting.reason);
  }
  if (!run.end_reason.empty()) answer.line("Ended: " + run.end_reason);
  if (!missing.empty()) answer.line("Not as required so far: " + base::joined(missing, ", "));
  answer.line("Gates passed rest on: " + to_text(sure));
  for (const std::string& mark : marks) answer.line("Leniency: " + mark);
  answer.line("Next call: " + next_call(view));
}

Json summary_json(const gating::engine::RunSummary& run) {
  Json row = {
      {"session_id", run.id}, {"workflow_type", run.workflow}, {"status", to_text(run.status)}};
  if (run.status == RunStatus::completed) row["outcome"] = run.partial ? "partial" : "ok";
  row["current_phase"] = run.current_phase;
  row["phases_completed"] = run.phases_completed;
  if (!run.target.empty()) row["target_file"] = run.target;
  if (!run.branch.empty()) row["branch"] = run.branch;
  row["created_at"] = base::to_rfc3339(run.created_at);
  row["updated_at"] = base::to_rfc3339(run.updated_at);
  return row;
}

std::string summary_line(const gating::engine::RunSummary& run) {
  std::string line = "- " + run.id + "  " + run.workflow + "  " + std::string(to_text(run.status));
  if (run.status == RunStatus::completed) line += run.partial ? " (partial)" : " (ok)";
  line +=
      "  phase " + run.current_phase + ", " + std::to_string(run.phases_completed) + " completed";
  if (!run.target.empty()) line += "  target " + base::in_quotes(run.target);
  if (!run.branch.empty()) line += "  branch " + run.branch;
  line += "  started " + base::to_rfc3339(run.created_at) + ", changed " +
          base::to_rfc3339(run.updated_at);
  return line;
}

}  // namespace phasegate::mcp::tools
