#include <string>

#include <doctest/doctest.h>

#include "tests/world/checks/git_asking.h"
#include "world/checks/kinds.h"
#include "world/checks/started.h"

using namespace phasegate;
namespace fs = std::filesystem;
using base::Json;
using gating::CheckOutcome;
using gating::CheckResult;
using test::Asking;
using test::GitProject;

namespace {

phases::Check guard(const Json& parameters) {
  return test::check_of(phases::CheckKind::guard, parameters);
}

/// A project with tests and the file that runs them; its run has begun.
struct Guarded {
  explicit Guarded(Json parameters = {{"paths", {"tests/**", "Makefile"}}})
      : check(guard(parameters)), asking(project) {
    project.write("tests/one.py", "assert work() == 1");
    project.write("tests/.hidden/two.py", "assert work() == 2");
    project.write("Makefile", "test:\n\tpytest\n");
    asking.start(check);
  }
  [[nodiscard]] CheckResult judged() const { return asking.run(world::checks::check_guard, check); }
  GitProject project;
  phases::Check check;
  Asking asking;
};

}  // namespace

TEST_CASE("check protected: files that are as they were pass, whatever else changes") {
  const Guarded it;
  it.project.write("src/b.txt", "changed");
  it.project.write("Makefile", "test:\n\tpytest\n");
  CHECK(it.judged().outcome == CheckOutcome::passed);
}

TEST_CASE("check protected: changed, removed, added and linked files fail by name") {
  const Guarded it;
  std::string named;
  SUBCASE("an edited test") {
    it.project.write("tests/one.py", "assert True");
    named = "changed since the run began: 1 path: \"tests/one.py\"";
  }
  SUBCASE("an edited test in a hidden folder") {
    it.project.write("tests/.hidden/two.py", "assert True");
    named = "\"tests/.hidden/two.py\"";
  }
  SUBCASE("a weakened command") {
    it.project.write("Makefile", "test:\n\ttrue\n");
    named = "\"Makefile\"";
  }
  SUBCASE("a removed test") {
    fs::remove(it.project.root() / "tests/one.py");
    named = "removed since the run began: 1 path: \"tests/one.py\"";
  }
  SUBCASE("an added one") {
    it.project.write("tests/conftest.py", "skip all");
    named = "added since the run began: 1 path: \"tests/conftest.py\"";
  }
  SUBCASE("one that may be executed now") {
    fs::permissions(it.project.root() / "tests/one.py", fs::perms::owner_exec,
                    fs::perm_options::add);
    named = "changed since the run began: 1 path: \"tests/one.py\"";
  }
  SUBCASE("one that became a link to the same") {
    it.project.write("copy.py", "assert work() == 1");
    fs::remove(it.project.root() / "tests/one.py");
    fs::create_symlink("../copy.py", it.project.root() / "tests/one.py");
    named = "\"tests/one.py\"";
  }
  SUBCASE("one that became a link out of the project") {
    test::write_file(it.project.outside() / "one.py", "assert work() == 1");
    fs::remove(it.project.root() / "tests/one.py");
    fs::create_symlink(it.project.outside() / "one.py", it.project.root() / "tests/one.py");
    named = "\"tests/one.py\"";
  }
  SUBCASE("its folder became a link") {
    fs::rename(it.project.root() / "tests", it.project.root() / "moved");
    fs::create_symlink("moved", it.project.root() / "tests");
    named = "\"tests/one.py\"";
  }
  const CheckResult result = it.judged();
  CAPTURE(result.reason);
  CHECK(result.outcome == CheckOutcome::failed);
  CHECK(result.reason.find(named) != std::string::npos);
  CHECK_FALSE(result.hint.empty());
}

TEST_CASE("check protected: a program that cannot be executed any more, and back") {
  const Guarded it(Json{{"paths", {"run.sh"}}});
  const fs::path program = it.project.root() / "run.sh";
  it.project.write("run.sh", "#!/bin/sh\n");
  fs::permissions(program, fs::perms::owner_all);
  Asking asking(it.project);
  asking.start(it.check);
  const auto outcome = [&] { return asking.run(world::checks::check_guard, it.check).outcome; };
  CHECK(outcome() == CheckOutcome::passed);
  fs::permissions(program, fs::perms::owner_exec, fs::perm_options::remove);
  CHECK(outcome() == CheckOutcome::failed);
  fs::permissions(program, fs::perms::owner_exec | fs::perms::group_read, fs::perm_options::add);
  CHECK(outcome() == CheckOutcome::passed);
}

TEST_CASE("check protected: additions may be allowed, changes may not") {
  const Guarded it(Json{{"paths", {"tests/**"}}, {"additions", "allowed"}});
  it.project.write("tests/three.py", "assert work() == 3");
  CHECK(it.judged().outcome == CheckOutcome::passed);
  it.project.write("tests/one.py", "assert True");
  const CheckResult result = it.judged();
  CHECK(result.outcome == CheckOutcome::failed);
  CHECK(result.reason.find("three.py") == std::string::npos);
}

