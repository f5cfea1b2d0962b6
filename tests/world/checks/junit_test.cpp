#include "base/hash.h"
#include "base/limits.h"
#include "tests/world/checks/bench.h"
#include "world/checks/junit_report.h"

namespace phasegate::world::checks {
namespace {

using base::Json;
using gating::CheckOutcome;
using phases::CheckKind;
constexpr auto passed = CheckOutcome::passed;
constexpr auto failed = CheckOutcome::failed;
constexpr auto errored = CheckOutcome::errored;

constexpr std::string_view kSmall =
    R"x(<?xml version="1.0"?><testsuites><testsuite name="s" tests="2" failures="0">)x"
    R"x(<testcase name="a" classname="c"/><testcase name="b"><system-out>x</system-out></testcase>)x"
    R"x(</testsuite></testsuites>)x";

TEST_CASE("junit: the dialects, counted from their cases (ARCHITECTURE §5)") {
  struct Case {
    const char* dialect;
    const char* text;
    JunitReport report;
  };
  const Case cases[] = {
      {"surefire",
       R"x(<testsuite xmlns:xsi="u" name="s" tests="4" errors="1" skipped="1" failures="1">
          <properties><property name="failure" value="x"/></properties>
          <testcase name="a" classname="c.D" time="0.1"/>
          <testcase name="b" classname="c.D"><failure message="m" type="t">trace</failure></testcase>
          <testcase name="c" classname="c.D"><error type="t"/><system-err>x</system-err></testcase>
          <testcase name="d" classname="c.D"><skipped/></testcase></testsuite>)x",
       {4, 1, 1, 1, {"c.D: b", "c.D: c"}}},
      {"surefire, flaky",
       R"x(<testsuite name="s"><testcase name="a"><flakyFailure/></testcase></testsuite>)x",
       {1, 0, 0, 0, {}}},
      {"pytest",
       R"x(<testsuites><testsuite name="pytest" errors="0" failures="1" skipped="0" tests="2">
          <testcase classname="test_a" name="test_x[1]"/><testcase classname="test_a" name="test_y">
          <failure message="assert">E</failure></testcase></testsuite></testsuites>)x",
       {2, 1, 0, 0, {"test_a: test_y"}}},
      {"jest-junit",
       R"x(<testsuites name="jest tests" tests="2" failures="0" errors="0" time="1">
          <testsuite name="x" errors="0" failures="0" skipped="1" tests="2">
          <testcase classname="x" name="y"></testcase>
          <testcase classname="x" name="z"><skipped/></testcase></testsuite></testsuites>)x",
       {2, 0, 0, 1, {}}},
      {"gtest",
       R"x(<testsuites tests="3" failures="1" disabled="1" errors="0" name="AllTests">
          <testsuite name="S" tests="3" failures="1" disabled="1" skipped="0" errors="0">
          <testcase name="A" status="run" result="completed" classname="S"/>
          <testcase name="B" status="run" result="completed" classname="S"><failure/></testcase>
          <testcase name="DISABLED_C" status="notrun" result="suppressed" classname="S"/>
          </testsuite></testsuites>)x",
       {3, 1, 0, 1, {"S: B"}}},
      {"ctest",
       R"x(<testsuite name="(empty)" tests="3" failures="1" disabled="0" skipped="1">
          <testcase name="a" classname="a" status="run"/>
          <testcase name="b" classname="b" status="fail"><failure/></testcase>
          <testcase name="c" classname="c" status="notrun"><skipped/></testcase></testsuite>)x",
       {3, 1, 0, 1, {"b: b"}}},
      {"ctest, by its word alone",
       R"x(<testsuite name="s"><testcase name="b" status="fail"/></testsuite>)x",
       {1, 1, 0, 0, {"s: b"}}},
      {"nested, with a namespace",
       R"x(<j:testsuites xmlns:j="u"><j:testsuite name="a"><j:testsuite name="b"><j:testcase name="c">
          <j:error/></j:testcase></j:testsuite><j:testcase name="d"/></j:testsuite></j:testsuites>)x",
       {2, 0, 1, 0, {"b: c"}}},
      {"empty", "<testsuites/>", {0, 0, 0, 0, {}}},
      {"a byte order mark, CRLF",
       "\xEF\xBB\xBF<testsuite>\r\n<testcase name='a'/>\r\n</testsuite>",
       {1, 0, 0, 0, {}}},
      {"lies: more cases than there are",
       R"x(<testsuite tests="900"><testcase name="a"/></testsuite>)x",
       {1, 0, 0, 0, {}}},
      {"lies: no failures",
       R"x(<testsuite failures="0"><testcase><failure/></testcase></testsuite>)x",
       {1, 1, 0, 0, {""}}},
      {"failures that no case has",
       R"x(<testsuites failures="3"><testsuite errors="1"><testcase name="a"/></testsuite></testsuites>)x",
       {1, 3, 1, 0, {}}},
      {"skipped that no case has",
       R"x(<testsuite skipped="7"><testcase name="a"/></testsuite>)x",
       {1, 0, 0, 7, {}}},
      {"an error that is counted as failure",
       R"x(<testsuite failures="1" errors="0"><testcase name="a"><error/></testcase></testsuite>)x",
       {1, 0, 1, 0, {"a"}}},
      {"failure and skipped at once",
       R"x(<testsuite><testcase name="a"><skipped/><failure/></testcase></testsuite>)x",
       {1, 1, 0, 0, {"a"}}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.dialect);
    const auto report = parse_junit(c.text);
    if (!report) FAIL_CHECK(report.error().message);
    if (!report) continue;
    CHECK(report->tests == c.report.tests);
    CHECK(report->failures == c.report.failures);
    CHECK(report->errors == c.report.errors);
    CHECK(report->skipped == c.report.skipped);
    CHECK(report->failed == c.report.failed);
  }
}

