#include <string>

#include <doctest/doctest.h>

#include "tests/world/checks/git_asking.h"
#include "world/checks/kinds.h"

using namespace phasegate;
namespace fs = std::filesystem;
using base::Json;
using gating::CheckOutcome;
using gating::CheckResult;
using test::Asking;
using test::GitProject;

namespace {

/// Runs `tests/*.sh`, a test each; one that says SKIP is skipped. Writes a JUnit report, and the
/// project's `lines` as coverage.
constexpr const char* kRunner = R"sh(#!/bin/sh
failed=0
cases=
for test in tests/*.sh; do
  if [ ! -e "$test" ]; then continue; fi
  if grep -q SKIP "$test"; then
    cases="$cases<testcase name='$test'><skipped/></testcase>"
  elif sh "$test"; then
    cases="$cases<testcase name='$test'/>"
  else
    failed=1
    cases="$cases<testcase name='$test'><failure/></testcase>"
  fi
done
mkdir -p out
if [ ! -e no-reports ]; then
  echo "<testsuite name='all'>$cases</testsuite>" > out/junit.xml
  cp lines out/lines.info
fi
echo "ran in $(basename "$PWD")"
exit $failed
)sh";

std::string lines(int covered) {
  std::string text = "SF:a\n";
  for (int i = 1; i <= 10; ++i) {
    text += "DA:" + std::to_string(i) + (i <= covered ? ",1\n" : ",0\n");
  }
  return text + "end_of_record\n";
}

/// A project with one test that passes and a feature that is missing: `feature.txt`.
struct Developed {
  Developed() : asking(project) {
    project.write(".gitignore", "ignored/\nout/\n");
    project.write("run.sh", kRunner);
    fs::permissions(project.root() / "run.sh", fs::perms::owner_all);
    project.write("lines", lines(8));
    project.write("tests/old.sh", "test -e a.txt");
    project.commit_all();
    asking.start(test::check_of(phases::CheckKind::tests, {{"argv", {"./run.sh"}}}));
  }
  void write_test() const { project.write("tests/feature.sh", "test -e feature.txt"); }
  void write_feature() const { project.write("feature.txt", "here"); }

  [[nodiscard]] CheckResult judged(Json more) const {
    Json parameters = {{"argv", Json::array({"./run.sh"})}};
    parameters.update(more);
    const CheckResult result = asking.run(world::checks::check_tests,
                                          test::check_of(phases::CheckKind::tests, parameters));
    INFO(result.reason);
    CHECK(result.reason.empty() == (result.outcome == CheckOutcome::passed));
    CHECK(result.reason.find(project.outside().string()) == std::string::npos);
    CHECK((!fs::exists(project.scratch()) || fs::is_empty(project.scratch())));
    return result;
  }

  GitProject project;
  Asking asking;
};

const Json kRed = {{"fails_at", "start"}, {"files", Json::array({"tests/**"})}};
const Json kReports = {{"junit", "out/junit.xml"}, {"coverage", "out/lines.info"}};

Json with(Json base, const Json& more) {
  base.update(more);
  return base;
}

std::string read_of(const Developed& it, const char* path) {
  return test::read_file(it.project.root() / path);
}

bool says(const CheckResult& result, std::string_view words) {
  INFO(result.reason);
  return result.reason.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("check tests: they pass now") {
  const Developed it;
  const CheckResult passed = it.judged(Json::object());
  CHECK(passed.outcome == CheckOutcome::passed);
  CHECK(passed.exit_code == 0);
  CHECK(passed.output_tail.find("ran in project") != std::string::npos);
  CHECK(passed.output_digest.size() == 64);
  it.write_test();
  const CheckResult failed = it.judged(Json::object());
  CHECK(failed.outcome == CheckOutcome::failed);
  CHECK(failed.exit_code == 1);
  CHECK(says(failed, "exit code 1"));
  CHECK(it.judged({{"argv", Json::array({"./missing.sh"})}}).outcome == CheckOutcome::errored);
  CHECK(it.judged({{"passes_now", false}}).outcome == CheckOutcome::errored);
}

TEST_CASE("check tests: red before green") {
  const Developed it;
  it.write_test();
  it.write_feature();
  const CheckResult result = it.judged(kRed);
  CHECK_MESSAGE(result.outcome == CheckOutcome::passed, result.reason);
  CHECK(it.project.git({"status", "--porcelain"}) == "?? feature.txt\n?? tests/feature.sh");
  CHECK(it.project.git({"worktree", "list"}).find('\n') == std::string::npos);
}

TEST_CASE("check tests: red before green also once it is committed") {
  const Developed it;
  it.write_test();
  it.write_feature();
  it.project.commit_all();
  CHECK(it.judged(kRed).outcome == CheckOutcome::passed);
}

TEST_CASE("check tests: red before green in a project below the repository's root") {
  const GitProject project;
  const fs::path root = project.root() / "src";
  Asking asking(project, root);
  const phases::Check check =
      test::check_of(phases::CheckKind::tests, {{"argv", Json::array({"sh", "it.sh"})},
                                                {"fails_at", "start"},
                                                {"files", Json::array({"it.sh"})}});
  asking.start(check);
  test::write_file(root / "it.sh", "test -e feature && test -e b.txt");
  test::write_file(root / "feature", "");
  const CheckResult result = asking.run(world::checks::check_tests, check);
  CHECK_MESSAGE(result.outcome == CheckOutcome::passed, result.reason);
}

TEST_CASE("check tests: a link among the tests is copied as a link, and none leads out") {
  const Developed it;
  it.write_feature();
  test::write_file(it.project.outside() / "secret.sh", "false");
  fs::create_symlink("../feature-test", it.project.root() / "tests/inside.sh");
  it.project.write("feature-test", "test -e feature.txt");
  it.project.write("tests/new.sh", "test -e feature.txt");
  CHECK(it.judged(kRed).outcome == CheckOutcome::passed);
  fs::create_symlink(it.project.root() / "feature-test", it.project.root() / "tests/absolute.sh");
  CHECK(it.judged(kRed).outcome == CheckOutcome::errored);
}

TEST_CASE("check tests: what is not red at the start shows nothing") {
  const Developed it;
  it.write_feature();
  CHECK(says(it.judged(kRed), "no test was added or changed"));
  it.project.write("tests/always.sh", "true");
  const CheckResult green = it.judged(kRed);
  CHECK(green.outcome == CheckOutcome::failed);
  CHECK(says(green, "the tests pass already at the start"));
}

TEST_CASE("check tests: a test that is gone does not make the start red") {
  const Developed it;
  it.project.write("tests/broken.sh", "false");
  it.project.commit_all();
  Asking later(it.project);
  later.start(test::check_of(phases::CheckKind::tests, {{"argv", {"./run.sh"}}}));
  fs::remove(it.project.root() / "tests/broken.sh");
  const CheckResult result = later.run(
      world::checks::check_tests,
      test::check_of(phases::CheckKind::tests, with({{"argv", Json::array({"./run.sh"})}}, kRed)));
  CHECK(says(result, "the tests pass already at the start"));
}

TEST_CASE("check tests: a start at which nothing can be run is no red start") {
  const Developed it;
  it.write_test();
  it.write_feature();
  for (const char* script : {"exit 127", "exit 126", "kill -9 $$"}) {
    CAPTURE(script);
    it.project.write("try.sh", std::string("if [ -e feature.txt ]; then exit 0; fi\n") + script);
    it.project.git({"add", "try.sh"});
    it.project.git({"commit", "--quiet", "--message", "runner"});
    Asking later(it.project);
    later.start(test::check_of(phases::CheckKind::tests, {{"argv", {"sh"}}}));
    const CheckResult result =
        later.run(world::checks::check_tests,
                  test::check_of(phases::CheckKind::tests,
                                 with({{"argv", Json::array({"sh", "try.sh"})}}, kRed)));
    CHECK(result.outcome == CheckOutcome::errored);
    CHECK(says(result, "the tests cannot be run at the start"));
  }
  it.project.write("new.sh", "exit 0");
  fs::permissions(it.project.root() / "new.sh", fs::perms::owner_all);
  CHECK(it.judged(with(kRed, {{"argv", Json::array({"./new.sh"})}})).outcome ==
        CheckOutcome::errored);
}

TEST_CASE("check tests: without a start there is no red start") {
  Developed it;
  it.write_test();
  it.write_feature();
  it.asking.forget();
  CHECK(it.judged(kRed).outcome == CheckOutcome::errored);
  CHECK(it.judged({{"fails_at", "start"}}).outcome == CheckOutcome::errored);
}

TEST_CASE("check tests: reports are those of this very run") {
  const Developed it;
  CHECK(it.judged(kReports).value == R"({"tests":1,"failures":0,"skipped":0,"coverage":80})");
  it.project.write("no-reports", "");
  const CheckResult missing = it.judged(kReports);
  CHECK(missing.outcome == CheckOutcome::failed);
  CHECK(says(missing, "out/junit.xml"));
  fs::remove(it.project.root() / "out/junit.xml");
  fs::create_directories(it.project.root() / "out/junit.xml");
  CHECK(it.judged(kReports).outcome == CheckOutcome::errored);
  CHECK(it.judged({{"junit", "/etc/passwd"}}).outcome == CheckOutcome::errored);
  CHECK(it.judged({{"junit", "../x"}}).outcome == CheckOutcome::errored);
}

/// What lies at the report's place is never removed, and never passes for what a run wrote.
TEST_CASE("check tests: a report from before the run is left where it is and does not count") {
  const Developed it;
  CHECK(it.judged(kReports).outcome == CheckOutcome::passed);
  const std::string before = read_of(it, "out/junit.xml");
  const auto argv = [](const std::string& line) {
    return with(kReports, {{"argv", Json::array({"sh", "-c", line})}});
  };
  for (const char* line : {"true", "exit 3", "cat out/junit.xml", "chmod 600 out/junit.xml"}) {
    CAPTURE(line);
    CHECK(it.judged(argv(line)).outcome == CheckOutcome::failed);
    CHECK(read_of(it, "out/junit.xml") == before);
  }
  CHECK(says(it.judged(argv("true")), "what lies there is from before it"));
  // The same bytes, in place or as another file, are what the run wrote.
  for (const char* line :
       {"./run.sh", "cat out/junit.xml > j; cat j > out/junit.xml; cat lines > out/lines.info",
        "cp out/junit.xml j; mv j out/junit.xml; cp lines l; mv l out/lines.info",
        "cp out/junit.xml j; rm out/*; cp j out/junit.xml; cp lines out/lines.info"}) {
    CAPTURE(line);
    CHECK(it.judged(argv(line)).outcome == CheckOutcome::passed);
    CHECK(read_of(it, "out/junit.xml") == before);
  }
  // Only one of them was written.
  CHECK(says(it.judged(argv("cp lines out/lines.info")), "out/junit.xml"));
}

TEST_CASE("check tests: what is no report is never touched for one") {
  const Developed it;
  const std::string readme = read_of(it, "a.txt");
  CHECK(it.judged({{"junit", "a.txt"}}).outcome == CheckOutcome::failed);
  CHECK(read_of(it, "a.txt") == readme);
  CHECK(it.judged({{"junit", "run.sh"}}).outcome == CheckOutcome::failed);
  CHECK(read_of(it, "run.sh") == kRunner);
  fs::create_symlink("a.txt", it.project.root() / "link.xml");
  CHECK(says(it.judged({{"junit", "link.xml"}}), "it is a link"));
  CHECK(fs::is_symlink(it.project.root() / "link.xml"));
}

TEST_CASE("check tests: a report is none of the files that say what was tested") {
  Developed it;
  CHECK(says(it.judged({{"junit", "tests/junit.xml"}, {"files", Json::array({"tests/**"})}}),
             "\"tests/junit.xml\" is one of the files of the tests"));
  it.asking.start(
      {test::check_of(phases::CheckKind::tests, {{"argv", {"./run.sh"}}}),
       test::check_of(phases::CheckKind::guard, {{"paths", {"golden", "!golden/out"}}})});
  CHECK(says(it.judged({{"coverage", "golden/lines.info"}}), "is one of the protected files"));
  CHECK(says(it.judged({{"coverage", "golden/out/lines.info"}}), "did not write the report"));
}

TEST_CASE("check tests: what the reports say counts, whatever the exit code") {
  const Developed it;
  it.project.write("tests/skipped.sh", "SKIP");
  struct Case {
    Json more;
    CheckOutcome outcome;
    const char* says;
  };
  const Case cases[] = {
      {{{"min_tests", 1}}, CheckOutcome::passed, ""},
      {{{"min_tests", 2}}, CheckOutcome::failed, "1 tests ran, wanted at least 2"},
      {{{"max_skipped", 1}}, CheckOutcome::passed, ""},
      {{{"max_skipped", 0}}, CheckOutcome::failed, "1 tests were skipped, wanted at most 0"},
      {{{"min_coverage", 80}}, CheckOutcome::passed, ""},
      {{{"min_coverage", 80.5}}, CheckOutcome::failed, "coverage is 80 %, wanted at least 80.5 %"},
  };
  for (const Case& one : cases) {
    const CheckResult result = it.judged(with(kReports, one.more));
    CAPTURE(result.reason);
    CHECK(result.outcome == one.outcome);
    CHECK(says(result, one.says));
  }
  CHECK(it.judged({{"min_tests", 1}}).outcome == CheckOutcome::errored);
  it.project.write("tests/fails.sh", "false");
  it.project.write("forgiving.sh", "./run.sh || true");
  const CheckResult forgiven =
      it.judged(with(kReports, {{"argv", Json::array({"sh", "forgiving.sh"})}}));
  CHECK(forgiven.outcome == CheckOutcome::failed);
  CHECK(says(forgiven, "tests/fails.sh"));
}

TEST_CASE("check tests: ratchets do not let anything become worse than at the start") {
  const Developed it;
  const Json all = with(kReports, {{"ratchet", {"tests", "skipped", "coverage"}}});
  CHECK(it.judged(all).outcome == CheckOutcome::passed);
  SUBCASE("fewer tests") {
    fs::remove(it.project.root() / "tests/old.sh");
    it.project.write("tests/none.sh", "SKIP");
    const CheckResult result = it.judged(all);
    CHECK(says(result, "0 tests ran, at the start it were 1"));
    CHECK(says(result, "1 tests were skipped, at the start it were 0"));
  }
  SUBCASE("lower coverage") {
    it.project.write("lines", lines(7));
    CHECK(says(it.judged(all), "coverage is 70 %, at the start it was 80 %"));
    CHECK(it.judged(with(all, {{"ratchet", Json::array({"tests"})}})).outcome ==
          CheckOutcome::passed);
  }
  SUBCASE("only what is named is demanded of the start") {
    it.project.write("some.sh", "./run.sh; test \"$PWD\" = " + it.project.root().string() +
                                    " || rm out/lines.info\n");
    const auto named = [&](const char* name) {
      return it.judged(
          with(all, {{"argv", Json::array({"sh", (it.project.root() / "some.sh").string()})},
                     {"ratchet", Json::array({name})}}));
    };
    CHECK(named("tests").outcome == CheckOutcome::passed);
    CHECK(says(named("coverage"), "out/lines.info"));
  }
  SUBCASE("better") {
    it.project.write("lines", lines(9));
    it.project.write("tests/more.sh", "true");
    CHECK(it.judged(all).outcome == CheckOutcome::passed);
  }
  SUBCASE("an unknown one, or one without its report") {
    CHECK(it.judged(with(kReports, {{"ratchet", Json::array({"speed"})}})).outcome ==
          CheckOutcome::errored);
    CHECK(it.judged({{"ratchet", Json::array({"tests"})}}).outcome == CheckOutcome::errored);
  }
}

TEST_CASE("check tests: a start that measured nothing is compared with only if it had no tests") {
  const Developed it;
  it.project.write("new.sh", kRunner);
  fs::permissions(it.project.root() / "new.sh", fs::perms::owner_all);
  const Json all = with(kReports, {{"ratchet", {"tests", "coverage"}}});
  CHECK(it.judged(with(all, {{"argv", Json::array({"./new.sh"})}})).outcome ==
        CheckOutcome::passed);
  CHECK(it.judged(with(all, {{"argv", Json::array({"sh", "new.sh"})}})).outcome ==
        CheckOutcome::errored);
  CHECK(it.judged(with(all, {{"argv", Json::array({"sh", "new.sh"})},
                             {"files", Json::array({"spec/**"})}}))
            .outcome == CheckOutcome::passed);
}

TEST_CASE("check tests: a ratchet holds wherever the command works, and whatever git keeps of it") {
  Developed it;
  const auto program = [&](const std::string& path, const std::string& text) {
    it.project.write(path, text);
    fs::permissions(it.project.root() / path, fs::perms::owner_all);
  };
  const Json one = with(kReports, {{"ratchet", Json::array({"tests"})}});
  SUBCASE("with a working folder of its own") {
    program("at.sh", "#!/bin/sh\ncd .. && exec ./run.sh\n");
    it.project.commit_all();
    const Json all = with(one, {{"argv", Json::array({"./at.sh"})}, {"cwd", "tests"}});
    it.asking.start(test::check_of(phases::CheckKind::tests, all));
    CHECK(it.judged(all).outcome == CheckOutcome::passed);
    it.project.write("tests/old.sh", "SKIP");
    CHECK(says(it.judged(all), "0 tests ran"));
  }
  SUBCASE("a program that git ignores was perhaps there, so it is not said to be new") {
    program("ignored/tests", kRunner);
    const CheckResult result = it.judged(with(one, {{"argv", Json::array({"ignored/tests"})}}));
    CHECK(result.outcome == CheckOutcome::errored);
    CHECK(says(result, "ignored/tests is in no commit"));
  }
}
