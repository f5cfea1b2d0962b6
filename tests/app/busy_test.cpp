#include <future>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "state/db.h"
#include "tests/app/project.h"

using namespace phasegate;
using base::Json;
using test::contains;
using test::Ended;

TEST_CASE("busy: who finds the state locked for long is told so, and nothing of the call is kept") {
  const test::Project project;
  project.be_sound();
  const std::string id = project.start("a.cpp");
  const auto version = [&] {
    return project.run_json({"status", id, "--json"})["state_version"].get<std::int64_t>();
  };
  const std::int64_t before = version();
  const Json complete = {
      {"session_id", id}, {"phase", "0"}, {"evidence", {{"plan_written", true}}}};
  const std::vector<std::string> by_tool = {"call", "complete_phase", base::dump(complete),
                                            "--json"};
  {
    state::Db other(project.state_file(), {});
    other.execute("BEGIN IMMEDIATE");
    // At once, because each of them waits for as long as anybody may.
    auto tool = std::async(std::launch::async, [&] { return project.run(by_tool); });
    auto command = std::async(std::launch::async, [&] { return project.run({"cancel", id}); });
    const Ended told = tool.get();
    const Json answer = test::Project::parsed(told.out);
    CHECK(answer["error"] == "busy");
    CHECK(contains(answer["message"].get<std::string>(), "state.db"));
    const std::string next = answer["required_action"].get<std::string>();
    CHECK(contains(next, "repeat the call"));
    CHECK(contains(next, "`phasegate doctor --root "));

    const Ended cancelled = command.get();
    CHECK(cancelled.code == 3);
    CHECK(cancelled.out.empty());
    CHECK(contains(cancelled.err, "another process has been writing to state.db for too long"));
    CHECK(contains(cancelled.err, "repeat the call"));
    CHECK(contains(cancelled.err, "`phasegate doctor --state " + project.state().string() + "`"));
    // Whoever only reads does not wait.
    CHECK(version() == before);
    other.execute("ROLLBACK");
  }
  CHECK(version() == before);
  const Ended repeated = project.run(by_tool);
  CHECK_MESSAGE(repeated.code == 0, repeated.out);
  CHECK(version() > before);
}
