#include <doctest/doctest.h>

#include "app/cli/layout.h"
#include "base/text.h"
#include "tests/app/project.h"

using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::Project;

namespace {

std::vector<std::string> ids_in(const Json& document) {
  std::vector<std::string> ids;
  for (const Json& session : document["sessions"]) ids.push_back(session["session_id"]);
  return ids;
}

}  // namespace

TEST_CASE("sessions: filters by state, workflow, branch and number, newest first") {
  const Project project;
  project.be_on_branch("main");
  const std::string first = project.start("one");
  const std::string second = project.start("two");
  project.be_on_branch("side");
  const std::string third = project.start("three");
  REQUIRE(project.run({"cancel", second}).code == 0);
  using Ids = std::vector<std::string>;
  struct Row {
    std::vector<std::string> options;
    Ids ids;
    bool more;
  };
  for (const Row& row : std::vector<Row>{
           {{}, {second, third, first}, false},
           {{"--all"}, {second, third, first}, false},
           {{"--open"}, {third, first}, false},
           {{"--ended"}, {second}, false},
           {{"--limit", "2"}, {second, third}, true},
           {{"--limit", "3"}, {second, third, first}, false},
           {{"--open", "--limit", "1"}, {third}, true},
           {{"--branch", "main"}, {second, first}, false},
           {{"--branch", "main", "--open"}, {first}, false},
           {{"--branch", "main", "--limit", "1"}, {second}, true},
           {{"--branch", "nowhere"}, {}, false},
           {{"--workflow", "two_steps", "--limit", "1"}, {second}, true},
           {{"--workflow", "other"}, {}, false},
       }) {
    CAPTURE(row.options);
    std::vector<std::string> words{"sessions", "--json"};
    words.insert(words.end(), row.options.begin(), row.options.end());
    const Json json = project.run_json(words);
    CHECK(ids_in(json) == row.ids);
    CHECK(json["more"] == row.more);
  }
  CHECK(contains(project.run({"sessions", "--workflow", "other"}).out, "No such sessions."));
  // The short ids that are listed name the sessions.
  const std::string text = project.run({"sessions", "--branch", "side"}).out;
  CHECK(contains(text, "\n" + third.substr(0, 8) + "  active  0      0     two_steps  three"));
  CHECK(project.run({"status", third.substr(0, 8)}).code == 0);
}

TEST_CASE("status: without a session it is the open one that changed last, and it says so") {
  const Project project;
  CHECK(project.run({"status"}).code == 1);
  const std::string first = project.start("one");
  const std::string second = project.start("two");
  CHECK(contains(project.run({"status"}).out, second + " (the open session that"));
  REQUIRE(project.run({"cancel", second}).code == 0);
  CHECK(project.run_json({"status", "--json"})["session_id"] == first);
  CHECK_FALSE(contains(project.run({"status", first}).out, "changed last"));
}

TEST_CASE("every list fits a terminal of 20, 40 and 80 columns, only commands to copy do not") {
  const Project project("a project with a rather long name");
  const std::string id = project.start("src/some/folder/with/a/long/name/target.cpp");
  static_cast<void>(project.call(
      {{"complete_phase",
        {{"session_id", id}, {"phase", "0"}, {"evidence", {{"plan_written", "maybe"}}}}}}));
  for (const std::size_t width : {20U, 40U, 80U}) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"sessions"},
                                               {"status"},
                                               {"history", id},
                                               {"workflows"},
                                               {"validate"},
                                               {"doctor"},
                                               {"help"}}) {
      phasegate::test::ToRun to_run = project.to_run(words);
      to_run.variables["COLUMNS"] = std::to_string(width);
      const Ended ended = phasegate::test::run_program(phasegate::test::phasegate_binary(), to_run);
      CAPTURE(words);
      REQUIRE_FALSE(ended.out.empty());
      bool is_next = false;  // behind `Phases:` of status stand commands, which are never broken
      for (const std::string_view line : phasegate::base::split(ended.out, '\n')) {
        is_next = is_next || line.starts_with("To go on:");
        if (is_next) continue;
        CAPTURE(line);
        CHECK(phasegate::app::cli::display_width(line) <= width);
      }
    }
  }
}

TEST_CASE("colours: never in a pipe or in data, always where they are asked for") {
  const Project project;
  static_cast<void>(project.start());
  for (const char* command : {"sessions", "status", "workflows", "doctor", "validate"}) {
    CAPTURE(command);
    CHECK(project.run({command}).out.find('\x1b') == std::string::npos);
    CHECK(project.run({command, "--color", "always"}).out.find('\x1b') != std::string::npos);
    CHECK(project.run({command, "--color", "always", "--json"}).out.find('\x1b') ==
          std::string::npos);
  }
}

TEST_CASE("workflows: at the repository's top they are pointed at from a folder below") {
  const Project project;
  project.be_on_branch("main");
  phasegate::test::write_file(project.root() / "sub/file", "");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"workflows"}, {"doctor"}, {"validate"}}) {
    CAPTURE(words);
    phasegate::test::ToRun to_run = project.to_run(words);
    to_run.folder = project.root() / "sub";
    to_run.variables["COLUMNS"] = "1000";
    const Ended below = phasegate::test::run_program(phasegate::test::phasegate_binary(), to_run);
    CHECK(contains(below.out + below.err,
                   "The repository's top has workflows in .phasegate/workflows"));
    to_run.folder = project.root();
    const Ended top = phasegate::test::run_program(phasegate::test::phasegate_binary(), to_run);
    CHECK_FALSE(contains(top.out + top.err, "The repository's top"));
  }
}
