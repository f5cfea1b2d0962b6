#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gating/engine/ports.h"
#include "state/state.h"
#include "tests/soak/project.h"
#include "tests/soak/soundness.h"
#include "tests/support/child.h"
#include "tests/support/files.h"

using namespace phasegate;
using namespace phasegate::soak;
namespace fs = std::filesystem;
using gating::RunState;
using gating::Transition;

namespace {

gating::engine::StoredDefinition a_definition() {
  gating::engine::StoredDefinition definition;
  definition.model = R"({"id":"many"})";
  definition.hash = "many";
  return definition;
}

Transition first_of(const std::string& id) {
  RunState run;
  run.id = id;
  run.workflow = "many";
  run.definition_hash = a_definition().hash;
  run.current_phase = "0";
  run.target = "src/many.cpp";
  run.principal = "soak";
  run.created_at = {1'800'000'000'000};
  run.updated_at = run.created_at;
  Transition first;
  first.next = run;
  first.journal = {{"run_started", "0", 1, 0, "soak", "{}", run.created_at}};
  return first;
}

/// Completes the open phase, whichever another process has left open.
Transition next_phase(const RunState& run, const std::string& mark) {
  Transition step;
  step.next = run;
  step.next->version += 1;
  const std::string phase = run.current_phase;
  step.next->current_phase = std::to_string(run.version);
  step.journal = {{"phase_completed", phase, 1, 1, mark, "{}", run.updated_at}};
  return step;
}

}  // namespace

TEST_CASE("processes: eight of them, each a thousand transitions of one session") {
  constexpr int kProcesses = 8;
  const char* wanted = std::getenv("SOAK_TRANSITIONS");
  const int transitions = wanted == nullptr ? 1000 : std::atoi(wanted);
  const test::TempFolder temp;
  const std::string id = "00000000-0000-4000-8000-000000000001";
  state::open_store(temp.path())->runs().create_run(a_definition(), first_of(id), false);
  std::vector<int> children;
  for (int process = 0; process < kProcesses; ++process) {
    children.push_back(test::start_child([&temp, &id, process, transitions] {
      const auto store = state::open_store(temp.path(), {.busy_ms = 60'000});
      for (int i = 0; i < transitions; ++i) {
        const std::string mark = std::to_string(process) + ":" + std::to_string(i);
        const auto done =
            store->runs().transact(id, [&](const RunState& run) { return next_phase(run, mark); });
        if (!done || !done->next) return false;
      }
      return true;
    }));
  }
  for (const int child : children) CHECK(test::wait_for_child(child) == 0);

  const auto store = state::open_store(temp.path());
  const auto run = store->runs().load(id);
  REQUIRE(run.has_value());
  const int all = kProcesses * transitions;
  CHECK(run->version == all + 1);
  std::map<std::string, int> next_of;
  std::set<std::string> phases;
  std::int64_t seq = 0;
  for (bool more = true; more;) {
    const auto rows = store->runs().journal(id, seq, 1000);
    more = !rows.empty();
    for (const auto& row : rows) {
      REQUIRE(row.seq == ++seq);
      if (seq == 1) continue;
      // Each completed the phase that the one before had opened: none twice, none left out.
      CHECK(row.entry.phase == std::to_string(seq - 2));
      CHECK(phases.insert(row.entry.phase).second);
      const std::string& mark = row.entry.actor;
      const auto colon = mark.find(':');
      CHECK(std::stoi(mark.substr(colon + 1)) == next_of[mark.substr(0, colon)]++);
    }
  }
  CHECK(seq == all + 1);
  const auto report = state::inspect(temp.path(), {.thorough = true});
  CHECK(report.integrity.empty());
  CHECK(report.damaged.empty());
  const Findings found = look_at_seals(temp.path());
  for (const std::string& words : found.words) CHECK_MESSAGE(false, words);
}

TEST_CASE("processes: a writer that holds on for too long is said to be busy, and got over") {
  const test::TempFolder temp;
  const std::string id = "00000000-0000-4000-8000-000000000002";
  state::open_store(temp.path())->runs().create_run(a_definition(), first_of(id), false);
  test::Signal ready;
  test::Signal go_on;
  test::HeldChild child([&] {
    const auto store = state::open_store(temp.path());
    return store->runs()
        .transact(id,
                  [&](const RunState& run) {
                    // Within the transaction: until the other one has been refused.
                    if (!ready.give() || !go_on.await()) throw std::runtime_error("nobody there");
                    return next_phase(run, "holder");
                  })
        .has_value();
  });
  ready.only_await();
  go_on.only_give();
  REQUIRE(ready.await());
  const auto store = state::open_store(temp.path(), {.busy_ms = 20});
  const auto write_once = [&] {
    store->runs().transact(id, [](const RunState& run) { return next_phase(run, "other"); });
  };
  try {
    write_once();
    CHECK_MESSAGE(false, "two wrote at once");
  } catch (const gating::engine::StoreFailure& failure) {
    CHECK(failure.error().code == "busy");
    CHECK(failure.error().hint.find("repeat the call") != std::string::npos);
  }
  // Who only reads does not wait for who writes.
  CHECK(store->runs().load(id)->version == 1);
  REQUIRE(go_on.give());
  CHECK(child.wait() == 0);
  write_once();
  CHECK(store->runs().load(id)->version == 3);
}

TEST_CASE("processes: those that only look leave no trace") {
  const test::TempFolder temp;
  const Project project(temp.path(), Project::People::nobody);
  for (int i = 0; i < 3; ++i) {
    Server probe(project);
    CHECK(probe.tools().size() > 5);
    if (i == 0) CHECK(probe.end() == 0);
    probe.kill();
  }
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"doctor"}, {"status"}, {"sessions"}, {"history"}, {"work"}, {"workflows"}}) {
    CHECK(run(project.command(words)).code <= 1);
  }
  CHECK_FALSE(fs::exists(project.state()));

  // Nor do they change what is there.
  Server worker(project);
  REQUIRE(worker.call("start_workflow", {{"workflow_type", "plain"}}).has_value());
  REQUIRE(worker.end() == 0);
  const auto names = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(project.state())) {
      files[entry.path().filename().string()] = test::read_file(entry.path());
    }
    return files;
  };
  const auto before = names();
  CHECK(before.contains("state.db"));
  for (int i = 0; i < 3; ++i) {
    Server probe(project);
    CHECK(probe.tools().size() > 5);
    if (i == 0) CHECK(probe.end() == 0);
    probe.kill();
  }
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"doctor"}, {"status"}, {"sessions"}, {"history"}}) {
    CHECK(run(project.command(words)).code == 0);
  }
  CHECK(names() == before);
}