TEST_CASE("junit: what is no report is an error") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<testsuite>";
  std::string deep_closed = deep;
  for (int i = 0; i < 100'000; ++i) deep_closed += "</testsuite>";
  std::string wide = "<testsuite>";
  for (int i = 0; i < 4'100'000; ++i) wide += "<a/>";
  wide += "</testsuite>";
  const std::string small(kSmall);
  const std::string cases[] = {
      "",
      "  \n",
      "\xEF\xBB\xBF",
      "not xml",
      "{}",
      "<html/>",
      "<testsuite>",
      "<testsuite><testcase></testsuite>",
      "<testcase name='a'/>",
      small + small,
      small + std::string("\0<", 2),
      std::string("\0", 1) + small,
      std::string(1000, '\xFF'),
      R"x(<testsuite failures="x"/>)x",
      R"x(<testsuite errors="-1"/>)x",
      R"x(<testsuite skipped="99999999999999999999"/>)x",
      R"x(<testsuite failures="0x0"/>)x",
      deep,
      deep_closed,
      wide,
      std::string(base::limits::kReportBytesMax + 1, ' '),
  };
  for (const std::string& text : cases) {
    CAPTURE(base::dump(text.substr(0, 60)));
    const auto report = parse_junit(text);
    REQUIRE_FALSE(report.ok());
    CHECK(report.error().code == "invalid_report");
  }
}

TEST_CASE("junit: entities are not expanded, nothing else is read") {
  std::string bomb = "<!DOCTYPE x [<!ENTITY a0 \"aaaaaaaaaa\">";
  for (int i = 1; i < 12; ++i) {
    bomb += "<!ENTITY a" + std::to_string(i) + " \"";
    for (int j = 0; j < 10; ++j) bomb += "&a" + std::to_string(i - 1) + ";";
    bomb += "\">";
  }
  bomb += "<!ENTITY f SYSTEM \"file:///etc/passwd\">]>";
  const auto report =
      parse_junit(bomb + "<testsuite><testcase name='&a11;&f;'><failure/></testcase></testsuite>");
  REQUIRE(report.ok());
  CHECK(report->failed == std::vector<std::string>{"&a11;&f;"});
}

