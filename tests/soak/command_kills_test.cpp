// Commands that change a store as a whole, killed before and after the calls that they make.
#include <csignal>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "state/backups.h"
#include "state/prune.h"
#include "state/seal/seal_keys.h"
#include "state/state.h"
#include "state/tombstones.h"
#include "tests/soak/scenario.h"
#include "tests/support/files.h"

using namespace phasegate;
using namespace phasegate::soak;
namespace fs = std::filesystem;

namespace {

constexpr int kCallsMax = 600;

void require_none(const Findings& found) {
  for (const std::string& words : found.words) CHECK_MESSAGE(false, words);
  CHECK(found.none());
}

/// What is killed, and how often it is: at every `stride`-th call, before and after it in turn.
struct Victim {
  std::vector<std::string> words;
  int stride = 1;
  int calls_min = 0;  ///< no fewer are made to the files of the state
};

/// A person says yes to whatever is asked; the exit code.
int confirmed(const Project& project, const Victim& victim, const Variables& variables) {
  Child person(project.command(victim.words, variables), Child::Streams::terminal);
  if (person.wait_for("[y/N] ", kForever)) person.write("y\n");
  static_cast<void>(person.read_all());
  return person.wait();
}

/// Kills it at call after call, each in a copy of the project, and has `look` at what is left.
void kill_at_calls(const Project& original, const Victim& victim,
                   const std::function<void(const Project&)>& look) {
  int number = 1;
  int killed = 0;
  for (bool before = true; number < kCallsMax; number += victim.stride, before = !before) {
    CAPTURE(number);
    CAPTURE(before);
    const test::TempFolder temp;
    const Project project(original, temp.path());
    const Fault fault{before ? "kill-before" : "kill-after", "any", "*/state*", number};
    const int code = confirmed(project, victim, with_fault(fault));
    look(project);
    if (code == 128 + SIGKILL) {
      ++killed;
      continue;
    }
    REQUIRE(code == 0);
    break;
  }
  MESSAGE(victim.words.front(), " killed ", killed, " times");
  CHECK(number >= victim.calls_min);
  CHECK(number < kCallsMax);
}

/// The plain session of this target, its first `phases` phases.
Told worked(const Project& project, const std::string& target, std::size_t phases,
            const Told& before = {}) {
  const Went went = work_through(project, {"plain", target, 40, phases}, before);
  REQUIRE(went.code == 0);
  REQUIRE(went.told.passed.size() == phases);
  return went.told;
}

constexpr std::size_t kAllPhases = std::size(kPlainPhases);

}  // namespace

TEST_CASE("kills: at calls of a restore, which leaves the old state or the new one") {
  const test::TempFolder temp;
  const Project original(temp.path(), Project::People::nobody);
  const Told then = worked(original, "src/a.cpp", 2);
  REQUIRE(run(original.command({"backup"})).code == 0);
  const Told now = worked(original, "src/a.cpp", 3, then);
  const Told other = worked(original, "src/b.cpp", 1);
  int old_ones = 0;
  int new_ones = 0;
  kill_at_calls(original, {{"restore", "latest"}, 3, 60}, [&](const Project& project) {
    const auto load = [&](const Told& told) {
      return state::open_store(project.state())->runs().load(told.session);
    };
    const bool is_old = load(other).has_value();
    ++(is_old ? old_ones : new_ones);
    const Told& told = is_old ? now : then;
    require_none(look_at_store(project.state(), {{"src/a.cpp", told}}));
    CHECK(load(told)->accepted.size() == told.passed.size());
    // What was there before is kept before anything changes, and can be put back as well.
    require_none(look_at_backups(project.state()));
    CHECK(state::list_backups(project.state()).size() >= (is_old ? 1U : 2U));
    CHECK(goes_on(project.state(), told.session));
    require_none(look_at_store(project.state(), {{"src/a.cpp", told}}));
  });
  CHECK(old_ones > 0);
  CHECK(new_ones > 0);
}

TEST_CASE(
    "kills: at calls of a prune, of which whole sessions are gone and each has its tombstone") {
  const test::TempFolder temp;
  const Project original(temp.path(), Project::People::nobody);
  ToldByTarget told;
  for (const char* target : {"src/a.cpp", "src/b.cpp", "src/c.cpp"}) {
    told[target] = worked(original, target, kAllPhases);
  }
  told["src/d.cpp"] = worked(original, "src/d.cpp", 1);
  const std::string open = told["src/d.cpp"].session;
  int untouched = 0;
  kill_at_calls(original, {{"prune", "--keep", "1"}, 2, 10}, [&](const Project& project) {
    require_none(look_at_store(project.state(), told));
    if (!state::find_pruned(project.state(), told.at("src/a.cpp").session)) ++untouched;
    // Another process goes on with it to the same end.
    static_cast<void>(state::Pruner(project.state()).prune({1, 10, "ann", {1'900'000'000'000}}));
    for (const auto& [target, one] : told) {
      CAPTURE(target);
      const bool pruned = target < "src/c.cpp";
      CHECK(state::find_pruned(project.state(), one.session).has_value() == pruned);
    }
    CHECK(goes_on(project.state(), open));
    require_none(look_at_store(project.state(), told));
  });
  CHECK(untouched > 0);
}

TEST_CASE("kills: at calls of a dry run of prune, which changes nothing") {
  const test::TempFolder temp;
  const Project original(temp.path(), Project::People::nobody);
  const ToldByTarget told = {{"src/a.cpp", worked(original, "src/a.cpp", kAllPhases)}};
  kill_at_calls(original, {{"prune", "--keep", "0", "--dry-run"}, 1, 1},
                [&](const Project& project) {
                  require_none(look_at_store(project.state(), told));
                  CHECK_FALSE(state::find_pruned(project.state(), told.at("src/a.cpp").session));
                });
}

TEST_CASE("kills: at calls of a rotation of the keys, after which everything still verifies") {
  const test::TempFolder temp;
  const Project original(temp.path(), Project::People::nobody);
  const ToldByTarget told = {{"src/a.cpp", worked(original, "src/a.cpp", 2)}};
  const std::string session = told.at("src/a.cpp").session;
  std::set<std::size_t> keys;
  kill_at_calls(original, {{"audit", "--rotate-key"}, 1, 8}, [&](const Project& project) {
    keys.insert(state::read_seal_keys(project.state()).size());
    require_none(look_at_store(project.state(), told));
    CHECK(goes_on(project.state(), session));
    require_none(look_at_store(project.state(), told));
  });
  // It is there or not, never more than one.
  CHECK(keys == std::set<std::size_t>{1, 2});
}
