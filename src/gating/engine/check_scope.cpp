#include "gating/engine/check_scope.h"

#include "base/json.h"
#include "base/limits.h"

namespace phasegate::gating::engine {

using base::Json;

namespace {

Json parsed(const std::string& text) {
  auto json =
      base::parse_json(text, {2 * base::limits::kEvidenceBytesMax, base::limits::kMessageDepthMax});
  return json ? std::move(json).value() : Json();
}

}  // namespace

Json check_scope(const RunState& run, const Json& evidence,
                 const std::vector<ArtifactRow>& artifacts) {
  Json scope = Json::object();
  scope["input"] = parsed(run.input);
  scope["evidence"] = evidence;
  scope["steps"] = Json::object();
  for (const ArtifactRow& row : artifacts) {
    const AcceptedPhase* accepted = run.find_accepted(row.artifact.phase);
    Json output = parsed(row.artifact.evidence);
    scope["steps"][row.artifact.phase] = {{"output", output},
                                          {"evidence", output},
                                          {"stale", accepted == nullptr || accepted->stale},
                                          {"visits", row.artifact.visit}};
  }
  scope["checks"] = Json::object();
  scope["run"] = {{"id", run.id},        {"workflow", run.workflow}, {"phase", run.current_phase},
                  {"visit", run.visit},  {"attempt", run.attempts},  {"target", run.target},
                  {"branch", run.branch}};
  return scope;
}

void add_result(Json& scope, const CheckResult& result) {
  Json entry = {{"passed", result.outcome == CheckOutcome::passed},
                {"outcome", to_text(result.outcome)},
                {"value", result.value.empty() ? Json() : parsed(result.value)}};
  entry["exit_code"] = result.exit_code ? Json(*result.exit_code) : Json();
  scope["checks"][result.name] = std::move(entry);
}

}  // namespace phasegate::gating::engine
