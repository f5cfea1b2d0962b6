#include <random>

#include <doctest/doctest.h>

#include "base/text.h"
#include "phases/document_workflow.h"
#include "phases/workflow_reader.h"
#include "tests/mcp/desk.h"

/// Documents as workflows, as an assistant meets them.
namespace phasegate::mcp::tools {
namespace {

using base::Json;
using test::Desk;

/// Every later phase has a title and a text that nothing else says.
const std::string kDocument =
    "---\ndescription: How to choose.\n---\n"
    "# Choosing\n\nRead [the end](#phase-3-zebra-crossing) last.\n\n"
    "- Phase 1: Gather\n- Phase 2: Quokka Weighing\n- Zebra Crossing\n\n"
    "| no | what |\n|---|---|\n| 2 | Quokka Weighing |\n\n"
    "```\nGather -> Quokka Weighing -> Zebra Crossing\n```\n\n"
    "## Phase 1: Gather\n\nGather facts.\n\n### Validation Gate\n- [ ] Facts gathered\n\n"
    "## Phase 2: Quokka Weighing\n\nQuokkatext.\n\n### Validation Gate\n- [ ] Quokka weighed\n\n"
    "## Phase 3: Zebra Crossing\n\nZebratext.\n\n### Validation Gate\n- [ ] Zebra crossed\n\n"
    "## Zebra epilogue\n\nAll of it.\n";

/// Everything that can be asked for about a session and without one, in both representations.
std::string everything(Desk& desk, const std::string& session) {
  std::string text;
  const auto take = [&](const std::string& tool, const Json& arguments) {
    const auto result = desk.house.call(tool, arguments);
    text += result.text + (result.structured ? base::dump(*result.structured) : "") + "\n";
  };
  take("list_workflows", Json::object());
  take("list_sessions", Json::object());
  for (const char* tool : {"get_workflow_state", "get_current_phase"}) {
    take(tool, {{"session_id", session}});
  }
  for (const char* phase : {"1", "2", "3", "4"}) {
    take("get_phase_content", {{"session_id", session}, {"phase", phase}});
    take("get_task", {{"session_id", session}, {"phase", phase}, {"task_number", "1"}});
    for (const char* file : {"choose.md", "choose.md#2", "choose.md#3"}) {
      take("get_task",
           {{"session_id", session}, {"phase", phase}, {"task_number", "1"}, {"file", file}});
    }
  }
  take("complete_phase", {{"session_id", session}, {"phase", "3"}, {"evidence", Json::object()}});
  return text;
}

/// Completes the open phase with the example that its criteria give; the answer.
std::string complete_as_asked(Desk& desk, const std::string& session, const std::string& phase) {
  const Json open = desk.ok("get_current_phase", {{"session_id", session}});
  const Json example = open["checkpoint_criteria"]["example"];
  return base::dump(desk.ok("complete_phase",
                            {{"session_id", session}, {"phase", phase}, {"evidence", example}}));
}

bool holds(const std::string& text, const std::string& word) {
  return base::lowered(text).find(word) != std::string::npos;
}

TEST_CASE("invariant 1: nothing of a later phase of a document is anywhere before it is reached") {
  Desk desk(phases::read_document_text("choose.md", kDocument));
  const std::string session = desk.start("choose");
  const std::string first = everything(desk, session);
  CHECK(holds(first, "gather facts"));
  CHECK_FALSE(holds(first, "quokka"));
  CHECK_FALSE(holds(first, "zebra"));
  desk.ok("complete_phase",
          {{"session_id", session}, {"phase", "1"}, {"evidence", {{"facts_gathered", true}}}});
  const std::string second = everything(desk, session);
  CHECK(holds(second, "quokkatext"));
  CHECK_FALSE(holds(second, "zebra"));
}

TEST_CASE("documents: a session from start to end, refusals with the document's lines (004-31)") {
  Desk desk(phases::read_document_text("choose.md", kDocument));
  const std::string session = desk.start("choose");
  const auto refused = desk.house.call(
      "complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", Json::object()}});
  CHECK(refused.is_error);
  CHECK(holds(refused.text, "lines of choose.md"));
  CHECK(holds(refused.text, "[line 25]"));
  CHECK_FALSE(holds(complete_as_asked(desk, session, "1"), "all of it."));
  CHECK(holds(complete_as_asked(desk, session, "2"), "all of it."));
  const Json end = Json::parse(complete_as_asked(desk, session, "3"));
  CHECK(end["workflow_complete"] == true);
}

