#include <csignal>
#include <memory>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "tests/red_team/project.h"

namespace phasegate::red_team {
namespace {

using test::Ended;
using test::LiveProgram;
using test::ToRun;

TEST_CASE("red team: phases out of turn, and again with other evidence (004-10, 004-12)") {
  const Project project;
  project.start("fix");
  const Json note = {{"note", "all done"}};
  for (const char* later : {"change", "done", "3", "plan "}) {
    const Ended answer = project.complete(later, note);
    CHECK_MESSAGE(answer.code == 1, answer.out);
    CHECK(contains(answer.out, "What to do: "));
    CHECK_FALSE(contains(answer.out, kOfLastPhase));
  }
  CHECK(project.phase() == "plan");
  project.plan();
  const Ended again = project.complete(
      "plan", {{"files_to_change", Json::array({"**"})}, {"plan", "docs/plan.md"}});
  CHECK(again.code == 1);
  CHECK(contains(again.out, "was accepted with other evidence"));
  CHECK(project.complete("done", note).code == 1);
  CHECK(project.phase() == "change");
}

TEST_CASE("red team: programs are not found where the caller says (ARCHITECTURE §5)") {
  const Project project;
  project.start("fix");
  project.plan();
  project.sh("fix; echo 'add() { echo 0; }' > src/add.sh");
  const fs::path fake = project.outside() / "fake";
  for (const char* name : {"sh", "git"}) {
    test::write_file(fake / name,
                     "#!/bin/bash\ntouch '" + (project.outside() / "believed").string() +
                         "'\nmkdir -p build\necho '<testsuite><testcase name=\"a\"/><testcase "
                         "name=\"b\"/></testsuite>' > build/junit.xml\n");
    fs::permissions(fake / name, fs::perms::owner_all);
  }
  ToRun faked = project.completing("change", all_well());
  faked.variables["PATH"] = fake.string() + ":/usr/local/bin:/usr/bin:/bin";
  const Ended answer = test::run_program(test::phasegate_binary(), faked);
  CHECK(answer.code == 1);
  CHECK(contains(answer.out, "What to do: "));
  CHECK_FALSE(fs::exists(project.outside() / "believed"));
  CHECK(project.phase() == "change");
}

TEST_CASE("red team: nothing counts while checks run but their result (ARCHITECTURE §5)") {
  const Project project;
  project.start("fix");
  project.plan();
  project.sh("fix; mkdir -p build; touch build/hold");
  LiveProgram program(test::phasegate_binary(), project.completing("change", all_well()),
                      LiveProgram::Output::pipe);
  REQUIRE(becomes([&] { return fs::exists(project.root() / "build" / "began"); }));

  const Ended other = project.complete("change", all_well(9));
  CHECK(other.code == 1);
  CHECK(contains(other.out, "other evidence for Phase change is being checked"));
  CHECK(contains(other.out, "What to do: "));
  LiveProgram same(test::phasegate_binary(), project.completing("change", all_well()),
                   LiveProgram::Output::terminal);
  CHECK(same.wait_for("Another process carries out the checks"));
  const Ended later = project.complete("done", {{"note", "all done"}});
  CHECK(later.code == 1);
  for (const Ended& answer : {other, later}) CHECK_FALSE(contains(answer.out, kOfLastPhase));
  CHECK_FALSE(contains(same.output(), kOfLastPhase));

  SUBCASE("they go on to their end, and both are told") {
    fs::remove(project.root() / "build" / "hold");
    CHECK(program.wait_for_end() == 0);
    CHECK(same.wait_for_end() == 0);
    CHECK(contains(same.output(), kOfLastPhase));
    CHECK(project.test_runs() == 1);
    CHECK(project.phase() == "done");
  }
  SUBCASE("whoever stops waiting stops nothing") {
    same.signal(SIGINT);
    CHECK(same.wait_for_end() == 1);
    CHECK(contains(same.output(), "Not passed yet"));
    fs::remove(project.root() / "build" / "hold");
    CHECK(program.wait_for_end() == 0);
  }
  SUBCASE("a new session has nothing of them") {
    const Ended fresh =
        project.call("start_workflow", {{"workflow_type", "fix"}, {"options", {{"new", true}}}});
    CHECK(fresh.code == 0);
    fs::remove(project.root() / "build" / "hold");
    CHECK(program.wait_for_end() == 0);
  }
  SUBCASE("a cancelled session is not completed by them") {
    const Ended sessions = project.run({"sessions", "--json"});
    const auto json = base::parse_json(sessions.out, {1U << 20U, 64});
    REQUIRE(json.ok());
    const std::string id = (*json)["sessions"][0]["session_id"].get<std::string>();
    CHECK(project.run({"cancel", id}).code == 0);
    fs::remove(project.root() / "build" / "hold");
    CHECK(program.wait_for_end() == 1);
    CHECK_FALSE(contains(program.output(), kOfLastPhase));
    const Ended history = project.run({"history", id, "--json"});
    const std::size_t completed = history.out.find("phase_completed");
    CHECK(completed != std::string::npos);  // the plan
    CHECK(history.out.find("phase_completed", completed + 1) == std::string::npos);
  }
}

TEST_CASE(
    "red team: trust is a person's to give, on a terminal, for what they saw (ARCHITECTURE §8)") {
  const Project project;
  const Json start = {{"workflow_type", "fix"}};
  project.sh("sed -i 's/min_tests: 1/min_tests: 0/' .phasegate/workflows/fix.yaml");

  SUBCASE("a changed workflow is not started") {}
  SUBCASE("not with a yes from a pipe") {
    ToRun yes = project.to_run({"trust", "fix"});
    yes.input = "y\ny\ny\n";
    const Ended answer = test::run_program(test::phasegate_binary(), yes);
    CHECK(answer.code == 1);
    CHECK(contains(answer.err, "on a terminal"));
  }
  SUBCASE("no is no, and so is nothing") {
    CHECK(project.trust("fix", "n\n") == 1);
    CHECK(project.trust("fix", "\n") == 1);
    CHECK(project.trust("fix", "\x04") == 1);
  }
  SUBCASE("not by a state of one's own") {
    project.sh("git checkout -q .");
    const Ended answer = project.run({"call", "start_workflow", base::dump(start), "--state",
                                      (project.outside() / "own").string()});
    CHECK(answer.code == 1);
    CHECK(contains(answer.out, "not_trusted"));
    project.sh("sed -i 's/min_tests: 1/min_tests: 0/' .phasegate/workflows/fix.yaml");
  }
  SUBCASE("nor is another test command of the project") {
    project.sh("git checkout -q .; sed -i 's/sh, tests.run.sh/\"true\"/' .phasegate/project.yaml");
  }
  SUBCASE("nor a workflow of the same name in a nearer place") {
    project.sh(
        "git checkout -q .; mkdir own; sed 's/min_tests: 1/min_tests: 0/' "
        ".phasegate/workflows/fix.yaml > own/fix.yaml");
    const Ended answer =
        project.run({"call", "start_workflow", base::dump(start), "--workflows", "own"});
    CHECK(answer.code == 1);
    CHECK(contains(answer.out, "not_trusted"));
    return;
  }
  const Ended answer = project.call("start_workflow", start);
  CHECK(answer.code == 1);
  CHECK(contains(answer.out, "not_trusted"));
  CHECK(contains(answer.out, "ask the person you work for"));
  CHECK_FALSE(contains(answer.out, kOfLastPhase));
  CHECK_FALSE(fs::exists(project.root() / "build"));
}

TEST_CASE("red team: trust taken back shuts the gates of open sessions") {
  const Project project;
  project.start("fix");
  project.plan();
  project.sh("fix");
  LiveProgram person(test::phasegate_binary(), project.to_run({"trust", "fix", "--revoke"}),
                     LiveProgram::Output::terminal);
  CHECK(person.wait_for_end() == 0);
  const Ended answer = project.complete("change", all_well());
  CHECK(answer.code == 1);
  CHECK(contains(answer.out, "is not trusted (any more), so nothing was run"));
  CHECK(contains(answer.out, "ask the person you work for"));
  CHECK(project.test_runs() == 0);
}

void execute(const Project& project, const char* statement) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open((project.state() / "state.db").c_str(), &database) == SQLITE_OK);
  const int done = sqlite3_exec(database, statement, nullptr, nullptr, nullptr);
  CHECK(done == SQLITE_OK);
  CHECK(sqlite3_changes(database) == 1);
  sqlite3_close(database);
}

/// Whoever knows how the digests are made can make them anew; the mark over them needs the key.
TEST_CASE("red team: a session whose stored state was edited is refused (004-42)") {
  const Project project;
  project.start("fix");
  project.plan();
  execute(project,
          "UPDATE run SET current_phase = 'done', state = replace(state, "
          "'\"current_phase\":\"change\"', '\"current_phase\":\"done\"')");
  for (const Ended& answer : {project.complete("done", {{"note", "all done"}}),
                              project.call("get_current_phase", Json::object())}) {
    CHECK(answer.code != 0);
    CHECK(contains(answer.out, "damaged"));
    CHECK(contains(answer.out, "phasegate doctor"));
    CHECK_FALSE(contains(answer.out, kOfLastPhase));
  }
  CHECK(project.run({"doctor"}).code == 1);
}

}  // namespace
}  // namespace phasegate::red_team
