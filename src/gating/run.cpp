#include "gating/run.h"

#include <algorithm>
#include <array>
#include <utility>

namespace phasegate::gating {
namespace {

// One table per enumeration, so that reading and writing cannot drift apart.
constexpr std::array<std::pair<RunStatus, std::string_view>, 6> kStatusNames{{
    {RunStatus::active, "active"},
    {RunStatus::waiting, "waiting"},
    {RunStatus::completed, "completed"},
    {RunStatus::rejected, "rejected"},
    {RunStatus::failed, "failed"},
    {RunStatus::cancelled, "cancelled"},
}};

constexpr std::array<std::pair<GatePolicy, std::string_view>, 2> kPolicyNames{{
    {GatePolicy::strict, "strict"},
    {GatePolicy::as_written, "as_written"},
}};

}  // namespace

std::string_view to_text(RunStatus status) {
  for (const auto& [value, name] : kStatusNames) {
    if (value == status) return name;
  }
  return "failed";
}

std::optional<RunStatus> run_status_from(std::string_view text) {
  for (const auto& [value, name] : kStatusNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

bool is_open(RunStatus status) {
  return status == RunStatus::active || status == RunStatus::waiting;
}

std::string_view to_text(GatePolicy policy) {
  for (const auto& [value, name] : kPolicyNames) {
    if (value == policy) return name;
  }
  return "strict";
}

std::optional<GatePolicy> gate_policy_from(std::string_view text) {
  for (const auto& [value, name] : kPolicyNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

const AcceptedPhase* RunState::find_accepted(std::string_view phase) const {
  const AcceptedPhase* latest = nullptr;
  for (const AcceptedPhase& candidate : accepted) {
    if (candidate.phase != phase || candidate.reopened) continue;
    if (latest == nullptr || candidate.visit >= latest->visit) latest = &candidate;
  }
  return latest;
}

std::vector<const AcceptedPhase*> RunState::completed() const {
  std::vector<const AcceptedPhase*> found;
  for (const AcceptedPhase& candidate : accepted) {
    if (!candidate.reopened) found.push_back(&candidate);
  }
  return found;
}

int RunState::visits_of(std::string_view phase) const {
  const auto known = visits.find(std::string(phase));
  int count = known == visits.end() ? 0 : known->second;
  for (const AcceptedPhase& one : accepted) {
    if (one.phase == phase) count = std::max(count, one.visit);
  }
  if (phase == current_phase) count = std::max(count, visit);
  return count;
}

Assurance assurance_of(const RunState& run) {
  Assurance sum;
  for (const AcceptedPhase& accepted : run.accepted) {
    if (accepted.reopened) continue;
    sum.self_attested += accepted.self_attested;
    sum.checked += accepted.checked;
    sum.decided += accepted.decided;
  }
  return sum;
}

std::string to_text(const Assurance& assurance) {
  return std::to_string(assurance.self_attested) + " self-attested, " +
         std::to_string(assurance.checked) + " checked, " + std::to_string(assurance.decided) +
         " decided";
}

}  // namespace phasegate::gating
