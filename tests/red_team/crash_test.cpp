#include <csignal>

#include <doctest/doctest.h>

#include "tests/red_team/project.h"

namespace phasegate::red_team {
namespace {

using test::LiveProgram;

/// Honest work, ready to be handed over.
struct Ready {
  Project project;

  Ready() {
    project.start("fix");
    project.plan();
    project.sh("fix");
  }
  [[nodiscard]] test::ToRun completing() const { return project.completing("change", all_well()); }
  void hold() const { project.sh("mkdir -p build; touch build/hold; rm -f build/began"); }
  [[nodiscard]] bool is_held() const {
    return becomes([&] { return fs::exists(project.root() / "build" / "began"); });
  }
  void let_go() const { fs::remove(project.root() / "build" / "hold"); }

  /// After a crash: somebody carries out what was left open, and all is as if nothing had happened.
  void recovers() const {
    const test::Ended worked = project.run({"work"});
    CAPTURE(worked.out);
    CAPTURE(worked.err);
    CHECK(worked.code == 0);
    if (project.phase() == "change") {
      // It had not come to hand over anything.
      const test::Ended again = test::run_program(test::phasegate_binary(), completing());
      CHECK_MESSAGE(again.code == 0, again.out, again.err);
    }
    CHECK(project.phase() == "done");
    CHECK(project.journalled("evidence_submitted", "change") == 1);
    CHECK(project.journalled("phase_completed", "change") == 1);
    CHECK(project.run({"doctor"}).code == 0);
    // Nothing is left behind in the repository.
    project.sh("test $(git worktree list | wc -l) = 1");
  }
};

TEST_CASE(
    "a process killed while a check runs: the check runs again, and counts once (ARCHITECTURE "
    "§5)") {
  const Ready ready;
  ready.hold();
  LiveProgram program(test::phasegate_binary(), ready.completing(), LiveProgram::Output::pipe);
  REQUIRE(ready.is_held());
  program.signal(SIGKILL);
  CHECK(program.wait_for_end() == 128 + SIGKILL);
  ready.let_go();
  CHECK(ready.project.phase() == "change");
  ready.recovers();
  CHECK(ready.project.test_runs() == 2);
}

TEST_CASE("a process killed while a check runs: the same evidence again does as well") {
  const Ready ready;
  ready.hold();
  LiveProgram program(test::phasegate_binary(), ready.completing(), LiveProgram::Output::pipe);
  REQUIRE(ready.is_held());
  program.signal(SIGKILL);
  CHECK(program.wait_for_end() == 128 + SIGKILL);
  ready.let_go();
  const test::Ended again = test::run_program(test::phasegate_binary(), ready.completing());
  CHECK_MESSAGE(contains(again.out, "Checkpoint of phase change passed"), again.out, again.err);
  CHECK(ready.project.journalled("phase_completed", "change") == 1);
}

TEST_CASE("a process killed while a check runs, and the work undone: the gate stays shut") {
  const Ready ready;
  ready.hold();
  LiveProgram program(test::phasegate_binary(), ready.completing(), LiveProgram::Output::pipe);
  REQUIRE(ready.is_held());
  program.signal(SIGKILL);
  CHECK(program.wait_for_end() == 128 + SIGKILL);
  ready.project.sh("git checkout -q src/add.sh; rm build/hold");
  (void)ready.project.run({"work"});
  CHECK(ready.project.phase() == "change");
  CHECK(ready.project.journalled("phase_completed", "change") == 0);
}

TEST_CASE("a process killed as soon as the tests have ended") {
  const Ready ready;
  ready.hold();
  LiveProgram program(test::phasegate_binary(), ready.completing(), LiveProgram::Output::pipe);
  REQUIRE(ready.is_held());
  ready.let_go();
  CHECK(becomes([&] { return fs::exists(ready.project.root() / "build" / "junit.xml"); }));
  program.signal(SIGKILL);
  (void)program.wait_for_end();
  ready.recovers();
}

TEST_CASE("a process killed after each of its first writes: submitted, claimed, answered") {
  for (int writes = 1; writes <= 6; ++writes) {
    CAPTURE(writes);
    const Ready ready;
    const fs::path log = ready.project.state() / "state.db-wal";
    LiveProgram program(test::phasegate_binary(), ready.completing(), LiveProgram::Output::pipe);
    std::uintmax_t size = 0;
    int seen = 0;
    (void)becomes([&] {
      std::error_code failed;
      const std::uintmax_t now = fs::file_size(log, failed);
      if (!failed && now != size) {
        size = now;
        ++seen;
      }
      // Passed already: there are no more writes to wait for.
      return seen >= writes || (failed && seen > 0);
    });
    program.signal(SIGKILL);
    (void)program.wait_for_end();
    ready.recovers();
  }
}

TEST_CASE("eight processes hand over the same at once: one completion, one check at a time") {
  const Ready ready;
  std::vector<std::unique_ptr<LiveProgram>> programs;
  for (int i = 0; i < 8; ++i) {
    programs.push_back(std::make_unique<LiveProgram>(test::phasegate_binary(), ready.completing(),
                                                     LiveProgram::Output::pipe));
  }
  for (const auto& program : programs) {
    CHECK(program->wait_for_end() == 0);
    CHECK(contains(program->output(), "Checkpoint of phase change passed"));
  }
  CHECK(ready.project.journalled("evidence_submitted", "change") == 1);
  CHECK(ready.project.journalled("phase_completed", "change") == 1);
  CHECK(ready.project.test_runs() == 1);
}

}  // namespace
}  // namespace phasegate::red_team
