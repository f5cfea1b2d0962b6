// Named checks and protected databases at the top of a native file, durations, and lists of checks
// that come from two sources.
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "phases/checks/checks_reader.h"
#include "phases/checks/duration.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::flow;
using phasegate::test::native;

TEST_CASE("checks: named ones stand at the top, and expressions call them") {
  const LoadedWorkflow got =
      native(flow("checks:\n  saved: {sqlite: {db: a.db, query: SELECT 1}, error: Not saved}\n"
                  "  odd: arg == 1\n"));
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  REQUIRE(got.workflow.checks.size() == 2);
  CHECK(got.workflow.checks[0].name == "saved");
  CHECK(got.workflow.checks[0].error == "Not saved");
  CHECK(got.workflow.checks[1].kind == CheckKind::expr);
  CHECK(
      errors_of(native(flow("checks:\n  a-b: x\n  count: y\n  c: {name: d, file: e}\n"))) ==
      std::vector<std::string>{"unusable_name 3:3", "unusable_name 4:3", "contradicting_keys 5:7"});
  CHECK(errors_of(native(flow("checks: [{file: a}]\n"))) ==
        std::vector<std::string>{"wrong_type 2:9"});
}

TEST_CASE("protect: databases that are copied before a run (003-61)") {
  const LoadedWorkflow got =
      native(flow("protect: [{sqlite: ./data/a.db}, {sqlite: b.db, backups: 3}]\n"));
  CHECK(got.startable());
  REQUIRE(got.workflow.protect.size() == 2);
  CHECK(got.workflow.protect[0].path == "data/a.db");
  CHECK(got.workflow.protect[0].backups == 10);
  CHECK(got.workflow.protect[1].backups == 3);
  struct Row {
    const char* value;
    const char* error;
  };
  const Row rows[] = {
      {"a.db", "wrong_type 2:10"},
      {"[a.db]", "wrong_type 2:11"},
      {"[{backups: 3}]", "missing_key 2:11"},
      {"[{sqlite: /a.db}]", "invalid_path 2:20"},
      {"[{sqlite: ../a.db}]", "invalid_path 2:20"},
      {"[{sqlite: '{{input.a}}'}]", "invalid_path 2:20"},
      {"[{sqlite: a, backups: 0}]", "out_of_range 2:32"},
      {"[{sqlite: a, backups: x}]", "wrong_type 2:32"},
      {"[{sqlite: a, backup: 1}]", "unknown_key 2:23"},
      {"[{sqlite: a}, {sqlite: ./a}]", "duplicate_key 2:24"},
  };
  for (const Row& row : rows) {
    const LoadedWorkflow wrong = native(flow(std::string("protect: ") + row.value + "\n"));
    CAPTURE(row.value);
    CAPTURE(all_findings(wrong));
    CHECK(errors_of(wrong) == std::vector<std::string>{row.error});
  }
}

TEST_CASE("durations: a whole number and its unit") {
  struct Row {
    const char* text;
    std::optional<std::int64_t> wanted;
  };
  const Row rows[] = {{"500ms", 500},
                      {"90s", 90'000},
                      {"10m", 600'000},
                      {"1h", 3'600'000},
                      {"0s", 0},
                      {"007s", 7'000},
                      {"", std::nullopt},
                      {"s", std::nullopt},
                      {"90", std::nullopt},
                      {"1.5s", std::nullopt},
                      {"1 s", std::nullopt},
                      {"1d", std::nullopt},
                      {"-1s", std::nullopt},
                      {"1sm", std::nullopt},
                      {"9223372036854775807h", std::nullopt}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(duration_from(row.text) == row.wanted);
  }
  for (const std::int64_t value : {1, 999, 1'000, 90'000, 600'000, 3'600'000, 86'400'000}) {
    CHECK(duration_from(duration_text(value)) == value);
  }
}

TEST_CASE("checks: lists from two sources join, a made name makes way, a written one does not") {
  FindingList findings;
  const NativeReport report("f.yaml", findings);
  const auto check = [](const std::string& name) {
    Check made;
    made.name = name;
    made.kind = CheckKind::file;
    return made;
  };
  std::vector<Check> gate = {check("file-1"), check("plan")};
  CHECK(add_checks(gate, {check("file-1")}, report));
  REQUIRE(gate.size() == 3);
  CHECK(gate[2].name == "file-2");
  CHECK_FALSE(add_checks(gate, {check("plan"), check("other")}, report));
  CHECK(gate.size() == 4);
  CHECK_FALSE(add_checks(gate, std::vector<Check>(64, check("file-1")), report));
  CHECK(gate.size() == 4);
}
