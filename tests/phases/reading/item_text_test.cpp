#include "phases/reading/item_text.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/phases/reading/fixture.h"

using namespace phasegate::phases;
using phasegate::test::said;
using Command = CommandLine::Kind;

namespace {

/// The first statement of a markdown text.
Statement first(const std::string& text) {
  const auto all = said(text + "\n");
  return all.empty() ? Statement() : all[0];
}

}  // namespace

TEST_CASE("item text: the label that the author marked, and the rest (004-15)") {
  struct {
    const char* text;
    const char* label;
    const char* content;
    const char* marks;  ///< c code, b bold, : colon, l lead
  } const cases[] = {
      {"- `room_count`: how many rooms", "room_count", "how many rooms", "c:"},
      {"- `room_count` (integer)", "room_count", "(integer)", "c"},
      {"- `room_count` – how many", "room_count", "how many", "c"},
      {"- `room_count`", "room_count", "", "c"},
      {"- `run` the cleaner twice", "", "run the cleaner twice", ""},
      {"- **Rooms**: all swept", "Rooms", "all swept", "b:"},
      {"- **Rooms:** all swept", "Rooms", "all swept", "b:"},
      {"- **Rooms** - all swept", "Rooms", "all swept", "b"},
      {"- **Rooms** are swept", "", "Rooms are swept", ""},
      {"- **Gate: all rooms swept**", "Gate", "all rooms swept", "b:"},
      {"**Rooms:**", "Rooms", "", "b:l"},
      {"**Rooms**", "Rooms", "", "bl"},
      {"- **Rooms are swept**", "", "Rooms are swept", "b"},
      {"**Every one of the rooms is swept.**", "", "Every one of the rooms is swept.", ""},
      {"- Rooms: all swept", "Rooms", "all swept", ":"},
      {"- Rooms - all swept", "Rooms", "all swept", ""},
      {"- Rooms：全部", "Rooms", "全部", ":"},
      {"Confirm all of these:", "Confirm all of these", "", ":l"},
      {"- For big rooms: sweep twice", "", "sweep twice", ":"},
      {"- **CRITICAL**: rooms are swept", "", "rooms are swept", "b:"},
      {"- Priority 1: rooms are swept", "", "rooms are swept", ":"},
      {"- A label that is much longer than five words: no", "",
       "A label that is much longer than five words: no", ""},
      {"- All rooms are swept", "", "All rooms are swept", ""},
      {"- at 10:30 sharp", "", "at 10:30 sharp", ""},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.text));
    const ItemText got = read_item_text(first(one.text));
    CHECK(got.label == one.label);
    CHECK(got.content == one.content);
    std::string marks = got.code ? "c" : "";
    if (got.bold) marks += 'b';
    if (got.colon) marks += ':';
    if (got.lead) marks += 'l';
    CHECK(marks == one.marks);
  }
}

TEST_CASE("item text: lines in capitals that command") {
  struct {
    const char* text;
    Command kind;
    const char* content;
    bool collects = false;
  } const cases[] = {
      {"EVIDENCE-REQUIRED: photo of each room", Command::asks, "photo of each room"},
      {"🛑 PASTE-OUTPUT: the sweep log", Command::asks, "the sweep log"},
      {"COUNT-AND-DOCUMENT: rooms [NUMBER]", Command::asks, "rooms [NUMBER]", true},
      {"QUANTIFY-RESULTS: dust in grams", Command::asks, "dust in grams", true},
      {"VERIFY: all lamps are off", Command::verify, "all lamps are off"},
      {"**CONFIRM: all lamps are off**", Command::verify, "all lamps are off"},
      {"🛑 VALIDATE-GATE: Rooms", Command::gate, "Rooms"},
      {"CHECKPOINT: all rooms swept", Command::gate, "all rooms swept"},
      {"🛑 VALIDATE-GATE: Entry requirements", Command::entry, "Entry requirements"},
      {"🛑 EXECUTE-NOW: sweep", Command::other, "sweep"},
      {"WARNING: wet floor", Command::other, "wet floor"},
      {"Verify: all lamps are off", Command::none, ""},
      {"All lamps are off", Command::none, ""},
      {"FYI: lamps", Command::none, ""},
      {"VERIFY all lamps", Command::none, ""},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.text));
    const CommandLine got = read_command_line(first(one.text));
    CHECK(static_cast<int>(got.kind) == static_cast<int>(one.kind));
    if (got.kind != Command::none) CHECK(got.content == one.content);
    CHECK(got.collects == one.collects);
  }
}