TEST_CASE("junit: a report that is cut off never counts") {
  for (std::size_t n = 0; n < kSmall.size(); ++n) {
    CAPTURE(n);
    CHECK_FALSE(parse_junit(kSmall.substr(0, n)).ok());
  }
  CHECK(parse_junit(kSmall).ok());
}

TEST_CASE("junit: many failures are named in part, names are made harmless") {
  std::string text = "<testsuite>";
  for (int i = 0; i < 100; ++i)
    text += "<testcase name='\xFF" + std::string(500, 'n') + "'><error/></testcase>";
  const auto report = parse_junit(text + "</testsuite>");
  REQUIRE(report.ok());
  CHECK(report->errors == 100);
  CHECK(report->failed.size() == 20);
  for (const std::string& name : report->failed) CHECK(name.size() <= 203);
}

TEST_CASE("junit check: tests, failures, skipped, written in this phase (ARCHITECTURE §5)") {
  Bench bench;
  bench.write("good.xml", kSmall);
  bench.write("bad.xml",
              "<testsuite name='s'><testcase name='a'><failure/></testcase><testcase name='b'>"
              "<skipped/></testcase></testsuite>");
  bench.write("skipped.xml", "<testsuite skipped='7'><testcase name='a'/></testsuite>");
  bench.write("none.xml", "<testsuites/>");
  bench.write("garbage.xml", "<testsuites>");
  run_rows(bench, CheckKind::junit,
           {{R"x({"report": "good.xml"})x", passed},
            {R"x({"report": "good.xml", "min_tests": 2})x", passed},
            {R"x({"report": "good.xml", "min_tests": 3})x", failed,
             "holds 2 tests that ran, wanted at least 3"},
            {R"x({"report": "bad.xml"})x", failed,
             "1 of 2 tests did not pass, wanted at most 0: \"s: a\""},
            {R"x({"report": "bad.xml", "max_failures": 1})x", passed},
            {R"x({"report": "bad.xml", "max_failures": 1, "max_skipped": 0})x", failed,
             "1 tests were skipped"},
            // Skipped tests did not run: both kinds count alike.
            {R"x({"report": "bad.xml", "max_failures": 1, "min_tests": 1})x", passed},
            {R"x({"report": "bad.xml", "max_failures": 1, "min_tests": 2})x", failed,
             "bad.xml holds 1 test that ran, wanted at least 2"},
            {R"x({"report": "skipped.xml"})x", failed, "holds 0 tests that ran, wanted at least 1"},
            {R"x({"report": "none.xml"})x", failed, "holds 0 tests that ran, wanted at least 1"},
            {R"x({"report": "none.xml", "min_tests": 0})x", passed},
            {R"x({"report": "garbage.xml"})x", errored, "garbage.xml: the report"},
            {R"x({"report": "god.xml"})x", failed, "god.xml does not exist"},
            {R"x({"report": "../x.xml"})x", errored},
            {R"x({"report": "/dev/zero"})x", failed, "not a regular file"},
            {R"x({"report": "."})x", errored}});
  CHECK(Json::parse(bench.run(CheckKind::junit, {{"report", "bad.xml"}}).value) ==
        Json{{"tests", 1}, {"failures", 1}, {"skipped", 1}});

  bench.entered = base::dump(Json{{"good.xml", base::sha256_hex(kSmall)}});
  run_rows(bench, CheckKind::junit,
           {{R"x({"report": "good.xml"})x", failed, "was not written in this phase"},
            {R"x({"report": "good.xml", "written_in_step": false})x", passed}});
  bench.entered = base::dump(Json{{"good.xml", ""}});
  run_rows(bench, CheckKind::junit, {{R"x({"report": "good.xml"})x", passed}});
  bench.entered = base::dump(Json{{"other.xml", ""}});
  bench.entered_at = {32'503'680'000'000};  // long after the file's time
  run_rows(bench, CheckKind::junit,
           {{R"x({"report": "good.xml"})x", failed, "was not written in this phase"}});
}

}  // namespace
}  // namespace phasegate::world::checks
