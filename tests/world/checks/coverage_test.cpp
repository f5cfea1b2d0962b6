#include "base/limits.h"
#include "tests/world/checks/bench.h"
#include "world/checks/coverage_report.h"

namespace phasegate::world::checks {
namespace {

using gating::CheckOutcome;
using phases::CheckKind;
constexpr auto passed = CheckOutcome::passed;
constexpr auto failed = CheckOutcome::failed;
constexpr auto errored = CheckOutcome::errored;
constexpr auto kLines = CoverageOf::lines;
constexpr auto kBranches = CoverageOf::branches;

constexpr std::string_view kCobertura = R"x(<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="1.0" branch-rate="1.0" lines-covered="999" lines-valid="999"><packages>
<package name="p"><classes><class name="A" filename="a.py"><methods><method name="m"><lines>
<line number="1" hits="1"/></lines></method></methods><lines><line number="1" hits="1"/>
<line number="2" hits="0"/><line number="3" hits="7" branch="true" condition-coverage="50% (1/2)"/>
</lines></class><class name="A$1" filename="a.py"><lines><line number="2" hits="0"/>
<line number="4" hits="1"/></lines></class></classes></package></packages></coverage>)x";

constexpr std::string_view kLcov =
    "TN:\nSF:a.c\nFN:1,f\nFNDA:1,f\nDA:1,5\nDA:2,0\nDA:3,1,abc\nBRDA:1,0,0,1\nBRDA:1,0,1,-\n"
    "LF:900\nLH:900\nend_of_record\n";

TEST_CASE("coverage: the formats, recomputed from what they hold (ARCHITECTURE §5)") {
  struct Case {
    const char* format;
    std::string text;
    CoverageOf of;
    std::optional<double> percent;
  };
  const Case cases[] = {
      {"cobertura, lying totals", std::string(kCobertura), kLines, 75},
      {"cobertura, branches", std::string(kCobertura), kBranches, 50},
      {"cobertura, totals only", R"x(<coverage lines-covered="2" lines-valid="3"/>)x", kLines,
       66.66},
      {"cobertura, a rate only", R"x(<coverage line-rate="0.79999"/>)x", kLines, 79.99},
      {"cobertura, without branches", R"x(<coverage><line number="1" hits="1"/></coverage>)x",
       kBranches, std::nullopt},
      {"lcov, lying totals", std::string(kLcov), kLines, 66.66},
      {"lcov, branches", std::string(kLcov), kBranches, 50},
      {"lcov, totals only", "SF:a\nLF:4\nLH:1\nend_of_record", kLines, 25},
      {"lcov, one file twice, CRLF",
       "SF:a\r\nDA:1,0\r\nDA:2,0\r\nend_of_record\r\nSF:a\r\nDA:1,1\r\nend_of_record\r\n", kLines,
       50},
      {"lcov, nothing to cover", "SF:a\nend_of_record\n", kLines, std::nullopt},
      {"istanbul, lying total",
       R"x({"total": {"lines": {"total": 9, "covered": 9, "skipped": 0, "pct": 100}},
           "a.js": {"lines": {"total": 3, "covered": 1, "skipped": 0, "pct": 99}}})x",
       kLines, 33.33},
      {"istanbul, total only",
       R"x({"total": {"lines": {"total": 3, "covered": 2}, "branches": {"total": 8, "covered": 1}}})x",
       kBranches, 12.5},
      {"istanbul, percentage only", R"x({"total": {"lines": {"pct": 79.999}}})x", kLines, 79.99},
      {"coverage.py, lying totals",
       R"x({"meta": {}, "files": {"a.py": {"executed_lines": [1, 2, 3], "missing_lines": [4],
           "summary": {"covered_lines": 99, "num_statements": 99}}},
           "totals": {"percent_covered": 100.0, "covered_lines": 9, "num_statements": 9}})x",
       kLines, 75},
      {"coverage.py, branches of files",
       R"x({"files": {"a.py": {"executed_lines": [], "missing_lines": [],
           "summary": {"covered_branches": 1, "num_branches": 4}}}, "totals": {}})x",
       kBranches, 25},
      {"coverage.py, percentage only", R"x({"totals": {"percent_covered": 71.4}})x", kLines, 71.4},
      {"llvm-cov, lying totals",
       R"x({"type": "llvm.coverage.json.export", "data": [{"files": [
           {"filename": "a", "summary": {"lines": {"count": 10, "covered": 8, "percent": 80}}}],
           "totals": {"lines": {"count": 10, "covered": 10}}}]})x",
       kLines, 80},
      {"llvm-cov, totals only",
       R"x({"data": [{"totals": {"branches": {"count": 3, "covered": 3}}}]})x", kBranches, 100},
      {"gcovr, lying total",
       R"x({"files": [{"filename": "a", "line_total": 4, "line_covered": 1}],
           "line_total": 4, "line_covered": 4, "line_percent": 100})x",
       kLines, 25},
      {"gcovr, percentage only", R"x({"line_percent": 12.345})x", kLines, 12.34},
  };
  for (const Case& c : cases) {
    CAPTURE(c.format);
    const auto coverage = parse_coverage(c.text, c.of, std::nullopt);
    if (!coverage) FAIL_CHECK(coverage.error().message);
    if (!coverage) continue;
    CHECK(coverage->percent() == c.percent);
  }
}