TEST_CASE("item text: items of work") {
  for (const char* yes :
       {"T012 sweep", "Task 1.1: sweep", "Task 3 sweep", "task-2 sweep", "Task: sweep", "Subtask 1",
        "Story 4", "P1-T3 sweep", "1.2 sweep", "1.2.3 sweep", "Task [N]: sweep"}) {
    CAPTURE(std::string(yes));
    CHECK(names_task(yes));
  }
  for (const char* no : {"", "Sweep", "Tasks are done", "Task list is complete", "The rooms",
                         "1. sweep", "12 rooms", "1.2", "Total 3", "P1 is done"}) {
    CAPTURE(std::string(no));
    CHECK_FALSE(names_task(no));
  }
}

TEST_CASE("item text: placeholders alone ask for nothing") {
  for (const char* yes : {"", "  ", "[Specific condition]", "{{evidence}}", "<path>", "[A] - [B]",
                          "...", "…", "[a]."}) {
    CAPTURE(std::string(yes));
    CHECK(is_placeholder(yes));
  }
  for (const char* no : {"rooms [N]", "rooms", "[N] rooms", "rooms …", "完成 [N]"}) {
    CAPTURE(std::string(no));
    CHECK_FALSE(is_placeholder(no));
  }
}

TEST_CASE("item text: the conditions of one sentence") {
  using Parts = std::vector<std::string_view>;
  CHECK(conditions_in("Rooms swept AND lamps off") == Parts{"Rooms swept", "lamps off"});
  CHECK(conditions_in("Rooms swept + lamps off") == Parts{"Rooms swept", "lamps off"});
  CHECK(conditions_in("Rooms swept and lamps off") == Parts{"Rooms swept and lamps off"});
  CHECK(conditions_in("Light ≥ 80% and dust < 2 grams") == Parts{"Light ≥ 80%", "dust < 2 grams"});
  CHECK(conditions_in("All of the rooms are swept. Then rest.") ==
        Parts{"All of the rooms are swept"});
  CHECK(conditions_in("All rooms are swept before proceeding to the attic") ==
        Parts{"All rooms are swept"});
  CHECK(conditions_in("2 + 2 rooms") == Parts{"2 + 2 rooms"});
  CHECK(conditions_in("") == Parts{""});
  for (const char* odd : {" AND ", "AND", " + ", "+ + +", " and  and "}) {
    CAPTURE(std::string(odd));
    CHECK_FALSE(conditions_in(odd).empty());
  }
}

TEST_CASE("item text: what a sentence holds back for") {
  struct {
    const char* text;
    const char* want;
  } const cases[] = {
      {"Do not proceed until all rooms are swept", "all rooms are swept"},
      {"Never advance unless the lamps are off", "the lamps are off"},
      {"Cannot continue without a signed list", "a signed list"},
      {"You must not begin until the key is back", "the key is back"},
      {"All three keys must be back before proceeding", "All three keys must be back"},
      {"Do not proceed until this phase is complete", ""},
      {"Do not paint until the wall is dry", ""},
      {"Proceed when ready", ""},
      {"If tired, rest before proceeding", ""},
      {"", ""},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.text));
    CHECK(held_back_until(one.text) == one.want);
  }
}
