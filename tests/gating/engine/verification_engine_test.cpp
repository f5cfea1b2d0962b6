#include <set>

#include <doctest/doctest.h>

#include "base/json.h"
#include "gating/engine/engine.h"
#include "phases/folder_reader.h"
#include "phases/loaded_workflow.h"
#include "state/bundle.h"
#include "state/db.h"
#include "state/state.h"
#include "tests/support/files.h"
#include "tests/support/workflows.h"
#include "world/project_documents.h"

namespace phasegate::gating::engine {
namespace {

using base::Json;

/// A world that finds what a test says, and counts how often it was asked.
class TestWorld final : public World {
 public:
  CheckOutcome outcome = CheckOutcome::passed;
  std::string value = "3";
  std::map<std::string, std::string> files;
  std::function<void()> meanwhile;  ///< happens while a check runs
  int asked = 0;
  std::string last_scope;
  std::string started = "{\"commit\":\"c0ffee\"}";

  CheckResult run(const phases::Check& check, const CheckScene& scene) override {
    ++asked;
    last_scope = base::dump(scene.scope);
    seen_started = std::string(scene.started);
    seen_environment = scene.environment;
    const auto happens = meanwhile;  // it may take itself away
    if (happens) happens();
    CheckResult result = errored(check, "");
    if (scene.go_on && !scene.go_on()) return result;
    result.outcome = outcome;
    result.reason = outcome == CheckOutcome::passed ? "" : "not as wanted";
    result.value = value;
    return result;
  }
  std::string observe_start(const phases::Workflow&) override { return started; }
  std::string observe_entry(const phases::Phase& phase, const Json&) override {
    return "{\"phase\":\"" + phase.id + "\"}";
  }
  std::vector<FileDigest> digests(const std::vector<std::string>& paths) override {
    std::vector<FileDigest> found;
    for (const std::string& path : paths) {
      if (const auto file = files.find(path); file != files.end()) {
        found.push_back({path, file->second});
      }
    }
    return found;
  }
  std::string inputs_digest(const phases::Check&, const CheckScene&) override { return inputs; }
  std::vector<std::string> environment() override { return now; }
  base::Result<bool> back_up(const phases::Workflow&, const std::string&) override { return true; }

  std::vector<std::string> now = {"PATH=/usr/bin"};  ///< this process's
  std::vector<std::string> seen_environment;         ///< what the last check was given

