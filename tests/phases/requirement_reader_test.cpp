#include "phases/requirement_reader.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
using namespace phasegate::phases;

namespace {

ReadGate read(std::string_view text, std::string_view phase = "1") {
  return PlainRequirementReader().read(text, "phases/1/phase.md", phase);
}

std::vector<std::string> names(const ReadGate& gate) {
  std::vector<std::string> list;
  for (const Requirement& requirement : gate.requirements) list.push_back(requirement.name);
  return list;
}

const Finding* finding(const ReadGate& gate, std::string_view code) {
  for (const Finding& one : gate.findings) {
    if (one.code == code) return &one;
  }
  return nullptr;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("004-11: boxes below a gate's marker are what is required") {
  const ReadGate gate = read(
      "# Phase 1: Write\n\n- [ ] no gate yet\n\n## Validation Gate\n\n🛑 VALIDATE-GATE: Phase 1 "
      "Checkpoint\n\nBefore advancing to Phase 2:\n- [ ] notes.md file exists ✅/❌\n- [x] "
      "Reviewed "
      "✅/❌\n- [ ] Linked\n  over two lines ✅/❌\n- a plain bullet\n\n## Next\n\n- [ ] not "
      "ours\n");
  REQUIRE(names(gate) == Names{"notes_md_file_exists", "reviewed", "linked_over_two_lines"});
  CHECK(gate.source == Source{"phases/1/phase.md", 5, 0});
  const Requirement& first = gate.requirements[0];
  CHECK(first.type == ValueType::boolean);
  CHECK(first.required);
  CHECK(first.kind == RequirementSource::checkbox);
  CHECK(first.description == "notes.md file exists");
  CHECK(first.source == Source{"phases/1/phase.md", 10, 0});
  CHECK(gate.requirements[2].source.line == 12);
  CHECK_FALSE(gate.human_approval);
  const Finding* passed = finding(gate, "passed_over");
  REQUIRE(passed != nullptr);
  CHECK(passed->severity == Severity::warning);
  CHECK(passed->source.line == 14);
  CHECK(passed->message.find("a plain bullet") != std::string::npos);
  // The boxes before and behind the gate are said to be work.
  REQUIRE(finding(gate, "boxes_taken_for_work") != nullptr);
  CHECK(finding(gate, "boxes_taken_for_work")->severity == Severity::info);
}

TEST_CASE("requirements: what a gate is, and where it ends") {
  struct Case {
    const char* name;
    const char* text;
    Names wanted;
  };
  const Case cases[] = {
      {"heading alone", "## Validation Gate\n- [ ] a\n", {"a"}},
      {"bold and emoji in a heading", "## 🛑 **Checkpoint**\n- [ ] a\n", {"a"}},
      {"deeper headings belong to it",
       "## Gate\n### Part\n- [ ] a\n### Part 2\n- [ ] b\n## X\n- [ ] c\n",
       {"a", "b"}},
      {"a higher heading ends it", "## S\n### Gate\n- [ ] a\n## T\n- [ ] b\n", {"a"}},
      {"marker without heading", "text\n\n🛑 VALIDATE-GATE: Done\n- [ ] a\n", {"a"}},
      {"marker in the middle of a section",
       "## S\n- [ ] a\n\n🛑 VALIDATE-GATE: Done\n\n- [ ] b\n## T\n- [ ] c\n",
       {"b"}},
      {"marker in bold", "🛑 **VALIDATE-GATE**: Done\n- [ ] a\n", {"a"}},
      {"bold paragraph", "**Validation Gate:**\n- [ ] a\n", {"a"}},
      {"a sentence is no marker", "The gate is strict.\n- [ ] a\n", {}},
      {"a task about gates",
       "### Task 5: Define Validation Gates\n- [ ] a\n\n## Validation Gate\n- [ ] b\n",
       {"b"}},
      {"an entry gate",
       "🛑 VALIDATE-GATE: Analysis Prerequisites\n- [ ] a\n\n🛑 VALIDATE-GATE: Phase 1 done\n- [ ] "
       "b\n",
       {"b"}},
      {"an entry gate in a section", "## Entry Gate\n- [ ] a\n## Exit Gate\n- [ ] b\n", {"b"}},
      {"an entry part of a gate", "## Gates\n### Entry\n- [ ] a\n### Exit\n- [ ] b\n", {"b"}},
      {"gates of several phases",
       "## Validation Gates\n### Phase 1 Validation Gate\n- [ ] a\n### Phase 2 Validation Gate\n- "
       "[ ] b\n",
       {"a"}},
      {"two gates of one phase",
       "## Checkpoint\n- [ ] a\n## Validation Gate\n- [ ] b\n",
       {"a", "b"}},
      {"a title that says gate", "# Build the gate\n- [ ] a\n## Validation Gate\n- [ ] b\n", {"b"}},
      {"code is no text", "## Gate\n```\n- [ ] a\n```\n- [ ] b\n", {"b"}},
      {"a comment is no text", "## Gate\n<!--\n- [ ] a\n-->\n\n- [ ] b\n", {"b"}},
      {"a marker in code is none", "```\n🛑 VALIDATE-GATE: x\n```\n- [ ] a\n", {}},
      {"nested boxes", "## Gate\n- [ ] a\n  - [ ] b\n", {"a", "b"}},
      {"numbered boxes", "## Gate\n1. [ ] a\n2. [X] b\n", {"a", "b"}},
      {"loose boxes", "## Gate\n- [ ] a\n\n- [ ] b\n\n  more of b\n", {"a", "b"}},
      {"CRLF", "## Gate\r\n- [ ] a\r\n- [ ] b\r\n", {"a", "b"}},
      {"nothing", "", {}},
      {"no gate", "# T\n- [ ] a\n", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(names(read(c.text)) == c.wanted);
  }
}

TEST_CASE("requirements: a stale number is reported and the gate still counts") {
  const ReadGate gate = read("## Phase 4 Checkpoint\n- [ ] a\n", "5");
  CHECK(names(gate) == Names{"a"});
  REQUIRE(finding(gate, "stale_phase_number") != nullptr);
  CHECK(finding(gate, "stale_phase_number")->source.line == 1);
}

TEST_CASE("requirements: conditional boxes may be absent, and say so") {
  const ReadGate gate = read("## Gate\n- [ ] Docs linked (if phase 0 ran) ✅/❌\n");
  REQUIRE(gate.requirements.size() == 1);
  CHECK_FALSE(gate.requirements[0].required);
  REQUIRE(finding(gate, "conditional_requirement") != nullptr);
  CHECK(finding(gate, "conditional_requirement")->severity == Severity::info);
}

TEST_CASE("requirements: names are unique within the gate") {
  const ReadGate gate =
      read("## Gate\n- [ ] A b\n- [ ] a, b!\n- [ ] A b\n- [ ] 完了\n- [ ] \n- [ ]\n");
  const Names got = names(gate);
  CHECK(got.size() == 3);
  CHECK(got[0] == "a_b");
  CHECK(got[1].starts_with("a_b_"));
  CHECK(std::set<std::string>(got.begin(), got.end()).size() == 3);
  CHECK(finding(gate, "repeated_requirement") != nullptr);
}

TEST_CASE("004-16, P-2: a typed table is read in any order of its columns") {
  const ReadGate gate = read(
      "## Validation Gate\n\n| Description | Validator | Evidence | Type |\n|---|---|---|---|\n"
      "| Count | greater_than_0, less_than_or_equal_9 | `files_read` | integer |\n"
      "| Share | greater_than_or_equal_0_85 | share | float |\n"
      "| Names | min_length_2 | `names` | array |\n"
      "| Word | equals_high | `level` | string |\n"
      "| Off | is_false | `debug_on` | boolean |\n"
      "| Any | | `extra` | dict |\n"
      "| Form | custom:regex:^v\\d+\\|none$ | `version` | string |\n\n"
      "**Human Approval**: **REQUIRED**\n");
  REQUIRE(gate.requirements.size() == 7);
  const auto& r = gate.requirements;
  CHECK(r[0].name == "files_read");
  CHECK(r[0].exclusive_minimum == 0.0);
  CHECK(r[0].maximum == 9.0);
  CHECK(r[0].description == "Count");
  CHECK(r[0].source == Source{"phases/1/phase.md", 5, 0});
  CHECK(r[0].kind == RequirementSource::typed_table);
  CHECK(r[1].type == ValueType::number);
  CHECK(r[1].minimum == 0.85);
  CHECK(r[2].min_items == 2);
  CHECK(r[3].constant == Scalar(std::string("high")));
  CHECK(r[4].false_allowed);
  CHECK(r[5].type == ValueType::object);
  CHECK(r[6].pattern == "^v\\d+|none$");
  CHECK(gate.human_approval);
  CHECK(gate.human_approval_source.line == 13);
  CHECK(gate.findings.empty());
}

TEST_CASE("requirements: other tables are no evidence") {
  CHECK(
      read("## Gate\n\n| # | Task | File |\n|---|---|---|\n| 1 | x | y |\n").requirements.empty());
  CHECK(read("## Gate\n\n| Component | Status | Evidence | Quality Gate |\n|---|---|---|---|\n| a "
             "| b | c | d |\n")
            .requirements.empty());
  CHECK(read("## Other\n\n| Evidence | Type |\n|---|---|\n| a | boolean |\n").requirements.empty());
}

TEST_CASE("requirements: mistakes in a table are errors at their line") {
  struct Case {
    const char* rows;
    const char* code;
    const char* hint;
  };
  const Case cases[] = {
      {"| `a` | bolean | | |\n", "unknown_type", "boolean"},
      {"| `a` | | | |\n", "unknown_type", "types:"},
      {"| `a` | integer | greater_then_0 | |\n", "unknown_validator", "greater_than_N"},
      {"| `a` | string | greater_than_0 | |\n", "validator_does_not_fit", "type"},
      {"| | boolean | | x |\n", "unnamed_requirement", "snake_case"},
      {"| `b` | boolean | | |\n| `b` | boolean | | |\n", "duplicate_requirement", "rename"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.rows);
    const ReadGate gate =
        read("## Gate\n\n| Evidence | Type | Validator | Description |\n|---|---|---|---|\n" +
             std::string(c.rows));
    const Finding* found = finding(gate, c.code);
    REQUIRE(found != nullptr);
    CHECK(found->severity == Severity::error);
    CHECK(found->source.file == "phases/1/phase.md");
    CHECK(found->source.line >= 5);
    CHECK(found->hint.find(c.hint) != std::string::npos);
    CHECK(found->phase == "1");
  }
  const ReadGate no_type =
      read("## Gate\n\n| Evidence | Validator |\n|---|---|\n| a | is_true |\n");
  CHECK(finding(no_type, "missing_column") != nullptr);
}

TEST_CASE("requirements: the table's own column Required") {
  const ReadGate gate = read(
      "## Gate\n\n| Evidence | Type | Required |\n|---|---|---|\n| a | boolean | no |\n| b | "
      "boolean "
      "| yes |\n| c | boolean | maybe |\n");
  REQUIRE(gate.requirements.size() == 3);
  CHECK_FALSE(gate.requirements[0].required);
  CHECK(gate.requirements[1].required);
  CHECK(gate.requirements[2].required);
  CHECK(finding(gate, "unknown_value") != nullptr);
}

TEST_CASE("requirements: boxes beside a typed table are asked for, too") {
  const ReadGate gate =
      read("## Gate\n\n| Evidence | Type |\n|---|---|\n| a | boolean |\n\n- [ ] b\n- [ ] c\n");
  CHECK(names(gate) == Names{"a", "b", "c"});
  CHECK(gate.requirements[0].kind == RequirementSource::typed_table);
  CHECK(gate.requirements[1].kind == RequirementSource::checkbox);
  CHECK(gate.requirements[1].source.line == 7);
}

TEST_CASE("requirements: human approval") {
  struct Case {
    const char* line;
    bool approval;
    bool reported;
  };
  const Case cases[] = {
      {"**Human Approval**: **REQUIRED**", true, false},
      {"**Human Approval:** Required before release", true, false},
      {"Human approval: yes", true, false},
      {"- **Human Approval**: True", true, false},
      {"🛑 *Human Approval*: mandatory", true, false},
      {"**Human Approval Required**: yes", true, false},
      {"text before\n**Human Approval**: REQUIRED", true, false},
      {"**Human Approval**: False", false, false},
      {"**Human Approval**: Not required", false, false},
      {"**Human Approval**: no", false, false},
      {"**Human Approval**: perhaps", true, true},
      {"No human approval is required for this gate.", false, false},
      {"Human approval: not required for this phase", false, false},
      {"This gate does not require human approval.", false, false},
      {"This gate needs no human review.", false, false},
      {"Human approval: not required unless the budget is exceeded", true, true},
      {"Human Approval: No one may proceed without it", true, true},
      {"No one may proceed without human approval", true, true},
      {"No release; human approval required", true, true},
      {"Do not proceed until human approval is required", true, true},
      {"User stories reviewed", false, false},
      {"Approved user stories are implemented", false, false},
      {"Reviewed the user manual", false, false},
      {"Users approved the release", true, true},
      {"**Human Approval**:", true, true},
      {"We want human approval", true, true},
      {"## Human Approval: Required", true, false},
      {"### Human approval required", true, false},
      {"**Human Approval (Required)**", true, false},
      {"**Human Approval — Required**", true, false},
      {"| Human Approval | Required |\n|---|---|\n| x | y |", true, true},
      {"| A | B |\n|---|---|\n| Human Approval | Required |", true, false},
      {"| A | B |\n|---|---|\n| Human Approval | No |", false, false},
      {"| Evidence | Type |\n|---|---|\n| `human_approved` | boolean |", false, false},
      {"Human approval is required before phase 2.", true, false},
      {"- [ ] Human approval obtained", true, true},
      {"- [ ] Human Approval: Required", true, false},
      {"**Approval**: Required", true, false},
      {"**Approved by:** ____", true, true},
      {"**Human Review**: Required", true, false},
      {"**User Approval:** Required", true, false},
      {"**Human sign-off:** required", true, false},
      {"The stakeholders have signed off", true, true},
      {"Human Approval: No one may proceed without it", true, true},
      {"**Human Approval:** None may be skipped", true, true},
      {"> **Human-Approval**: Required", true, false},
      {"1. Human Approval: REQUIRED", true, false},
      {"**Human Approval**：Required", true, false},
      {"**Human Approval**:\nRequired", true, false},
      {"**Human Approval**:\nNone", false, false},
      {"**Requires Human Approval:** Yes", true, false},
      {"**Human Approval**: n/a", false, false},
      {"**Human approval is not required**", false, false},
      {"No human approval required", false, false},
      {"<!-- Human Approval: required -->", false, false},
      {"The code was reviewed", false, false},
      {"Users see the decision log of the release", true, true},
      {"`Human Approval`: see below", true, true},
      {"```\nHuman Approval: required\n```", false, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.line);
    const ReadGate gate = read("## Gate\n- [ ] a\n\n" + std::string(c.line) + "\n");
    CHECK(gate.human_approval == c.approval);
    CHECK((finding(gate, "human_approval_assumed") != nullptr) == c.reported);
  }
}

TEST_CASE("requirements: a gate without end has a bound") {
  std::string text = "## Gate\n";
  for (int i = 0; i < 100'000; ++i) text += "- [ ] item " + std::to_string(i) + "\n";
  const ReadGate gate = read(text);
  CHECK(gate.requirements.size() == phasegate::base::limits::kRequirementsPerGateMax);
  REQUIRE(finding(gate, "too_many_requirements") != nullptr);
  CHECK(finding(gate, "too_many_requirements")->severity == Severity::error);
}

TEST_CASE("requirements: outside of gate sections only a line that begins so asks for approval") {
  struct Case {
    const char* line;
    bool approval;
  };
  const Case cases[] = {
      {"**Human Approval**: Required", true},       {"## Human Approval: Required", true},
      {"## Human Approval\n\nNot required", false}, {"We want human approval", false},
      {"- [ ] Users approved the plan", false},     {"**Approval**: Required", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.line);
    const ReadGate gate = read("# P\n\n" + std::string(c.line) + "\n\n## Gate\n- [ ] a\n");
    CHECK(gate.human_approval == c.approval);
  }
}

TEST_CASE("requirements: boxes that are drawn or mistyped are boxes") {
  const ReadGate gate = read(
      "## Gate\n\n- [ ] one\n- [] two\n- ☐ three\n- ☑ four\n- [ x] five\n- [ ]six\n- [](x.md)\n");
  CHECK(names(gate) == Names{"one", "two", "three", "four", "five", "six"});
  CHECK(finding(gate, "passed_over") == nullptr);
}

TEST_CASE("requirements: what a gate section says beside its boxes does not vanish silently") {
  struct Case {
    const char* text;
    const char* said;
    int line;
  };
  const Case cases[] = {
      {"- [ ] a\n- Coverage is 80%\n", "one thing", 4},
      {"- [ ] a: all of\n  1. tests\n  2. lint\n", "2 things", 4},
      {"- [ ] a\n\n| Verdict | Meaning |\n|---|---|\n| go | all is well |\n",
       "table Verdict | Meaning", 5},
      {"- [ ] a\n- b\n- c\n- d\n- e\n", "4 things", 4},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const ReadGate gate = read("## Gate\n\n" + std::string(c.text));
    const Finding* found = finding(gate, "passed_over");
    REQUIRE(found != nullptr);
    CHECK(found->severity == Severity::warning);
    CHECK(found->message.find(c.said) != std::string::npos);
    CHECK(found->source.line == c.line);
  }
  for (const char* text : {"- [ ] a\n", "- Group:\n  - [ ] a\n", "- [ ] a\n\nText.\n",
                           "- [ ] a\n- **Human Approval**: no\n", "```\n- b\n```\n- [ ] a\n",
                           "1. Tests pass\n2. Coverage 80\n",
                           "- [ ] a\n\n| Criterion | Threshold |\n|---|---|\n| c | >= 80 |\n"}) {
    CAPTURE(text);
    CHECK(finding(read("## Gate\n\n" + std::string(text)), "passed_over") == nullptr);
  }
}

TEST_CASE("requirements: boxes of another gate are passed over with a finding") {
  struct Case {
    const char* text;
    int line;
  };
  const Case cases[] = {
      {"## Phase 1 Gate\n- [ ] b\n\n## Phase 0 Checkpoint\n- [ ] a\n", 4},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const ReadGate gate = read(c.text);
    CHECK(names(gate) == Names{"b"});
    const Finding* found = finding(gate, "other_gate_ignored");
    REQUIRE(found != nullptr);
    CHECK(found->severity == Severity::warning);
    CHECK(found->source.line == c.line);
  }
  const ReadGate entry = read("## Entry Gate\n\n### Files\n- [ ] a\n\n## Checkpoint\n\n- [ ] b\n");
  CHECK(names(entry) == Names{"b"});
  REQUIRE(finding(entry, "entry_gate") != nullptr);
  CHECK(finding(entry, "entry_gate")->source.line == 4);
  // A step that says gate is one for its boxes.
  CHECK(names(read("## Step 4: Validation Gate\n\n- [ ] a\n\n## Checkpoint\n\n- [ ] b\n")) ==
        Names{"a", "b"});
  for (const char* text : {"# Build the gate\n\n## Work\n- [ ] a\n\n## Checkpoint\n\n- [ ] b\n",
                           "## Step 4: Write\n- [ ] a\n\n## Checkpoint\n\n- [ ] b\n",
                           "## Prerequisites\n- [ ] a\n\n## Gate\n- [ ] b\n"}) {
    CAPTURE(text);
    CHECK(finding(read(text), "other_gate_ignored") == nullptr);
  }
}

TEST_CASE("requirements: a rule in a column that is not read is an error") {
  const std::string table =
      "## Gate\n\n| Required Evidence | Type | Threshold | Owner |\n|---|---|---|---|\n";
  const ReadGate rule = read(table + "| a | integer | `greater_than_or_equal_80` | me |\n");
  CHECK(names(rule) == Names{"a"});
  REQUIRE(rule.findings.size() == 2);
  CHECK(rule.findings[0].code == "unknown_column");
  CHECK(rule.findings[0].severity == Severity::error);
  CHECK(rule.findings[0].source.line == 5);
  CHECK(rule.findings[1].severity == Severity::info);
  const ReadGate plain = read(table + "| a | integer | eighty | me |\n| b | integer | 3 | you |\n");
  REQUIRE(plain.findings.size() == 2);
  for (const Finding& one : plain.findings) CHECK(one.severity == Severity::info);
  for (const char* head : {"Evidence Field", "Field", "Name", "Evidence"}) {
    CAPTURE(head);
    CHECK(names(read("## Gate\n\n| " + std::string(head) +
                     " | Type |\n|---|---|\n| a | boolean |\n")) == Names{"a"});
  }
}
