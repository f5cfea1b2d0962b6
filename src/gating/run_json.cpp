#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "gating/run.h"
#include "gating/run_parts_json.h"
#include "gating/state_members.h"

namespace phasegate::gating {
namespace {

/// The shape written by to_json. A reader of a newer shape refuses instead of guessing.
constexpr std::int64_t kStateFormat = 1;

base::Json to_json(const AcceptedPhase& accepted) {
  base::Json json = {
      {"phase", accepted.phase},
      {"visit", accepted.visit},
      {"attempt", accepted.attempt},
      {"evidence_digest", accepted.evidence_digest},
      {"accepted_at_ms", accepted.accepted_at.ms},
      {"self_attested", accepted.self_attested},
      {"checked", accepted.checked},
      {"decided", accepted.decided},
      {"weak", accepted.weak},
      {"lenient", accepted.lenient},
  };
  if (accepted.skipped > 0) json["skipped"] = accepted.skipped;
  if (!accepted.files.empty()) json["files"] = files_json(accepted.files);
  if (accepted.stale) json["stale"] = true;
  if (!accepted.deciders.empty()) json["deciders"] = accepted.deciders;
  if (!accepted.went_to.empty()) json["went_to"] = accepted.went_to;
  if (accepted.reopened) json["reopened"] = true;
  return json;
}

base::Json to_json(const Verified& verified) {
  return {{"attempt", verified.attempt},
          {"evidence_digest", verified.evidence_digest},
          {"results", results_json(verified.results)},
          {"told", verified.told},
          {"at_ms", verified.at.ms}};
}

std::optional<base::Error> read_verified(const base::Json& json, Verified& out) {
  StateMembers members(json, "verified");
  members.read("attempt", out.attempt, 1);
  members.read("evidence_digest", out.evidence_digest);
  if (auto problem = read_results(members, "results", out.results)) return problem;
  members.read("told", out.told);
  members.read("at_ms", out.at);
  return members.finish();
}

std::optional<base::Error> read_accepted(const base::Json& json, std::size_t index,
                                         AcceptedPhase& out) {
  StateMembers reader(json, "accepted[" + std::to_string(index) + "]");
  reader.read("phase", out.phase);
  reader.read("visit", out.visit, 1);
  reader.read("attempt", out.attempt, 1);
  reader.read("evidence_digest", out.evidence_digest);
  reader.read("accepted_at_ms", out.accepted_at);
  reader.read("self_attested", out.self_attested, 0);
  reader.read("checked", out.checked, 0);
  reader.read("decided", out.decided, 0);
  reader.read("weak", out.weak);
  reader.read("lenient", out.lenient);
  if (reader.has("skipped")) reader.read("skipped", out.skipped, 1);
  if (reader.has("files")) read_files(reader, out.files);
  if (reader.has("stale")) reader.read("stale", out.stale);
  if (reader.has("deciders")) read_texts(reader, "deciders", out.deciders);
  if (reader.has("went_to")) reader.read("went_to", out.went_to);
  if (reader.has("reopened")) reader.read("reopened", out.reopened);
  return reader.finish();
}

std::optional<base::Error> read_lists(StateMembers& reader, RunState& run) {
  if (const base::Json* waiting = reader.member("waiting")) {
    StateMembers inner(*waiting, "waiting");
    inner.read("code", run.waiting.code);
    inner.read("reason", run.waiting.reason);
    if (auto problem = inner.finish()) return problem;
  }
  read_texts(reader, "missing", run.missing);
  if (const base::Json* accepted = reader.array("accepted")) {
    for (const base::Json& item : *accepted) {
      if (auto problem = read_accepted(item, run.accepted.size(), run.accepted.emplace_back())) {
        return problem;
      }
    }
  }
  return std::nullopt;
}

void read_start(StateMembers& reader, RunState& run) {
  reader.read_enum("gates", run.gates, gate_policy_from);
  reader.read("target", run.target);
  reader.read("branch", run.branch);
  reader.read("worktree", run.worktree);
  reader.read("input", run.input);
  reader.read("options", run.options);
  reader.read("resume_key", run.resume_key);
  reader.read("principal", run.principal);
}

}  // namespace

base::Json to_json(const RunState& run) {
  base::Json accepted = base::Json::array();
  for (const AcceptedPhase& phase : run.accepted) accepted.push_back(to_json(phase));
  base::Json json = {
      {"format", kStateFormat},
      {"id", run.id},
      {"workflow", run.workflow},
      {"definition_hash", run.definition_hash},
      {"status", to_text(run.status)},
      {"partial", run.partial},
      {"waiting", {{"code", run.waiting.code}, {"reason", run.waiting.reason}}},
      {"current_phase", run.current_phase},
      {"visit", run.visit},
      {"attempts", run.attempts},
      {"missing", run.missing},
      {"accepted", std::move(accepted)},
      {"gates", to_text(run.gates)},
      {"target", run.target},
      {"branch", run.branch},
      {"worktree", run.worktree},
      {"input", run.input},
      {"options", run.options},
      {"resume_key", run.resume_key},
      {"principal", run.principal},
      {"end_reason", run.end_reason},
      {"created_at_ms", run.created_at.ms},
      {"updated_at_ms", run.updated_at.ms},
      {"version", run.version},
  };
  // Left out where there is none, so that a state of before is written as it was.
  if (run.repins > 0) json["repins"] = run.repins;
  if (run.pending) json["pending"] = to_json(*run.pending);
  if (run.verified) json["verified"] = to_json(*run.verified);
  put_decisions(json, run);
  if (!run.started.empty()) json["started"] = run.started;
  if (!run.entered.empty()) json["entered"] = run.entered;
  if (!run.trust.empty()) json["trust"] = run.trust;
  if (run.entered_at.ms != 0) json["entered_at_ms"] = run.entered_at.ms;
  return json;
}

base::Result<RunState> run_state_from_json(const base::Json& json) {
  RunState run;
  StateMembers reader(json, "");
  std::int64_t format = 0;
  reader.read("format", format, 1);
  if (format > kStateFormat) {
    return base::Error{"damaged_state",
                       "the state has format " + std::to_string(format) + ", this program reads " +
                           std::to_string(kStateFormat),
                       "use a newer phasegate", "format"};
  }
  reader.read("id", run.id);
  reader.read("workflow", run.workflow);
  reader.read("definition_hash", run.definition_hash);
  reader.read_enum("status", run.status, run_status_from);
  reader.read("partial", run.partial);
  reader.read("current_phase", run.current_phase);
  reader.read("visit", run.visit, 1);
  reader.read("attempts", run.attempts, 0);
  read_start(reader, run);
  reader.read("end_reason", run.end_reason);
  if (reader.has("repins")) reader.read("repins", run.repins, 1);
  if (reader.has("started")) reader.read("started", run.started);
  if (reader.has("entered")) reader.read("entered", run.entered);
  if (reader.has("trust")) reader.read("trust", run.trust);
  if (reader.has("entered_at_ms")) reader.read("entered_at_ms", run.entered_at);
  if (reader.has("pending")) {
    if (auto problem = read_pending(*reader.member("pending"), run.pending.emplace())) {
      return *std::move(problem);
    }
  }
  if (reader.has("verified")) {
    if (auto problem = read_verified(*reader.member("verified"), run.verified.emplace())) {
      return *std::move(problem);
    }
  }
  if (auto problem = read_decisions(reader, run)) return *std::move(problem);
  reader.read("created_at_ms", run.created_at);
  reader.read("updated_at_ms", run.updated_at);
  reader.read("version", run.version, 1);
  if (auto problem = read_lists(reader, run)) return *std::move(problem);
  if (auto problem = reader.finish()) return *std::move(problem);
  return run;
}

}  // namespace phasegate::gating
