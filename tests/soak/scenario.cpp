#include "tests/soak/scenario.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "state/state.h"

namespace phasegate::soak {
namespace {

std::vector<std::string> phases_of(const Scenario& scenario) {
  std::vector<std::string> phases;
  if (scenario.workflow == "checked") {
    phases.assign(std::begin(kCheckedPhases), std::end(kCheckedPhases));
  } else {
    phases.assign(std::begin(kPlainPhases), std::end(kPlainPhases));
  }
  phases.resize(std::min(phases.size(), scenario.phases_max));
  return phases;
}

/// Notes what an answer says has happened.
void note(const Json& answer, Told& told) {
  if (!answer.is_object()) return;
  const auto session = base::string_member(answer, "session_id");
  if (session && told.session.empty() && !answer.contains("error")) told.session = *session;
  if (!answer.contains("checkpoint_passed") || answer["checkpoint_passed"] != true) return;
  told.passed.insert(base::string_member(answer, "phase_completed").value_or(""));
  told.complete = told.complete || answer.value("workflow_complete", false);
}

}  // namespace

Went work_through(const Project& project, const Scenario& scenario, const Told& before,
                  const Variables& variables) {
  Went went;
  went.told = before;
  Server server(project, variables);
  auto call = [&, left = scenario.repeats](const char* tool, const Json& arguments) mutable {
    for (;;) {
      const auto answer = server.call(tool, arguments);
      went.answered = answer.has_value();
      if (!answer) return false;
      note(*answer, went.told);
      if (!answer->contains("error")) return true;
      went.refusals.push_back(*answer);
      if (left-- <= 0) return false;
    }
  };
  // Once it has ended, starting it again would begin another one.
  bool on = !before.session.empty() || call("start_workflow", {{"workflow_type", scenario.workflow},
                                                               {"target_file", scenario.target}});
  for (const std::string& phase : phases_of(scenario)) {
    if (went.told.passed.contains(phase)) continue;
    // A phase whose checks take longer than a call may is asked for again.
    while (on && !went.told.passed.contains(phase)) {
      on = call("complete_phase",
                {{"session_id", went.told.session},
                 {"phase", phase},
                 {"evidence", evidence_for(scenario.target, phase, scenario.evidence_bytes)}});
    }
  }
  went.code = server.end();
  return went;
}

bool goes_on(const std::filesystem::path& state, const std::string& session) {
  const auto store = state::open_store(state);
  const auto run = store->runs().load(session);
  if (!run) return false;
  const auto done = store->runs().transact(session, [](const gating::RunState& before) {
    gating::Transition next;
    next.next = before;
    next.next->version += 1;
    next.journal = {{"evidence_refused", before.current_phase, before.visit, 1, "soak", "{}",
                     before.updated_at}};
    return next;
  });
  return done && store->runs().load(session)->version == run->version + 1;
}

Told told_in(const std::string& said) {
  Told told;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const Json message = parsed(line);
    if (!message.is_object() || !message.contains("result")) continue;
    const Json& result = message["result"];
    if (result.contains("structuredContent")) note(result["structuredContent"], told);
  }
  return told;
}

std::string wrong_with_refusal(const Json& refusal, const std::vector<std::string>& codes) {
  const auto code = base::string_member(refusal, "error").value_or("");
  const auto message = base::string_member(refusal, "message").value_or("");
  const auto hint = base::string_member(refusal, "required_action").value_or("");
  if (std::find(codes.begin(), codes.end(), code) != codes.end() && !message.empty() &&
      !hint.empty()) {
    return "";
  }
  return base::dump(refusal);
}

}  // namespace phasegate::soak
