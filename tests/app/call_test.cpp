#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "base/json.h"
#include "tests/app/project.h"

using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::Project;

namespace {

/// Calls a tool; the exit code must say whether it was refused.
Json call(const Project& project, const std::string& tool, const Json& arguments,
          bool refused = false) {
  return project.run_json({"call", tool, phasegate::base::dump(arguments), "--json"},
                          refused ? 1 : 0);
}

/// Makes the folder a repository with this file in its only commit; the commit's id.
std::string committed(const phasegate::test::fs::path& root, const std::string& path,
                      const std::string& text) {
  phasegate::test::fs::create_directories((root / path).parent_path());
  phasegate::test::write_file(root / path, text);
  const std::string git = "git -C '" + root.string() + "' -c user.name=a -c user.email=a@b ";
  REQUIRE(std::system(
              (git + "init -q && " + git + "add -A && " + git + "commit -qm start").c_str()) == 0);
  const auto head = root / ".git" / "HEAD.id";
  REQUIRE(std::system((git + "rev-parse HEAD > '" + head.string() + "'").c_str()) == 0);
  std::string id = phasegate::test::read_file(head);
  id.resize(40);
  return id;
}

}  // namespace

TEST_CASE(
    "built-in workflows: each runs from start to end on its own examples, and on nothing less") {
  for (const std::string id : {"feature", "bugfix", "refactor", "review", "release"}) {
    CAPTURE(id);
    const Project project;
    // What the examples speak of is there: a repository with a commit, a test's file, notes.
    phasegate::test::write_file(
        project.root() / "CHANGELOG.md",
        "# Changes\n\n## 1.4.0\n\n- Search finds words with accents, too.\n");
    const std::string commit = committed(project.root(), "tests/test_total.py", "assert True\n");
    Json answer = call(project, "start_workflow", {{"workflow_type", id}});
    const Json session = answer["session_id"];
    const std::size_t total = answer["total_phases"].get<std::size_t>();
    CHECK(total >= 3);
    CHECK(total <= 6);
    for (std::size_t i = 0; i < total; ++i) {
      const Json phase = answer["current_phase"];
      CAPTURE(phase);
      const Json criteria = answer["checkpoint_criteria"];
      Json example = criteria["example"];
      for (auto& [name, value] : example.items()) {
        if (name.find("commit") != std::string::npos && value.is_string()) value = commit;
      }
      CHECK_FALSE(criteria.contains("example_note"));
      std::size_t booleans = 0;
      for (const auto& [name, field] : criteria["evidence_schema"]["properties"].items()) {
        booleans += field["type"] == "boolean" ? 1U : 0U;
        CHECK_MESSAGE(!field["description"].get<std::string>().empty(), name);
      }
      CHECK(booleans == 0);
      call(project, "complete_phase",
           {{"session_id", session}, {"phase", phase}, {"evidence", Json::object()}}, true);
      answer = call(project, "complete_phase",
                    {{"session_id", session}, {"phase", phase}, {"evidence", example}});
      CHECK(answer["checkpoint_passed"] == true);
      if (i + 1 == total) CHECK(answer["workflow_complete"] == true);
    }
    // This project names no commands, so the checks that need them are left out, and that is said.
    CHECK(answer["outcome"] == (id == "review" ? "ok" : "partial"));
  }
}

TEST_CASE("call: prints what an assistant is told, and refuses what is no call") {
  const Project project;
  const Ended started = project.run({"call", "start_workflow", R"({"workflow_type":"bugfix"})"});
  CHECK(started.code == 0);
  CHECK(contains(started.out, "Next call: "));
  const Ended unknown = project.run({"call", "start_workflw", "{}"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "Did you mean `start_workflow`?"));
  CHECK(project.run({"call"}).code == 2);
  CHECK(project.run({"call", "list_workflows", "{}", "x"}).code == 2);
  struct Case {
    const char* arguments;
    int code;
    const char* said;
  };
  const Case cases[] = {
      {"", 1, "workflow_type"},
      {"{", 2, "no JSON"},
      {"[]", 2, "must be a JSON object"},
      {"\xff", 2, "no JSON"},
      {R"({"workflow_type":"bugfx"})", 1, "did you mean bugfix?"},
      {R"({"session_id":"x"})", 1, "workflow_type"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.arguments);
    const Ended ended = project.run({"call", "start_workflow", c.arguments});
    CHECK(ended.code == c.code);
    CHECK(contains(ended.out + ended.err, c.said));
  }
  auto from_input = project.to_run({"call", "list_workflows", "-"});
  from_input.input = "{}";
  const Ended listed =
      phasegate::test::run_program(phasegate::test::phasegate_binary(), from_input);
  CHECK(listed.code == 0);
  CHECK(contains(listed.out, "bugfix"));
}

TEST_CASE("call: evidence is not handed over to a session that was perhaps not meant") {
  const Project project;
  const Json first = call(project, "start_workflow", {{"workflow_type", "bugfix"}});
  const Json second = call(project, "start_workflow", {{"workflow_type", "review"}});
  const Ended unsure =
      project.run({"call", "complete_phase", R"({"phase": "scope", "evidence": {}})"});
  CHECK(unsure.code == 1);
  CHECK(contains(unsure.err, "More than one session is open"));
  for (const Json& started : {first, second}) {
    const std::string beginning = started["session_id"].get<std::string>().substr(0, 8);
    CHECK(contains(unsure.err, beginning));
    const Json refused = call(project, "complete_phase",
                              {{"session_id", beginning},
                               {"phase", started["current_phase"]},
                               {"evidence", Json::object()}},
                              true);
    CHECK(refused["session_id"] == started["session_id"]);
  }
}
