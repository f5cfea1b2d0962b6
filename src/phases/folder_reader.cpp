#include "phases/folder_reader.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "phases/correction/apply.h"
#include "phases/documents.h"
#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/front_matter.h"
#include "phases/gate_assembly.h"
#include "phases/gate_file_reader.h"
#include "phases/gate_files.h"
#include "phases/lint.h"
#include "phases/loaded_workflow.h"
#include "phases/metadata_reader.h"
#include "phases/ownership.h"
#include "phases/phase_files.h"

namespace phasegate::phases {
namespace {

/// What a spec's folder calls the file that lists its phases.
constexpr const char* kTasksFile = "tasks.md";

class FolderReader {
 public:
  FolderReader(FolderSnapshot snapshot, const RequirementReader& requirements, FindingList findings)
      : snapshot_(std::move(snapshot)),
        requirements_(requirements),
        findings_(std::move(findings)) {}

  LoadedWorkflow read(const std::string& id) {
    Workflow& workflow = loaded_.workflow;
    workflow.id = id;
    workflow.title = id;
    if (const auto metadata = find_metadata()) {
      read_heads(*metadata);
      read_phases(*metadata);
      check_task_files(*metadata, workflow, snapshot_, findings_);
      auto dropped =
          correct_phases(snapshot_, std::string(kCorrectionsFile), "", workflow.phases, findings_);
      std::move(dropped.begin(), dropped.end(), std::back_inserter(unreached_));
      check_ownership(workflow, unreached_, findings_);
      lint_workflow(workflow, findings_);
      workflow.complete_message = default_complete_message(workflow);
    }
    finish_folder(loaded_, std::move(snapshot_), unreached_, findings_);
    return std::move(loaded_);
  }

 private:
  std::optional<Metadata> find_metadata() {
    const std::string name(kMetadataFile);
    if (const std::string* text = snapshot_.find(name)) return read_metadata(*text, findings_);
    const auto unread = snapshot_.unread.find(name);
    findings_.error("missing_metadata",
                    unread == snapshot_.unread.end()
                        ? "the folder has no metadata.json"
                        : "metadata.json cannot be read: " + unread->second,
                    "add a metadata.json that lists the phases, or number them: phases/1/phase.md",
                    {name, 0, 0});
    return std::nullopt;
  }

  void read_heads(const Metadata& metadata) {
    Workflow& workflow = loaded_.workflow;
    if (!metadata.title.empty()) workflow.title = metadata.title;
    workflow.description =
        base::shortened(metadata.description, base::limits::kWorkflowTextBytesMax);
    workflow.version = base::shortened(metadata.version, base::limits::kVersionBytesMax);
    if (metadata.workflow_type.empty() || metadata.workflow_type == workflow.id) return;
    workflow.aliases.push_back(metadata.workflow_type);
    findings_.info("name_differs",
                   "workflow_type is " +
                       base::in_quotes(base::shortened(metadata.workflow_type, 80)) +
                       ", the folder is " + base::in_quotes(workflow.id) +
                       "; the folder's name is the id, the other an alias",
                   "", {std::string(kMetadataFile), metadata.workflow_type_line, 0});
  }

  void read_phases(const Metadata& metadata) {
    bool behind_dynamic = false;
    std::map<std::string, std::string> text_files;
    for (const MetadataPhase& declared : metadata.phases) {
      FindingList heard_later;
      if (!declared.dynamic) {
        text_files[declared.number] = find_phase_file(declared, snapshot_, heard_later);
      }
    }
    GateFiles gate_files(snapshot_, text_files, findings_);
    for (const MetadataPhase& declared : metadata.phases) {
      if (declared.dynamic) {
        behind_dynamic = true;
      } else if (behind_dynamic) {
        // To perform it now would skip the phases that stand before it.
        findings_.warning("phase_after_dynamic",
                          "phase " + declared.number +
                              " comes behind phases that are not known in advance and is not "
                              "reached",
                          "list it before them", {std::string(kMetadataFile), declared.line, 0},
                          declared.number);
        FindingList never_reached;
        unreached_.push_back(phase_frame(declared, never_reached));
      } else {
        loaded_.workflow.phases.push_back(read_phase(declared, gate_files));
      }
    }
    // Those behind are looked up, too, so that their gate files do not pass for orphans.
    for (const Phase& phase : unreached_) (void)gate_files.find(phase.id);
    gate_files.report_unused();
    if (metadata.dynamic) read_dynamic(metadata);
  }

