#include "phases/phase_numbers.h"

#include <doctest/doctest.h>

using namespace phasegate::phases;

TEST_CASE("numbered names: a number with or without a word before it") {
  struct Row {
    const char* text;
    const char* number;
    const char* rest;
  };
  const Row rows[] = {
      {"phase-2-design", "2", "design"},
      {"step-01-init", "1", "init"},
      {"01-plan", "1", "plan"},
      {"1-plan", "1", "plan"},
      {"2", "2", ""},
      {"007", "7", ""},
      {"0", "0", ""},
      {"00-start", "0", "start"},
      {"0B-extra", "0B", "extra"},
      {"phase-a-first", "a", "first"},
      {"Phase 2: Design", "2", "Design"},
      {"1. Plan it", "1", "Plan it"},
      {"23.1.2 Deep", "23.1.2", "Deep"},
      {"phase_3", "3", ""},
      {"Stage 4 \u2013 Ship", "4", "Ship"},
      {"task-10-write", "10", "write"},
      {"phase2", "2", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto name = numbered_name(row.text);
    REQUIRE(name.has_value());
    CHECK(name->number == row.number);
    CHECK(name->rest == row.rest);
  }
  for (const char* text :
       {"", "plan", "phase", "phased", "phase-", "phase-analysis", "2024-01-30-x", "1st", "a-plan",
        "-1", "v1-plan", "step", "phase-\xff"}) {
    CAPTURE(text);
    CHECK_FALSE(numbered_name(text).has_value());
  }
}

TEST_CASE("natural order: runs of digits count as numbers") {
  const char* const ordered[] = {"0", "0B", "1", "2", "2.1", "2.10", "10", "A", "b"};
  for (std::size_t i = 0; i < std::size(ordered); ++i) {
    for (std::size_t j = 0; j < std::size(ordered); ++j) {
      CAPTURE(ordered[i]);
      CAPTURE(ordered[j]);
      CHECK(natural_less(ordered[i], ordered[j]) == (i < j));
    }
  }
  CHECK(natural_less("task-2-x.md", "task-10-a.md"));
}

TEST_CASE("phase ids: as written, positions and suffixes where that is no id") {
  const auto ids_of = [](const std::vector<std::string>& numbers, std::vector<Finding>* said) {
    std::vector<WrittenNumber> written;
    for (const std::string& number : numbers) written.push_back({number, {"x.md", 1, 0}});
    FindingList findings;
    auto ids = phase_ids(written, findings);
    if (said != nullptr) *said = findings.take();
    return ids;
  };
  using Ids = std::vector<std::string>;
  std::vector<Finding> said;
  CHECK(ids_of({"0", "1", "2"}, &said) == Ids{"0", "1", "2"});
  CHECK(said.empty());
  CHECK(ids_of({"0", "0B", "A", "23.1.2"}, &said) == Ids{"0", "0B", "A", "23.1.2"});
  CHECK(said.empty());
  CHECK(ids_of({"", "", ""}, &said) == Ids{"1", "2", "3"});
  CHECK(said.empty());
  // A number as written has its id, wherever it stands.
  CHECK(ids_of({"2", ""}, &said) == Ids{"2", "2-2"});
  CHECK(ids_of({"", "1"}, &said) == Ids{"1-2", "1"});
  CHECK(ids_of({"1", "2", "2", "2"}, &said) == Ids{"1", "2", "2-2", "2-3"});
  REQUIRE(said.size() == 2);
  CHECK(said[0].code == "repeated_phase_number");
  CHECK(said[0].severity == Severity::warning);
  CHECK(ids_of({"1", "3", "7"}, &said) == Ids{"1", "3", "7"});
  REQUIRE(said.size() == 1);
  CHECK(said[0].code == "phase_numbers_jump");
  CHECK(said[0].severity == Severity::info);
  CHECK(ids_of({"one/two"}, &said) == Ids{"1"});
  REQUIRE(said.size() == 1);
  CHECK(said[0].code == "unusable_phase_number");
}
