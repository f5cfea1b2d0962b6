#include "gating/repin.h"

#include <functional>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;
using phases::LoadedWorkflow;

const Json kDone{{"done", true}};

LoadedWorkflow three() {
  return test::workflow("three", {test::phase("0", {test::boolean("done")}),
                                  test::phase("1", {test::boolean("done")}),
                                  test::phase("2", {test::boolean("done")})});
}

std::shared_ptr<const Definition> made(LoadedWorkflow loaded) {
  auto definition = Definition::make(loaded.content_hash, std::move(loaded.workflow));
  REQUIRE_MESSAGE(definition.ok(), (definition.ok() ? "" : base::to_text(definition.error())));
  return *definition;
}

/// A run of three() that has completed so many phases.
RunState run_of(const Definition& definition, std::size_t completed) {
  Start start;
  start.run_id = "00000000-0000-4000-8000-000000000001";
  start.principal = "ada";
  RunState run = *begin(definition, start, base::TimePoint{1000}).next;
  for (std::size_t i = 0; i < completed; ++i) {
    SubmitEvidence submit;
    submit.phase = run.current_phase;
    submit.evidence = &kDone;
    submit.evidence_text = base::dump(kDone);
    submit.evidence_digest = base::sha256_hex(submit.evidence_text);
    run = *transition(definition, run, submit, base::TimePoint{2000}).next;
  }
  return run;
}

/// three() after a change; its hash tells it from the original.
std::shared_ptr<const Definition> changed(const std::function<void(LoadedWorkflow&)>& change) {
  LoadedWorkflow loaded = three();
  change(loaded);
  loaded.content_hash += "'";
  return made(std::move(loaded));
}

void retext(LoadedWorkflow& loaded, const std::string& path) {
  loaded.workflow.documents.at(path).hash = base::sha256_hex(path + " anew");
}

phases::Phase& phase_of(LoadedWorkflow& loaded, std::size_t index) {
  return loaded.workflow.phases.at(index);
}

void insert_phase(LoadedWorkflow& loaded, std::size_t at, const std::string& id) {
  auto& all = loaded.workflow.phases;
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(at),
             test::phase(id, {test::boolean("done")}));
}

Repin command_of(std::shared_ptr<const Definition> definition) {
  Repin repin;
  repin.definition = std::move(definition);
  repin.actor = "ada";
  return repin;
}

}  // namespace

