#include "phases/reading/document_reading.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "phases/requirement_words.h"
#include "tests/phases/reading/fixture.h"

using namespace phasegate::phases;
using phasegate::test::codes_of;
using phasegate::test::findings_with;
using phasegate::test::names_of;

namespace {

DocumentReading read(const std::string& text, std::string_view path = "doc.md") {
  return read_document(text, path);
}

/// A document of one gate: what stands below the heading begins on line 5.
std::string gate(const std::string& heading, const std::string& below) {
  return "# Sweeping\n\n## " + heading + "\n\n" + below + "\n";
}

/// Two phases; `in_first` begins on line 5.
std::string two(const std::string& in_first) {
  return "# Sweeping\n\n## Phase 1: Rooms\n\n" + in_first +
         "\n## Phase 2: Attic\n\n### Exit Criteria\n\n- [ ] Attic is swept\n";
}

/// `5 rooms_swept (boolean, must be true)`: line, name and rules, one after the other.
std::string shown(const std::vector<Requirement>& requirements) {
  std::string all;
  for (const Requirement& one : requirements) {
    if (!all.empty()) all += "; ";
    all += std::to_string(one.source.line) + " " + one.name + " (" + type_and_rules(one) + ")";
  }
  return all;
}

}  // namespace

TEST_CASE("documents: a gate in each form, with line, kind and confidence (004-16 … 004-18)") {
  const char* swept = "5 rooms_are_swept (boolean, must be true)";
  struct {
    const char* name;
    std::string text;
    const char* want;
    RequirementSource kind;
    Confidence confidence;
  } const cases[] = {
      {"box", gate("Exit Criteria", "- [ ] Rooms are swept"), swept, RequirementSource::checkbox,
       Confidence::high},
      {"ticked", gate("Exit Criteria", "- [x] Rooms are swept"), swept, RequirementSource::checkbox,
       Confidence::high},
      {"weak", gate("Verification", "- [ ] Rooms are swept"), swept, RequirementSource::checkbox,
       Confidence::medium},
      {"bullet", gate("Exit Criteria", "- Rooms are swept"), swept, RequirementSource::bullet,
       Confidence::high},
      {"number", gate("Exit Criteria", "1. Rooms are swept"), swept, RequirementSource::bullet,
       Confidence::high},
      {"mark", gate("Exit Criteria", "✅ Rooms are swept"), swept, RequirementSource::bullet,
       Confidence::medium},
      {"line", gate("Rooms", "**🚪 Gate:** Rooms are swept"), swept, RequirementSource::prose,
       Confidence::medium},
      {"checkpoint", gate("Rooms", "**Checkpoint**: Rooms are swept"), swept,
       RequirementSource::prose, Confidence::medium},
      {"held back", gate("Rooms", "Do not proceed until rooms are swept"), swept,
       RequirementSource::prose, Confidence::medium},
      {"verify", gate("Rooms", "VERIFY: Rooms are swept"), swept, RequirementSource::command,
       Confidence::medium},
      {"slot", gate("Evidence", "- **Rooms swept**: [NUMBER]"),
       "5 rooms_swept (integer, at least 0)", RequirementSource::field, Confidence::high},
      {"command", gate("Rooms", "COUNT-AND-DOCUMENT: Rooms swept: [NUMBER]"),
       "5 rooms_swept (integer, at least 0)", RequirementSource::command, Confidence::high},
      {"field", gate("Required Evidence", "- `room_count`: integer"),
       "5 room_count (integer, at least 0)", RequirementSource::field, Confidence::high},
      {"table", gate("Exit Criteria", "| Check | Target |\n|---|---|\n| Light | ≥ 80 % |"),
       "7 light (number, at least 80)", RequirementSource::table_row, Confidence::medium},
      {"call",
       gate("Submit evidence", "```python\nfinish(evidence={\n  \"room_count\": 3,\n})\n```"),
       "7 room_count (integer, at least 0)", RequirementSource::sample_call, Confidence::high},
      {"form", gate("Validation Gate", "```\nSwept: [YES/NO]\n```"),
       "6 swept (boolean, must be true)", RequirementSource::field, Confidence::medium},
      {"measure", gate("Exit Criteria", "- [ ] Light ≥ 80 %"), "5 light_80 (number, at least 80)",
       RequirementSource::checkbox, Confidence::high},
      {"tag", "# Sweeping\n\n<success_criteria>\n\n- Rooms are swept\n\n</success_criteria>\n",
       swept, RequirementSource::bullet, Confidence::high},
      {"lead", gate("Rooms", "**Before proceeding:**\n- [ ] Rooms are swept"),
       "6 rooms_are_swept (boolean, must be true)", RequirementSource::checkbox, Confidence::high},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.name));
    const DocumentReading got = read(one.text);
    CAPTURE(codes_of(got));
    CHECK(shown(got.whole.exit) == one.want);
    for (const Requirement& made : got.whole.exit) {
      CHECK(to_text(made.kind) == to_text(one.kind));
      CHECK(to_text(made.confidence) == to_text(one.confidence));
      CHECK(made.source.file == "doc.md");
    }
  }
}

