// How an author corrects what was read (ARCHITECTURE §5; docs/decisions/0019).
#include <vector>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "phases/correction/apply.h"
#include "phases/correction/corrections.h"
#include "phases/correction/reference.h"
#include "tests/phases/folder_fixture.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::findings_of;
using phasegate::test::has;
using phasegate::test::loaded;
using phasegate::test::metadata;
namespace base = phasegate::base;

namespace {

constexpr const char* kBaking =
    "# Bake\n\n"
    "## Validation Gate\n"
    "- [ ] The dough **rose** twice ✅\n"
    "- [ ] Oven is hot\n"
    "- [ ] Seeds were added (if asked for)\n";

/// A folder of one phase with this text in its gate and these corrections.
LoadedWorkflow corrected(const std::string& yaml, const std::string& text = kBaking) {
  return loaded(
      {{"metadata.json", metadata()}, {"phases/0/phase.md", text}, {"phasegate.yaml", yaml}});
}

/// The corrections of phase 0's requirements, each line indented by six.
std::string entries(const std::string& lines) {
  return "phases:\n  \"0\":\n    requirements:\n" + lines;
}

const Requirement& named(const LoadedWorkflow& workflow, const std::string& name) {
  for (const Requirement& one : workflow.workflow.phases.at(0).gate.requirements) {
    if (one.name == name) return one;
  }
  FAIL("no requirement " << name << "\n" << all_findings(workflow));
  return workflow.workflow.phases.at(0).gate.requirements.front();
}

std::vector<std::string> names(const LoadedWorkflow& workflow) {
  std::vector<std::string> all;
  for (const Requirement& one : workflow.workflow.phases.at(0).gate.requirements) {
    all.push_back(one.name);
  }
  return all;
}

}  // namespace

TEST_CASE("corrections: without a file, the reading stands") {
  const auto read = loaded({{"metadata.json", metadata()}, {"phases/0/phase.md", kBaking}});
  CHECK(names(read) ==
        std::vector<std::string>{"the_dough_rose_twice", "oven_is_hot", "seeds_were_added"});
  CHECK(has(read, "conditional_requirement"));
}

TEST_CASE("corrections: one minute from a wrong reading to the right one") {
  const auto read = corrected(
      "phases:\n"
      "  \"0\":\n"
      "    requirements:\n"
      "      - {item: \"Oven is hot\", name: oven_degrees, type: integer, minimum: 180}\n");
  CAPTURE(all_findings(read));
  CHECK(read.startable());
  const Requirement& degrees = named(read, "oven_degrees");
  CHECK(degrees.type == ValueType::integer);
  CHECK(degrees.minimum == 180);
  CHECK(degrees.aliases == std::vector<std::string>{"oven_is_hot"});
  CHECK(degrees.description == "Oven is hot");
  CHECK(degrees.kind == RequirementSource::checkbox);
  CHECK(degrees.source == Source{"phases/0/phase.md", 5, 0, 0});
}

TEST_CASE("corrections: a requirement is referred to by name, or by its sentence as written") {
  for (const char* reference :
       {"requirement: the_dough_rose_twice", "item: The dough rose twice",
        "item: \"- [ ] The dough **rose** twice ✅\"", "item: \"The  dough `rose`\\n twice.\""}) {
    CAPTURE(reference);
    const auto read =
        corrected(entries(std::string("      - {") + reference + ", required: false}\n"));
    CAPTURE(all_findings(read));
    CHECK(read.startable());
    CHECK_FALSE(named(read, "the_dough_rose_twice").required);
  }
}

