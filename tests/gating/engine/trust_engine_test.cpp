#include <doctest/doctest.h>

#include "base/json.h"
#include "phases/folder_reader.h"
#include "phases/loaded_workflow.h"
#include "state/bundle.h"
#include "tests/gating/engine/verification_support.h"

namespace phasegate::gating::engine {
namespace {

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

}  // namespace
}  // namespace phasegate::gating::engine