TEST_CASE("invariants 2 and 6: what a run in its second phase may go over to") {
  struct Row {
    const char* what;
    std::function<void(LoadedWorkflow&)> change;
    const char* refused;  ///< a part of the reason; empty: allowed
  };
  const Row rows[] = {
      {"another text of the open phase", [](auto& w) { retext(w, "phases/1/phase.md"); }, ""},
      {"another gate of the open phase",
       [](auto& w) { phase_of(w, 1).gate.requirements = {test::integer("count", 2)}; }, ""},
      {"another title of the open phase", [](auto& w) { phase_of(w, 1).title = "Anew"; }, ""},
      {"another later phase", [](auto& w) { retext(w, "phases/2/task-1.md"); }, ""},
      {"a phase behind", [](auto& w) { insert_phase(w, 3, "3"); }, ""},
      {"a phase between the open and a later one", [](auto& w) { insert_phase(w, 2, "1B"); }, ""},
      {"a later phase is gone", [](auto& w) { w.workflow.phases.pop_back(); }, ""},
      {"later phases in another order",
       [](auto& w) {
         insert_phase(w, 2, "3");
         std::swap(phase_of(w, 2), phase_of(w, 3));
       },
       ""},
      {"lines that moved",
       [](auto& w) {
         phase_of(w, 0).source.line = 40;
         phase_of(w, 0).gate.source = {"x.md", 41, 0, 0};
         phase_of(w, 0).gate.requirements[0].source.line = 42;
       },
       ""},
      {"another title of a completed phase", [](auto& w) { phase_of(w, 0).title = "Anew"; }, ""},
      {"another text of a completed phase", [](auto& w) { retext(w, "phases/0/phase.md"); },
       "Phase 0, which the session has completed, has another text"},
      {"another task of a completed phase", [](auto& w) { retext(w, "phases/0/task-1.md"); },
       "Phase 0, which the session has completed, has another text"},
      {"another gate of a completed phase",
       [](auto& w) { phase_of(w, 0).gate.requirements.push_back(test::text("why")); },
       "Phase 0, which the session has completed, has another gate"},
      {"a laxer gate of a completed phase",
       [](auto& w) { phase_of(w, 0).gate.requirements[0].required = false; }, "another gate"},
      {"a person decides about a completed phase now",
       [](auto& w) {
         phase_of(w, 0).gate.decision = phases::standard_decision("Is it good?", "0", {"x.md", 1});
       },
       "Phase 0, which the session has completed, has another gate"},
      {"a person decides about the open phase now",
       [](auto& w) {
         phase_of(w, 1).gate.decision = phases::standard_decision("Is it good?", "1", {"x.md", 1});
       },
       ""},
      {"the open phase is a person's now",
       [](auto& w) {
         phase_of(w, 1).gate.requirements.clear();
         phase_of(w, 1).gate.decision = phases::standard_decision("Is it good?", "1", {"x.md", 1});
         phase_of(w, 1).by_person = true;
       },
       "is work, and a person's decision in the changed workflow"},
      {"the open phase is gone",
       [](auto& w) { w.workflow.phases.erase(w.workflow.phases.begin() + 1); }, "no phase 1"},
      {"a completed phase is gone",
       [](auto& w) { w.workflow.phases.erase(w.workflow.phases.begin()); }, "phase 1 where"},
      {"a phase before the open one", [](auto& w) { insert_phase(w, 1, "0B"); },
       "phase 0B where the session is in phase 1"},
      {"a phase before all", [](auto& w) { insert_phase(w, 0, "00"); }, "phase 00 where"},
      {"the open phase later", [](auto& w) { std::swap(phase_of(w, 1), phase_of(w, 2)); },
       "phase 2 where"},
      {"another workflow", [](auto& w) { w.workflow.id = "four"; }, "four"},
      {"an input that nobody gave", [](auto& w) { w.workflow.input = {test::text("budget")}; },
       "inputs"},
      {"an input that may be absent",
       [](auto& w) { w.workflow.input = {test::optional(test::text("budget"))}; }, ""},
      {"phases from a document",
       [](auto& w) { w.workflow.dynamic = phases::DynamicPhases{"spec", "tasks.md", "", "", {}}; },
       "come from a document"},
  };
  const auto before = made(three());
  const RunState run = run_of(*before, 1);
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const auto after = changed(row.change);
    const RepinDifference difference = repin_difference(*before, *after, run);
    CHECK_FALSE(difference.same);
    CHECK(difference.kept == std::vector<std::string>{"0"});
    const std::string why = difference.refusal ? difference.refusal->reason : "";
    if (*row.refused == '\0') {
      CHECK_MESSAGE(why.empty(), why);
    } else {
      CHECK_MESSAGE(why.find(row.refused) != std::string::npos, why);
    }
    const Transition done = transition(*before, run, command_of(after), base::TimePoint{9000});
    CHECK(done.next.has_value() == why.empty());
    CHECK(done.journal.size() == (why.empty() ? 1 : 0));
  }
}

TEST_CASE("a changed decision is a changed gate, wherever its lines stand") {
  const auto asks = [](LoadedWorkflow& w, const std::string& prompt, int line) {
    phase_of(w, 0).gate.decision = phases::standard_decision(prompt, "0", {"x.md", line});
  };
  const auto before = changed([&](LoadedWorkflow& w) { asks(w, "Is it good?", 3); });
  const RunState run = run_of(*made(three()), 1);
  const auto why = [&](const std::function<void(LoadedWorkflow&)>& change) {
    const auto got = repin_difference(*before, *changed(change), run);
    return got.refusal ? got.refusal->reason : "";
  };
  CHECK(why([&](LoadedWorkflow& w) { asks(w, "Is it good?", 90); }).empty());
  CHECK(why([&](LoadedWorkflow& w) { asks(w, "Is it?", 3); }).find("another gate") !=
        std::string::npos);
  CHECK(why([&](LoadedWorkflow& w) {
          asks(w, "Is it good?", 3);
          phase_of(w, 0).gate.decision->options.pop_back();
        }).find("another gate") != std::string::npos);
  CHECK(why([&](LoadedWorkflow& w) {
          asks(w, "Is it good?", 3);
          phase_of(w, 0).by_person = true;
        }).find("another gate") != std::string::npos);
}

TEST_CASE("invariant 7: what a person is asked belongs to the gate that they were asked about") {
  const auto asks = [](LoadedWorkflow& w, const std::string& prompt) {
    phase_of(w, 1).gate.decision = phases::standard_decision(prompt, "1", {"x.md", 3});
  };
  const auto before = changed([&](LoadedWorkflow& w) { asks(w, "Is it good?"); });
  const auto after = changed([&](LoadedWorkflow& w) {
    asks(w, "Is it good?");
    phase_of(w, 1).gate.requirements.push_back(test::text("why"));
    w.content_hash += "'";
  });
  RunState run = run_of(*before, 1);
  SubmitEvidence submit;
  submit.phase = run.current_phase;
  submit.evidence = &kDone;
  submit.evidence_text = base::dump(kDone);
  submit.evidence_digest = base::sha256_hex(submit.evidence_text);
  submit.decision_id = "d-1";
  run = *transition(*before, run, submit, base::TimePoint{3000}).next;
  REQUIRE(run.decision.has_value());
  REQUIRE(run.status == RunStatus::waiting);
  const Transition done = transition(*before, run, command_of(after), base::TimePoint{9000});
  REQUIRE(done.next.has_value());
  CHECK_FALSE(done.next->decision.has_value());
  CHECK(done.next->status == RunStatus::active);
  // A session that a person has paused stays paused.
  run.paused = Pause{};
  const Transition paused = transition(*before, run, command_of(after), base::TimePoint{9000});
  REQUIRE(paused.next.has_value());
  CHECK(paused.next->status == RunStatus::waiting);
  CHECK(paused.next->waiting.code == "paused");
}