TEST_CASE("coverage: rounded down, never up") {
  CHECK(Coverage{79'999, 100'000, {}}.percent() == 79.99);
  CHECK(Coverage{4, 5, {}}.percent() == 80);
  CHECK(Coverage{0, 0, 80.1}.percent() == 80.1);
  CHECK(Coverage{0, 0, 99.99999}.percent() == 99.99);
  CHECK(Coverage{0, 1, {}}.percent() == 0);
  CHECK_FALSE(Coverage{}.percent().has_value());
}

TEST_CASE("coverage: what is no report is an error") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (int i = 0; i < 100'000; ++i) deep += "</a>";
  const std::string cases[] = {
      "",
      " ",
      "hello",
      "{}",
      "[]",
      "{",
      "<coverage>",
      "<report/>",
      "<coverage/>",
      R"x(<coverage line-rate="1.5"/>)x",
      R"x(<coverage line-rate="nan"/>)x",
      R"x(<coverage line-rate="-1"/>)x",
      R"x(<coverage line-rate="1x"/>)x",
      R"x(<coverage lines-covered="9" lines-valid="3"/>)x",
      R"x(<coverage><line number="1" hits="-1"/></coverage>)x",
      R"x(<coverage><line number="x" hits="1"/></coverage>)x",
      R"x(<coverage><line number="1" hits="1" condition-coverage="(3/2)"/></coverage>)x",
      R"x(<coverage><line number="1" hits="1" condition-coverage="100%"/></coverage>)x",
      "<coverage>" + deep + "</coverage>",
      "DA:1,1\n",
      "SF:a\nDA:1,1\n",
      "SF:a\nDA:1,-1\nend_of_record",
      "SF:a\nDA:1\nend_of_record",
      "SF:a\nDA:x,1\nend_of_record",
      "SF:a\nLF:1\nLH:2\nend_of_record",
      "SF:a\nSF:b\nend_of_record",
      "SF:a\nXX:1\nend_of_record",
      "end_of_record",
      std::string("SF:a\0\n", 6),
      R"x({"total": {"lines": {"total": 1, "covered": 2}}})x",
      R"x({"total": {"lines": {"total": "1", "covered": "1"}}})x",
      R"x({"total": {"lines": {"total": 1e300, "covered": 1e300}}})x",
      R"x({"total": {"lines": {"pct": "Unknown"}}})x",
      R"x({"total": {"lines": {"pct": 101}}})x",
      R"x({"total": []})x",
      R"x({"totals": null})x",
      R"x({"data": []})x",
      R"x({"data": 1})x",
      R"x({"line_percent": -1})x",
      R"x({"line_percent": 100, "line_percent": 1})x",
      std::string(200'000, '['),
      std::string(base::limits::kReportBytesMax + 1, ' '),
  };
  for (const std::string& text : cases) {
    CAPTURE(base::dump(text.substr(0, 80)));
    const auto coverage = parse_coverage(text, kLines, std::nullopt);
    REQUIRE_FALSE(coverage.ok());
    CHECK(coverage.error().code == "invalid_report");
  }
  CHECK_FALSE(parse_coverage(kLcov, kLines, CoverageFormat::json).ok());
  CHECK_FALSE(parse_coverage(kLcov, kLines, CoverageFormat::cobertura).ok());
  CHECK_FALSE(parse_coverage(kCobertura, kLines, CoverageFormat::lcov).ok());
  CHECK_FALSE(parse_coverage(R"x({"totals": {"percent_covered": 90}})x", kBranches, {}).ok());
}

TEST_CASE("coverage: a report that is cut off never counts") {
  const std::string json = R"x({"total": {"lines": {"total": 1, "covered": 1}}})x";
  for (const std::string_view text :
       {kCobertura, kLcov.substr(0, kLcov.size() - 1), std::string_view(json)}) {
    for (std::size_t n = 0; n < text.size(); ++n) {
      CAPTURE(text.substr(0, n));
      CHECK_FALSE(parse_coverage(text.substr(0, n), kLines, std::nullopt).ok());
    }
    CHECK(parse_coverage(text, kLines, std::nullopt).ok());
  }
}

TEST_CASE("coverage check: at least so much, of what was asked (ARCHITECTURE §5)") {
  Bench bench;
  bench.write("c.xml", kCobertura);
  bench.write("l.info", kLcov);
  bench.write("empty.info", "SF:a\nend_of_record\n");
  bench.write("bad.json", "{");
  run_rows(
      bench, CheckKind::coverage,
      {{R"x({"report": "c.xml", "min": 75})x", passed},
       {R"x({"report": "c.xml", "min": 80})x", failed,
        "coverage of lines is 75 %, wanted at least 80 %"},
       {R"x({"report": "c.xml", "of": "branches", "min": 50.5})x", failed,
        "50 %, wanted at least 50.5 %"},
       {R"x({"report": "l.info", "format": "lcov", "min": 66.66})x", passed},
       {R"x({"report": "l.info", "format": "lcov", "min": 66.67})x", failed},
       {R"x({"report": "l.info", "format": "json", "min": 1})x", errored, "l.info: the report"},
       {R"x({"report": "empty.info", "min": 0})x", failed, "holds no lines"},
       {R"x({"report": "bad.json", "min": 0})x", errored, "no JSON"},
       {R"x({"report": "none", "min": 0})x", failed, "does not exist"},
       {R"x({"report": "c.xml"})x", errored}});
  CHECK(bench.run(CheckKind::coverage, {{"report", "l.info"}, {"min", 0}}).value == "66.66");
  bench.entered_at = {32'503'680'000'000};
  run_rows(bench, CheckKind::coverage,
           {{R"x({"report": "c.xml", "min": 75})x", failed, "was not written in this phase"}});
}

}  // namespace
}  // namespace phasegate::world::checks