TEST_CASE("corrections: rules of the native format replace those that were read") {
  const auto typed = corrected(
      entries("      - requirement: oven_is_hot\n        type: string\n        pattern: ^\\d+$\n"
              "        aliases: [heat]\n        description: Degrees, as shown.\n"));
  CHECK(named(typed, "oven_is_hot").pattern == "^\\d+$");
  CHECK(named(typed, "oven_is_hot").description == "Degrees, as shown.");
  CHECK(named(typed, "oven_is_hot").aliases == std::vector<std::string>{"heat"});
  const std::string table =
      "# P\n\n## Validation Gate\n\n| Evidence | Type | Validator |\n|---|---|---|\n"
      "| `loaves` | integer | between_2_8 |\n";
  const auto kept = corrected(entries("      - {requirement: loaves, minimum: 3}\n"), table);
  CAPTURE(all_findings(kept));
  CHECK(named(kept, "loaves").minimum == 3);
  CHECK(named(kept, "loaves").maximum == 8);
  const auto replaced =
      corrected(entries("      - {requirement: loaves, type: integer, minimum: 3}\n"), table);
  CHECK_FALSE(named(replaced, "loaves").maximum.has_value());
  CHECK(has(corrected(entries("      - {requirement: loaves, minimum: 9}\n"), table),
            "impossible_rule"));
}

TEST_CASE("corrections: a field that a document asks for becomes secret") {
  const LoadedWorkflow got =
      corrected(entries("      - {requirement: oven_is_hot, type: string, secret: true}\n"
                        "      - {add: pin, type: string, secret: true}\n"));
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  for (const Requirement& requirement : got.workflow.phases[0].gate.requirements) {
    CAPTURE(requirement.name);
    CHECK(requirement.secret == (requirement.name == "oven_is_hot" || requirement.name == "pin"));
  }
}

TEST_CASE("corrections: what is dropped is not asked for, and says why, what is added is") {
  const auto read = corrected(
      entries("      - {item: Oven is hot, drop: true, because: the oven says so itself}\n"
              "      - {add: loaves, type: integer, minimum: 1}\n"));
  CAPTURE(all_findings(read));
  CHECK(names(read) ==
        std::vector<std::string>{"the_dough_rose_twice", "seeds_were_added", "loaves"});
  CHECK(named(read, "loaves").kind == RequirementSource::correction);
  CHECK(named(read, "loaves").source == Source{"phasegate.yaml", 5, 0, 0});
  REQUIRE(has(read, "dropped"));
  CHECK(findings_of(read, "dropped")[0].source == Source{"phasegate.yaml", 4, 0, 16});
  CHECK(has(corrected(entries("      - {item: Oven is hot, drop: true}\n")), "missing_key"));
}

TEST_CASE("corrections: findings of the reading about what is corrected are gone") {
  const std::string seeds = "      - {item: Seeds were added (if asked for), required: true}\n";
  CHECK_FALSE(has(corrected(entries(seeds)), "conditional_requirement"));
  const std::string wrong =
      "# P\n\n## Validation Gate\n\n| Evidence | Type | Validator |\n|---|---|---|\n"
      "| `loaves` | integer | enough_of_them |\n";
  REQUIRE(has(corrected(entries(""), wrong), "unknown_validator"));
  const auto renamed = corrected(entries("      - {requirement: loaves, name: buns}\n"), wrong);
  CHECK(has(renamed, "unknown_validator"));  // its rule is as unknown as before
  const auto mended =
      corrected(entries("      - {requirement: loaves, type: integer, minimum: 5}\n"), wrong);
  CAPTURE(all_findings(mended));
  CHECK(mended.startable());
}

