#include "phases/plain_folder.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "phases/correction/apply.h"
#include "phases/correction/corrections.h"
#include "phases/document_gates.h"
#include "phases/document_heads.h"
#include "phases/document_workflow.h"
#include "phases/documents.h"
#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/front_matter.h"
#include "phases/gate_assembly.h"
#include "phases/gate_file_reader.h"
#include "phases/gate_files.h"
#include "phases/gate_finish.h"
#include "phases/lint.h"
#include "phases/loaded_workflow.h"
#include "phases/metadata_reader.h"
#include "phases/ownership.h"
#include "phases/phase_numbers.h"
#include "phases/plain_phases.h"
#include "phases/reading/document_reading.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace fs = std::filesystem;
namespace limits = base::limits;
namespace {

std::string stem_of(const std::string& path) {
  return id_of_document(path.substr(path.rfind('/') + 1));
}

/// The title of a document that is one phase or one task: without the number, which the id says.
std::string title_of(const DocumentReading& reading, const std::string& number,
                     const std::string& otherwise) {
  std::string title;
  if (!reading.phases.empty() && reading.phases.front().number == number) {
    title = reading.phases.front().title;
  }
  if (base::is_blank(title)) {
    title = plain_sentence(reading.title);
    if (const auto numbered = numbered_name(title)) title = numbered->rest;
  }
  if (base::is_blank(title)) title = otherwise;
  return base::to_utf8(base::shortened(title, limits::kTitleBytesMax));
}

class PlainFolder {
 public:
  explicit PlainFolder(FolderSnapshot snapshot, FindingList findings)
      : snapshot_(std::move(snapshot)), findings_(std::move(findings)) {}

  LoadedWorkflow read(const std::string& id) {
    Workflow& workflow = loaded_.workflow;
    workflow.id = id;
    workflow.title = id;
    plain_ = find_plain_phases(snapshot_, findings_);
    limit_phases();
    report_near_definitions();
    std::vector<WrittenNumber> numbers;
    for (const PlainPhase& plain : plain_) {
      numbers.push_back({plain.number, {plain.text.empty() ? plain.folder : plain.text, 0, 0}});
    }
    ids_ = phase_ids(numbers, findings_);
    for (const PlainPhase& plain : plain_) {
      read_document_of(plain.text);
      for (const std::string& task : plain.tasks) read_document_of(task);
    }
    for (std::size_t i = 0; i < plain_.size(); ++i) workflow.phases.push_back(phase_frame(i));
    read_gates();
    read_heads();
    const std::vector<Phase> dropped =
        correct_phases(snapshot_, std::string(kCorrectionsFile), "", workflow.phases, findings_);
    check_ownership(workflow, dropped, findings_);
    lint_workflow(workflow, findings_);
    workflow.complete_message = default_complete_message(workflow);
    finish_folder(loaded_, std::move(snapshot_), dropped, findings_);
    return std::move(loaded_);
  }

 private:
  void limit_phases() {
    const auto too_many = [&](const char* code, const std::string& what, std::size_t count,
                              std::size_t limit, const std::string& path) {
      findings_.error(code,
                      "there are " + std::to_string(count) + " " + what + ", the limit is " +
                          std::to_string(limit),
                      "split the workflow", {path, 0, 0});
    };
    if (plain_.empty()) {
      findings_.error("no_phases", "the folder holds no document that is numbered as a phase",
                      "name them phases/1/phase.md or step-01-….md, or write a workflow.yaml", {});
    }
    if (plain_.size() > limits::kPhasesMax) {
      too_many("too_many_phases", "phases", plain_.size(), limits::kPhasesMax, plain_.back().text);
      plain_.resize(limits::kPhasesMax);
    }
    for (PlainPhase& plain : plain_) {
      if (plain.tasks.size() <= limits::kTasksPerPhaseMax) continue;
      too_many("too_many_tasks", "tasks", plain.tasks.size(), limits::kTasksPerPhaseMax,
               plain.folder);
      plain.tasks.resize(limits::kTasksPerPhaseMax);
    }
  }