/// One of many documents: so many phases, an outline in one of the forms that people use, and line
/// ends of either kind. Title and text of phase i hold `canary<i>x`.
std::string made_document(std::mt19937& random, int phases) {
  const auto any_of = [&random](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  const auto title = [](int i) { return "Title canary" + std::to_string(i) + "x here"; };
  std::string text = any_of(2) == 0 ? "# Work\n\n" : "---\nname: work\n---\n\n";
  const int form = any_of(6);
  std::string arrows;
  for (int i = 1; i <= phases; ++i) {
    const std::string number = std::to_string(i);
    if (form == 0) text += "- " + title(i) + "\n";
    if (form == 1) text += number + ". Phase " + number + ": **" + title(i) + "**\n   - more\n";
    if (form == 2 && i == 1) text += "| Nr | What |\n|---|---|\n";
    if (form == 2) text += "| " + number + " | " + title(i) + " |\n";
    if (form == 3) text += "See [" + title(i) + "](#phase-" + number + ") in its time.\n";
    if (form == 4) text += "```\nphase " + number + " " + title(i) + "\n```\n";
    arrows += (i > 1 ? " \u2192 " : "") + title(i);
  }
  if (form == 5) text += arrows + "\n";
  for (int i = 1; i <= phases; ++i) {
    text += "\n## Phase " + std::to_string(i) + ": " + title(i) + "\n\nDo canary" +
            std::to_string(i) + "x.\n";
    if (any_of(3) > 0) text += "\n### Validation Gate\n- [ ] Done " + std::to_string(i) + "\n";
  }
  if (any_of(2) == 0) return text;
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return crlf;
}

TEST_CASE("invariant 1: no document shows a phase that is not reached, whatever its outline") {
  std::mt19937 random(20);
  for (int round = 0; round < 60; ++round) {
    const int phases = 2 + round % 4;
    const std::string document = made_document(random, phases);
    CAPTURE(document);
    Desk desk(phases::read_document_text("choose.md", document));
    const std::string session = desk.start("choose");
    for (int open = 1; open <= phases; ++open) {
      const std::string seen = everything(desk, session);
      CHECK(holds(seen, "do canary" + std::to_string(open) + "x."));
      for (int later = open + 1; later <= phases; ++later) {
        CHECK_FALSE(holds(seen, "canary" + std::to_string(later) + "x"));
      }
      complete_as_asked(desk, session, std::to_string(open));
    }
    CHECK(desk.ok("get_workflow_state", {{"session_id", session}})["status"] == "completed");
  }
}

TEST_CASE("documents: a folder without metadata, from start to end") {
  const test::TempFolder place;
  const std::string gate = "\n\n## Validation Gate\n- [ ] ";
  place.write("tidy/README.md", "# Tidying\n\nA small framework.\n");
  place.write("tidy/phases/phase-1-look.md", "# Phase 1: Look" + gate + "All seen\n");
  place.write("tidy/phases/1/task-1-shelves.md", "Look at the shelves.\n");
  place.write("tidy/phases/phase-2-tidy.md", "# Phase 2: Zebra tidying" + gate + "All tidy\n");
  place.write("tidy/phases/2/task-1-zebra.md", "Zebra task.\n");
  Desk desk(phases::read_workflow(place.path() / "tidy", phases::PlainRequirementReader()));
  const auto listed = desk.house.call("list_workflows", Json::object());
  CHECK(holds(listed.text, "tidying"));
  const std::string session = desk.start("tidy");
  const std::string first = everything(desk, session);
  CHECK(holds(first, "look at the shelves"));
  CHECK_FALSE(holds(first, "zebra"));
  const auto refused = desk.house.call(
      "complete_phase", {{"session_id", session}, {"phase", "1"}, {"evidence", Json::object()}});
  CHECK(holds(refused.text, "phases/phase-1-look.md"));
  CHECK(holds(refused.text, "[line 4]"));
  desk.ok("complete_phase",
          {{"session_id", session}, {"phase", "1"}, {"evidence", {{"all_seen", true}}}});
  CHECK(holds(everything(desk, session), "zebra task."));
  const Json end =
      desk.ok("complete_phase",
              {{"session_id", session}, {"phase", "2"}, {"evidence", {{"all_tidy", true}}}});
  CHECK(end["workflow_complete"] == true);
}

}  // namespace
}  // namespace phasegate::mcp::tools
