#include <set>
#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/hash.h"
#include "base/json.h"
#include "gating/path.h"
#include "gating/transition.h"
#include "gating/visibility.h"
#include "phases/decision.h"
#include "tests/support/workflows.h"

/// Invariants 2, 3, 5 and 7 where people decide: random workflows with decisions that lead on,
/// ahead, back and out, and random commands in any order, most of them out of place.
namespace phasegate::gating {
namespace {

using base::Json;
using base::TimePoint;
using phases::DecisionDemand;
using phases::DecisionEffect;
using phases::DecisionInput;

std::string id_of(std::size_t index) {
  return std::to_string(index + 1);
}

DecisionDemand random_demand(std::size_t count, std::size_t here) {
  DecisionDemand demand = phases::standard_decision("Good?", id_of(here), {});
  demand.options[1].phase = id_of(*rc::gen::inRange<std::size_t>(0, here + 1));
  demand.options.push_back({"jump", "Jump", DecisionEffect::go_to,
                            id_of(*rc::gen::inRange<std::size_t>(0, count)),
                            DecisionInput::optional});
  demand.options.push_back({"enough", "Enough", DecisionEffect::completed, "", {}});
  demand.options.push_back({"stop", "Stop", DecisionEffect::cancelled, "", DecisionInput::none});
  demand.count = *rc::gen::inRange(1, 4);
  if (*rc::gen::arbitrary<bool>()) demand.role = "lead";
  demand.not_submitter = *rc::gen::arbitrary<bool>();
  if (demand.count == 1 && *rc::gen::inRange(0, 4) == 0) {
    demand.channel = phases::DecisionChannel::client;
  }
  demand.remind_after_ms = 50;
  return demand;
}

phases::LoadedWorkflow random_workflow() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<phases::Phase> phases;
  for (std::size_t i = 0; i < count; ++i) {
    const int kind = *rc::gen::inRange(0, 4);
    phases::Phase phase =
        test::phase(id_of(i), kind == 3 ? std::vector<phases::Requirement>{}
                                        : std::vector<phases::Requirement>{test::boolean("done")});
    if (kind == 1) phase.gate.human_approval = true;
    if (kind >= 2) phase.gate.decision = random_demand(count, i);
    phase.by_person = kind == 3;
    phase.gate.none = kind == 3;
    phases.push_back(std::move(phase));
  }
  return test::workflow("random", std::move(phases));
}

class Session {
 public:
  Session() {
    const auto loaded = random_workflow();
    definition_ = *Definition::make(loaded.content_hash, loaded.workflow);
    Start start;
    start.run_id = "00000000-0000-4000-8000-000000000001";
    start.principal = "ada";
    start.decision_id = next_id();
    run_ = *begin(*definition_, start, now_).next;
    reached_.insert(run_.current_phase);
    check();
  }

  void step() {
    now_.ms += *rc::gen::inRange(-20, 60);
    const RunState before = run_;
    const int action = *rc::gen::inRange(0, 20);
    Transition done;
    if (action < 8) {
      done = submit();
    } else if (action < 15) {
      done = decide(before);
    } else if (action < 17) {
      done = reopen(before);
    } else if (action == 17) {
      done = apply(PauseRun{*rc::gen::arbitrary<bool>(), "", "ada", std::nullopt});
    } else if (action == 18) {
      done = apply(Tick{});
      RC_ASSERT(run_.current_phase == before.current_phase && run_.status == before.status);
    } else if (*rc::gen::inRange(0, 8) == 0) {
      done = apply(Cancel{"", "ada", "", std::nullopt});
    }
    if (!done.next) {
      RC_ASSERT(done.journal.empty() && !done.artifact);
      RC_ASSERT(run_ == before);
    }
    for (const JournalEntry& line : done.journal) {
      RC_ASSERT(line.at.ms >= before.updated_at.ms);
      if (line.kind == "phase_entered") reached_.insert(line.phase);
    }
    check();
  }

 private:
  std::string next_id() { return "decision-" + std::to_string(++ids_); }
  [[nodiscard]] std::string any_phase() const {
    return id_of(*rc::gen::inRange<std::size_t>(0, definition_->workflow.phases.size() + 1));
  }

  Transition apply(const Command& command) {
    Transition done = transition(*definition_, run_, command, now_);
    if (done.next) run_ = *done.next;
    return done;
  }