  std::string seen_started;
  std::string inputs = "same";
};

phases::Check check_of(phases::CheckKind kind, const std::string& name,
                       const std::string& parameters) {
  phases::Check check;
  check.name = name;
  check.kind = kind;
  check.parameters = parameters;
  check.source = {"workflow.yaml", 7, 0, 0};
  return check;
}

phases::LoadedWorkflow checked(phases::CheckKind kind = phases::CheckKind::count,
                               const std::string& parameters = R"({"files":["src/**"]})") {
  phases::Phase first = test::phase("1", {test::integer("files", 0)});
  first.gate.checks = {check_of(kind, "looked", parameters)};
  return test::workflow("checked", {first, test::phase("2", {test::boolean("done")})});
}

/// Several processes on one store, each an engine with an owner of its own.
struct Processes {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{7};
  TestWorld world;
  world::ProjectFiles documents{folder.path() / "project"};
  std::set<std::int64_t> gone;

  struct Process {
    std::unique_ptr<state::Store> store;
    std::unique_ptr<Engine> engine;
  };

  explicit Processes(phases::LoadedWorkflow loaded) { workflows.put(std::move(loaded)); }

  Process process(std::int64_t pid, bool trusting = true) {
    Process made;
    made.store = state::open_store(folder.path() / "state");
    Engine::Ports ports{workflows, made.store->runs(), clock, ids};
    ports.documents = &documents;
    ports.world = &world;
    ports.outbox = &made.store->outbox();
    if (trusting) ports.trust = &made.store->trust();
    ports.owner = {"boot", pid, 1};
    ports.gone = [this](const Owner& owner) { return gone.contains(owner.pid); };
    made.engine = std::make_unique<Engine>(ports, EngineOptions{});
    return made;
  }

  static std::string start(Engine& engine) {
    StartRequest request;
    request.workflow = "checked";
    request.principal = "ada";
    auto started = engine.start(request);
    REQUIRE_MESSAGE(started.ok(), (started.ok() ? "" : base::to_text(started.error())));
    return started->phase.view.run.id;
  }
  static CompleteReply complete(Engine& engine, const std::string& run, const Json& evidence) {
    CompleteRequest request;
    request.run_id = run;
    request.phase = "1";
    request.evidence = &evidence;
    auto reply = engine.complete_phase(request);
    REQUIRE(reply.ok());
    return std::move(reply).value();
  }
};

const Json kEvidence{{"files", 3}};

TEST_CASE("checks are carried out, and their results answer the call (ARCHITECTURE §5)") {
  Processes machine(checked());
  auto one = machine.process(1);
  const std::string run = Processes::start(*one.engine);

  SUBCASE("passed") {
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    CHECK(reply.reply.kind == Reply::Kind::accepted);
    CHECK(reply.view.run.current_phase == "2");
    REQUIRE(reply.reply.checks.size() == 1);
    CHECK(machine.world.asked == 1);
    CHECK(machine.world.seen_started == machine.world.started);
    CHECK_FALSE(reply.view.run.entered.empty());
    CHECK_FALSE(one.store->outbox().find(run, kRunChecks).has_value());
  }
  SUBCASE("failed: told, journalled and to be seen in the status; rework runs them again") {
    machine.world.outcome = CheckOutcome::failed;
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    REQUIRE(reply.reply.refusal);
    CHECK(reply.reply.refusal->kind == RefusalKind::checks_failed);
    REQUIRE(reply.view.run.verified);
    CHECK(reply.view.run.verified->told);
    const auto journal = one.engine->journal(run, 0, 100);
    REQUIRE(journal.ok());
    CHECK(journal->back().entry.kind == "checks_failed");
    CHECK(journal->back().entry.actor == "engine");
    machine.world.outcome = CheckOutcome::passed;
    CHECK(Processes::complete(*one.engine, run, kEvidence).reply.kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 2);
  }
  SUBCASE("without a world the gate stays shut") {
    auto blind = machine.process(2);
    Engine::Ports ports{machine.workflows, blind.store->runs(), machine.clock, machine.ids};
    Engine engine(ports, {});
    const CompleteReply reply = Processes::complete(engine, run, kEvidence);
    CHECK(reply.reply.kind == Reply::Kind::verifying);
    CHECK(reply.view.run.current_phase == "1");
  }
}

TEST_CASE("checks survive the end of the process that ran them, and count once (ARCHITECTURE §3)") {
  Processes machine(checked());
  auto one = machine.process(1);
  auto two = machine.process(2);
  const std::string run = Processes::start(*one.engine);

  SUBCASE("ended between submission and claim") {
    Engine::Ports ports{machine.workflows, one.store->runs(), machine.clock, machine.ids};
    Engine submits_only(ports, {});
    (void)Processes::complete(submits_only, run, kEvidence);
    const auto done = two.engine->work({});
    REQUIRE(done.ok());
    REQUIRE(done->has_value());
    CHECK((*done)->reply.kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 1);
  }
  SUBCASE("ended while a check ran: taken over once its owner is gone, or its lease has expired") {
    for (const bool expires : {false, true}) {
      CAPTURE(expires);
      Processes other(checked());
      auto first = other.process(1);
      auto second = other.process(2);
      const std::string id = Processes::start(*first.engine);
      // The first one is ended from outside while its check runs: it never comes back.
      struct Killed {};
      other.world.meanwhile = [] { throw Killed{}; };
      CHECK_THROWS_AS((void)Processes::complete(*first.engine, id, kEvidence), Killed);
      other.world.meanwhile = nullptr;
      auto nothing = second.engine->work({});
      REQUIRE(nothing.ok());
      CHECK_FALSE(nothing->has_value());
      CHECK(second.engine->view(id)->effect->owner.has_value());
      if (expires) {
        other.clock.advance_ms(60'000);
      } else {
        other.gone.insert(1);
      }
      CHECK_FALSE(second.engine->view(id)->effect->owner.has_value());
      const auto done = second.engine->work({});
      REQUIRE(done.ok());
      REQUIRE(done->has_value());
      CHECK((*done)->deliveries == 2);
      CHECK((*done)->reply.kind == Reply::Kind::accepted);
      const auto view = second.engine->view(id);
      CHECK(view->run.accepted.size() == 1);
    }
  }
  SUBCASE("a process that was thought gone and comes back with a result is not heard") {
    machine.world.meanwhile = [&] {
      machine.world.meanwhile = nullptr;
      machine.gone.insert(1);
      const auto done = two.engine->work({});
      REQUIRE(done.ok());
      REQUIRE(done->has_value());
      CHECK((*done)->reply.kind == Reply::Kind::accepted);
    };
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    CHECK(reply.reply.kind == Reply::Kind::accepted);
    CHECK(reply.view.run.accepted.size() == 1);
    const auto journal = two.engine->journal(run, 0, 100);
    int completed = 0;
    for (const JournalRow& row : *journal) completed += row.entry.kind == "phase_completed" ? 1 : 0;
    CHECK(completed == 1);
  }
  SUBCASE("asked to stop: given back at once for whoever comes next") {
    Engine::Ports ports{machine.workflows, one.store->runs(), machine.clock, machine.ids};
    Engine submits_only(ports, {});
    (void)Processes::complete(submits_only, run, kEvidence);
    WorkWish wish;
    wish.go_on = [] { return false; };
    const auto stopped = one.engine->work(wish);
    REQUIRE(stopped.ok());
    REQUIRE(stopped->has_value());
    CHECK((*stopped)->given_back);
    const auto done = two.engine->work({});
    REQUIRE(done->has_value());
    CHECK((*done)->reply.kind == Reply::Kind::accepted);
  }
  SUBCASE("cancelled while a check ran: the result changes nothing and its effect is gone") {
    machine.world.meanwhile = [&] {
      machine.world.meanwhile = nullptr;
      CancelRequest request;
      request.run_id = run;
      request.actor = "ada";
      REQUIRE(two.engine->cancel(request).ok());
    };
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    REQUIRE(reply.reply.refusal);
    CHECK(reply.reply.refusal->kind == RefusalKind::run_ended);
    CHECK(reply.view.run.accepted.empty());
    CHECK_FALSE(one.store->outbox().find(run, kRunChecks).has_value());
  }
}

TEST_CASE("checks whose effect somebody has removed are offered again, once (ARCHITECTURE §3)") {
  Processes machine(checked());
  auto one = machine.process(1);
  const std::string run = Processes::start(*one.engine);
  machine.world.meanwhile = [&] {
    machine.world.meanwhile = {};
    state::Db db(machine.folder.path() / "state" / "state.db", {});
    db.execute("DELETE FROM outbox");
  };
  // The result of checks that nobody asked for any more does not count.
  const CompleteReply lost = Processes::complete(*one.engine, run, kEvidence);
  CHECK(lost.reply.kind == Reply::Kind::verifying);
  CHECK_FALSE(one.store->outbox().find(run, kRunChecks).has_value());
  const CompleteReply again = Processes::complete(*one.engine, run, kEvidence);
  CHECK(again.reply.kind == Reply::Kind::accepted);
  CHECK(machine.world.asked == 2);
  const auto rows = one.store->runs().journal(run, 0, 100);
  CHECK(std::count_if(rows.begin(), rows.end(), [](const JournalRow& row) {
          return row.entry.kind == "checks_offered_again";
        }) == 1);
}

TEST_CASE("a workflow that runs programs starts only once a person trusts it (ARCHITECTURE §5)") {
  Processes machine(checked(phases::CheckKind::command, R"({"argv":["make","test"]})"));
  auto one = machine.process(1);
  StartRequest request;
  request.workflow = "checked";
  const auto refused = one.engine->start(request);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "not_trusted");
  CHECK(refused.error().hint.find("phasegate trust checked") != std::string::npos);

  const auto view = one.engine->trust_view("checked");
  REQUIRE(view.ok());
  CHECK(view->needed);
  CHECK_FALSE(view->trusted);
  CHECK(one.engine->trust("checked", "another digest", "ada").error().code == "stale_workflow");
  REQUIRE(one.engine->trust("checked", view->digest, "ada").ok());
  const std::string run = Processes::start(*one.engine);

  SUBCASE("its checks run") {
    CHECK(Processes::complete(*one.engine, run, kEvidence).reply.kind == Reply::Kind::accepted);
  }
  SUBCASE("what programs find is as it was for the person, whoever asks; until they say again") {
    const std::vector<std::string> of_the_person = machine.world.now;
    machine.world.now = {"PATH=/home/ada/evil:/usr/bin"};
    machine.world.outcome = CheckOutcome::failed;
    Processes::complete(*one.engine, run, kEvidence);
    CHECK(machine.world.seen_environment == of_the_person);
    auto again = one.engine->trust_view("checked");
    REQUIRE(again.ok());
    CHECK(again->trusted);
    CHECK(again->remembered == of_the_person);
    CHECK(again->environment == machine.world.now);
    REQUIRE(one.engine->trust("checked", again->digest, "ada").ok());
    Processes::complete(*one.engine, run, Json{{"files", 4}});
    CHECK(machine.world.seen_environment == machine.world.now);
  }
  SUBCASE("taken back: open sessions keep their gates shut and nothing is run") {
    CHECK(one.engine->revoke_trust("checked") == 1);
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    REQUIRE(reply.reply.refusal);
    CHECK(reply.reply.refusal->kind == RefusalKind::checks_failed);
    CHECK(machine.world.asked == 0);
    CHECK_FALSE(one.engine->start(request).ok());
  }
  SUBCASE("a changed workflow is another one") {
    machine.workflows.put(checked(phases::CheckKind::command, R"({"argv":["true"]})"));
    const auto changed = one.engine->start(request);
    REQUIRE_FALSE(changed.ok());
    CHECK(changed.error().code == "not_trusted");
  }
  SUBCASE("without a book nothing is trusted") {
    auto blind = machine.process(3, false);
    CHECK(blind.engine->start(request).error().code == "not_trusted");
  }
}

TEST_CASE("a session runs nothing on trust that was given to another workflow") {
  const auto runs = [](const std::string& program) {
    auto loaded = checked(phases::CheckKind::command, R"({"argv":[")" + program + R"("]})");
    loaded.content_hash = phases::content_hash_of(loaded);
    return loaded;
  };
  const auto trust = [](Engine& engine) {
    const auto view = engine.trust_view("checked");
    REQUIRE(view.ok());
    REQUIRE(engine.trust("checked", view->digest, "ada").ok());
    return view->digest;
  };
  const auto repin = [](Engine& engine, const std::string& run) {
    const auto view = engine.repin_view(run);
    REQUIRE(view.ok());
    REQUIRE(engine.repin({run, view->changed->hash, view->view.run.version, "ada"}).ok());
  };
  const auto hint_of = [](const CompleteReply& reply) {
    REQUIRE(reply.reply.refusal);
    CHECK(reply.reply.refusal->kind == RefusalKind::checks_failed);
    REQUIRE(reply.reply.checks.size() == 1);
    return reply.reply.checks.front().hint;
  };
  Processes machine(runs("make"));
  auto one = machine.process(1);
  const std::string trusted = trust(*one.engine);

  SUBCASE("a workflow that it was pinned to anew wants trust of its own") {
    const std::string run = Processes::start(*one.engine);
    machine.workflows.put(runs("evil"));
    repin(*one.engine, run);
    const std::string hint = hint_of(Processes::complete(*one.engine, run, kEvidence));
    CHECK(machine.world.asked == 0);
    CHECK(hint.find("phasegate trust checked") != std::string::npos);
    CHECK(hint.find("repin") == std::string::npos);
    trust(*one.engine);
    CHECK(Processes::complete(*one.engine, run, Json{{"files", 4}}).reply.kind ==
          Reply::Kind::accepted);
  }
  SUBCASE("a workflow that comes from elsewhere under the hash of a trusted one") {
    Processes other(runs("evil"));
    auto there = other.process(1);
    trust(*there.engine);
    const std::string run = Processes::start(*there.engine);
    auto bundle = state::read_bundle(other.folder.path() / "state", run, "eve", other.clock.now());
    REQUIRE(bundle.ok());
    bundle->run.trust = trusted;
    SUBCASE("in its state") {}
    SUBCASE("of the workflow as well") {
      bundle->definition.hash = trusted;
      bundle->run.definition_hash = trusted;
    }
    REQUIRE(state::import_bundle(machine.folder.path() / "state", *bundle, "bob", other.clock.now())
                .ok());
    const std::string hint = hint_of(Processes::complete(*one.engine, run, kEvidence));
    CHECK(machine.world.asked == 0);
    CHECK(hint.find("phasegate repin " + run) != std::string::npos);
    repin(*one.engine, run);
    CHECK(Processes::complete(*one.engine, run, Json{{"files", 4}}).reply.kind ==
          Reply::Kind::accepted);
  }
  SUBCASE("the very workflow that is trusted here goes on") {
    Processes other(runs("make"));
    auto there = other.process(1);
    trust(*there.engine);
    const std::string run = Processes::start(*there.engine);
    const auto bundle =
        state::read_bundle(other.folder.path() / "state", run, "ann", other.clock.now());
    REQUIRE(bundle.ok());
    REQUIRE(state::import_bundle(machine.folder.path() / "state", *bundle, "bob", other.clock.now())
                .ok());
    CHECK(one.engine->revoke_trust("checked") == 1);
    const std::string hint = hint_of(Processes::complete(*one.engine, run, kEvidence));
    CHECK(hint.find("phasegate trust checked") != std::string::npos);
    trust(*one.engine);
    CHECK(Processes::complete(*one.engine, run, Json{{"files", 4}}).reply.kind ==
          Reply::Kind::accepted);
  }
}

TEST_CASE("a workflow whose phases come from a document runs what was shown before it had them") {
  auto loaded = phases::read_workflow_folder(test::fixture("shipyard/workflows/shipyard"),
                                             phases::PlainRequirementReader());
  loaded.workflow.phases.front().gate.checks = {
      check_of(phases::CheckKind::command, "looked", R"({"argv":["make"]})")};
  loaded.content_hash = phases::content_hash_of(loaded);
  Processes machine(loaded);
  machine.folder.write("project/specs/boat/tasks.md",
                       test::read_file(test::fixture("shipyard/specs/boat/tasks.md")));
  auto one = machine.process(1);
  const auto view = one.engine->trust_view("shipyard");
  REQUIRE(view.ok());
  REQUIRE(one.engine->trust("shipyard", view->digest, "ada").ok());
  StartRequest request;
  request.workflow = "shipyard";
  request.target = "specs/boat";
  const auto started = one.engine->start(request);
  REQUIRE(started.ok());
  const RunState& run = started->phase.view.run;
  REQUIRE(run.definition_hash != run.trust);
  const auto complete = [&] {
    const Json evidence{{"plan_read", true}};
    CompleteRequest hand_over;
    hand_over.run_id = run.id;
    hand_over.phase = "0";
    hand_over.evidence = &evidence;
    auto reply = one.engine->complete_phase(hand_over);
    REQUIRE(reply.ok());
    return std::move(reply->reply);
  };
  SUBCASE("as it is") {
    CHECK(complete().kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 1);
  }
  SUBCASE("not what somebody was shown otherwise") {
    TrustRecord other = one.engine->trusted().front();
    other.shown = "[]";
    one.store->trust().trust(other);
    CHECK(complete().kind == Reply::Kind::refused);
    CHECK(machine.world.asked == 0);
  }
}

TEST_CASE("files that evidence names are digested, and evidence about changed ones is stale") {
  phases::Requirement plan = test::text("plan");
  plan.format = std::string(phases::kProjectPath);
  phases::Phase second = test::phase("2", {test::boolean("done")});
  second.gate.checks = {check_of(phases::CheckKind::expr, "fresh", R"({"that":"!steps.1.stale"})")};
  Processes machine(test::workflow("checked", {test::phase("1", {plan}), second}));
  auto one = machine.process(1);
  machine.world.files["plan.md"] = "v1";
  const std::string run = Processes::start(*one.engine);
  const CompleteReply first = Processes::complete(*one.engine, run, {{"plan", "plan.md"}});
  REQUIRE(first.reply.kind == Reply::Kind::accepted);
  CHECK(first.view.run.accepted[0].files == std::vector<FileDigest>{{"plan.md", "v1"}});

  SUBCASE("one that changes while it is checked is not let through") {
    Processes other(test::workflow("checked", {test::phase("1", {plan}), second}));
    auto again = other.process(1);
    other.world.files["plan.md"] = "v1";
    const std::string id = Processes::start(*again.engine);
    other.world.meanwhile = [&] { other.world.files["plan.md"] = "v2"; };
    const CompleteReply reply = Processes::complete(*again.engine, id, {{"plan", "plan.md"}});
    REQUIRE(reply.reply.refusal);
    CHECK(reply.reply.refusal->kind == RefusalKind::checks_failed);
  }
}

TEST_CASE("a result is used again while what it depends on is the same (cache: inputs)") {
  phases::LoadedWorkflow loaded = checked();
  auto& checks = loaded.workflow.phases[0].gate.checks;
  checks[0].cache_inputs = true;
  checks.push_back(check_of(phases::CheckKind::file, "other", R"({"path":"a"})"));
  Processes machine(std::move(loaded));
  auto one = machine.process(1);
  const std::string run = Processes::start(*one.engine);
  // The first passes, the second fails: at the next attempt the first need not be run again.
  int call = 0;
  machine.world.meanwhile = [&] {
    machine.world.outcome = ++call == 2 ? CheckOutcome::failed : CheckOutcome::passed;
  };
  CHECK(Processes::complete(*one.engine, run, kEvidence).reply.refusal.has_value());
  REQUIRE(machine.world.asked == 2);

  SUBCASE("the same") {
    const CompleteReply reply = Processes::complete(*one.engine, run, kEvidence);
    CHECK(reply.reply.kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 3);
    CHECK(reply.reply.checks[0].reused);
  }
  SUBCASE("changed") {
    machine.world.inputs = "other";
    CHECK(Processes::complete(*one.engine, run, kEvidence).reply.kind == Reply::Kind::accepted);
    CHECK(machine.world.asked == 4);
  }
}

}  // namespace
}  // namespace phasegate::gating::engine