  /// `Metadata.json` was meant to define the workflow; to guess beside it would be to ignore it.
  void report_near_definitions() {
    for (const auto& [path, bytes] : snapshot_.files) {
      const std::string name = base::lowered(path);
      if (!name.starts_with("metadata.") && !is_never_shown(name)) continue;
      if (name.find('/') != std::string::npos || is_gate_file(path) || is_document_name(name) ||
          is_corrections_name(path)) {
        continue;
      }
      findings_.error("unread_definition",
                      base::in_quotes(path) +
                          " looks like the file that defines the workflow, but is not read under "
                          "this name",
                      "rename it to metadata.json, or remove it", {path, 0, 0});
    }
  }

  void read_document_of(const std::string& path) {
    if (path.empty() || readings_.contains(path)) return;
    readings_.emplace(path, read_document(*snapshot_.find(path), path));
  }

  Phase phase_frame(std::size_t index) {
    const PlainPhase& plain = plain_[index];
    Phase phase;
    phase.id = ids_[index];
    phase.file = plain.text;
    phase.source = {plain.text.empty() ? plain.folder : plain.text, 0, 0};
    phase.tasks = tasks_of(plain);
    const std::string fallback =
        plain.name.empty() ? "Phase " + phase.id : words_of_name(plain.name);
    phase.title = plain.text.empty()
                      ? base::to_utf8(base::shortened(fallback, limits::kTitleBytesMax))
                      : title_of(readings_.at(plain.text), plain.number, fallback);
    if (phase.file.empty()) phase.file = add_list_of_tasks(plain, phase);
    return phase;
  }

  /// Tasks have the numbers of their files if these tell them apart, else their positions.
  std::vector<Task> tasks_of(const PlainPhase& plain) {
    std::vector<std::string> numbers;
    for (const std::string& file : plain.tasks) {
      const auto name = numbered_name(stem_of(file));
      if (name) numbers.push_back(name->number);
    }
    std::vector<std::string> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    const bool numbered = numbers.size() == plain.tasks.size() &&
                          std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < plain.tasks.size(); ++i) {
      const std::string& file = plain.tasks[i];
      const auto name = numbered_name(stem_of(file));
      const std::string number = numbered ? numbers[i] : std::to_string(i + 1);
      const std::string words = words_of_name(name ? name->rest : stem_of(file));
      const std::string title =
          title_of(readings_.at(file), number, words.empty() ? stem_of(file) : words);
      tasks.push_back({number, title, file, {file, 0, 0}});
    }
    return tasks;
  }

  /// A phase whose folder has no text of its own is shown what there is to do.
  std::string add_list_of_tasks(const PlainPhase& plain, const Phase& phase) {
    const std::size_t count = phase.tasks.size();
    std::string text = "# " + phase.title + "\n\n";
    if (count == 0) {
      text += "The folder of this phase holds no documents.\n";
      findings_.warning("empty_phase", "phase " + phase.id + " has no document",
                        "add a phase.md to " + plain.folder, phase.source, phase.id);
    } else {
      text += "This phase has " + base::counted(count, "document", "documents") +
              ", to be read one after the other as its " + (count == 1 ? "task" : "tasks") +
              ":\n\n";
    }
    for (const Task& task : phase.tasks) text += "- Task " + task.number + ": " + task.name + "\n";
    const std::string path = plain.folder + "/#tasks.md";
    snapshot_.files.insert_or_assign(path, std::move(text));
    return path;
  }

