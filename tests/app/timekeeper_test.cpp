#include <csignal>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/composition.h"
#include "app/settings.h"
#include "state/prune.h"
#include "tests/app/project.h"
#include "tests/app/settings_support.h"
#include "tests/support/live_program.h"

namespace phasegate::app {
namespace {

using base::Json;
using test::contains;
using test::Project;

/// Begins and ends so many sessions; their ids, oldest end first.
std::vector<std::string> end_sessions(gating::engine::Engine& engine, std::size_t count) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < count; ++i) {
    gating::engine::StartRequest start;
    start.workflow = "two_steps";
    start.target = "file-" + std::to_string(i);
    const auto begun = engine.start(start);
    REQUIRE_MESSAGE(begun.ok(), (begun.ok() ? "" : begun.error().message));
    ids.push_back(begun->phase.view.run.id);
    gating::engine::CancelRequest cancel;
    cancel.run_id = ids.back();
    REQUIRE(engine.cancel(cancel).ok());
  }
  return ids;
}

}  // namespace

TEST_CASE("timekeeper: a running server removes the oldest sessions that have ended, not before") {
  const Project project;
  project.be_sound();
  const Settings settings = test::settings_of(project);
  Program program(settings);
  const std::string open = project.start("open");
  constexpr std::size_t kAllowed = state::kEndedKept + state::kEndedSlack;
  std::vector<std::string> ids = end_sessions(program.engine(), kAllowed);
  CHECK_FALSE(state::Pruner(settings.state_folder).is_due());

  test::LiveProgram server(
      test::phasegate_binary(),
      project.to_run({"serve", "--listen", "127.0.0.1:0", "--log-level", "info"}),
      test::LiveProgram::Output::terminal, 400);
  REQUIRE(server.wait_for("/mcp;"));
  CHECK_FALSE(contains(server.output(), "state.pruned"));
  ids.push_back(end_sessions(program.engine(), 1).front());
  REQUIRE_MESSAGE(server.wait_for("state.pruned"), server.output());
  server.signal(SIGTERM);
  CHECK(server.wait_for_end() == 0);

  // Once, ten at a time, and then there is room again.
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > state::kPrunedAtOnce && i + 1 < ids.size()) continue;
    CAPTURE(i);
    const auto status = project.run({"status", ids[i]});
    const bool gone = i < state::kPrunedAtOnce;
    CHECK(status.code == (gone ? 1 : 0));
    CHECK(contains(status.err, "was pruned on ") == gone);
    CHECK(contains(status.err, "by phasegate") == gone);
  }
  CHECK(project.run({"status", open}).code == 0);
  const auto audit = project.run({"audit"});
  CHECK_MESSAGE(audit.code == 0, audit.out);
}

}  // namespace phasegate::app