TEST_CASE("a difference says what each phase is and asks for, as it was and as it will be") {
  const auto before = made(three());
  const auto after = changed([](LoadedWorkflow& w) {
    phase_of(w, 1).gate.requirements = {test::text("done"), test::integer("count", 2)};
    w.workflow.phases.pop_back();
    insert_phase(w, 2, "3");
    test::add_document(w, "core/words.md", "x", "");
  });
  const RepinDifference got = repin_difference(*before, *after, run_of(*before, 1));
  REQUIRE(got.changes.size() == 3);
  CHECK(got.changes[0].phase == "1");
  CHECK(got.changes[0].is_open);
  CHECK(got.changes[0].requirements_added == std::vector<std::string>{"count"});
  CHECK(got.changes[0].requirements_changed == std::vector<std::string>{"done"});
  CHECK_FALSE(got.changes[0].text_changed);
  CHECK(got.changes[1].kind == PhaseChange::Kind::added);
  CHECK(got.changes[1].requirements_added == std::vector<std::string>{"done"});
  CHECK(got.changes[2].kind == PhaseChange::Kind::removed);
  CHECK(got.changes[2].phase == "2");
  CHECK(got.shared_changed);
  CHECK_FALSE(got.order_changed);
  CHECK(repin_difference(*before, *before, run_of(*before, 1)).same);
}

TEST_CASE("runs that are not open stay as they are, and so do those that are pinned already") {
  const auto before = made(three());
  const auto after = changed([](LoadedWorkflow& w) { retext(w, "phases/2/phase.md"); });
  RunState cancelled = run_of(*before, 1);
  cancelled.status = RunStatus::cancelled;
  RunState waits = run_of(*before, 3);
  waits.status = RunStatus::waiting;
  waits.waiting = {"dynamic_unsupported", "It waits."};
  for (const RunState& run : {run_of(*before, 3), cancelled, waits}) {
    const Transition done = transition(*before, run, command_of(after), base::TimePoint{9000});
    CHECK_FALSE(done.next);
    REQUIRE(done.reply.refusal);
    CHECK(done.reply.refusal->kind == RefusalKind::repin_refused);
  }
  const Transition again =
      transition(*before, run_of(*before, 1), command_of(before), base::TimePoint{9000});
  CHECK_FALSE(again.next);
  Repin stale = command_of(after);
  stale.version = 1;
  const Transition late = transition(*before, run_of(*before, 1), stale, base::TimePoint{9000});
  REQUIRE(late.reply.refusal);
  CHECK(late.reply.refusal->kind == RefusalKind::stale_version);
}

TEST_CASE("a run that goes over is in the same phase, on record, and waits for nobody") {
  const auto before = made(three());
  const auto after = changed([](LoadedWorkflow& w) { retext(w, "phases/1/phase.md"); });
  RunState run = run_of(*before, 1);
  run.status = RunStatus::waiting;
  run.waiting = {"decision_unavailable", "A person decides."};
  run.missing = {"done"};
  run.attempts = 2;
  const Transition done = transition(*before, run, command_of(after), base::TimePoint{9000});
  REQUIRE(done.next);
  RunState wanted = run;
  wanted.definition_hash = after->hash;
  wanted.status = RunStatus::active;
  wanted.waiting = {};
  wanted.missing.clear();
  wanted.version = run.version + 1;
  wanted.updated_at = base::TimePoint{9000};
  wanted.repins = 1;
  wanted.due_at = base::TimePoint{9000 + base::limits::kStalledAfterMs};
  CHECK(*done.next == wanted);
  CHECK(done.reply.kind == Reply::Kind::repinned);
  REQUIRE(done.journal.size() == 1);
  CHECK(done.journal[0].kind == "run_repinned");
  CHECK(done.journal[0].actor == "ada");
  const Json data = Json::parse(done.journal[0].data);
  CHECK(data["from"] == before->hash);
  CHECK(data["to"] == after->hash);
  CHECK(*run_state_from_json(to_json(*done.next)) == *done.next);
}

}  // namespace phasegate::gating