TEST_CASE("documents: what asks for nothing") {
  for (const std::string& text :
       {std::string(), gate("Exit Criteria", ""), gate("Exit Criteria", "Some words about gates."),
        gate("Rooms", "- [ ] Sweep the hall"), gate("Rooms", "- Rooms are swept"),
        gate("Exit Criteria", "- [ ] [Specific condition]"), gate("Exit Criteria", "> - quoted"),
        gate("Exit Criteria", "<!-- - [ ] hidden -->"), gate("Exit Criteria", "~~~sh\nls -l\n~~~"),
        gate("Notes", "- [ ] a note"), gate("Tasks", "- [ ] T001 Sweep the hall"),
        gate("Example gate", "- [ ] an example"),
        gate("Exit Criteria Template", "- [ ] a template"), gate("Write exit criteria", "- one"),
        gate("Red flags", "- rooms are dirty")}) {
    CAPTURE(std::string(text));
    const DocumentReading got = read(text);
    CHECK(shown(got.whole.exit).empty());
    CHECK(got.phases.empty());
  }
}

TEST_CASE("documents: phases hold their own gates, the rest is the whole document's (004-12)") {
  const DocumentReading got = read(two("### Exit Criteria\n\n- [ ] Rooms are swept\n") +
                                   "\n## Definition of Done\n\n- [ ] House is locked\n");
  CAPTURE(codes_of(got));
  CHECK(got.title == "Sweeping");
  REQUIRE(got.phases.size() == 2);
  CHECK(got.phases[0].number == "1");
  CHECK(got.phases[0].title == "Rooms");
  CHECK(got.phases[0].line == 3);
  CHECK(got.phases[0].line_end == 8);
  CHECK(shown(got.phases[0].criteria.exit) == "7 rooms_are_swept (boolean, must be true)");
  CHECK(got.phases[0].criteria.source.line == 5);
  CHECK(shown(got.phases[1].criteria.exit) == "13 attic_is_swept (boolean, must be true)");
  CHECK(shown(got.whole.exit) == "17 house_is_locked (boolean, must be true)");
  CHECK(got.whole.source.line == 15);
}

TEST_CASE("documents: a gate that names its phase belongs to it wherever it stands") {
  const DocumentReading got =
      read(two("Sweep.\n") + "\n## Phase 1 Gate\n\n- [ ] Rooms are swept\n");
  REQUIRE(got.phases.size() == 2);
  CHECK(names_of(got.phases[0].criteria.exit) == "rooms_are_swept");
  CHECK(got.whole.exit.empty());
  const DocumentReading table =
      read(two("Sweep.\n") +
           "\n## Overview\n\n| Phase | Exit criteria |\n|---|---|\n| 1 | Rooms are "
           "swept |\n| 2 | Attic is aired |\n");
  REQUIRE(table.phases.size() == 2);
  CHECK(names_of(table.phases[0].criteria.exit) == "rooms_are_swept");
  CHECK(names_of(table.phases[1].criteria.exit) == "attic_is_swept, attic_is_aired");
}

TEST_CASE("documents: what must hold to begin is told apart") {
  for (const char* title : {"Entry Criteria", "Prerequisites", "Before you begin"}) {
    CAPTURE(std::string(title));
    const DocumentReading got =
        read(two("### " + std::string(title) +
                 "\n\n- [ ] Broom is there\n\n### Exit Criteria\n\n- [ ] Rooms are swept\n"));
    REQUIRE(got.phases.size() == 2);
    CHECK(names_of(got.phases[0].criteria.entry) == "broom_is_there");
    CHECK(names_of(got.phases[0].criteria.exit) == "rooms_are_swept");
    CHECK(got.phases[0].criteria.source.line == 9);
  }
}

TEST_CASE("documents: optional wording makes a requirement optional") {
  for (const char* optional :
       {"Windows are shut (if any)", "If it rains, windows are shut", "Windows are shut (optional)",
        "Windows are shut where applicable", "Windows are shut if needed"}) {
    CAPTURE(std::string(optional));
    const DocumentReading got = read(gate("Exit Criteria", "- [ ] " + std::string(optional)));
    REQUIRE(got.whole.exit.size() == 1);
    CHECK_FALSE(got.whole.exit[0].required);
  }
  CHECK(read(gate("Exit Criteria", "- [ ] Windows are shut")).whole.exit.at(0).required);
}

