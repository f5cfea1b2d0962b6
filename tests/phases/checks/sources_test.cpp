// Lists of checks outside of native files: gate files, heads of documents, files of corrections.
#include <doctest/doctest.h>

#include "phases/document_workflow.h"
#include "phases/front_matter.h"
#include "phases/gate_file_reader.h"
#include "phases/plain_folder.h"
#include "tests/phases/folder_fixture.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::findings_of;
using phasegate::test::has;
using phasegate::test::kGate;
using phasegate::test::loaded;
using phasegate::test::metadata;

namespace {

LoadedWorkflow folder(const std::string& phase, const std::string& gate_file,
                      const std::string& corrections = "") {
  if (corrections.empty()) {
    return loaded({{"metadata.json", metadata()},
                   {"phases/0/phase.md", phase},
                   {"phases/0/gate-definition.yaml", gate_file}});
  }
  return loaded({{"metadata.json", metadata()},
                 {"phases/0/phase.md", phase},
                 {"phases/0/gate-definition.yaml", gate_file},
                 {"phasegate.yaml", corrections}});
}

const Gate& gate_of(const LoadedWorkflow& got) {
  return got.workflow.phases.at(0).gate;
}

}  // namespace

TEST_CASE("gate files: checks are read like anywhere, and the evidence of the document stays") {
  const LoadedWorkflow got = folder(kGate, "checks:\n  - file: a.md\n  - {name: t, tests: [x]}\n");
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  REQUIRE(gate_of(got).checks.size() == 2);
  CHECK(gate_of(got).checks[0].source.file == "phases/0/gate-definition.yaml");
  CHECK(gate_of(got).checks[0].source.line == 2);
  REQUIRE(gate_of(got).requirements.size() == 1);
  CHECK_FALSE(has(got, "sources_disagree"));
  CHECK_FALSE(has(got, "only_self_attested"));
}

TEST_CASE("gate files: a gate with checks alone is not weak") {
  const LoadedWorkflow got = folder("# P\n", "checks: [{file: a.md}]\n");
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  CHECK_FALSE(gate_of(got).weak);
  CHECK(gate_of(got).requirements.empty());
}

TEST_CASE("gate files: a field names the check that finds it out, what is wrong keeps it shut") {
  const std::string field =
      "evidence_schema:\n  ok: {type: boolean, description: Tests, check: t}\n";
  const LoadedWorkflow good = folder(kGate, field + "checks: [{name: t, tests: [x]}]\n");
  CAPTURE(all_findings(good));
  CHECK(good.startable());
  CHECK(gate_of(good).requirements.at(0).check == "t");
  struct Row {
    std::string text;
    const char* error;
  };
  const Row rows[] = {
      {field, "unknown_check 2:0"},
      {"checks: [{fle: a}]\n", "unknown_key 1:11"},
      {"checks: {file: a}\n", "wrong_type 1:9"},
      {"chekcs: [{file: a}]\n", "unknown_key 1:0"},
      {"evidence_schema:\n  ok: {type: list, description: x, check: t}\nchecks: [{name: t, file: "
       "a}]\n",
       "wrong_type 2:0"},
  };
  for (const Row& row : rows) {
    const LoadedWorkflow got = folder(kGate, row.text);
    CAPTURE(row.text);
    CAPTURE(all_findings(got));
    CHECK(errors_of(got) == std::vector<std::string>{row.error});
    CHECK_FALSE(got.startable());
  }
}

TEST_CASE("heads of phase documents: their checks join those of the gate file") {
  const std::string head = "---\ntitle: P\nchecks:\n  - file: b.md\n---\n";
  const LoadedWorkflow got = folder(head + kGate, "checks: [{file: a.md}]\n");
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  REQUIRE(gate_of(got).checks.size() == 2);
  CHECK(gate_of(got).checks[1].name == "file-2");
  CHECK(gate_of(got).checks[1].source.file == "phases/0/phase.md");
  CHECK(gate_of(got).checks[1].source.line == 4);
}

TEST_CASE("heads of documents: what cannot be read refuses only where it holds checks") {
  struct Row {
    const char* head;
    std::vector<std::string> errors;
  };
  const Row rows[] = {
      {"---\na: [\n---\n", {}},
      {"---\nsanity_checks: yes\n---\n", {}},
      {"---\nsanity_checks: [\n---\n", {}},
      {"---\nnotes: 'checks: none'\n---\n", {}},
      {"---\nchecks:\n---\n", {}},
      {"---\nchecks: all\n---\n", {"wrong_type 2:9"}},
      {"---\r\nchecks:\r\n  - {fille: a}\r\n---\r\n", {"unknown_key 3:6"}},
      {"\xEF\xBB\xBF---\nchecks: [{file: ../a}]\n---\n", {"invalid_path 2:17"}},
  };
  for (const Row& row : rows) {
    FindingList findings;
    const ReadChecks read = checks_of_head(std::string(row.head) + kGate, "p.md", "0", findings);
    LoadedWorkflow got;
    got.findings = findings.take();
    CAPTURE(row.head);
    CAPTURE(all_findings(got));
    CHECK(errors_of(got) == row.errors);
    CHECK(read.checks.empty());
    CHECK(read.sound == row.errors.empty());
  }
  FindingList findings;
  CHECK_FALSE(checks_of_head("---\nchecks: [\n---\n", "p.md", "0", findings).sound);
  CHECK(findings.has_error_of("0"));
  for (const char* none : {"", "---", "---\n", "# P\nchecks: [{file: a}]\n", "---\nchecks: x"}) {
    FindingList quiet;
    CHECK(checks_of_head(none, "p.md", "0", quiet).sound);
    CHECK(quiet.take().empty());
  }
}

