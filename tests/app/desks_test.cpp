#include "app/desks.h"

#include <atomic>
#include <thread>

#include "app/settings.h"
#include "base/limits.h"
#include "tests/app/project.h"
#include "tests/app/settings_support.h"
#include "tests/support/client_call.h"

namespace phasegate::app {
namespace {

using base::Json;
using mcp::protocol::ToolResult;

Json call(Desks& desks, const std::string& tool, const Json& arguments) {
  test::ClientCall call;
  const auto outcome = desks.call_tool(tool, arguments, call.context());
  return *std::get<ToolResult>(outcome).structured;
}

TEST_CASE("desks: nothing is made before it is needed, one desk serves one caller") {
  const test::Project project;
  const Settings settings = test::settings_of(project);
  Desks desks(settings, 4);
  CHECK(desks.count() == 0);
  CHECK_FALSE(desks.tools()->empty());
  CHECK(desks.offer().resources_subscribe);
  CHECK_FALSE(desks.offer().tools_change);
  CHECK(desks.count() == 0);
  for (int i = 0; i < 3; ++i) CHECK(call(desks, "list_workflows", Json::object())["count"] > 0);
  CHECK(desks.count() == 1);
  CHECK_FALSE(std::filesystem::exists(project.state()));
}

TEST_CASE("desks: callers at the same time have a desk each, and no more than there may be") {
  const test::Project project;
  const Settings settings = test::settings_of(project);
  constexpr std::size_t kDesks = 3;
  Desks desks(settings, kDesks);
  std::atomic<int> at_work = 0;
  std::atomic<int> most = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 12; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 5; ++round) {
          desks.with_engine([&](gating::engine::Engine& engine) {
            const int now = ++at_work;
            for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
            }
            static_cast<void>(engine.workflows());
            --at_work;
          });
        }
      });
    }
  }
  CHECK(most <= static_cast<int>(kDesks));
  CHECK(desks.count() <= kDesks);
  CHECK(desks.count() >= 1);
}

TEST_CASE("desks: many threads start and complete on one project, and each sees its own work") {
  const test::Project project;
  const Settings settings = test::settings_of(project);
  Desks desks(settings, 4);
  std::atomic<int> changes = 0;
  desks.on_change([&] { ++changes; });
  const std::string workflow = "two_steps";
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] {
        for (int round = 0; round < 4; ++round) {
          const std::string target = "t" + std::to_string(i) + "-" + std::to_string(round);
          const Json started =
              call(desks, "start_workflow", {{"workflow_type", workflow}, {"target_file", target}});
          if (!started.contains("session_id")) {
            ++failures;
            continue;
          }
          const Json state =
              call(desks, "get_workflow_state", {{"session_id", started["session_id"]}});
          if (state["target_file"] != target) ++failures;
        }
      });
    }
  }
  CHECK(failures == 0);
  CHECK(changes == 24);
  CHECK(call(desks, "list_sessions", {{"limit", 50}})["count"] == 24);
}

TEST_CASE("desks: a call that throws gives its desk back") {
  const test::Project project;
  const Settings settings = test::settings_of(project);
  Desks desks(settings, 1);
  for (int i = 0; i < 3; ++i) {
    CHECK_THROWS_AS(
        desks.with_engine([](gating::engine::Engine&) { throw std::runtime_error("x"); }),
        std::runtime_error);
  }
  CHECK(desks.count() == 1);
  CHECK(call(desks, "list_workflows", Json::object()).contains("count"));
}

}  // namespace
}  // namespace phasegate::app
