#include "gating/engine/export.h"

#include <charconv>

#include "base/json.h"
#include "base/limits.h"

namespace phasegate::gating::engine {

using base::Json;

namespace {

constexpr base::JsonLimits kOwnJsonLimits{base::limits::kMessageBytesMax,
                                          base::limits::kMessageDepthMax};

/// What we wrote ourselves; should it ever not parse, its text is exported rather than lost.
Json parsed(const std::string& text) {
  auto value = base::parse_json(text, kOwnJsonLimits);
  if (!value) return Json(text);
  return std::move(value).value();
}

Json phase_json(const std::string& id) {
  int number = 0;
  const auto [end, failed] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (failed == std::errc() && end == id.data() + id.size() && std::to_string(number) == id) {
    return number;
  }
  return id;
}

}  // namespace

Json session_json(const RunView& view, const std::vector<ArtifactRow>& artifacts) {
  const RunState& run = view.run;
  Json session = Json::object();
  session["session_id"] = run.id;
  session["workflow_type"] = run.workflow;
  session["target_file"] = run.target;
  session["current_phase"] = phase_json(run.current_phase);
  Json completed = Json::array();
  Json checkpoints = Json::object();
  Json facts = Json::object();
  for (const AcceptedPhase& accepted : run.accepted) {
    completed.push_back(phase_json(accepted.phase));
    checkpoints[accepted.phase] = "passed";
    facts[accepted.phase] = {{"attempt", accepted.attempt},
                             {"visit", accepted.visit},
                             {"evidence_digest", accepted.evidence_digest},
                             {"self_attested", accepted.self_attested},
                             {"checked", accepted.checked},
                             {"decided", accepted.decided},
                             {"weak_gate", accepted.weak},
                             {"lenient", accepted.lenient}};
  }
  if (is_open(run.status) && run.find_accepted(run.current_phase) == nullptr) {
    const bool refused = run.attempts > 0 && run.status == RunStatus::active;
    checkpoints[run.current_phase] = refused ? "failed" : "pending";
  }
  session["completed_phases"] = std::move(completed);
  Json kept = Json::object();
  for (const ArtifactRow& row : artifacts) {
    const Json evidence = parsed(row.artifact.evidence);
    const Json* commands = base::find_member(evidence, "commands");
    kept[row.artifact.phase] = {{"phase_number", phase_json(row.artifact.phase)},
                                {"evidence", evidence},
                                {"outputs", evidence},
                                {"commands_executed", commands ? *commands : Json::array()},
                                {"timestamp", base::to_rfc3339(row.accepted_at)}};
  }
  session["phase_artifacts"] = std::move(kept);
  session["checkpoints"] = std::move(checkpoints);
  session["created_at"] = base::to_rfc3339(run.created_at);
  session["updated_at"] = base::to_rfc3339(run.updated_at);
  session["metadata"] = {
      {"status", to_text(run.status)},
      {"outcome",
       run.status != RunStatus::completed ? Json(nullptr) : Json(run.partial ? "partial" : "ok")},
      {"waiting", run.waiting.code.empty() ? Json(nullptr) : Json(run.waiting.reason)},
      {"total_phases", view.workflow().phases.size()},
      {"workflow_version", view.workflow().version},
      {"definition", run.definition_hash},
      {"repins", run.repins},
      {"gates", to_text(run.gates)},
      {"branch", run.branch},
      {"worktree", run.worktree},
      {"principal", run.principal},
      {"input", parsed(run.input)},
      {"options", parsed(run.options)},
      {"phases", std::move(facts)}};
  return session;
}

}  // namespace phasegate::gating::engine
