#include <algorithm>

#include "app/cli/render.h"
#include "app/cli/requirement_text.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/requirement_words.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::AcceptedPhase;
using gating::RunState;
using gating::RunStatus;
using gating::engine::RunView;

constexpr std::size_t kTitleBytesShown = 80;
constexpr std::size_t kReasonBytesShown = 500;

std::string accepted_text(const AcceptedPhase& accepted) {
  std::string text = "accepted " + base::to_rfc3339(accepted.accepted_at);
  if (accepted.attempt > 1) text += " at attempt " + std::to_string(accepted.attempt);
  text +=
      ": " + to_text(gating::Assurance{accepted.self_attested, accepted.checked, accepted.decided});
  if (accepted.weak) text += ", weak gate";
  if (accepted.lenient) text += ", lenient";
  return text;
}

/// Where a phase stands: `accepted`, `open`, `ahead`, or `not completed` in a run that has ended.
std::string_view phase_state(const RunView& view, const phases::Phase& phase) {
  if (view.run.find_accepted(phase.id) != nullptr) return "accepted";
  if (phase.id != view.run.current_phase) return "ahead";
  return gating::is_open(view.run.status) ? "open" : "not_completed";
}

std::string open_phase_text(const RunView& view) {
  const std::string indent(6, ' ');
  const RunState& run = view.run;
  std::string text;
  if (!run.missing.empty()) {
    std::vector<std::string> names;
    names.reserve(run.missing.size());
    for (const std::string& name : run.missing) names.push_back(shown(name));
    text += indent + "not as required at the last attempt: " + base::joined(names, ", ") + "\n";
  }
  std::vector<std::vector<std::string>> rows;
  for (const phases::Requirement& requirement : view.phase().gate.requirements) {
    rows.push_back({shown(requirement.name), std::string(phases::to_text(requirement.type)),
                    shown(phases::rules_in_words(requirement))});
  }
  if (!rows.empty()) text += indent + "its gate asks for:\n" + columns(rows, 8);
  for (const std::string& mark : gate_marks(view.phase().gate)) {
    text += indent + shown(mark) + "\n";
  }
  return text;
}

std::string phases_text(const RunView& view, bool all) {
  std::string text;
  for (const phases::Phase& phase : view.workflow().phases) {
    const std::string_view state = phase_state(view, phase);
    if (state == "ahead" && !all) continue;
    const std::string_view mark = state == "accepted" ? "[x]" : (state == "open" ? "[>]" : "[ ]");
    text += "  " + std::string(mark) + " " + shown(phase.id) + "  " +
            shown_short(phase.title, kTitleBytesShown) + "\n";
    if (const AcceptedPhase* accepted = view.run.find_accepted(phase.id)) {
      text += std::string(6, ' ') + accepted_text(*accepted) + "\n";
    } else if (state == "open") {
      if (view.run.attempts > 0) {
        text += std::string(6, ' ') +
                base::counted(static_cast<std::size_t>(view.run.attempts), "attempt") + " so far\n";
      }
      text += open_phase_text(view);
    }
  }
  return text;
}

std::string state_text(const RunView& view) {
  const RunState& run = view.run;
  std::string text(gating::to_text(run.status));
  if (run.status == RunStatus::completed) text += run.partial ? " (partial)" : " (ok)";
  const std::size_t total = view.workflow().phases.size();
  if (gating::is_open(run.status)) {
    text += ", in phase " + shown(run.current_phase) + " (" +
            std::to_string(view.phase_index() + 1) + " of " + std::to_string(total) + ")";
  }
  return text;
}

std::string next_text(const RunView& view, std::string_view options) {
  const RunState& run = view.run;
  const std::string tail = " " + run.id + shown(options) + "\n";
  std::string text;
  if (run.status == RunStatus::active) {
    text += "Next: the assistant goes on with get_current_phase, session_id \"" + run.id + "\".\n";
  }
  if (gating::is_open(run.status)) text += "To end it:       phasegate cancel" + tail;
  text += "What happened:   phasegate history" + tail;
  return text;
}