  void read_gates() {
    std::map<std::string, std::string> text_files;
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      // The gate file lies in the phase's folder, also where its text lies beside that.
      const std::string& folder = plain_[i].folder;
      text_files[ids_[i]] = folder.empty() ? plain_[i].text : folder + "/phase.md";
    }
    GateFiles gate_files(snapshot_, text_files, findings_);
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      Phase& phase = loaded_.workflow.phases[i];
      const GateFiles::Found found = gate_files.find(phase.id);
      std::optional<ReadGateFile> gate_file;
      if (!found.path.empty()) {
        gate_file = read_gate_file(*snapshot_.find(found.path), found.path, phase.id);
      }
      MetadataPhase declared;
      declared.number = phase.id;
      phase.gate = assemble_gate(declared, std::move(gate_file), found.unreadable,
                                 document_gate(plain_[i], phase), phase.file, findings_);
    }
    gate_files.report_unused();
  }

  /// What the documents of a phase ask for together, its text first.
  ReadGate document_gate(const PlainPhase& plain, const Phase& phase) {
    ReadGate gate;
    FindingList said;
    std::vector<std::string> files = plain.tasks;
    if (!plain.text.empty()) files.insert(files.begin(), plain.text);
    for (const std::string& file : files) {
      ReadChecks checks = checks_of_head(*snapshot_.find(file), file, phase.id, said);
      const NativeReport report = NativeReport(file, said).of_step(phase.id);
      (void)add_checks(gate.checks, std::move(checks.checks), report);
      DocumentReading& reading = readings_.at(file);
      for (Finding& finding : reading.findings) {
        finding.phase = phase.id;
      }
      said.add_all(std::move(reading.findings));
      for (ReadPhase& part : reading.phases)
        add_criteria(std::move(part.criteria), gate, phase, said);
      add_criteria(std::move(reading.whole), gate, phase, said);
    }
    gate.findings = said.take();
    return gate;
  }

  static void add_criteria(ReadCriteria criteria, ReadGate& gate, const Phase& phase,
                           FindingList& said) {
    report_entry(criteria.entry, 0, phase.id, said);
    if (criteria.human_approval && !gate.human_approval) {
      gate.human_approval = true;
      gate.human_approval_source = std::move(criteria.human_approval_source);
    }
    if (gate.source.file.empty() && !criteria.exit.empty()) {
      gate.source = criteria.source.file.empty() ? criteria.exit.front().source : criteria.source;
    }
    join_requirements(gate.requirements, std::move(criteria.exit), said, phase.id);
  }

  /// The folder's README speaks for it in a list, as far as it does not name phases.
  void read_heads() {
    PhaseNames names;
    for (const Phase& phase : loaded_.workflow.phases) names.add(phase.id, phase.title);
    for (const auto& [path, bytes] : snapshot_.files) {
      if (path.find('/') != std::string::npos || !is_document_name(path) ||
          !is_about_its_folder(path)) {
        continue;
      }
      const DocumentReading reading = read_document(bytes, path);
      std::size_t end = bytes.size();
      for (const ReadPhase& phase : reading.phases) end = std::min<std::size_t>(end, phase.begin);
      for (const ReadPhase& phase : reading.phases) names.add(phase.number, phase.title);
      DocumentHeads heads = heads_of(reading, std::string_view(bytes).substr(0, end), names);
      if (!heads.title.empty()) loaded_.workflow.title = std::move(heads.title);
      loaded_.workflow.description = std::move(heads.description);
      return;
    }
  }

  FolderSnapshot snapshot_;
  FindingList findings_;
  std::vector<PlainPhase> plain_;
  std::vector<std::string> ids_;
  std::map<std::string, DocumentReading> readings_;  ///< by path
  LoadedWorkflow loaded_;
};

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    if (names.size() > limits::kWorkflowFilesMax) break;
    names.push_back(at->path().filename().string());
  }
  return names;
}

}  // namespace

bool is_plain_workflow_folder(const fs::path& folder) {
  return name_phases(names_in(folder), names_in(folder / "phases"));
}

LoadedWorkflow read_plain_folder(const fs::path& folder) {
  FindingList findings;
  FolderSnapshot snapshot = take_snapshot(folder, findings);
  return PlainFolder(std::move(snapshot), std::move(findings)).read(workflow_name_of(folder));
}

}  // namespace phasegate::phases
