#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "gating/engine/engine.h"
#include "phases/loaded_workflow.h"
#include "state/state.h"
#include "tests/support/files.h"
#include "tests/support/workflows.h"
#include "world/project_documents.h"

/// What the tests of checks that the engine has carried out share.
namespace phasegate::gating::engine {

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

inline phases::Check check_of(phases::CheckKind kind, const std::string& name,
                              const std::string& parameters) {
  phases::Check check;
  check.name = name;
  check.kind = kind;
  check.parameters = parameters;
  check.source = {"workflow.yaml", 7, 0, 0};
  return check;
}

inline phases::LoadedWorkflow checked(phases::CheckKind kind = phases::CheckKind::count,
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

inline const Json kEvidence{{"files", 3}};

}  // namespace phasegate::gating::engine
