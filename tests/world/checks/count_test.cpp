#include "base/limits.h"
#include "tests/world/checks/bench.h"
#include "world/checks/text_pattern.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;
using gating::CheckOutcome;
using phases::CheckKind;
constexpr auto passed = CheckOutcome::passed;
constexpr auto failed = CheckOutcome::failed;
constexpr auto errored = CheckOutcome::errored;

TEST_CASE("count check: files and matches, measured or compared (ARCHITECTURE §5)") {
  Bench bench;
  bench.write("src/a.py", "def one():\n  pass\r\ndef two():\n");
  bench.write("src/b.py", "def three():\n");
  bench.write("src/c.txt", "def none():\n");
  bench.write("src/binary.py", std::string("\xFF\0def \xFE", 7));
  bench.scope["evidence"] = {{"functions", 3}, {"wrong", 15}, {"text", "3"}};
  run_rows(
      bench, CheckKind::count,
      {
          {R"({"files": ["src/*.py"]})", passed},
          {R"({"files": ["none/**"]})", passed},
          {R"({"files": ["src/*.py"], "equals": 3})", passed},
          {R"({"files": ["src/*.py", "!src/b*"], "equals": 1})", passed},
          {R"({"files": ["src"], "at_least": 5})", failed, "found 4 files, wanted at least 5"},
          {R"({"files": ["src"], "at_most": 3})", failed, "found 4 files, wanted at most 3"},
          {R"({"files": ["src"], "at_least": 1, "at_most": 4})", passed},
          {R"({"files": ["src/*.py"], "pattern": "^def ", "equals": "evidence.functions"})",
           passed},
          {R"({"files": ["src/*.py"], "pattern": "^def ", "equals": "evidence.wrong"})", failed,
           "found 3 matches of /^def / in 3 files, evidence says 15"},
          {R"({"files": ["src/*.py"], "pattern": "^def ", "equals": "evidence.wrong - 12"})",
           passed},
          {R"({"files": ["src/*.py"], "pattern": "^def ", "equals": 3.5})", failed, "wanted 3.5"},
          {R"({"files": ["src/*.py"], "pattern": "^def ", "equals": "evidence.text"})", errored,
           "wanted a number"},
          {R"({"files": ["src/*.py"], "equals": "evidence.none"})", errored, "wanted a number"},
          {R"({"files": ["src/*.py"], "equals": true})", errored, "wanted a number"},
          {R"({"files": ["src/*.py"], "equals": "evidence.("})", errored},
          {R"({"files": ["none"], "at_least": 1})", failed, "found 0 files"},
          {R"({"files": ["../**"], "at_least": 1})", errored, "cannot be used"},
          {R"({"files": ["[a"]})", errored, "cannot be used"},
          {R"({"files": []})", errored},
          {R"({"files": ["src"], "pattern": "(a"})", errored, "cannot be used"},
      });
  CHECK(bench.run(CheckKind::count, {{"files", {"src"}}}).value == "4");
  CHECK(bench.run(CheckKind::count, {{"files", {"src"}}, {"equals", 9}}).value == "4");
}

TEST_CASE("count check: matches do not overlap, empty ones end") {
  const auto count = [](const char* pattern, std::string_view text) {
    return TextPattern::compile(pattern)->count(text, {});
  };
  CHECK(count("aa", "aaaaa") == 2);
  CHECK(count("^", "a\nb\nc") == 3);
  CHECK(count("x*", "\xC3\xA4\xC3\xA4") == 3);
  CHECK(count("", "") == 1);
  CHECK(count("a", "") == 0);
  CHECK(count("a$", searchable("a\r\na\r\n")) == 2);
}

TEST_CASE("count check: what takes without end is given up, what is too large is an error") {
  Bench bench;
  bench.write("a.txt", std::string(4096, 'a'));
  bench.go_on = [] { return false; };
  run_rows(bench, CheckKind::count,
           {{R"({"files": ["a.txt"], "pattern": "a(?s:.*b)?"})", errored, "given up"}});
  bench.go_on = {};
  const auto stopped =
      TextPattern::compile("a(?s:.*b)?")->count(std::string(1000, 'a'), [looks = 0]() mutable {
        return ++looks < 10;
      });
  CHECK_FALSE(stopped.has_value());
  fs::resize_file(bench.root / "a.txt", base::limits::kCheckedFileBytesMax + 1);
  run_rows(bench, CheckKind::count,
           {{R"({"files": ["a.txt"], "pattern": "a"})", errored, "larger than"},
            {R"({"files": ["a.txt"], "equals": 1})", passed}});
}

}  // namespace
}  // namespace phasegate::world::checks
