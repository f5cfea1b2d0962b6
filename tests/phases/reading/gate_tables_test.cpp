#include "phases/reading/gate_tables.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "phases/requirement_words.h"
#include "tests/phases/reading/fixture.h"

using namespace phasegate::phases;

namespace {

std::vector<RowRequirement> rows(const std::string& text, TableUse use) {
  const MarkdownTree tree = parse_markdown(text, Html::tags);
  for (std::size_t i = 0; i < tree.blocks().size(); ++i) {
    if (tree.blocks()[i].kind == BlockKind::table) return conditions_in_table(tree, i, use, "d.md");
  }
  return {};
}

/// `2: name (rules)`, joined; without the phase where there is none.
std::string shown(const std::string& text, TableUse use = TableUse::gate) {
  std::string all;
  for (const RowRequirement& one : rows(text, use)) {
    if (!all.empty()) all += "; ";
    if (!one.phase.empty()) all += one.phase + ": ";
    all += one.requirement.name + " (" + type_and_rules(one.requirement) + ")";
  }
  return all;
}

/// A table of these lines, each with the cells between its bars.
std::string table(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += "| " + lines[i] + " |\n";
    if (i > 0) continue;
    text += "|";
    for (const char c : lines[0] + "|") text += c == '|' ? "---|" : "";
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("gate tables: each row speaks for the phase that it names") {
  const std::string text = table({"Phase | Work | Exit criteria", "1. Boil | Heat | Water is hot",
                                  "Phase 2 | Tilt | Cup is full; table is dry"});
  const char* want =
      "1: water_is_hot (boolean, must be true); 2: cup_is_full (boolean, must be "
      "true); 2: table_is_dry (boolean, must be true)";
  for (const TableUse use : {TableUse::phases_only, TableUse::criteria_only, TableUse::gate}) {
    CHECK(shown(text, use) == want);
  }
  const auto got = rows(text, TableUse::gate);
  REQUIRE(got.size() == 3);
  CHECK(got[0].requirement.source == Source{"d.md", 3, 0});
  CHECK(got[2].requirement.source == Source{"d.md", 4, 0});
  CHECK(got[0].requirement.kind == RequirementSource::table_row);
  CHECK(got[0].requirement.confidence == Confidence::medium);
}

TEST_CASE("gate tables: a row is a condition, its measure may stand in a column of its own") {
  CHECK(shown(table({"Criterion | Target", "Light | ≥ 80 %", "Dust | < 2 grams", "Lamps | off"})) ==
        "light (number, at least 80); dust (integer, less than 2); lamps (boolean, must be true)");
  CHECK(shown(table({"Check | How", "Rooms swept | look", "Lamps off | look"}),
              TableUse::criteria_only) ==
        "rooms_swept (boolean, must be true); lamps_off (boolean, must be true)");
  CHECK(shown(table({"ID | Check", "G1 | Rooms swept", "G2 | Lamps off"})) ==
        "rooms_swept (boolean, must be true); lamps_off (boolean, must be true)");
  CHECK(shown(table({"Metric | Minimum", "Light | 80%", "Rooms | 4"})) ==
        "light (number, at least 80); rooms (integer, at least 4)");
  CHECK(shown(table({"Metric | Maximum", "Dust | 2"})) == "dust (integer, at most 2)");
}

TEST_CASE("gate tables: what is optional says so") {
  const auto got = rows(table({"Check | Priority", "Rooms swept | High", "Lamps shiny | Optional"}),
                        TableUse::gate);
  REQUIRE(got.size() == 2);
  CHECK(got[0].requirement.required);
  CHECK_FALSE(got[1].requirement.required);
}

TEST_CASE("gate tables: the row PASS of a table of verdicts is the condition") {
  CHECK(shown(table({"Verdict | Condition", "PASS | score ≥ 8", "FAIL | score < 8"})) ==
        "score_8 (integer, at least 8)");
}

TEST_CASE("gate tables: what asks for nothing") {
  for (const auto& lines :
       std::vector<std::vector<std::string>>{{"Verdict | Meaning", "GO | go on", "STOP | stop"},
                                             {"Status | Action", "open | wait"},
                                             {"Grade | Standard", "A | ≥ 90", "B | ≥ 80"},
                                             {"Excuse | Reality", "No time | There is"},
                                             {"Name | Colour", "Cup | red"},
                                             {"Criterion | Target", "[name] | [value]"}}) {
    CAPTURE(lines[0]);
    CHECK(shown(table(lines)).empty());
  }
  const std::string loose = table({"Item | Colour", "Cup | red"});
  CHECK(shown(loose, TableUse::criteria_only).empty());
  CHECK(shown(table({"Check | Target", "Light | ≥ 80 %"}), TableUse::phases_only).empty());
  CHECK(shown(table({"Phase | Exit criteria"})).empty());
}

TEST_CASE("gate tables: ragged and odd ones give a result") {
  CHECK(shown("| Check | Target |\n|---|---|\n| Light |\n| | |\n| Dust | ≤ 2 | more |\n") ==
        "light (boolean, must be true); dust (integer, at most 2)");
  CHECK_NOTHROW((void)shown("| |\n|---|\n| |\n"));
  CHECK_NOTHROW((void)shown("| \xFF | Check |\n|---|---|\n| \xFE | \xFD |\n"));
}