TEST_CASE("documents: a person's approval belongs to the phase whose gate asks for it") {
  const DocumentReading got =
      read(two("### Exit Criteria\n\n- [ ] Rooms are swept\n\n**Human Approval**: required\n"));
  REQUIRE(got.phases.size() == 2);
  CHECK(got.phases[0].criteria.human_approval);
  CHECK(got.phases[0].criteria.human_approval_source.line == 9);
  CHECK_FALSE(got.phases[1].criteria.human_approval);
  CHECK_FALSE(got.whole.human_approval);
  CHECK(read(gate("Exit Criteria", "- [ ] User approval obtained")).whole.human_approval);
  CHECK_FALSE(read(gate("Exit Criteria", "- [ ] Rooms are swept")).whole.human_approval);
}

TEST_CASE("documents: findings say what is not asked for, and where (invariant 3)") {
  struct {
    const char* code;
    std::string text;
    int line;
    Severity severity;
  } const cases[] = {
      {"passed_over", gate("Exit Criteria", "- [ ] Rooms are swept\n- Lamps are off"), 6,
       Severity::warning},
      {"gate_in_template", gate("Exit Criteria Template", "- [ ] Rooms are swept"), 5,
       Severity::info},
      {"boxes_taken_for_work", gate("Rooms", "- [ ] Sweep the hall"), 5, Severity::warning},
      {"empty_requirement", gate("Exit Criteria", "- [ ] \n- [ ] Rooms are swept"), 5,
       Severity::warning},
      {"repeated_requirement",
       gate("Exit Criteria", "- [ ] Rooms are swept\n- [ ] Rooms are swept"), 6, Severity::info},
      {"unclosed_fence", gate("Exit Criteria", "- [ ] Rooms are swept\n\n```\nx"), 7,
       Severity::error},
      {"unclosed_fence", gate("Exit Criteria", "- [ ] Rooms are swept\n\n~~~\n\n\nx"), 7,
       Severity::error},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.code));
    const DocumentReading got = read(one.text);
    CAPTURE(codes_of(got));
    const auto found = findings_with(got, one.code);
    CHECK(found.size() == 1);
    for (const Finding& finding : found) {
      CHECK(finding.source == Source{"doc.md", one.line, 0});
      CHECK(finding.severity == one.severity);
      CHECK_FALSE(finding.message.empty());
    }
  }
  for (const char* complete :
       {"", "\n\n```\nx\n```", "\n\n```\n\n\nx\n```", "\n\n> ~~~\n> x\n> ~~~"}) {
    CAPTURE(complete);
    CHECK(codes_of(read(gate("Exit Criteria", std::string("- [ ] Rooms are swept") + complete)))
              .empty());
  }
}

TEST_CASE("documents: a finding names the phase in which it stands") {
  const DocumentReading got =
      read(two("### Exit Criteria\n\n- [ ] Rooms are swept\n- Lamps are off\n"));
  const auto found = findings_with(got, "passed_over");
  REQUIRE(found.size() == 1);
  CHECK(found[0].phase == "1");
}

TEST_CASE("phase documents: exactly one phase, a stale number is reported") {
  const DocumentReading plain =
      read_phase_document("# Phase 3: Rooms\n\n## Gate\n\n- [ ] Rooms are swept\n", "p.md", "3");
  REQUIRE(plain.phases.size() == 1);
  CHECK(plain.phases[0].number == "3");
  CHECK(names_of(plain.phases[0].criteria.exit) == "rooms_are_swept");
  CHECK(plain.findings.empty());

  const DocumentReading stale =
      read_phase_document("# Rooms\n\n## Phase 2 Gate\n\n- [ ] Rooms are swept\n", "p.md", "3");
  CHECK(names_of(stale.phases.at(0).criteria.exit) == "rooms_are_swept");
  const auto found = findings_with(stale, "stale_phase_number");
  REQUIRE(found.size() == 1);
  CHECK(found[0].source == Source{"p.md", 3, 0});
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].phase == "3");

  const DocumentReading other = read_phase_document(
      "# Rooms\n\n## Phase 3 Gate\n\n- [ ] Rooms are swept\n\n## Phase 4 Gate\n\n- [ ] Attic is "
      "swept\n",
      "p.md", "3");
  CHECK(names_of(other.phases.at(0).criteria.exit) == "rooms_are_swept");
  CHECK(findings_with(other, "stale_phase_number").empty());
  const auto ignored = findings_with(other, "other_gate_ignored");
  REQUIRE(ignored.size() == 1);
  CHECK(ignored[0].source.line == 7);
}

