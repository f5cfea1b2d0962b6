#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "gating/transition.h"
#include "phases/decision.h"
#include "tests/support/workflows.h"

/// What the tests of decisions, of going back and of pauses share.
namespace phasegate::gating {

using base::Json;
using base::TimePoint;
using phases::DecisionDemand;
using phases::DecisionEffect;
using phases::DecisionInput;

inline const Json kDone{{"done", true}};

inline phases::Phase with(DecisionDemand demand, const std::string& id) {
  phases::Phase phase = test::phase(id, {test::boolean("done")});
  phase.gate.decision = std::move(demand);
  return phase;
}

/// Phases 1 to 4; leaving 2 asks a person.
inline phases::LoadedWorkflow four(DecisionDemand demand) {
  return test::workflow(
      "four",
      {test::phase("1", {test::boolean("done")}), with(std::move(demand), "2"),
       test::phase("3", {test::boolean("done")}), test::phase("4", {test::boolean("done")})});
}

inline DecisionDemand standard(const std::string& phase = "2") {
  return phases::standard_decision("Is it good?", phase, {});
}

/// A run that is driven by commands, as the engine would, without a store.
struct Driver {
  std::shared_ptr<const Definition> definition;
  RunState run;
  TimePoint now{1'000'000};
  int ids = 0;

  explicit Driver(const phases::LoadedWorkflow& loaded) {
    auto made = Definition::make(loaded.content_hash, loaded.workflow);
    REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : base::to_text(made.error())));
    definition = *made;
    Start start;
    start.run_id = "00000000-0000-4000-8000-000000000001";
    start.principal = "ada";
    start.decision_id = next_id();
    run = *begin(*definition, start, now).next;
  }

  std::string next_id() { return "decision-" + std::to_string(++ids); }

  Transition apply(const Command& command) {
    now.ms += 10;
    Transition done = transition(*definition, run, command, now);
    if (done.next) run = *done.next;
    return done;
  }

  Transition submit(const std::string& phase, const Json& evidence = kDone,
                    std::optional<int> visit = std::nullopt) {
    SubmitEvidence command;
    command.phase = phase;
    command.evidence = &evidence;
    command.evidence_text = base::dump(evidence);
    command.evidence_digest = base::sha256_hex(base::dump_canonical(evidence));
    command.visit = visit;
    command.actor = "assistant";
    command.decision_id = next_id();
    return apply(command);
  }

  [[nodiscard]] Decide word(const std::string& option, const std::string& approver = "grace",
                            const std::string& input = "") {
    Decide command;
    command.decision = run.decision ? run.decision->id : "none";
    command.option = option;
    command.input = input;
    command.approver = approver;
    command.fingerprint = approver.empty() ? "" : "f00d";
    command.channel = approver.empty() ? "client" : "terminal";
    command.shown_digest = "digest";
    command.decision_id = next_id();
    return command;
  }
  Transition decide(const std::string& option, const std::string& approver = "grace",
                    const std::string& input = "") {
    return apply(word(option, approver, input));
  }
};

inline std::vector<std::string> kinds(const Transition& done) {
  std::vector<std::string> kinds;
  for (const JournalEntry& line : done.journal) kinds.push_back(line.kind);
  return kinds;
}

inline RefusalKind refusal(const Transition& done) {
  REQUIRE(done.reply.refusal);
  CHECK_FALSE(done.next);
  return done.reply.refusal->kind;
}

inline Driver at_decision(DecisionDemand demand = standard()) {
  Driver driver(four(std::move(demand)));
  driver.submit("1");
  REQUIRE(driver.submit("2").reply.kind == Reply::Kind::waiting);
  return driver;
}

}  // namespace phasegate::gating
