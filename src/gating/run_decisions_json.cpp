#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/json.h"
#include "gating/run_parts_json.h"

namespace phasegate::gating {
namespace {

base::Json to_json(const DecisionAnswer& answer) {
  return {{"option", answer.option},     {"input", answer.input},
          {"approver", answer.approver}, {"fingerprint", answer.fingerprint},
          {"channel", answer.channel},   {"shown_digest", answer.shown_digest},
          {"at_ms", answer.at.ms}};
}

std::optional<base::Error> read_answer(const base::Json& json, DecisionAnswer& out) {
  StateMembers members(json, "decision.answers");
  members.read("option", out.option);
  members.read("input", out.input);
  members.read("approver", out.approver);
  members.read("fingerprint", out.fingerprint);
  members.read("channel", out.channel);
  members.read("shown_digest", out.shown_digest);
  members.read("at_ms", out.at);
  return members.finish();
}

base::Json to_json(const OpenDecision& decision) {
  base::Json json = {{"id", decision.id},
                     {"submission", to_json(decision.submission)},
                     {"lenient", decision.lenient},
                     {"checks", results_json(decision.checks)},
                     {"files", files_json(decision.files)},
                     {"answers", base::Json::array()},
                     {"opened_at_ms", decision.opened_at.ms},
                     {"reminders", decision.reminders},
                     {"reminded_at_ms", decision.reminded_at.ms}};
  for (const DecisionAnswer& answer : decision.answers) json["answers"].push_back(to_json(answer));
  return json;
}

std::optional<base::Error> read_decision(const base::Json& json, OpenDecision& out) {
  StateMembers members(json, "decision");
  members.read("id", out.id);
  if (const base::Json* submission = members.member("submission")) {
    if (auto problem = read_pending(*submission, out.submission)) return problem;
  }
  members.read("lenient", out.lenient);
  if (auto problem = read_results(members, "checks", out.checks)) return problem;
  read_files(members, out.files);
  if (const base::Json* answers = members.array("answers")) {
    for (const base::Json& item : *answers) {
      if (auto problem = read_answer(item, out.answers.emplace_back())) return problem;
    }
  }
  members.read("opened_at_ms", out.opened_at);
  members.read("reminders", out.reminders, 0);
  members.read("reminded_at_ms", out.reminded_at);
  return members.finish();
}

base::Json to_json(const Feedback& feedback) {
  return {{"from_phase", feedback.from_phase},
          {"option", feedback.option},
          {"input", feedback.input},
          {"by", feedback.by},
          {"at_ms", feedback.at.ms}};
}

std::optional<base::Error> read_feedback(const base::Json& json, Feedback& out) {
  StateMembers members(json, "feedback");
  members.read("from_phase", out.from_phase);
  members.read("option", out.option);
  members.read("input", out.input);
  members.read("by", out.by);
  members.read("at_ms", out.at);
  return members.finish();
}

std::optional<base::Error> read_pause(const base::Json& json, Pause& out) {
  StateMembers members(json, "paused");
  members.read("reason", out.reason);
  members.read("by", out.by);
  members.read("at_ms", out.at);
  return members.finish();
}

void read_visits(StateMembers& reader, RunState& run) {
  const base::Json* visits = reader.member("visits");
  if (visits == nullptr) return;
  if (!visits->is_object()) return reader.fail("visits", "is not an object");
  for (const auto& [phase, count] : visits->items()) {
    if (!count.is_number_integer() || count.get<std::int64_t>() < 1 ||
        count.get<std::int64_t>() > std::numeric_limits<int>::max()) {
      return reader.fail("visits", "holds something that is no number of visits");
    }
    run.visits.emplace(phase, static_cast<int>(count.get<std::int64_t>()));
  }
}

}  // namespace

void put_decisions(base::Json& json, const RunState& run) {
  if (run.decision) json["decision"] = to_json(*run.decision);
  if (run.feedback) json["feedback"] = to_json(*run.feedback);
  if (run.paused) {
    json["paused"] = {
        {"reason", run.paused->reason}, {"by", run.paused->by}, {"at_ms", run.paused->at.ms}};
  }
  for (const auto& [phase, count] : run.visits) json["visits"][phase] = count;
  if (run.due_at) json["due_at_ms"] = run.due_at->ms;
  if (run.told_stalled) json["told_stalled"] = true;
}

std::optional<base::Error> read_decisions(StateMembers& reader, RunState& run) {
  if (reader.has("decision")) {
    if (auto problem = read_decision(*reader.member("decision"), run.decision.emplace())) {
      return problem;
    }
  }
  if (reader.has("feedback")) {
    if (auto problem = read_feedback(*reader.member("feedback"), run.feedback.emplace())) {
      return problem;
    }
  }
  if (reader.has("paused")) {
    if (auto problem = read_pause(*reader.member("paused"), run.paused.emplace())) return problem;
  }
  if (reader.has("visits")) read_visits(reader, run);
  if (reader.has("due_at_ms")) reader.read("due_at_ms", run.due_at.emplace());
  if (reader.has("told_stalled")) reader.read("told_stalled", run.told_stalled);
  return std::nullopt;
}

}  // namespace phasegate::gating
