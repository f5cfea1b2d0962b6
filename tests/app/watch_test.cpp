#include <algorithm>
#include <csignal>

#include <doctest/doctest.h>

#include "tests/app/project.h"
#include "tests/support/live_program.h"

using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::LiveProgram;
using phasegate::test::phasegate_binary;
using phasegate::test::Project;
using Output = phasegate::test::LiveProgram::Output;

namespace {

void hand_over(const Project& project, const std::string& id, const char* phase, Json evidence) {
  static_cast<void>(
      project.call({{"complete_phase",
                     {{"session_id", id}, {"phase", phase}, {"evidence", std::move(evidence)}}}}));
}

void finish(const Project& project, const std::string& id) {
  hand_over(project, id, "0", {{"plan_written", true}});
  hand_over(project, id, "1", {{"files", Json::array({"a", "b"})}});
}

}  // namespace

TEST_CASE("watch: follows a session as it goes on, and ends with it") {
  const Project project;
  const std::string id = project.start();
  LiveProgram watch(phasegate_binary(), project.to_run({"watch", id.substr(0, 8)}), Output::pipe);
  CHECK(watch.wait_for("Following session"));
  CHECK(watch.wait_for("phase 0 (1 of 2) Plan: open\n"));
  hand_over(project, id, "0", {{"plan_written", false}});
  CHECK(watch.wait_for("phase 0 (1 of 2) Plan: refused, attempt 1: plan_written: wanted"));
  hand_over(project, id, "1", {{"files", Json::array({"a", "b"})}});
  CHECK(watch.wait_for("refused, evidence out of turn for phase 1\n"));
  finish(project, id);
  CHECK(watch.wait_for("accepted, attempt 2\n"));
  CHECK(watch.wait_for("phase 1 (2 of 2) Canary: open\n"));
  CHECK(watch.wait_for("completed (ok)\n"));
  CHECK(watch.wait_for_end() == 0);
  CHECK(watch.output().find('\x1b') == std::string::npos);
}

TEST_CASE("watch: a phase's title is told once the session has reached it, not before") {
  const Project project;
  const std::string id = project.start();
  LiveProgram watch(phasegate_binary(), project.to_run({"watch"}), Output::pipe);
  CHECK(watch.wait_for("Plan: open\n"));
  hand_over(project, id, "1", {{"files", Json::array({"a", "b"})}});
  CHECK(watch.wait_for("out of turn"));
  CHECK_FALSE(contains(watch.output(), "Canary"));
  watch.signal(SIGTERM);
  CHECK(watch.wait_for_end() == 0);
}

TEST_CASE("watch: Ctrl-C on a terminal ends it with code 0, on a line of its own") {
  const Project project;
  const std::string id = project.start();
  phasegate::test::ToRun to_run = project.to_run({"watch", id});
  to_run.variables["TERM"] = "xterm";
  LiveProgram watch(phasegate_binary(), to_run, Output::terminal);
  CHECK(watch.wait_for("Plan: open"));
  watch.type("\x03");
  CHECK(watch.wait_for_end() == 0);
  CHECK(watch.output().ends_with("\n"));
  CHECK(contains(watch.output(), "\x1b["));  // a terminal is shown colours
}

TEST_CASE("watch: what a terminal shows fits its width, and NO_COLOR is respected") {
  const Project project;
  const std::string id = project.start();
  phasegate::test::ToRun to_run = project.to_run({"watch", id, "--full"});
  to_run.variables["TERM"] = "xterm";
  to_run.variables["NO_COLOR"] = "1";
  finish(project, id);
  LiveProgram watch(phasegate_binary(), to_run, Output::terminal, 30);
  CHECK(watch.wait_for_end() == 0);
  CHECK(watch.output().find('\x1b') == std::string::npos);
  std::istringstream lines(watch.output());
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    CAPTURE(line);
    CHECK(line.size() <= 30);
  }
}

TEST_CASE("watch: ends quietly when nobody reads it any more, although nothing happens") {
  const Project project;
  const std::string id = project.start();
  LiveProgram watch(phasegate_binary(), project.to_run({"watch", id}), Output::pipe);
  CHECK(watch.wait_for("Plan: open\n"));
  watch.close_output();
  CHECK(watch.wait_for_end() == 0);
}

TEST_CASE("watch: can be ended although its reader has stopped reading") {
  const Project project;
  const std::string id = project.start();
  // More than a pipe holds, so that it is in the middle of writing.
  for (int i = 0; i < 4; ++i) {
    hand_over(project, id, "0", {{"plan_written", false}, {"log", std::string(60'000, 'x')}});
  }
  LiveProgram watch(phasegate_binary(), project.to_run({"watch", id, "--json"}), Output::pipe);
  CHECK(watch.wait_for("run_started"));
  watch.signal(SIGINT);
  CHECK(watch.wait_for_end_unread() == 0);
}

TEST_CASE("watch --json: one object a line, with what history says") {
  const Project project;
  const std::string id = project.start();
  finish(project, id);
  const Ended ended = project.run({"watch", id, "--json", "--full", "--color", "always"});
  CHECK(ended.code == 0);
  const Json history = project.run_json({"history", id, "--json"});
  std::istringstream lines(ended.out);
  std::size_t seen = 0;
  for (std::string line; std::getline(lines, line); ++seen) {
    Json event = Project::parsed(line);
    REQUIRE(seen < history["entries"].size());
    CHECK(event["session_id"] == id);
    CHECK(event["workflow"] == "two_steps");
    event.erase("session_id");
    event.erase("workflow");
    CHECK(event == history["entries"][seen]);
  }
  CHECK(seen == history["entries"].size());
  CHECK(seen == 6);
}

TEST_CASE("watch: begins with the last ten entries, or with all of them") {
  const Project project;
  const std::string id = project.start();
  for (int i = 0; i < 12; ++i) hand_over(project, id, "0", {{"plan_written", false}});
  finish(project, id);
  const Ended ten = project.run({"watch", id, "--json"});
  CHECK(std::count(ten.out.begin(), ten.out.end(), '\n') == 10);
  const Ended all = project.run({"watch", id, "--json", "--full"});
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 18);
}

TEST_CASE("watch --all: follows every open session, and those that begin meanwhile") {
  const Project project;
  const std::string first = project.start("one");
  LiveProgram watch(phasegate_binary(), project.to_run({"watch", "--all"}), Output::pipe);
  CHECK(watch.wait_for("Following every open session (1 now)"));
  const std::string second = project.start("two");
  CHECK(watch.wait_for(second.substr(0, 8) + " two_steps  started"));
  finish(project, first);
  CHECK(watch.wait_for(first.substr(0, 8) + " two_steps  completed (ok)\n"));
  finish(project, second);
  CHECK(watch.wait_for(second.substr(0, 8) + " two_steps  completed (ok)\n"));
  watch.signal(SIGINT);
  CHECK(watch.wait_for_end() == 0);
}

TEST_CASE("watch: without an open session, or for one that is unknown, it says what there is") {
  const Project project;
  const Ended none = project.run({"watch"});
  CHECK(none.code == 1);
  CHECK(contains(none.err, "No session is open in this project."));
  CHECK(project.run({"watch", "ffffffff"}).code == 1);
  CHECK(project.run({"watch", "--all", "ffffffff"}).code == 2);
}