TEST_CASE("check protected: exceptions belong to their list") {
  const Guarded it(Json{{"paths", {"tests/**", "!tests/.hidden/**"}}});
  it.project.write("tests/.hidden/two.py", "made anew");
  CHECK(it.judged().outcome == CheckOutcome::passed);
}

TEST_CASE("check protected: what was not observed at the start cannot pass") {
  Guarded it;
  CHECK(it.asking.run(world::checks::check_guard, guard({{"paths", {"src/**"}}})).outcome ==
        CheckOutcome::errored);
  CHECK(it.asking.run(world::checks::check_guard, guard({{"project", true}})).outcome ==
        CheckOutcome::errored);
  it.asking.forget();
  CHECK(it.judged().outcome == CheckOutcome::errored);
}

TEST_CASE("observed start: only what some check needs, and read back as it was") {
  const GitProject project;
  Asking asking(project);
  asking.start(test::check_of(phases::CheckKind::command, {{"argv", {"true"}}}));
  CHECK(asking.started().empty());

  project.write("a.txt", "dirty");
  project.write("\xFF\n", "odd name");
  fs::remove(project.root() / "src/b.txt");
  asking.start(
      {guard({{"paths", {"*.txt"}}}), test::check_of(phases::CheckKind::git, {{"clean", true}})});
  const auto started = world::checks::read_started(asking.started());
  REQUIRE(started.ok());
  CHECK(started->commit == project.git({"rev-parse", "HEAD"}));
  REQUIRE(started->dirty.size() == 3);
  CHECK(started->dirty.at("src/b.txt").empty());
  CHECK(started->dirty.contains("\xFF\n"));
  REQUIRE(started->guarded.size() == 1);
  CHECK(started->guarded.begin()->second.at("a.txt") == started->dirty.at("a.txt"));
  CHECK(started->problems.empty());

  asking.start(guard({{"paths", {"/absolute"}}}));
  const auto problem = world::checks::read_started(asking.started());
  CHECK(problem->guarded.empty());
  CHECK(problem->problems.size() == 1);
  CHECK(problem->commit.empty());
}

TEST_CASE("observed start: damage is an error, never half of it") {
  for (const char* text : {"", "{", "[]", "{}", R"({"dirty":[["a"]],"guarded":{},"problems":[]})",
                           R"({"dirty":[],"guarded":{"x":{"a":1}},"problems":[]})",
                           R"({"dirty":[],"guarded":[],"problems":[]})",
                           R"({"dirty":[],"guarded":{},"problems":[1]})"}) {
    CAPTURE(text);
    CHECK(world::checks::read_started(text).error().code == "not_observed");
  }
}

TEST_CASE("observed entry: digests of the files whose change the phase demands") {
  const GitProject project;
  const Asking asking(project);
  using phases::CheckKind;
  phases::Phase phase;
  phase.gate.checks = {
      test::check_of(CheckKind::file, {{"path", "a.txt"}, {"changed_since_step", true}}),
      test::check_of(CheckKind::file, {{"path", "src/b.txt"}}),
      test::check_of(CheckKind::file,
                     {{"path", "{{input.name}}.md"}, {"changed_since_step", true}}),
      test::check_of(CheckKind::file, {{"path", "{{evidence.x}}"}, {"changed_since_step", true}}),
      test::check_of(CheckKind::junit, {{"report", "out/junit.xml"}}),
      test::check_of(CheckKind::coverage,
                     {{"report", "c.xml"}, {"min", 1}, {"written_in_step", false}}),
  };
  const Json scope = {{"input", {{"name", "plan"}}}};
  const std::string text = world::checks::observe_entry(phase, scope, asking.place());
  const Json seen = Json::parse(text);
  CHECK(seen.size() == 3);
  CHECK(seen["a.txt"].get<std::string>().size() == 64);
  CHECK(seen["plan.md"] == "");
  CHECK(seen["out/junit.xml"] == "");
  CHECK(world::checks::observe_entry({}, scope, asking.place()).empty());
}

TEST_CASE("check protected: patterns that match nothing are told, wrong ones by name") {
  const Guarded nothing(Json{{"paths", Json::array({"golden/**"})}});
  const CheckResult passed = nothing.judged();
  CHECK(passed.outcome == CheckOutcome::passed);
  CHECK(passed.hint.find("match no file") != std::string::npos);
  CHECK(Guarded().judged().hint.empty());
  const CheckResult wrong = Guarded(Json{{"paths", Json::array({"tests/**", "["})}}).judged();
  CHECK(wrong.outcome == CheckOutcome::errored);
  CHECK(wrong.reason.find("\"[\"") != std::string::npos);
  CHECK(wrong.hint.find("new run") == std::string::npos);
}