TEST_CASE("single documents: the checks of the head are looked at to leave the last phase") {
  const std::string text =
      "---\nchecks:\n  - {name: suite, tests: {project: test}}\n---\n# T\n\n## Phase 1: "
      "A\n\nDo.\n\n"
      "### Validation Gate\n- [ ] Done well\n\n## Phase 2: B\n\nDo.\n";
  const LoadedWorkflow got = read_document_text("t.md", text);
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  REQUIRE(got.workflow.phases.size() == 2);
  CHECK(got.workflow.phases[0].gate.checks.empty());
  REQUIRE(got.workflow.phases[1].gate.checks.size() == 1);
  CHECK(got.workflow.phases[1].gate.checks[0].name == "suite");
  CHECK_FALSE(got.workflow.phases[1].gate.weak);
  // A document without phases and boxes is a workflow if it has checks.
  const LoadedWorkflow only =
      read_document_text("t.md", "---\nchecks: [{file: a}]\n---\n# T\n\nDo.\n");
  CAPTURE(all_findings(only));
  CHECK(only.startable());
  CHECK_FALSE(only.plain);
  CHECK(gate_of(only).checks.size() == 1);
}

TEST_CASE("corrections: checks are added to the gate of a phase") {
  const LoadedWorkflow got = folder(
      kGate, "checks: [{file: a.md}]\n",
      "phases:\n  \"0\":\n    checks:\n      - {name: unit, tests: {project: test}}\n"
      "      - {file: b.md}\n    requirements:\n      - {requirement: done_well, check: unit}\n");
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  REQUIRE(gate_of(got).checks.size() == 3);
  CHECK(gate_of(got).checks[1].name == "unit");
  CHECK(gate_of(got).checks[1].source.file == "phasegate.yaml");
  CHECK(gate_of(got).checks[2].name == "file-2");
  REQUIRE(gate_of(got).requirements.size() == 1);
  CHECK(gate_of(got).requirements[0].check == "unit");
  CHECK_FALSE(has(got, "only_self_attested"));
}

TEST_CASE("corrections: checks alone keep what is asked for, and end a gate's weakness") {
  const LoadedWorkflow kept =
      folder(kGate, "version: 1\n", "phases: {\"0\": {checks: [{file: b.md}]}}\n");
  CAPTURE(all_findings(kept));
  CHECK(kept.startable());
  CHECK(gate_of(kept).requirements.size() == 1);
  CHECK_FALSE(has(kept, "correction_without_effect"));
  const LoadedWorkflow weak =
      folder("# P\n", "version: 1\n", "phases: {\"0\": {checks: [{file: b.md}]}}\n");
  CAPTURE(all_findings(weak));
  CHECK_FALSE(gate_of(weak).weak);
  CHECK_FALSE(has(weak, "weak_gate"));
  CHECK(gate_of(weak).requirements.empty());
}

TEST_CASE("corrections: checks that contradict or are wrong are errors") {
  struct Row {
    const char* yaml;
    const char* error;
  };
  const Row rows[] = {
      {"phases: {\"0\": {gate: none, because: x, checks: [{file: b}]}}\n",
       "contradicting_gate 1:10"},
      {"phases: {\"0\": {drop: true, because: x, checks: [{file: b}]}}\n",
       "contradicting_keys 1:10"},
      {"phases: {\"0\": {checks: {file: b}}}\n", "wrong_type 1:24"},
      {"phases: {\"0\": {checks: [{name: t, file: b}]}}\n", "duplicate_check 1:0"},
      {"phases: {\"0\": {requirements: [{requirement: done_well, check: x}]}}\n",
       "unknown_check 4:0"},
      // What the gate file checks is left out with a reason only.
      {"phases: {\"0\": {gate: none}}\n", "missing_key 1:10"},
  };
  for (const Row& row : rows) {
    const LoadedWorkflow got = folder(kGate, "checks: [{name: t, file: a.md}]\n", row.yaml);
    CAPTURE(row.yaml);
    CAPTURE(all_findings(got));
    CHECK_FALSE(got.startable());
    const auto errors = errors_of(got);
    CHECK(std::find(errors.begin(), errors.end(), row.error) != errors.end());
  }
  const LoadedWorkflow none = folder(kGate, "checks: [{name: t, file: a.md}]\n",
                                     "phases: {\"0\": {gate: none, because: Not needed}}\n");
  CAPTURE(all_findings(none));
  CHECK(none.startable());
  CHECK(gate_of(none).checks.empty());
}
