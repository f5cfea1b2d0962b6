#include "tests/soak/kills.h"

#include <csignal>
#include <string>

#include <doctest/doctest.h>

#include "state/db.h"
#include "state/state.h"
#include "tests/soak/killer.h"
#include "tests/soak/scenario.h"
#include "tests/support/files.h"

using namespace phasegate;
using namespace phasegate::soak;
namespace fs = std::filesystem;

namespace {

/// More than any of these programs makes: a loop over the numbers of calls ends before.
constexpr int kCallsMax = 400;

void require_none(const Findings& found) {
  CHECK(found.lost == 0);
  CHECK(found.doubled == 0);
  CHECK(found.half == 0);
  for (const std::string& words : found.words) CHECK_MESSAGE(false, words);
}

/// Works a session with a server that is killed at this point, then looks, then goes on with
/// another server. False if the point was never come to.
bool survives(const Project& original, const Fault& fault) {
  CAPTURE(fault.action);
  CAPTURE(fault.calls);
  CAPTURE(fault.file);
  CAPTURE(fault.number);
  const test::TempFolder temp;
  const Project project(original, temp.path());
  const Scenario scenario;
  const Went killed = work_through(project, scenario, {}, with_fault(fault));
  const bool came = killed.code == 128 + SIGKILL;
  // A server that is killed while it closes has answered everything.
  CHECK((came || (killed.answered && killed.code == 0)));
  CHECK((killed.answered == killed.told.complete));
  CHECK(killed.refusals.empty());
  require_none(look_at_store(project.state(), {{scenario.target, killed.told}}));

  // What was not answered is asked again: it succeeds once, or is answered as it was.
  const Went went = work_through(project, scenario, killed.told);
  CHECK(went.code == 0);
  CHECK(went.answered);
  for (const Json& refusal : went.refusals) CHECK_MESSAGE(false, base::dump(refusal));
  CHECK(went.told.complete);
  require_none(look_at_store(project.state(), {{scenario.target, went.told}}));
  CHECK(state::inspect(project.state()).effects_waiting == 0);
  return came;
}

}  // namespace

TEST_CASE(
    "kills: 200 at points of each kind and at moments, three writers and commands on one store") {
  const test::TempFolder temp;
  const KillReport report = kill_again_and_again(temp.path(), {.kills = 200, .seed = 2026});
  MESSAGE(report.kills, " kills, ", report.at_calls(), " of them at a call: ", report.by_kind(),
          "; ", report.acknowledged, " acknowledged, ", report.unanswered,
          " not answered, of which ", report.repeated, " had happened; ", report.copies,
          " copies made meanwhile");
  for (const std::string& kind : Killer::kinds()) {
    CAPTURE(kind);
    CHECK(report.at_points.contains(kind));
  }
  CHECK(report.at_calls() > 50);
  CHECK(report.acknowledged > 200);
  CHECK(report.copies > 0);
  require_none(report.found);
}

TEST_CASE("kills: before and after each sync and answer of a session with a check") {
  const test::TempFolder temp;
  const Project original(temp.path());
  struct Point {
    const char* calls;
    const char* file;
    int at_least;
  };
  // A commit is a sync of the log; between two of them lie the effect and its result.
  for (const Point& point : {Point{"sync", "*/state/state.db-wal", 6}, Point{"write", "stdout", 5},
                             Point{"sync,truncate", "*/state/state.db", 1}}) {
    for (const char* action : {"kill-before", "kill-after"}) {
      int number = 1;
      while (number < kCallsMax && survives(original, {action, point.calls, point.file, number})) {
        ++number;
      }
      CHECK(number > point.at_least);
      CHECK(number < kCallsMax);
    }
  }
}

TEST_CASE("kills: at each call that makes a store") {
  const test::TempFolder temp;
  const Project untouched(temp.path(), Project::People::nobody);
  int number = 1;
  for (; number < kCallsMax; ++number) {
    CAPTURE(number);
    const test::TempFolder folder;
    const Project project(untouched, folder.path());
    const Scenario scenario{"plain", "src/a.cpp", 40, 1};
    const Went killed = work_through(
        project, scenario, {}, with_fault({"kill-before", "any", "*/state/state.db*", number}));
    require_none(look_at_store(project.state(), {{scenario.target, killed.told}}));
    const Went went = work_through(project, scenario, killed.told);
    CHECK(went.code == 0);
    CHECK(went.refusals.empty());
    CHECK(went.told.passed.size() == 1);
    require_none(look_at_store(project.state(), {{scenario.target, went.told}}));
    if (killed.code == 128 + SIGKILL) continue;
    REQUIRE(killed.code == 0);
    break;
  }
  CHECK(number > 20);
  CHECK(number < kCallsMax);
}

TEST_CASE("kills: at each call of a migration and of the backup before it") {
  const test::TempFolder temp;
  const Project project(temp.path(), Project::People::nobody);
  const std::string id = "4fb587ff-c0fa-4696-b6a2-a79a1cdbe6b1";
  const std::string old = test::read_file(test::fixture("state") / "version-1.sql");
  int number = 1;
  for (; number < kCallsMax; ++number) {
    CAPTURE(number);
    fs::remove_all(project.state());
    fs::create_directories(project.state());
    fs::permissions(project.state(), fs::perms::owner_all);
    {
      state::Db db(project.state() / "state.db", {.mode = state::DbOptions::Mode::create});
      db.execute(old);
      db.use_write_ahead_log();
    }
    const Command history = project.command(
        {"history", id, "--json"}, with_fault({number % 2 == 0 ? "kill-before" : "kill-after",
                                               "any", "*/state/*", (number + 1) / 2}));
    const int code = run(history).code;
    // The next process migrates, or finds it done; nothing is lost either way.
    const Ended next = run(project.command({"history", id, "--json"}));
    CHECK(next.code == 0);
    CHECK(parsed(next.out)["entries"].size() == 4);
    const auto report = state::inspect(project.state(), {.thorough = true});
    CHECK(report.schema_version == report.schema_version_known);
    CHECK(report.integrity.empty());
    CHECK(report.damaged.empty());
    require_none(look_at_seals(project.state()));
    CHECK_FALSE(report.backups.empty());
    for (const std::string& backup : report.backups) {
      state::Db db(project.state() / backup, {.mode = state::DbOptions::Mode::read_only});
      CHECK(db.check(true).empty());
      CHECK(db.query_integer("SELECT count(*) FROM journal") == 4);
    }
    if (code == 128 + SIGKILL) continue;
    REQUIRE(code == 0);
    if (number % 2 == 0) break;
  }
  CHECK(number > 20);
  CHECK(number < kCallsMax);
}