TEST_CASE("corrections: a weak gate to which something is added is no longer weak, and back") {
  const std::string nothing = "# P\n\nJust do it.\n";
  const auto added = corrected(entries("      - {add: loaves, type: integer}\n"), nothing);
  CHECK(names(added) == std::vector<std::string>{"loaves"});
  CHECK_FALSE(added.workflow.phases[0].gate.weak);
  CHECK_FALSE(has(added, "weak_gate"));
  const auto summary =
      corrected(entries("      - {requirement: summary, min_length: 40}\n"), nothing);
  CHECK_FALSE(summary.workflow.phases[0].gate.weak);
  const auto dropped =
      corrected(entries("      - {item: Done well, drop: true, because: says nothing}\n"),
                phasegate::test::kGate);
  CHECK(names(dropped) == std::vector<std::string>{"summary"});
  CHECK(dropped.workflow.phases[0].gate.weak);
  CHECK(has(dropped, "weak_gate"));
  const auto none = corrected("phases:\n  0: {gate: none}\n", nothing);
  CHECK(none.startable());
  CHECK(none.workflow.phases[0].gate.none);
  CHECK(names(none).empty());
  CHECK(has(corrected("phases:\n  0: {gate: none}\n"), "missing_key"));  // three demands, no word
  CHECK(corrected("phases:\n  0: {gate: none, because: a walk}\n").startable());
}

TEST_CASE("corrections: phases get titles, and are dropped with their files") {
  const std::string two = R"({"workflow_type":"w","version":"1","description":"d","name":"W",
"total_phases":2,"estimated_duration":"1m","primary_outputs":[],"phases":[
{"phase_number":0,"phase_name":"P","purpose":"p"},{"phase_number":1,"phase_name":"Q","purpose":"q"}]})";
  const auto read = loaded({{"metadata.json", two},
                            {"phases/0/phase.md", phasegate::test::kGate},
                            {"phases/1/phase.md", phasegate::test::kGate + std::string("more\n")},
                            {"phasegate.yaml",
                             "phases:\n  0: {title: Prove}\n"
                             "  1: {drop: true, because: it is an appendix}\n"}});
  CAPTURE(all_findings(read));
  REQUIRE(read.workflow.phases.size() == 1);
  CHECK(read.workflow.phases[0].title == "Prove");
  CHECK(read.workflow.documents.at("phases/1/phase.md").withheld);
  CHECK(read.workflow.documents.at("phasegate.yaml").withheld);
  CHECK(has(corrected("phases:\n  0: {drop: true, because: x}\n"), "nothing_left"));
  CHECK(has(corrected("phases:\n  0: {drop: true}\n"), "missing_key"));
}

TEST_CASE("corrections: a reference that no longer fits is an error with the nearest names") {
  const auto by_name = corrected(entries("      - {requirement: oven_hot, required: false}\n"));
  REQUIRE(has(by_name, "drift"));
  CHECK_FALSE(by_name.startable());
  CHECK(findings_of(by_name, "drift")[0].hint == "did you mean oven_is_hot?");
  CHECK(findings_of(by_name, "drift")[0].source == Source{"phasegate.yaml", 4, 0, 23});
  const auto by_item = corrected(entries("      - {item: Oven is cold, required: false}\n"));
  REQUIRE(has(by_item, "drift"));
  CHECK(findings_of(by_item, "drift")[0].hint ==
        "did you mean item: \"Oven is hot\" (oven_is_hot, phases/0/phase.md:5)?");
  const auto phase = corrected("phases:\n  7: {title: x}\n");
  CHECK(findings_of(phase, "drift").size() == 1);
  CHECK(findings_of(corrected("phases:\n  whole: {title: x}\n"), "drift").size() == 1);
}

TEST_CASE("corrections: what cannot be told apart, or says two things, is refused") {
  const std::string twins = "# P\n\n## Validation Gate\n- [ ] Tests pass\n- [ ] **Tests pass**.\n";
  const auto unclear = corrected(entries("      - {item: Tests pass, required: false}\n"), twins);
  CAPTURE(all_findings(unclear));
  CHECK((has(unclear, "ambiguous_reference") ||
         unclear.workflow.phases[0].gate.requirements.size() == 1));
  CHECK(has(corrected(entries("      - {item: Oven is hot, required: false}\n"
                              "      - {requirement: oven_is_hot, type: string}\n")),
            "corrected_twice"));
  CHECK(has(corrected(entries("      - {item: Oven is hot, name: the_dough_rose_twice}\n")),
            "duplicate_requirement"));
  CHECK(has(corrected(entries("      - {item: Oven is hot, aliases: [the_dough_rose_twice]}\n")),
            "ambiguous_alias"));
  // Two that change names: each keeps the new one, and neither is an alias of the other.
  const auto swapped =
      corrected(entries("      - {requirement: oven_is_hot, name: the_dough_rose_twice}\n"
                        "      - {requirement: the_dough_rose_twice, name: oven_is_hot}\n"));
  CAPTURE(all_findings(swapped));
  CHECK(swapped.startable());
  CHECK(named(swapped, "oven_is_hot").description == "The dough rose twice");
  CHECK(named(swapped, "oven_is_hot").aliases.empty());
}

