#include "app/cli/render.h"
#include "app/cli/render_people.h"
#include "base/json.h"
#include "base/limits.h"
#include "gating/definition.h"
#include "phases/requirement_words.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::AcceptedPhase;
using gating::RunState;
using gating::engine::RunView;

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
  json["skipped_checks"] = accepted.skipped;
  json["stale"] = accepted.stale;
  json["deciders"] = accepted.deciders;
  return json;
}

Json asks_for_json(const RunView& view, const phases::Phase& phase) {
  Json fields = Json::array();
  for (const phases::Requirement& requirement : phase.gate.requirements) {
    Json field = Json::object();
    field["name"] = requirement.name;
    field["type"] = phases::to_text(requirement.type);
    field["required"] = requirement.required;
    field["rules"] = phases::rules_in_words(requirement);
    field["missing"] = is_missing(view.run, requirement.name);
    fields.push_back(std::move(field));
  }
  return fields;
}

/// What the server looks at itself in the open phase, and what it saw at the last attempt.
Json checks_json(const RunView& view) {
  Json json = Json::object();
  json["due"] = Json::array();
  for (const phases::Check& check : view.definition->checks[view.phase_index()].checks()) {
    json["due"].push_back({{"name", check.name},
                           {"kind", phases::to_text(check.kind)},
                           {"looks_at", phases::subject_of(check)}});
  }
  json["verifying"] = nullptr;
  if (view.run.pending) {
    json["verifying"] = {{"attempt", view.run.pending->attempt},
                         {"since", base::to_rfc3339(view.run.pending->since)},
                         {"progress", view.effect ? view.effect->progress : ""}};
  }
  json["last"] = nullptr;
  if (view.run.verified) {
    Json results = Json::array();
    for (const gating::CheckResult& result : view.run.verified->results) {
      results.push_back(to_json(result));
    }
    json["last"] = {{"attempt", view.run.verified->attempt}, {"results", std::move(results)}};
  }
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
  if (state == "open") {
    json["asks_for"] = asks_for_json(view, phase);
    json["checks"] = checks_json(view);
  }
  return json;
}

Json input_json(const RunState& run) {
  auto input =
      base::parse_json(run.input, {base::limits::kMessageBytesMax, base::limits::kMessageDepthMax});
  return input ? std::move(input).value() : Json(nullptr);
}

}  // namespace

Json status_json(const RunView& view, bool all, base::TimePoint now) {
  const RunState& run = view.run;
  Json json = Json::object();
  json["session_id"] = run.id;
  json["workflow"] = run.workflow;
  json["workflow_version"] = view.workflow().version;
  json["definition_hash"] = run.definition_hash;
  json["status"] = gating::to_text(run.status);
  json["partial"] = run.partial;
  json["waits_for"] = waits_for(run);
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
  json["input"] = input_json(run);
  json["branch"] = run.branch;
  json["worktree"] = run.worktree;
  json["principal"] = run.principal;
  json["end_reason"] = run.end_reason;
  json["created_at"] = base::to_rfc3339(run.created_at);
  json["updated_at"] = base::to_rfc3339(run.updated_at);
  json["repins"] = run.repins;
  json["state_version"] = run.version;
  add_people(json, view, now);
  json["phases"] = Json::array();
  for (const phases::Phase& phase : view.workflow().phases) {
    if (all || view.workflow().outline || phase_state(view, phase) != "ahead")
      json["phases"].push_back(phase_json(view, phase));
  }
  return json;
}

}  // namespace phasegate::app::cli