  void read_dynamic(const Metadata& metadata) {
    Workflow& workflow = loaded_.workflow;
    const Source source{std::string(kMetadataFile), metadata.dynamic_line, 0};
    const std::string behind =
        "the phases behind the first " + std::to_string(workflow.phases.size());
    if (!metadata.dynamic_config) {
      workflow.dynamic_reason =
          "The next phases of this workflow come from a document, and it does not say which in a "
          "way that is understood; the run waits here and is not complete.";
      findings_.info("dynamic_phases",
                     behind +
                         " come from a document that is not told in a known way; a run waits "
                         "there",
                     "add a \"dynamic_config\" to metadata.json", source);
      return;
    }
    const DynamicConfig& config = *metadata.dynamic_config;
    DynamicPhases dynamic;
    dynamic.input = config.input;
    dynamic.file = kTasksFile;
    dynamic.source = {std::string(kMetadataFile), config.line, 0};
    dynamic.phase_template = find_template(config.phase_template, config);
    dynamic.task_template = find_template(config.task_template, config);
    Requirement input;
    input.name = dynamic.input;
    input.type = ValueType::string;
    input.description =
        "The folder of the spec, which holds " + dynamic.file + "; target_file stands in for it";
    input.kind = RequirementSource::metadata;
    input.source = dynamic.source;
    input.min_length = 1;
    input.example = "\"specs/my-feature\"";
    workflow.input.push_back(std::move(input));
    findings_.info("dynamic_phases",
                   behind + " come from the " + dynamic.file +
                       " in the folder that a start names "
                       "as " +
                       dynamic.input,
                   "", source);
    workflow.dynamic = std::move(dynamic);
  }

  /// A template that is missing takes nothing away from what the phases say.
  std::string find_template(const std::string& written, const DynamicConfig& config) {
    if (written.empty()) return {};
    for (const char* folder : {"", "phases/"}) {
      const auto path = base::normalised_relative(folder + written);
      if (path && snapshot_.find(*path) != nullptr) return *path;
    }
    findings_.warning("missing_template",
                      "there is no template " + base::in_quotes(base::shortened(written, 200)) +
                          "; phases and tasks are shown as the spec words them",
                      "add the file, or correct metadata.json",
                      {std::string(kMetadataFile), config.templates_line, 0});
    return {};
  }

  /// They are for what comes out of them.
  /// A phase with its text and tasks, yet without its gate.
  Phase phase_frame(const MetadataPhase& declared, FindingList& findings) const {
    Phase phase;
    phase.id = declared.number;
    phase.title = declared.title.empty() ? "Phase " + declared.number : declared.title;
    phase.purpose = declared.purpose;
    phase.source = {std::string(kMetadataFile), declared.line, 0};
    phase.file = find_phase_file(declared, snapshot_, findings);
    phase.tasks = find_tasks(declared, phase_folder(declared, phase.file), snapshot_, findings);
    return phase;
  }

  Phase read_phase(const MetadataPhase& declared, GateFiles& gate_files) {
    Phase phase = phase_frame(declared, findings_);
    const GateFiles::Found found = gate_files.find(phase.id);
    if (phase.file.empty()) return phase;  // without its text the workflow does not start

    ReadGate document = requirements_.read(*snapshot_.find(phase.file), phase.file, phase.id);
    FindingList said;
    document.checks =
        checks_of_head(*snapshot_.find(phase.file), phase.file, phase.id, said).checks;
    for (Finding& finding : said.take()) document.findings.push_back(std::move(finding));
    std::optional<ReadGateFile> gate_file;
    if (!found.path.empty()) {
      gate_file = read_gate_file(*snapshot_.find(found.path), found.path, phase.id);
    }
    phase.gate = assemble_gate(declared, std::move(gate_file), found.unreadable,
                               std::move(document), phase.file, findings_);
    return phase;
  }

  FolderSnapshot snapshot_;
  const RequirementReader& requirements_;
  FindingList findings_;
  std::vector<Phase> unreached_;  ///< listed behind dynamic phases, or dropped by the author
  LoadedWorkflow loaded_;
};

}  // namespace

LoadedWorkflow read_workflow_folder(const std::filesystem::path& folder,
                                    const RequirementReader& requirements) {
  FindingList findings;
  FolderSnapshot snapshot = take_snapshot(folder, findings);
  return FolderReader(std::move(snapshot), requirements, std::move(findings))
      .read(workflow_name_of(folder));
}

}  // namespace phasegate::phases