TEST_CASE("corrections: what changes nothing is a warning") {
  const auto same = corrected(entries("      - {item: Oven is hot, type: boolean}\n"));
  CHECK(same.startable());
  CHECK(has(same, "correction_without_effect"));
  CHECK(has(corrected("phases:\n  0: {title: P}\n"), "correction_without_effect"));
  CHECK(has(corrected("phases:\n  0: {}\n"), "correction_without_effect"));
}

TEST_CASE(
    "corrections: a document that changed since is a warning, one that is not there an error") {
  const std::string digest = base::sha256_hex(kBaking);
  const auto check = [](const std::string& file, const std::string& value) {
    return corrected("document_sha256: {" + file + ": " + value + "}\n");
  };
  CHECK(errors_of(check("phases/0/phase.md", digest)).empty());
  CHECK_FALSE(has(check("phases/0/phase.md", digest), "document_changed"));
  const auto changed = check("phases/0/phase.md", std::string(64, 'a'));
  CHECK(changed.startable());
  CHECK(has(changed, "document_changed"));
  CHECK(has(check("phases/0/phases.md", digest), "drift"));
  CHECK(has(check("phases/0/phase.md", "abc"), "wrong_type"));
}

TEST_CASE("corrections: bad files keep the workflow from starting, each with line and column") {
  const struct {
    std::string yaml;
    std::vector<std::string> errors;
  } kRows[] = {
      {"", {"empty_file 1:1"}},
      {"- a\n", {"wrong_type 1:1"}},
      {"phases: [\n", {"invalid_yaml 2:1"}},
      {"phase: {}\n", {"unknown_key 1:1"}},
      {"phases: []\n", {"wrong_type 1:9"}},
      {"phases:\n  0: x\n", {"wrong_type 2:6"}},
      {"phases:\n  0: {titel: x}\n", {"unknown_key 2:7"}},
      {"phases:\n  0: {gate: open}\n", {"unknown_value 2:13"}},
      {"phases:\n  0: {requirements: {}}\n", {"wrong_type 2:21"}},
      {entries("      - oven\n"), {"wrong_type 4:9"}},
      {entries("      - {type: string}\n"), {"missing_key 4:9"}},
      {entries("      - {item: Oven is hot, add: x, type: string}\n"), {"contradicting_keys 4:34"}},
      {entries("      - {item: Oven is hot, requird: false}\n"), {"unknown_key 4:29"}},
      {entries("      - {item: Oven is hot, minimum: 3}\n"), {"rule_does_not_fit 4:29"}},
      {entries("      - {item: Oven is hot, name: 3x}\n"), {"unusable_name 4:35"}},
      {entries("      - {item: Oven is hot, drop: true, because: b, name: x}\n"),
       {"contradicting_keys 4:53"}},
      {entries("      - {item: Oven is hot, source: x}\n"), {"unknown_key 4:29"}},
      {entries("      - {add: x}\n"), {"unknown_type 4:9"}},
      {entries("      - {add: x, type: intger}\n"), {"unknown_type 4:24"}},
      {entries("      - {add: oven_is_hot, type: string}\n"), {"duplicate_requirement 4:0"}},
      {"phases:\n  0: {gate: none, requirements: [{add: x, type: string}]}\n",
       {"contradicting_gate 2:3"}},
      {"phases:\n  0: {title: a}\n  0: {title: b}\n", {"invalid_yaml 3:3"}},
      {std::string("\xFF\xFE"), {"invalid_yaml 1:1"}},
  };
  for (const auto& row : kRows) {
    CAPTURE(row.yaml);
    const auto read = corrected(row.yaml);
    CAPTURE(all_findings(read));
    CHECK(errors_of(read) == row.errors);
    CHECK_FALSE(read.startable());
  }
  CHECK(corrected("\xEF\xBB\xBFphases:\r\n  0: {title: Bread}\r\n").startable());
}

