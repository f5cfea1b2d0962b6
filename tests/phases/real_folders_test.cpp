#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include "base/json.h"
#include "phases/library.h"
#include "phases/workflow_json.h"
#include "tests/phases/folder_fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::findings_of;
using phasegate::test::read_file;
using phasegate::test::read_folder;
using phasegate::test::real_documents;
namespace fs = std::filesystem;

TEST_CASE("real folders: all of them load, one of them says why it does not start") {
  const auto root = real_documents("workflows/praxis-os");
  if (!root) return;
  struct Wanted {
    std::size_t phases;
    std::size_t requirements;
    bool startable;
  };
  const std::map<std::string, Wanted> wanted = {
      {"praxis_os_upgrade_v1", {6, 14, true}},  {"spec_creation_v1", {6, 43, true}},
      {"spec_execution_v1", {1, 6, true}},      {"standards_creation_v1", {6, 32, true}},
      {"workflow_creation_v1", {7, 30, false}},
  };
  Library library({{*root, "real"}});
  const auto entries = library.list();
  REQUIRE(entries.size() == wanted.size());
  for (const LibraryEntry& entry : entries) {
    CAPTURE(entry.id);
    REQUIRE(wanted.contains(entry.id));
    const Wanted& want = wanted.at(entry.id);
    std::size_t requirements = 0;
    for (const Phase& phase : entry.loaded->workflow.phases) {
      requirements += phase.gate.requirements.size();
      CHECK_FALSE(phase.gate.weak);
    }
    CHECK(entry.loaded->workflow.phases.size() == want.phases);
    CHECK(requirements == want.requirements);
    CHECK(entry.loaded->startable() == want.startable);
    const auto again = workflow_from_json(to_json(entry.loaded->workflow));
    REQUIRE(again.ok());
    CHECK(*again == entry.loaded->workflow);
  }
  CHECK(library.find("workflow_creation")->id == "workflow_creation_v1");
}

TEST_CASE("real folders: 61 typed and 63 checkbox requirements in 25 phases, by structure alone") {
  const auto root = real_documents("workflows/praxis-os");
  if (!root) return;
  std::size_t files = 0;
  std::map<RequirementSource, std::size_t> kinds;
  std::map<ValueType, std::size_t> table_types;
  std::set<std::string> approvals;
  for (const auto& entry : fs::recursive_directory_iterator(*root)) {
    const std::string phase = entry.path().parent_path().filename().string();
    if (entry.path().filename() != "phase.md" || !is_phase_id(phase) || phase.size() > 1) continue;
    ++files;
    const ReadGate gate = PlainRequirementReader().read(read_file(entry.path()), "phase.md", phase);
    CAPTURE(entry.path().string());
    CHECK_FALSE(gate.requirements.empty());
    for (const Requirement& requirement : gate.requirements) {
      ++kinds[requirement.kind];
      if (requirement.kind == RequirementSource::typed_table) ++table_types[requirement.type];
    }
    for (const Finding& finding : gate.findings) {
      CAPTURE(finding.message);
      CHECK(finding.severity == Severity::info);
    }
    if (gate.human_approval) approvals.insert(entry.path().parent_path().string());
  }
  CHECK(files == 25);
  CHECK(kinds[RequirementSource::typed_table] == 61);
  CHECK(kinds[RequirementSource::checkbox] == 63);
  CHECK(table_types[ValueType::boolean] == 40);
  CHECK(table_types[ValueType::integer] == 10);
  CHECK(table_types[ValueType::string] == 6);
  CHECK(table_types[ValueType::array] == 3);
  CHECK(table_types[ValueType::number] == 2);
  CHECK(approvals.size() == 1);
}

TEST_CASE("real folders: the known defects are reported with file and line") {
  const auto root = real_documents("workflows/praxis-os");
  if (!root) return;
  const LoadedWorkflow shifted = read_folder(*root / "workflow_creation_v1");
  const auto missing = findings_of(shifted, "missing_task_file");
  CHECK(missing.size() == 22);
  for (const Finding& finding : missing) {
    CHECK(finding.source.file == "metadata.json");
    CHECK(finding.source.line >= 60);
  }
  const auto orphaned = findings_of(shifted, "orphaned_task_file");
  CHECK(orphaned.size() == 18);
  for (const Finding& finding : orphaned) CHECK(finding.source.file.starts_with("phases/"));
  REQUIRE(findings_of(shifted, "shifted_phases").size() == 1);
  CHECK(findings_of(shifted, "shifted_phases")[0].source == Source{"metadata.json", 66, 0});
  REQUIRE(findings_of(shifted, "missing_phase_file").size() == 1);
  CHECK(findings_of(shifted, "missing_phase_file")[0].source == Source{"metadata.json", 82, 0});
  CHECK(findings_of(shifted, "name_differs").size() == 1);
  CHECK(findings_of(shifted, "incomplete_metadata").size() == 1);
  CHECK(findings_of(shifted, "negative_name").size() == 1);
  CHECK(findings_of(shifted, "sources_disagree").size() == 2);
  CHECK(shifted.workflow.phases[5].gate.human_approval);

  const LoadedWorkflow spec = read_folder(*root / "spec_creation_v1");
  CHECK(spec.workflow.phases[0].tasks[0].number == "0");
  CHECK(spec.workflow.phases[0].tasks[0].file == "phases/0/task-0-create-directory.md");
  CHECK(findings_of(spec, "skippable_ignored").size() == 1);
  CHECK(findings_of(spec, "sources_disagree").size() == 5);
  CHECK(findings_of(spec, "asks_leniency").size() == 6);

  const LoadedWorkflow dynamic = read_folder(*root / "spec_execution_v1");
  CHECK(dynamic.workflow.phases.size() == 1);
  CHECK(dynamic.workflow.dynamic.has_value());
  CHECK(dynamic.workflow.documents.at("phases/dynamic/task-template.md").withheld);
}

TEST_CASE("real folders: texts link to the shared files that they tell to read") {
  const auto root = real_documents("workflows/praxis-os");
  if (!root) return;
  const LoadedWorkflow spec = read_folder(*root / "spec_creation_v1");
  std::set<std::string> linked;
  for (const auto& [path, document] : spec.workflow.documents) {
    for (const std::string& link : document.links) linked.insert(link);
  }
  for (const auto& [path, document] : spec.workflow.documents) {
    CAPTURE(path);
    if (path.starts_with("core/")) CHECK(linked.contains(path));
    if (path.starts_with("phases/") && !document.withheld) CHECK_FALSE(document.phase.empty());
  }
}

TEST_CASE("real folders: gate files agree with their boxes in number") {
  const auto root = real_documents("workflows/praxis-os");
  if (!root) return;
  for (const char* id : {"praxis_os_upgrade_v1", "spec_creation_v1", "spec_execution_v1"}) {
    const LoadedWorkflow got = read_folder(*root / id);
    for (const Finding& finding : findings_of(got, "sources_disagree")) {
      CHECK(finding.source.file == "metadata.json");
    }
  }
}
