#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "tests/phases/folder_fixture.h"

using namespace phasegate::phases;
using phasegate::test::findings_of;
using phasegate::test::has;
using phasegate::test::kGate;
using phasegate::test::loaded;
using phasegate::test::metadata;
using phasegate::test::read_folder;
using phasegate::test::TempFolder;
namespace fs = std::filesystem;

TEST_CASE("invariant 3: a phase in which nothing is required asks for a summary and is weak") {
  const LoadedWorkflow got =
      loaded({{"metadata.json", metadata()}, {"phases/0/phase.md", "# P\n"}});
  CHECK(got.startable());
  const Gate& gate = got.workflow.phases[0].gate;
  CHECK(gate.weak);
  REQUIRE(gate.requirements.size() == 1);
  CHECK(gate.requirements[0].name == "summary");
  CHECK(gate.requirements[0].type == ValueType::string);
  CHECK(gate.requirements[0].min_length == 1);
  CHECK(gate.requirements[0].kind == RequirementSource::synthetic);
  REQUIRE(has(got, "weak_gate"));
  CHECK(findings_of(got, "weak_gate")[0].source.file == "phases/0/phase.md");
}

TEST_CASE("invariant 3: a gate whose every field is optional requires a summary beside them") {
  struct Case {
    const char* text;
    const char* gate_file;
    const char* name;
  };
  const Case cases[] = {
      {"# P\n", "evidence_schema: {a: {type: boolean, required: false}}\n", "summary"},
      {"# P\n\n## Validation Gate\n- [ ] Tests pass (when run)\n", "", "summary"},
      {"# P\n", "evidence_schema: {summary: {type: integer, required: no}}\n", "summary_of_phase"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const LoadedWorkflow got = loaded({{"metadata.json", metadata()},
                                       {"phases/0/phase.md", c.text},
                                       {"phases/0/gate-definition.yaml", c.gate_file}});
    CHECK(got.startable());
    const Gate& gate = got.workflow.phases[0].gate;
    CHECK(gate.weak);
    REQUIRE(gate.requirements.size() == 2);
    CHECK_FALSE(gate.requirements[0].required);
    CHECK(gate.requirements[1].name == c.name);
    CHECK(gate.requirements[1].required);
    CHECK(gate.requirements[1].kind == RequirementSource::synthetic);
    REQUIRE(has(got, "weak_gate"));
    CHECK(findings_of(got, "weak_gate")[0].message.find("optional") != std::string::npos);
  }
}

TEST_CASE("invariant 3: a gate file that cannot be read keeps the workflow from starting") {
  const LoadedWorkflow broken = loaded({{"metadata.json", metadata()},
                                        {"phases/0/phase.md", kGate},
                                        {"phases/0/gate-definition.yaml", "a: ["}});
  CHECK_FALSE(broken.startable());
  CHECK(has(broken, "invalid_yaml"));
  CHECK(broken.workflow.phases[0].gate.requirements.empty());
  CHECK_FALSE(broken.workflow.phases[0].gate.weak);

  const TempFolder place;
  place.write("secret.yaml", "evidence_schema: {}");
  place.write("w/metadata.json", metadata());
  place.write("w/phases/0/phase.md", kGate);
  fs::create_symlink(place.path() / "secret.yaml",
                     place.path() / "w/phases/0/gate-definition.yaml");
  const LoadedWorkflow linked = read_folder(place.path() / "w");
  CHECK_FALSE(linked.startable());
  CHECK(has(linked, "unreadable_gate_file"));
}

TEST_CASE("gates: the document counts where the gate file asks for nothing") {
  const LoadedWorkflow got = loaded(
      {{"metadata.json", metadata()},
       {"phases/0/phase.md", kGate},
       {"phases/0/gate-definition.yaml", "checkpoint: {strict: false}\nevidence_schema: {}\n"}});
  const Gate& gate = got.workflow.phases[0].gate;
  CHECK_FALSE(gate.weak);
  CHECK(gate.asks_leniency);
  REQUIRE(gate.requirements.size() == 1);
  CHECK(gate.requirements[0].kind == RequirementSource::checkbox);
  CHECK(has(got, "sources_disagree"));
}

TEST_CASE("gates: a gate file asks a person, beside what the document asks for or alone") {
  const auto read = [](const std::string& text, const std::string& file) {
    return loaded({{"metadata.json", metadata()},
                   {"phases/0/phase.md", text},
                   {"phases/0/gate-definition.yaml", file}});
  };
  const LoadedWorkflow beside = read(kGate, "decision: Is it good?\n");
  CHECK(beside.startable());
  CHECK_FALSE(has(beside, "sources_disagree"));
  CHECK(beside.workflow.phases[0].gate.requirements.size() == 1);
  CHECK(beside.workflow.phases[0].gate.decision ==
        standard_decision("Is it good?", "0", {"phases/0/gate-definition.yaml", 1, 0}));
  const LoadedWorkflow alone = read("# Do it\n", "decision: Is it good?\n");
  CHECK(alone.startable());
  CHECK_FALSE(alone.workflow.phases[0].gate.weak);
  CHECK(alone.workflow.phases[0].gate.requirements.empty());
  CHECK(alone.workflow.phases[0].gate.source.file == "phases/0/gate-definition.yaml");
  // A phase that is not there, and no way on.
  const LoadedWorkflow lost =
      read(kGate, "decision: {prompt: Go on, options: [{label: On, goto: 7}, {label: Go}]}\n");
  REQUIRE(findings_of(lost, "unknown_step").size() == 1);
  CHECK(findings_of(lost, "unknown_step")[0].source.line == 1);
  CHECK(has(read(kGate, "decision: {prompt: Go on, options: [{label: On, goto: 0}]}\n"),
            "no_way_forward"));
}

TEST_CASE("gates: approval that was read from prose is said, and is no warning") {
  const LoadedWorkflow got =
      loaded({{"metadata.json", metadata()},
              {"phases/0/phase.md", std::string(kGate) + "- [ ] Human approval obtained\n"}});
  const auto said = findings_of(got, "human_approval");
  REQUIRE(said.size() == 1);
  CHECK(said[0].severity == Severity::info);
  CHECK(said[0].hint.find("decision: none") != std::string::npos);
  CHECK(asks_a_person(got.workflow.phases[0]));
  // The assistant need not claim what the person is to say; everything else it must.
  const Gate& gate = got.workflow.phases[0].gate;
  REQUIRE(gate.requirements.size() == 2);
  CHECK(gate.requirements[0].required);
  CHECK_FALSE(gate.requirements[1].required);
  CHECK_FALSE(gate.weak);

  // Where that is all, it says what was done, so that the person has something to decide about.
  const LoadedWorkflow alone = loaded(
      {{"metadata.json", metadata()},
       {"phases/0/phase.md", "# Do it\n\n## Validation Gate\n\n- [ ] Approved by a human\n"}});
  const Gate& only = alone.workflow.phases[0].gate;
  REQUIRE(only.requirements.size() == 2);
  CHECK_FALSE(only.requirements[0].required);
  CHECK(only.requirements[1].name == "summary");
  CHECK(only.requirements[1].required);
  CHECK_FALSE(only.weak);
}

TEST_CASE("gates: sources that differ are reported with both lines, the gate file counts") {
  const std::string table =
      "# P\n\n## Gate\n\n| Evidence | Type | Validator |\n|---|---|---|\n| a | integer | "
      "greater_than_0 |\n| b | string | |\n| c | boolean | |\n\n**Human Approval**: REQUIRED\n";
  const LoadedWorkflow got = loaded(
      {{"metadata.json", metadata()},
       {"phases/0/phase.md", table},
       {"phases/0/gate-definition.yaml",
        "evidence_schema:\n  a: {type: integer}\n  b: {type: boolean}\n  d: {type: boolean}\n"}});
  CHECK(got.startable());
  const auto found = findings_of(got, "sources_disagree");
  REQUIRE(found.size() == 2);
  CHECK(found[0].message.find("phases/0/gate-definition.yaml") != std::string::npos);
  CHECK(found[0].message.find("phases/0/phase.md:3") != std::string::npos);
  CHECK(found[0].message.find("Only in the gate file: d") != std::string::npos);
  CHECK(found[0].message.find("Only in the table: c") != std::string::npos);
  CHECK(found[1].message.find("string at phases/0/phase.md:8") != std::string::npos);
  const Gate& gate = got.workflow.phases[0].gate;
  REQUIRE(gate.requirements.size() == 3);
  CHECK(gate.requirements[0].exclusive_minimum == 0.0);
  CHECK(gate.requirements[1].type == ValueType::boolean);
  CHECK(gate.human_approval);
  CHECK(gate.human_approval_source == Source{"phases/0/phase.md", 11, 0});

  const LoadedWorkflow boxes =
      loaded({{"metadata.json", metadata()},
              {"phases/0/phase.md", kGate},
              {"phases/0/gate-definition.yaml",
               "evidence_schema: {a: {type: boolean}, b: {type: boolean}}"}});
  CHECK(findings_of(boxes, "sources_disagree").size() == 1);
}

TEST_CASE("gates: other rules for the same name are reported, the gate file's count") {
  struct Case {
    const char* field;
    bool reported;
  };
  const Case cases[] = {
      {"{type: integer, validator: greater_than_0}", true},
      {"{type: integer, required: false}", true},
      {"{type: integer, minimum: 80}", false},
      {"{type: integer}", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.field);
    const LoadedWorkflow got =
        loaded({{"metadata.json", metadata()},
                {"phases/0/phase.md",
                 "# P\n\n## Gate\n\n| Evidence | Type | Validator |\n|---|---|---|\n"
                 "| cov | integer | greater_than_or_equal_80 |\n"},
                {"phases/0/gate-definition.yaml",
                 "evidence_schema:\n  cov: " + std::string(c.field) + "\n"}});
    const auto found = findings_of(got, "sources_disagree");
    REQUIRE(found.size() == (c.reported ? 1 : 0));
    if (!c.reported) continue;
    CHECK(found[0].message.find("\"cov\"") != std::string::npos);
    CHECK(found[0].message.find("phases/0/gate-definition.yaml:2") != std::string::npos);
    CHECK(found[0].message.find("phases/0/phase.md:7") != std::string::npos);
  }
}

TEST_CASE("gates: a name whose sense contradicts being true is reported") {
  const LoadedWorkflow got =
      loaded({{"metadata.json", metadata()},
              {"phases/0/phase.md", kGate},
              {"phases/0/gate-definition.yaml",
               "evidence_schema:\n  tests_failed: {type: boolean}\n  ok_failed: {type: boolean, "
               "validator: is_false}\n"}});
  const auto found = findings_of(got, "negative_name");
  REQUIRE(found.size() == 1);
  CHECK(found[0].source.line == 2);
}
