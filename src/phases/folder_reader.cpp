#include "phases/folder_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "phases/documents.h"
#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/gate_assembly.h"
#include "phases/gate_file_reader.h"
#include "phases/gate_files.h"
#include "phases/loaded_workflow.h"
#include "phases/metadata_reader.h"
#include "phases/ownership.h"
#include "phases/phase_files.h"

namespace phasegate::phases {
namespace {

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
      check_ownership(workflow, unreached_, findings_);
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
    if (!metadata.dynamic) return;
    loaded_.workflow.dynamic_reason =
        "The next phases of this workflow come from a document such as tasks.md; reading them from "
        "there is not supported yet, so the run waits here and is not complete.";
    findings_.info("dynamic_phases",
                   "the phases behind the first " + std::to_string(loaded_.workflow.phases.size()) +
                       " come from a document, which is not supported yet; a run waits there",
                   "", {std::string(kMetadataFile), metadata.dynamic_line, 0});
  }

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
  std::vector<Phase> unreached_;  ///< listed behind dynamic phases
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
