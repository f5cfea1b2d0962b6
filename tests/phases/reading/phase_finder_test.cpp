#include "phases/reading/phase_finder.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/phases/reading/fixture.h"

using namespace phasegate::phases;
using phasegate::test::found_in;
using phasegate::test::outline;

namespace {

/// `2-5 8-9`: the lines of the phases.
std::string lines(std::string_view text) {
  std::string all;
  for (const PhaseSpan& one : found_in(text).phases) {
    all += (all.empty() ? "" : " ") + std::to_string(one.line) + "-" + std::to_string(one.line_end);
  }
  return all;
}

}  // namespace

TEST_CASE("phase finder: headings with a word that counts, from line to line (004-12)") {
  const char* text =
      "# Tea\n\nFor guests.\n\n## Phase 1: Boil\n\nHeat.\n\n## Phase 2: Pour\n\nSlowly.\n";
  CHECK(outline(text) == "1 Boil | 2 Pour");
  CHECK(lines(text).starts_with("5-8 9-"));
  CHECK_FALSE(found_in(text).unit);
  CHECK_FALSE(found_in(text).rows);
}

TEST_CASE("phase finder: only the outermost level counts") {
  CHECK(outline("# Tea\n\n## Phase 1: Boil\n\n### Step 1: Fill\n\n### Step 2: Heat\n\n"
                "## Phase 2: Pour\n\n### Step 1: Tilt\n\n### Step 2: Stop\n") == "1 Boil | 2 Pour");
  CHECK(outline("# Tea\n\n## Stage 1: A\n\n### Phase 1: x\n\n### Phase 2: y\n\n## Stage 2: B\n") ==
        "1 A | 2 B");
}

TEST_CASE("phase finder: a later chapter that speaks of the phases again adds none") {
  CHECK(outline("# Tea\n\n## Phase 1: Boil\n\n## Phase 2: Pour\n\n# Notes\n\n## Phase 1: Why\n\n"
                "## Phase 2: How\n") == "1 Boil | 2 Pour");
  CHECK(outline("# Tea\n\n## Phase 1: Boil\n\n## Phase 1 Validation Gate\n\n## Phase 2: Pour\n\n"
                "## Phase 2 Validation Gate\n") == "1 Boil | 2 Pour");
}

TEST_CASE("phase finder: a sequence goes on below the next heading, steps begin anew") {
  CHECK(outline("# Tea\n\n## Kitchen\n\n### Phase 1: Boil\n\n### Phase 2: Fill\n\n## Table\n\n"
                "### Phase 3: Pour\n") == "1 Boil | 2 Fill | 3 Pour");
  CHECK(
      outline("# Tea\n\n## Kitchen\n\n### Step 1: Boil\n\n### Step 2: Fill\n\n### Step 3: Wait\n\n"
              "## Table\n\n### Step 1: Lay\n\n### Step 2: Pour\n") == "1 Boil | 2 Fill | 3 Wait");
}

TEST_CASE("phase finder: tags with and without end tags") {
  const char* text =
      "# Tea\n\n<step n=\"1\" title=\"Boil\">\n\nHeat.\n\n</step>\n\nBetween.\n\n"
      "<step n=\"2\" title=\"Pour_out\">\n\nSlowly.\n\n</step>\n\nAfter.\n";
  CHECK(outline(text) == "1 Boil | 2 Pour out");
  CHECK(lines(text) == "3-7 11-15");
  CHECK(outline("<phase number=\"1\" name=\"A\">\n\nx\n\n<phase number=\"2\" name=\"B\">\n\ny\n") ==
        "1 A | 2 B");
  CHECK(outline("<step name=\"boil\">\n\nx\n\n</step>\n\n<step name=\"pour\">\n\ny\n\n</step>\n") ==
        "boil | pour");
  CHECK(outline("<steps>\n\nx\n\n</steps>\n\n<stepper n=\"1\">\n").empty());
}

TEST_CASE("phase finder: bold lines that stand for headings") {
  CHECK(outline("# Tea\n\n**Phase 1: Boil**\n\nHeat.\n\n**Phase 2: Pour**\n\nSlowly.\n") ==
        "1 Boil | 2 Pour");
  CHECK(outline("# Tea\n\nIn **Phase 1** we boil, in **Phase 2** we pour.\n").empty());
}

TEST_CASE("phase finder: the rows of a table where there is nothing else") {
  const char* text =
      "# Tea\n\n| Phase | What |\n|---|---|\n| 1. Boil | Heat |\n| 2. Pour | Tilt |\n";
  const FoundPhases found = found_in(text);
  CHECK(found.rows);
  CHECK(outline(found) == "1 Boil | 2 Pour");
  CHECK(lines(text) == "5-5 6-6");
  CHECK(outline("| Step | Do |\n|---|---|\n| 1 | Boil |\n| 2 | Pour |\n") == "1 Boil | 2 Pour");
  CHECK(outline("| # | Phase |\n|---|---|\n| 1 | Boil |\n| 2 | Pour |\n") == "1 Boil | 2 Pour");
  CHECK(outline("| Phase | What |\n|---|---|\n| 1. Boil | Heat |\n").empty());
  CHECK(outline("| Phase | What |\n|---|---|\n| Boil | Heat |\n| Pour | Tilt |\n").empty());
  CHECK(outline("| Cup | What |\n|---|---|\n| 1 | Heat |\n| 2 | Tilt |\n").empty());
  CHECK(outline("# Tea\n\n## Phase 1: A\n\n## Phase 2: B\n\n| Phase | What |\n|---|---|\n| 3 | x "
                "|\n| 4 | y |\n") == "1 A | 2 B");
}