  Transition submit() {
    const Json evidence{
        {"done", *rc::gen::inRange(0, 4) != 0}, {"n", *rc::gen::inRange(0, 3)}, {"approved", true}};
    SubmitEvidence command;
    command.phase = *rc::gen::inRange(0, 3) == 0 ? any_phase() : run_.current_phase;
    command.evidence = &evidence;
    command.evidence_text = base::dump(evidence);
    command.evidence_digest = base::sha256_hex(base::dump_canonical(evidence));
    if (*rc::gen::arbitrary<bool>()) command.visit = run_.visit;
    command.actor = "ada";
    command.decision_id = next_id();
    const std::string phase = run_.current_phase;
    const bool asks = phases::asks_a_person(*definition_->workflow.find_phase(phase));
    const Transition done = apply(command);
    // Whatever was handed over: a gate that asks for a person does not open by it (invariant 7).
    if (done.reply.kind == Reply::Kind::accepted) RC_ASSERT(!asks);
    return done;
  }

  Transition decide(const RunState& before) {
    const std::vector<std::string> options = {"approve", "rework", "reject", "jump",
                                              "enough",  "stop",   "other"};
    const std::vector<std::string> people = {"ada", "grace", "alan", "edsger", ""};
    Decide command;
    command.decision =
        before.decision && *rc::gen::inRange(0, 6) != 0 ? before.decision->id : "decision-1";
    command.option = *rc::gen::elementOf(options);
    command.input = *rc::gen::arbitrary<bool>() ? "words" : "";
    command.approver = *rc::gen::elementOf(people);
    if (*rc::gen::arbitrary<bool>()) command.roles = {"lead"};
    command.channel = command.approver.empty() ? "client" : "terminal";
    command.decision_id = next_id();
    const auto demand =
        phases::decision_demand(*definition_->workflow.find_phase(before.current_phase));
    const Transition done = apply(command);
    if (done.next) {
      RC_ASSERT(before.decision && before.decision->id == command.decision);
      RC_ASSERT(demand && demand->find_option(command.option) != nullptr);
      RC_ASSERT(!command.approver.empty() || demand->channel == phases::DecisionChannel::client);
      RC_ASSERT(demand->role.empty() || (!command.approver.empty() && !command.roles.empty()));
      RC_ASSERT(!demand->not_submitter || (!command.approver.empty() &&
                                           command.approver != before.decision->submission.actor));
      RC_ASSERT(done.journal.front().kind == "decision_answered");
    }
    return done;
  }

  Transition reopen(const RunState& before) {
    Reopen command;
    command.phase = any_phase();
    command.reason = *rc::gen::arbitrary<bool>() ? "a defect" : "";
    command.approver = *rc::gen::arbitrary<bool>() ? "grace" : "";
    command.channel = "terminal";
    command.decision_id = next_id();
    const Transition done = apply(command);
    if (done.next) {
      RC_ASSERT(reached_.contains(command.phase));
      RC_ASSERT(!command.approver.empty() && !command.reason.empty());
      RC_ASSERT(before.status != RunStatus::cancelled);
      RC_ASSERT(run_.current_phase == command.phase);
      RC_ASSERT(run_.visit == before.visits_of(command.phase) + 1);
    }
    return done;
  }

  void check() {
    const auto& workflow = definition_->workflow;
    RC_ASSERT(gates_lead_here(workflow, run_) || !is_open(run_.status));
    RC_ASSERT(run_.decision.has_value() <= is_open(run_.status));
    RC_ASSERT((run_.status == RunStatus::waiting) ==
              (is_open(run_.status) && (run_.decision || run_.paused)));
    for (const AcceptedPhase* accepted : run_.completed()) {
      // What was gone back behind counts no more.
      RC_ASSERT(!is_open(run_.status) ||
                *workflow.phase_index(accepted->phase) < *workflow.phase_index(run_.current_phase));
      const auto demand = phases::decision_demand(*workflow.find_phase(accepted->phase));
      const auto deciders =
          std::set<std::string>(accepted->deciders.begin(), accepted->deciders.end());
      RC_ASSERT(deciders.size() == static_cast<std::size_t>(demand ? demand->count : 0));
      RC_ASSERT(deciders.contains("client") <= run_.partial);
    }
    const Visible seen = visible(workflow, run_);
    for (const phases::Phase& phase : workflow.phases) {
      RC_ASSERT(seen.phase(phase.id) == reached_.contains(phase.id));
    }
    const auto read = run_state_from_json(to_json(run_));
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == run_);
  }

  std::shared_ptr<const Definition> definition_;
  RunState run_;
  TimePoint now_{1'000'000};
  int ids_ = 0;
  std::set<std::string> reached_;
};

}  // namespace

TEST_CASE("property: where people decide, nothing else opens the gate (invariants 2, 3, 5, 7)") {
  CHECK(rc::check([] {
    Session session;
    const int steps = *rc::gen::inRange(1, 60);
    for (int i = 0; i < steps; ++i) session.step();
  }));
}

}  // namespace phasegate::gating
