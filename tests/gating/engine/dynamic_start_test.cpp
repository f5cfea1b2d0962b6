#include "gating/engine/dynamic_start.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "gating/engine/engine.h"
#include "phases/folder_reader.h"
#include "state/state.h"
#include "tests/support/files.h"
#include "tests/support/workflows.h"
#include "world/project_documents.h"

namespace phasegate::gating::engine {
namespace {

using base::Json;

std::string boat_tasks() {
  return test::read_file(test::fixture("shipyard/specs/boat/tasks.md"));
}

/// A project with a spec, and an engine over a real store beside it.
struct Yard {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{3};
  world::ProjectFiles documents{folder.path() / "project"};
  std::unique_ptr<state::Store> store;
  std::unique_ptr<Engine> engine;

  Yard() {
    workflows.put(phases::read_workflow_folder(test::fixture("shipyard/workflows/shipyard"),
                                               phases::PlainRequirementReader()));
    write("specs/boat/tasks.md", boat_tasks());
    restart();
  }
  void write(const std::string& path, const std::string& bytes) {
    folder.write("project/" + path, bytes);
  }
  void restart() {
    engine.reset();
    store = state::open_store(folder.path() / "state");
    engine = std::make_unique<Engine>(
        Engine::Ports{workflows, store->runs(), clock, ids, &documents}, EngineOptions{});
  }
  base::Result<StartReply> start(const std::string& target, const Json& input = nullptr,
                                 const Json& options = nullptr) {
    StartRequest request;
    request.workflow = "shipyard";
    request.target = target;
    request.input = &input;
    request.options = &options;
    request.principal = "ada";
    return engine->start(request);
  }
  std::size_t runs() { return engine->list({}).value().runs.size(); }
  CompleteReply complete(const std::string& run, const std::string& phase, const Json& evidence) {
    CompleteRequest request;
    request.run_id = run;
    request.phase = phase;
    request.evidence = &evidence;
    request.actor = "ada";
    auto reply = engine->complete_phase(request);
    REQUIRE(reply.ok());
    return std::move(reply).value();
  }
};

const Json kHull = {
    {"the_hull_floats", true}, {"the_bilge_stays_dry", true}, {"the_yard_is_swept", true}};
const Json kSail = {{"task_2_1_done", true}, {"task_2_2_done", true}, {"the_yard_is_swept", true}};

TEST_CASE("dynamic start: every way in which people name the spec's folder") {
  Yard yard;
  const std::string root = std::filesystem::canonical(yard.folder.path() / "project").string();
  struct Case {
    const char* target;
    Json input;
    Json options;
  };
  const Case cases[] = {
      {"specs/boat", nullptr, nullptr},
      {"", {{"spec_path", "specs/boat"}}, nullptr},
      {"", {{"spec_path", "./specs//boat/"}}, nullptr},
      {"", {{"spec_path", "specs/boat/tasks.md"}}, nullptr},
      {"", {{"spec_path", root + "/specs/boat"}}, nullptr},
      {"", nullptr, {{"spec_path", "specs/boat"}}},
      {"src/main.cpp", nullptr, {{"spec_path", "specs/boat"}}},
      {"src/main.cpp", {{"spec_path", "specs/boat"}}, {{"spec_path", "specs/other"}}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.target);
    CAPTURE(base::dump(one.input));
    const auto started = yard.start(one.target, one.input, one.options);
    REQUIRE_MESSAGE(started.ok(), (started.ok() ? "" : base::to_text(started.error())));
    const phases::Workflow& workflow = started->phase.view.workflow();
    CHECK(workflow.phases.size() == 3);
    CHECK_FALSE(workflow.dynamic.has_value());
    CHECK(workflow.documents.contains("specs/boat/tasks.md#1"));
    const Json input = Json::parse(started->phase.view.run.input);
    CHECK(input["spec_path"] == "specs/boat");
  }
}

TEST_CASE("dynamic start: the run goes through the spec's phases and ends with its last") {
  Yard yard;
  const std::string run = yard.start("specs/boat")->phase.view.run.id;
  CHECK(yard.complete(run, "0", {{"plan_read", true}}).reply.kind == Reply::Kind::accepted);
  const auto hull = yard.engine->current_phase(run);
  REQUIRE(hull.ok());
  CHECK(hull->phase->id == "1");
  CHECK(hull->content.find("# Phase 1: Hull") != std::string::npos);
  CHECK(hull->content.find("elican") == std::string::npos);
  CHECK(hull->links == std::vector<std::string>{"core/habits.md"});
  REQUIRE(hull->tasks.size() == 2);
  for (const char* number : {"1.1", "1"}) {
    const auto task = yard.engine->task(run, "1", number, "");
    REQUIRE(task.ok());
    CHECK(std::get<TaskView>(*task).content.find("Cut the planks") != std::string::npos);
  }
  CHECK(std::holds_alternative<ReadRefused>(*yard.engine->task(run, "2", "2.1", "")));
  for (const char* file : {"specs/boat/tasks.md", "specs/boat/tasks.md#2", "tasks.md",
                           "phases/dynamic/phase-template.md"}) {
    CAPTURE(file);
    CHECK_FALSE(yard.engine->task(run, "1", "1.1", file).ok());
  }
  CHECK(yard.complete(run, "1", {{"the_hull_floats", true}}).reply.kind == Reply::Kind::refused);
  yard.restart();
  CHECK(yard.complete(run, "1", kHull).reply.kind == Reply::Kind::accepted);
  const CompleteReply last = yard.complete(run, "2", kSail);
  CHECK(last.reply.kind == Reply::Kind::accepted);
  CHECK(last.view.run.status == RunStatus::completed);
  CHECK_FALSE(last.view.run.partial);
}

TEST_CASE("invariant 6: a run keeps the phases it began with, a new one has the new ones") {
  Yard yard;
  const std::string run = yard.start("specs/boat")->phase.view.run.id;
  yard.write("specs/boat/tasks.md", "## Phase 1: Raft\n- [ ] Task 1.1: Tie logs\n");
  yard.restart();
  CHECK(yard.complete(run, "0", {{"plan_read", true}}).reply.kind == Reply::Kind::accepted);
  CHECK(yard.engine->current_phase(run)->phase->title == "Hull");
  const auto again = yard.start("specs/boat");
  REQUIRE(again.ok());
  CHECK(again->resumed);
  CHECK(again->phase.view.run.id == run);
  const auto fresh = yard.start("specs/boat", nullptr, {{"new", true}});
  REQUIRE(fresh.ok());
  CHECK(fresh->phase.view.workflow().phases[1].title == "Raft");
  CHECK(fresh->phase.view.run.definition_hash != again->phase.view.run.definition_hash);
}

TEST_CASE("dynamic start: an open run is resumed whatever has become of its file") {
  Yard yard;
  const std::string run = yard.start("specs/boat")->phase.view.run.id;
  yard.write("specs/boat/tasks.md", "nothing");
  auto again = yard.start("specs/boat");
  REQUIRE(again.ok());
  CHECK(again->phase.view.run.id == run);
  std::filesystem::remove(yard.folder.path() / "project/specs/boat/tasks.md");
  again = yard.start("specs/boat");
  REQUIRE(again.ok());
  CHECK(again->resumed);
  CHECK_FALSE(yard.start("specs/boat", nullptr, {{"new", true}}).ok());
  CHECK(yard.runs() == 1);
}

TEST_CASE(
    "dynamic start: what fails says file, line and code, no words of a phase, and keeps nothing") {
  Yard yard;
  yard.write(
      "specs/twice/tasks.md",
      "## Phase 1: Walrus\n- [ ] Task 1.1: walrus\n## Phase 1: Walrus\n- [ ] Task 1.2: walrus\n");
  yard.write("specs/none/tasks.md", "walrus\n");
  yard.write("specs/zero/tasks.md", "## Phase 0: Walrus\n- [ ] Task 0.1: walrus\n");
  yard.write("specs/bytes/tasks.md", "## Phase 1: Walrus \xFF\n");
  struct Case {
    const char* folder;
    const char* code;
    const char* part;
  };
  const Case cases[] = {
      {"specs/twice", "invalid_tasks", "line 3: duplicate_phase"},
      {"specs/none", "invalid_tasks", "no_tasks"},
      {"specs/zero", "invalid_tasks", "line 1: phase_id_taken"},
      {"specs/bytes", "invalid_tasks", "line 1: unreadable_text"},
      {"specs/missing", "not_found", "specs/missing/tasks.md"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.folder);
    const auto started = yard.start(one.folder);
    REQUIRE_FALSE(started.ok());
    const std::string all = base::to_text(started.error()) + started.error().hint;
    CHECK(started.error().code == one.code);
    CHECK(all.find(one.part) != std::string::npos);
    CHECK(all.find("alrus") == std::string::npos);
    CHECK((started.error().code == "not_found"
               ? all.find("spec_path")
               : all.find("phasegate validate specs/")) != std::string::npos);
  }
  const auto unnamed = yard.start("");
  REQUIRE_FALSE(unnamed.ok());
  CHECK(unnamed.error().code == "invalid_input");
  CHECK(unnamed.error().message.find("spec_path") != std::string::npos);
  CHECK(yard.runs() == 0);
}

TEST_CASE("dynamic start: a workflow may list no phase of its own") {
  Yard yard;
  phases::LoadedWorkflow bare = test::workflow("bare", {});
  bare.workflow.dynamic = phases::DynamicPhases{"spec_path", "tasks.md", "", "", {}};
  yard.workflows.put(std::move(bare));
  CHECK(yard.engine->can_start(*yard.workflows.find("bare")));
  StartRequest request;
  request.workflow = "bare";
  request.target = "specs/boat";
  const auto started = yard.engine->start(request);
  REQUIRE_MESSAGE(started.ok(), (started.ok() ? "" : base::to_text(started.error())));
  CHECK(started->phase.phase->id == "1");
  CHECK(started->phase.view.workflow().phases.size() == 2);
}

TEST_CASE("dynamic start: without documents of a project it does not start") {
  Yard yard;
  Engine engine({yard.workflows, yard.store->runs(), yard.clock, yard.ids}, {});
  StartRequest request;
  request.workflow = "shipyard";
  request.target = "specs/boat";
  const auto started = engine.start(request);
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().code == "not_found");
  CHECK(yard.runs() == 0);
}

}  // namespace
}  // namespace phasegate::gating::engine