TEST_CASE("phase finder: one unit of a workflow by its title, its metadata line or its folder") {
  const FoundPhases title = found_in("# Phase 3: Pour\n\n## Purpose\n\nx\n\n## Validation Gate\n");
  CHECK(title.unit);
  CHECK(outline(title) == "3 Pour");
  const FoundPhases line = found_in("# Warm the cups\n\n**Phase:** 4 (Serve)\n\nx\n");
  CHECK(line.unit);
  CHECK(outline(line) == "4 Warm the cups");
  const FoundPhases folder = found_in("# Warm the cups\n\nx\n", "tea/phases/2/warm.md");
  CHECK(folder.unit);
  CHECK(outline(folder) == "2 Warm the cups");
  CHECK(outline("# Task 2: Warm the cups\n\nx\n", "tea/phases/5/task-2.md") == "5 Warm the cups");
  CHECK(outline("# Task 4.2: Warm\n\nx\n") == "4 Warm");
  CHECK_FALSE(found_in("# Warm the cups\n\nx\n", "tea/phases/dynamic/warm.md").unit);
  CHECK_FALSE(found_in("# Warm the cups\n\nx\n").unit);
  CHECK_FALSE(found_in("# Phase 1: A\n\nx\n\n# Phase 2: B\n\ny\n").unit);
}

TEST_CASE("phase finder: numbered headings count below a title that speaks of an order") {
  CHECK(outline("# The tea process\n\n## 1. Boil\n\n## 2. Pour\n\n## 3. Drink\n") ==
        "1 Boil | 2 Pour | 3 Drink");
  CHECK(outline("# Tea\n\n## Steps\n\n### 1. Boil\n\n### 2. Pour\n") == "1 Boil | 2 Pour");
  CHECK(outline("# Tea\n\n## 1. History\n\n## 2. Kinds\n").empty());
  CHECK(outline("# Tea process checklist\n\n## 1. Cups\n\n## 2. Leaves\n").empty());
  CHECK(outline("# The tea process\n\n## 4. Boil\n\n## 5. Pour\n").empty());
}

TEST_CASE("phase finder: gates and transitions") {
  const FoundPhases gates = found_in("# Tea\n\n## Gate 1: Water\n\nx\n\n## Gate 2: Leaves\n\ny\n");
  CHECK(outline(gates) == "1 Water | 2 Leaves");
  CHECK(gates.phases.at(0).gate);
  CHECK(outline("# Tea\n\n## COLD → WARM\n\nx\n\n## WARM → HOT\n\ny\n") ==
        "COLD → WARM | WARM → HOT");
  CHECK(outline("# Tea\n\n## Planning Gate\n\nx\n\n## Serving Gate\n\ny\n") ==
        "Planning | Serving");
}

TEST_CASE("phase finder: a gate's section between two phases belongs to the phase before it") {
  const char* text =
      "# Tea\n\n## Phase 1: Boil\n\nx\n\n## Quality Gate\n\n- [ ] hot\n\n## Phase 2: Pour\n\ny\n\n"
      "## Further reading\n\nz\n";
  CHECK(outline(text) == "1 Boil | 2 Pour");
  CHECK(lines(text) == "3-10 11-14");
}

TEST_CASE("phase finder: numbers in sentences, versions and single headings are no phases") {
  for (const char* text :
       {"", "# Notes\n\nPhase 1 is done, phase 2 follows.\n", "# Notes\n\n## v0.5\n\n## v0.6\n",
        "# Plan\n\n## Milestone 1: A\n\n## Milestone 2: B\n", "# Log\n\n## 2025\n\n## 2026\n",
        "# Notes\n\n## Phase 1: Alone\n\nx\n", "> ## Phase 1: A\n>\n> ## Phase 2: B\n",
        "```\n## Phase 1: A\n## Phase 2: B\n```\n", "<!--\n## Phase 1: A\n\n## Phase 2: B\n-->\n",
        "# Tasks\n\n## Task 1: A\n\n## Task 2: B\n"}) {
    CAPTURE(std::string(text));
    CHECK(outline(text).empty());
  }
}

TEST_CASE("phase finder: many headings give a result in their order") {
  std::string text;
  for (int i = 1; i <= 3000; ++i) text += "## Phase " + std::to_string(i) + ": p\n\nx\n\n";
  const FoundPhases found = found_in(text);
  REQUIRE(found.phases.size() == 3000);
  for (std::size_t i = 1; i < found.phases.size(); ++i) {
    if (found.phases[i].first != found.phases[i - 1].last) FAIL("a gap before phase ", i + 1);
  }
  std::string same;
  for (int i = 0; i < 3000; ++i) same += "## H\n\n### Phase 1: p\n\n";
  CHECK_NOTHROW((void)found_in(same));
}