Json accepted_json(const AcceptedPhase& accepted) {
  Json json = Json::object();
  json["accepted_at"] = base::to_rfc3339(accepted.accepted_at);
  json["visit"] = accepted.visit;
  json["attempt"] = accepted.attempt;
  json["evidence_digest"] = accepted.evidence_digest;
  json["self_attested"] = accepted.self_attested;
  json["checked"] = accepted.checked;
  json["decided"] = accepted.decided;
  json["weak_gate"] = accepted.weak;
  json["lenient"] = accepted.lenient;
  return json;
}

Json phase_json(const RunView& view, const phases::Phase& phase) {
  const std::string_view state = phase_state(view, phase);
  Json json = Json::object();
  json["id"] = phase.id;
  json["title"] = phase.title;
  json["state"] = state;
  if (const AcceptedPhase* accepted = view.run.find_accepted(phase.id)) {
    json.update(accepted_json(*accepted));
  }
  return json;
}

}  // namespace

std::string status_text(const RunView& view, bool all, std::string_view options) {
  const RunState& run = view.run;
  std::vector<std::vector<std::string>> head;
  const auto line = [&](const char* name, const std::string& value) {
    if (!value.empty()) head.push_back({name, value});
  };
  line("Session", run.id);
  std::string workflow = shown(run.workflow);
  if (!view.workflow().version.empty()) workflow += " " + shown(view.workflow().version);
  line("Workflow", workflow);
  line("State", state_text(view));
  line("Waits for", shown_short(run.waiting.reason, kReasonBytesShown));
  line("Ended", shown_short(run.end_reason, kReasonBytesShown));
  line("Target", shown(run.target));
  line("Branch", shown(run.branch));
  line("Worktree", shown(run.worktree));
  line("Started", base::to_rfc3339(run.created_at) +
                      (run.principal.empty() ? "" : " by " + shown(run.principal)));
  line("Changed", base::to_rfc3339(run.updated_at));
  line("Rests on", to_text(gating::assurance_of(run)));
  if (run.gates == gating::GatePolicy::as_written) {
    line("Gates", "as written: a gate that asks for leniency lets incomplete evidence pass");
  }
  if (run.partial) line("Outcome", "partial: a gate was weak or lenient");
  std::string text = columns(head, 0);
  text += "\nPhases" + std::string(all ? "" : " reached") + ":\n" + phases_text(view, all);
  return text + "\n" + next_text(view, options);
}

Json status_json(const RunView& view, bool all) {
  const RunState& run = view.run;
  Json json = Json::object();
  json["session_id"] = run.id;
  json["workflow"] = run.workflow;
  json["workflow_version"] = view.workflow().version;
  json["definition_hash"] = run.definition_hash;
  json["status"] = gating::to_text(run.status);
  json["partial"] = run.partial;
  json["waiting"] = run.waiting.code.empty()
                        ? Json(nullptr)
                        : Json{{"code", run.waiting.code}, {"reason", run.waiting.reason}};
  json["current_phase"] = run.current_phase;
  json["phase_index"] = view.phase_index();
  json["total_phases"] = view.workflow().phases.size();
  json["visit"] = run.visit;
  json["attempts"] = run.attempts;
  json["missing"] = run.missing;
  json["gates"] = gating::to_text(run.gates);
  const gating::Assurance sum = gating::assurance_of(run);
  json["assurance"] = Json{
      {"self_attested", sum.self_attested}, {"checked", sum.checked}, {"decided", sum.decided}};
  json["target_file"] = run.target;
  json["branch"] = run.branch;
  json["worktree"] = run.worktree;
  json["principal"] = run.principal;
  json["end_reason"] = run.end_reason;
  json["created_at"] = base::to_rfc3339(run.created_at);
  json["updated_at"] = base::to_rfc3339(run.updated_at);
  json["state_version"] = run.version;
  json["phases"] = Json::array();
  for (const phases::Phase& phase : view.workflow().phases) {
    if (all || phase_state(view, phase) != "ahead")
      json["phases"].push_back(phase_json(view, phase));
  }
  return json;
}

}  // namespace phasegate::app::cli