TEST_CASE("documents: the same sentence has the same name wherever it stands (P-6, 004-15)") {
  const std::string sentence = "Every room of the upper floor is swept";
  const std::string want = "every_room_of_the_upper_floor_is_swept";
  for (const std::string& text :
       {gate("Exit Criteria", "- [ ] " + sentence), gate("Exit Criteria", "- " + sentence),
        gate("Exit Criteria", "- [x] " + sentence + " ✅"), gate("Done when", "1. " + sentence),
        gate("Exit Criteria", "- [ ] Lamps off\n- [ ] " + sentence),
        gate("Exit Criteria", "| Check |\n|---|\n| " + sentence + " |")}) {
    CAPTURE(std::string(text));
    const auto made = read(text).whole.exit;
    REQUIRE_FALSE(made.empty());
    CHECK(made.back().name == want);
  }
}

TEST_CASE("documents: two sentences of one name are told apart, near and far") {
  const auto made =
      read(gate("Exit Criteria", "- [ ] Rooms: swept\n- [ ] Rooms: aired")).whole.exit;
  REQUIRE(made.size() == 2);
  CHECK(made[0].name == "rooms");
  CHECK(made[1].name.starts_with("rooms_"));
  CHECK(made[1].name != made[0].name);
}

TEST_CASE("documents: line ends and a byte order mark change nothing but offsets") {
  const std::string text = two("### Exit Criteria\n\n- [ ] Rooms are swept\n- [ ] Light ≥ 80 %\n");
  std::string crlf;
  std::string cr;
  for (const char c : text) {
    crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
  }
  const DocumentReading want = read(text);
  for (const std::string& other : {crlf, cr, "\xEF\xBB\xBF" + text}) {
    const DocumentReading got = read(other);
    REQUIRE(got.phases.size() == want.phases.size());
    for (std::size_t i = 0; i < got.phases.size(); ++i) {
      CHECK(got.phases[i].line == want.phases[i].line);
      CHECK(got.phases[i].line_end == want.phases[i].line_end);
      CHECK(got.phases[i].criteria.exit == want.phases[i].criteria.exit);
    }
  }
}

TEST_CASE("documents: phases cover their bytes, from the heading to the next") {
  const std::string text = two("Sweep.\n");
  const DocumentReading got = read(text);
  REQUIRE(got.phases.size() == 2);
  CHECK(text.substr(got.phases[0].begin).starts_with("## Phase 1"));
  CHECK(got.phases[0].end == got.phases[1].begin);
  CHECK(got.phases[1].end == text.size());
}

TEST_CASE("documents: every beginning of a document gives a result (004-11)") {
  const std::string text =
      "\xEF\xBB\xBF---\nname: x\n---\n# Sweeping 🧹\r\n\r\n## Phase 1: Rooms\n\n"
      "<step n=\"1\">\n\n**Gate:** Rooms swept AND lamps off\n\n</step>\n\n### Exit Criteria\n\n"
      "- [ ] Light ≥ 80 %\n  - **Note**: [NUMBER] <!-- x -->\n- Dust < 2 g (min 3)\n\n"
      "| Check | Target |\n|---|---|\n| Räume | ≥ 3 |\n\n> quoted **bold\n\n"
      "```json\nevidence={\"a_b\": [1, {\"c\": 2}]}\n```\n\n## Phase 2: Attic\n\n"
      "**Human Approval**: required\n\nEVIDENCE-REQUIRED: `room_count`: integer\n";
  for (std::size_t i = 0; i <= text.size(); ++i) {
    CHECK_NOTHROW((void)read(text.substr(0, i)));
    CHECK_NOTHROW((void)read_phase_document(text.substr(0, i), "p.md", "1"));
  }
}

TEST_CASE("documents: hostile ones give a result") {
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>((i * 7919) % 256);
  CHECK_NOTHROW((void)read(bytes));
  CHECK_NOTHROW((void)read(gate("Exit Criteria", bytes)));
  CHECK_NOTHROW((void)read(std::string(20'000, '>')));
  std::string boxes;
  for (int i = 0; i < 2000; ++i) boxes += "- [ ] Room " + std::to_string(i) + " of the house\n";
  CHECK(read(gate("Exit Criteria", boxes)).whole.exit.size() == 2000);
  std::string alike;
  for (int i = 0; i < 500; ++i)
    alike += "- [ ] Rooms: " + std::string(static_cast<std::size_t>(i + 1), 'x') + "\n";
  const auto made = read(gate("Exit Criteria", alike)).whole.exit;
  CHECK(made.size() == 500);
}