TEST_CASE("corrections: a file under a name that is only nearly right is not passed over") {
  for (const char* name : {"phasegate.yml", "Phasegate.yaml", "phasegate.json"}) {
    CAPTURE(name);
    const auto read = loaded(
        {{"metadata.json", metadata()}, {"phases/0/phase.md", kBaking}, {name, "phases: {}\n"}});
    CHECK(has(read, "unread_corrections"));
    CHECK(read.workflow.documents.at(name).withheld);
  }
}

TEST_CASE("corrections: a document's whole name in front is nearly right, another's name is not") {
  const auto findings_with = [](const char* name) {
    FolderSnapshot files;
    files.files[name] = "phases: {}\n";
    std::vector<Phase> phases;
    FindingList findings;
    (void)correct_phases(files, corrections_file_of("plan.md"), "1", phases, findings);
    return findings.has_error();
  };
  CHECK(findings_with("plan.md.phasegate.yaml"));
  CHECK(findings_with("Plan.markdown.phasegate.yml"));
  CHECK_FALSE(findings_with("plan.next.phasegate.yaml"));
  CHECK_FALSE(findings_with("plan.phasegate.yaml"));
}

TEST_CASE("corrections: truncated at any byte, nothing starts that would not start as a whole") {
  const std::string whole = entries(
      "      - {item: Oven is hot, name: degrees, type: integer, minimum: 180}\n"
      "      - {add: loaves, type: array, items: {type: string}, min_items: 2}\n");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    FolderSnapshot files;
    FindingList findings;
    (void)read_corrections(std::string_view(whole).substr(0, size), "phasegate.yaml", findings);
  }
}

TEST_CASE("corrections: the work as a whole is corrected under whole") {
  Phase phase;
  phase.id = "all";
  Requirement done;
  done.name = "done";
  done.source = {"plan.md", 3, 0};
  phase.gate.requirements = {done};
  std::vector<Phase> phases = {phase};
  FolderSnapshot files;
  files.files["plan.phasegate.yaml"] =
      "phases: {whole: {requirements: [{requirement: done, type: string}]}}\n";
  FindingList findings;
  const auto dropped =
      correct_phases(files, corrections_file_of("plan.md"), "all", phases, findings);
  CHECK(dropped.empty());
  CHECK_FALSE(findings.has_error());
  CHECK(phases[0].gate.requirements[0].type == ValueType::string);
}

