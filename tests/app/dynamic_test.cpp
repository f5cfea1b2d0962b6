#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/app/project.h"

using namespace phasegate;
using base::Json;
using test::contains;
using test::Project;
namespace fs = std::filesystem;

namespace {

/// A project with a workflow whose phases come from specs, and one spec.
struct Yard {
  Project project;
  Yard() {
    project.be_sound();
    fs::copy(test::fixture("shipyard/workflows"), project.root() / ".phasegate" / "workflows",
             fs::copy_options::recursive);
    fs::copy(test::fixture("shipyard/specs"), project.root() / "specs",
             fs::copy_options::recursive);
  }
  /// One call in a process of its own: every step is a restart.
  [[nodiscard]] Json call(const std::string& tool, const Json& arguments) const {
    return project.call({{tool, arguments}})[0];
  }
};

/// What the checkpoint itself gives as an example.
Json example_of(const Json& answer) {
  const Json* criteria = base::find_member(answer, "checkpoint_criteria");
  REQUIRE_MESSAGE(criteria != nullptr, base::dump(answer));
  return (*criteria)["example"];
}

}  // namespace

TEST_CASE("dynamic phases over MCP: the spec's phases, one after another, and none too early") {
  const Yard yard;
  const Json start = {{"workflow_type", "shipyard"},
                      {"target_file", "specs/boat"},
                      {"options", {{"spec_path", "specs/boat"}}}};
  const Json listed = yard.call("list_workflows", Json::object());
  CHECK(contains(base::dump(listed), "spec_path"));
  const Json started = yard.call("start_workflow", start);
  REQUIRE_MESSAGE(started.contains("session_id"), base::dump(started));
  const std::string session = started["session_id"];
  CHECK(started["total_phases"] == 3);

  const Json hull =
      yard.call("complete_phase",
                {{"session_id", session}, {"phase", "0"}, {"evidence", {{"plan_read", true}}}});
  CHECK(hull["checkpoint_passed"] == true);
  const std::string shown = base::dump(hull);
  CHECK(contains(shown, "the_hull_floats"));
  CHECK(contains(shown, "Cut the planks"));

  // The next process meets another file; the session does not.
  test::write_file(yard.project.root() / "specs/boat/tasks.md",
                   "## Phase 1: Raft\n- [ ] Task 1.1: Tie the logs\n");
  std::string seen = base::dump(listed) + base::dump(started) + shown;
  for (const auto& [tool, arguments] : std::vector<std::pair<std::string, Json>>{
           {"get_current_phase", {{"session_id", session}}},
           {"get_workflow_state", {{"session_id", session}}},
           {"get_task", {{"session_id", session}, {"phase", 1}, {"task_number", 1}}},
           {"get_task", {{"session_id", session}, {"phase", "1"}, {"task_number", "1.2"}}},
           {"get_task", {{"session_id", session}, {"phase", "2"}, {"task_number", "2.1"}}},
           {"get_phase_content", {{"session_id", session}, {"phase", "2"}}},
           {"complete_phase",
            {{"session_id", session}, {"phase", "2"}, {"evidence", Json::object()}}},
           {"complete_phase",
            {{"session_id", session}, {"phase", "1"}, {"evidence", Json::object()}}},
       }) {
    const Json answer = yard.call(tool, arguments);
    seen += base::dump(answer);
    CHECK_FALSE(contains(base::dump(answer), "Raft"));
  }
  CHECK(contains(seen, "Caulk the seams"));
  CHECK(contains(seen, "phase_sequence_violation"));
  CHECK_FALSE(contains(seen, "elican"));
  CHECK_FALSE(contains(seen, yard.project.root().string()));

  const Json again = yard.call("start_workflow", start);
  CHECK(again["resumed"] == true);
  CHECK(again["session_id"] == session);

  const Json sail = yard.call(
      "complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", example_of(again)}});
  CHECK(sail["checkpoint_passed"] == true);
  CHECK(contains(base::dump(sail), "Sew the pelican"));
  const Json open = yard.call("get_current_phase", {{"session_id", session}});
  const Json done = yard.call(
      "complete_phase", {{"session_id", session}, {"phase", "2"}, {"evidence", example_of(open)}});
  CHECK(done["workflow_complete"] == true);

  const Json fresh = yard.call("start_workflow", start);
  CHECK(fresh["resumed"] == false);
  CHECK(fresh["total_phases"] == 2);
}

TEST_CASE(
    "dynamic phases over MCP: a start that fails tells a person what to run, and keeps nothing") {
  const Yard yard;
  test::write_file(yard.project.root() / "specs/bad/tasks.md",
                   "## Phase 0: Walrus\n- [ ] Task 0.1: walrus\n");
  for (const char* target : {"specs/bad", "specs/none", "../boat", "/etc"}) {
    CAPTURE(target);
    const Json answer =
        yard.call("start_workflow", {{"workflow_type", "shipyard"}, {"target_file", target}});
    const std::string text = base::dump(answer);
    CHECK(contains(text, "error"));
    CHECK_FALSE(contains(text, "alrus"));
  }
  const Json bad =
      yard.call("start_workflow", {{"workflow_type", "shipyard"}, {"target_file", "specs/bad"}});
  CHECK(contains(base::dump(bad), "phase_id_taken"));
  CHECK(contains(base::dump(bad), "phasegate validate"));
  CHECK(yard.call("list_sessions", Json::object())["sessions"].empty());
}

TEST_CASE("dynamic phases: people are told where they come from") {
  const Yard yard;
  const auto validated = yard.project.run({"validate", "shipyard"});
  CHECK(validated.code == 0);
  CHECK(contains(validated.out, "tasks.md"));
  CHECK(contains(validated.out, "spec_path"));
  const Json json = yard.project.run_json({"validate", "shipyard", "--json"});
  CHECK(test::workflow_of(json, "shipyard")["dynamic_input"] == "spec_path");
  const Json workflows = yard.project.run_json({"workflows", "--json"});
  CHECK(test::workflow_of(workflows, "shipyard")["dynamic"] == true);
}

TEST_CASE("real spec_execution_v1 with a real spec goes to its end") {
  const auto workflows = test::real_documents("workflows/praxis-os");
  const auto specs = test::real_documents("workflows/praxis-os-specs/completed");
  if (!workflows || !specs) return;
  const Yard yard;
  fs::copy(*workflows / "spec_execution_v1",
           yard.project.root() / ".phasegate" / "workflows" / "spec_execution_v1",
           fs::copy_options::recursive);
  fs::copy(*specs / "2025-10-07-mcp-server-modular-redesign",
           yard.project.root() / "specs" / "real", fs::copy_options::recursive);
  Json answer = yard.call("start_workflow",
                          {{"workflow_type", "spec_execution_v1"}, {"target_file", "specs/real"}});
  REQUIRE_MESSAGE(answer.contains("session_id"), base::dump(answer));
  const std::string session = answer["session_id"];
  CHECK(answer["total_phases"] == 5);
  for (int phase = 0; phase < 5; ++phase) {
    const Json open = yard.call("get_current_phase", {{"session_id", session}});
    CHECK(open["current_phase"] == std::to_string(phase));
    answer = yard.call("complete_phase", {{"session_id", session},
                                          {"phase", std::to_string(phase)},
                                          {"evidence", example_of(open)}});
    CHECK_MESSAGE(answer["checkpoint_passed"] == true, base::dump(answer));
  }
  CHECK(answer["workflow_complete"] == true);
}