TEST_CASE("corrections: an author says what a person decides, or that nobody is asked") {
  const std::string asking = std::string(kBaking) + "- [ ] Human approval obtained\n";
  const LoadedWorkflow read = corrected("phases: {}\n", asking);
  REQUIRE(read.workflow.phases[0].gate.human_approval);
  CHECK(has(read, "human_approval"));

  const LoadedWorkflow other =
      corrected("phases:\n  \"0\":\n    decision: Does it taste good?\n", asking);
  CHECK(other.startable());
  CHECK_FALSE(has(other, "human_approval"));
  CHECK_FALSE(has(other, "correction_without_effect"));
  REQUIRE(other.workflow.phases[0].gate.decision.has_value());
  CHECK(other.workflow.phases[0].gate.decision->source == Source{"phasegate.yaml", 3, 0});
  CHECK(names(other) == names(read));

  const LoadedWorkflow none = corrected(
      "phases:\n  \"0\":\n    decision: none\n    because: The box is about the oven\n", asking);
  CHECK(none.startable());
  CHECK_FALSE(asks_a_person(none.workflow.phases[0]));
  CHECK_FALSE(has(none, "human_approval"));
  CHECK(names(none) == names(read));
  // The box is the person's to say where one decides, and the assistant's where nobody does.
  const auto box_required = [](const LoadedWorkflow& loaded) {
    return loaded.workflow.phases[0].gate.requirements.back().required;
  };
  CHECK_FALSE(box_required(read));
  CHECK_FALSE(box_required(other));
  CHECK(box_required(none));
  CHECK(none.workflow.phases[0].gate.requirements.front().required);
  const auto dropped = findings_of(none, "dropped");
  REQUIRE(dropped.size() == 1);
  CHECK(dropped[0].severity == Severity::info);
  CHECK(
      dropped[0].message ==
      "phase 0 is left without a person's decision, read at phases/0/phase.md:7: The box is about "
      "the oven");

  // Nothing else takes it away.
  CHECK(asks_a_person(corrected("phases:\n  \"0\":\n    gate: none\n    because: no\n", asking)
                          .workflow.phases[0]));
  CHECK(has(corrected("phases:\n  \"0\":\n    decision: none\n", asking), "missing_key"));
  CHECK(has(corrected("phases:\n  \"0\":\n    decision: none\n    because: no\n"),
            "correction_without_effect"));
  CHECK(has(corrected("phases:\n  \"0\":\n    decision: {prompt: Go on, options: [{label: On, "
                      "goto: 8}, {label: No, outcome: rejected}]}\n"),
            "unknown_step"));
  CHECK(has(corrected("phases:\n  \"0\":\n    drop: true\n    because: no\n    decision: Is it?\n"),
            "contradicting_keys"));
}

TEST_CASE("corrections: a weak gate about which a person decides is no longer weak") {
  const std::string asks = "phases:\n  \"0\":\n    decision: Does it taste good?\n";
  const LoadedWorkflow got = corrected(asks, "# Bake\n");
  CHECK(got.startable());
  CHECK_FALSE(got.workflow.phases[0].gate.weak);
  CHECK(got.workflow.phases[0].gate.requirements.empty());
  CHECK_FALSE(has(got, "weak_gate"));
}

TEST_CASE("corrections: the person decides about the phase that stands for the whole") {
  Phase first;
  first.id = "1";
  first.gate.none = true;
  Phase last = first;
  last.id = "2";
  last.gate.human_approval = true;
  std::vector<Phase> phases = {first, last};
  const auto correct = [&phases](const std::string& decision) {
    FolderSnapshot files;
    files.files["plan.phasegate.yaml"] =
        "phases: {whole: {because: no, decision: " + decision + "}}\n";
    FindingList findings;
    (void)correct_phases(files, "plan.phasegate.yaml", "2", phases, findings);
    return findings.take();
  };
  CHECK(correct("Is it good").empty());
  REQUIRE(phases[1].gate.decision.has_value());
  CHECK(phases[1].gate.decision->options[1].phase == "2");
  const auto refused = correct("none");
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].code == "not_supported");
}

TEST_CASE("corrections: names of files") {
  CHECK(corrections_file_of("plan.md") == "plan.phasegate.yaml");
  CHECK(corrections_file_of("docs/v1.2/plan.md") == "docs/v1.2/plan.phasegate.yaml");
  CHECK(corrections_file_of("docs/v1.2/plan") == "docs/v1.2/plan.phasegate.yaml");
  CHECK(is_corrections_name("phasegate.yaml"));
  CHECK(is_corrections_name("a/plan.phasegate.YML"));
  CHECK_FALSE(is_corrections_name("a/aphasegate.yaml"));
  CHECK_FALSE(is_workflow_file_name("plan.phasegate.yaml"));
  CHECK_FALSE(is_workflow_file_name("phasegate.yaml"));
}
