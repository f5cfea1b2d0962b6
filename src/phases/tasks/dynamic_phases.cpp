#include "phases/tasks/dynamic_phases.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/document_links.h"
#include "phases/finding_list.h"
#include "phases/gate_assembly.h"
#include "phases/loaded_workflow.h"
#include "phases/requirement_checks.h"
#include "phases/requirement_reader.h"
#include "phases/tasks/phase_gate.h"
#include "phases/tasks/phase_texts.h"
#include "phases/tasks/tasks_reading.h"
#include "phases/text_position.h"

namespace phasegate::phases {
namespace {

class Expansion {
 public:
  Expansion(const LoadedWorkflow& loaded, std::string_view path)
      : loaded_(loaded), dynamic_(loaded.workflow.dynamic.value_or(DynamicPhases{})), path_(path) {}

  LoadedWorkflow expand(std::string_view bytes) {
    findings_.add_all(std::exchange(loaded_.findings, {}));
    const bool own_message =
        loaded_.workflow.complete_message != default_complete_message(loaded_.workflow);
    loaded_.workflow.dynamic.reset();
    const auto text = plain_text(bytes, base::limits::kDocumentBytesMax);
    if (text) {
      text_ = *text;
      read(bytes);
    } else {
      const Position position = position_from(text.error().where);
      findings_.error("unreadable_text",
                      base::in_quotes(path_) + " cannot be read: " + text.error().message,
                      text.error().hint, {path_, position.line, 0, position.column});
    }
    if (!own_message) {
      loaded_.workflow.complete_message = default_complete_message(loaded_.workflow);
    }
    loaded_.content_hash = content_hash_of(loaded_);
    loaded_.findings = findings_.take_sorted();
    return std::move(loaded_);
  }

 private:
  void read(std::string_view bytes) {
    TasksReading reading = read_tasks(text_, path_);
    findings_.add_all(std::move(reading.findings));
    if (findings_.has_error()) return;
    Workflow& workflow = loaded_.workflow;
    if (workflow.phases.size() + reading.phases.size() > base::limits::kPhasesMax) {
      findings_.error("too_many_phases",
                      "with the " + std::to_string(workflow.phases.size()) +
                          " of the workflow itself there are more phases than the limit, " +
                          std::to_string(base::limits::kPhasesMax),
                      "split the spec", {path_, 0, 0});
      return;
    }
    // A document of the workflow's own may have the same name.
    while (workflow.documents.contains(path_)) path_ = "spec/" + path_;
    find_templates();
    const std::size_t first = workflow.phases.size();
    for (ReadTasksPhase& phase : reading.phases) add_phase(phase);
    if (findings_.has_error()) return;
    for (std::size_t i = 0; i < reading.phases.size(); ++i) {
      if (!add_texts(reading.phases[i], first + i)) return;
    }
    Document whole;
    whole.path = path_;
    whole.withheld = true;
    add_document(std::move(whole), std::string(bytes));
  }

  [[nodiscard]] const std::string* text_of(const std::string& document) const {
    const auto found = loaded_.workflow.documents.find(document);
    if (document.empty() || found == loaded_.workflow.documents.end()) return nullptr;
    const auto blob = loaded_.blobs.find(found->second.hash);
    return blob == loaded_.blobs.end() ? nullptr : &blob->second;
  }

  void find_templates() {
    templates_ = {text_of(dynamic_.phase_template), text_of(dynamic_.task_template)};
    std::vector<std::string> paths;
    for (const auto& [path, document] : loaded_.workflow.documents) paths.push_back(path);
    links_ = std::make_unique<LinkFinder>(paths, loaded_.workflow.id);
    if (templates_.phase == nullptr) return;
    template_gate_ = PlainRequirementReader().read(*templates_.phase, dynamic_.phase_template, "");
    // Only boxes and typed rows: whatever else it says is a form to be filled in with the phase.
    std::erase_if(template_gate_.requirements, [](const Requirement& requirement) {
      return (requirement.kind != RequirementSource::checkbox &&
              requirement.kind != RequirementSource::typed_table) ||
             requirement.description.find('[') != std::string::npos;
    });
    for (const Finding& finding : template_gate_.findings) {
      if (finding.severity == Severity::error) findings_.add(finding);
    }
  }

  [[nodiscard]] std::string free_number() const {
    std::size_t number = loaded_.workflow.phases.size();
    while (loaded_.workflow.find_phase(std::to_string(number)) != nullptr) ++number;
    return std::to_string(std::max<std::size_t>(number, 1));
  }

  void add_phase(ReadTasksPhase& read) {
    Workflow& workflow = loaded_.workflow;
    if (read.number.empty()) read.number = free_number();
    Phase phase;
    phase.id = read.number;
    phase.title = base::shortened(read.title.empty() ? "Phase " + read.number : read.title,
                                  base::limits::kTitleBytesMax);
    phase.purpose = base::shortened(read.goal, base::limits::kTitleBytesMax);
    phase.source = {path_, read.span.line, 0};
    if (const Phase* taken = workflow.find_phase(phase.id)) {
      findings_.error(
          "phase_id_taken",
          "the workflow itself lists a phase " + phase.id + " (" + to_text(taken->source) + ")",
          "number the phases of the spec from 1, or as the workflow does not", phase.source,
          phase.id);
      return;
    }
    phase.file = path_ + "#" + phase.id;
    for (const ReadTask& task : read.tasks) {
      phase.tasks.push_back({task.number,
                             base::shortened(task.name, base::limits::kTitleBytesMax),
                             phase.file + "/" + task.number,
                             {path_, task.span.line, 0}});
    }
    phase.gate = gate_of(read, phase);
    workflow.phases.push_back(std::move(phase));
  }

  Gate gate_of(ReadTasksPhase& read, const Phase& phase) {
    ReadGate asked = std::move(read.gate);
    const auto required = [](const Requirement& requirement) { return requirement.required; };
    const auto wrong = [](const Finding& finding) { return finding.severity == Severity::error; };
    if (std::none_of(asked.requirements.begin(), asked.requirements.end(), required) &&
        std::none_of(asked.findings.begin(), asked.findings.end(), wrong) && !read.tasks.empty()) {
      FindingList full;
      for (Requirement& requirement : requirements_of_tasks(read, path_)) {
        if (!add_requirement(asked.requirements, std::move(requirement), full, phase.id)) break;
      }
      asked.findings.push_back(
          {Severity::warning, "gate_from_tasks",
           "phase " + phase.id + " has no validation gate; it is asked whether each of its " +
               std::to_string(read.tasks.size()) + " tasks is done",
           "add a `**Validation Gate:**` with boxes behind its tasks", phase.source, phase.id});
      for (Finding& finding : full.take()) asked.findings.push_back(std::move(finding));
      if (asked.source.file.empty()) asked.source = phase.source;
    }
    add_template_gate(asked, phase);
    MetadataPhase declared;
    declared.number = phase.id;
    return assemble_gate(declared, std::nullopt, false, std::move(asked), path_, findings_);
  }

  /// What the template asks of every phase, unless the phase asks for it itself.
  void add_template_gate(ReadGate& asked, const Phase& phase) {
    FindingList full;
    for (const Requirement& requirement : template_gate_.requirements) {
      const bool known = std::any_of(
          asked.requirements.begin(), asked.requirements.end(), [&](const Requirement& own) {
            return own.name == requirement.name || own.description == requirement.description;
          });
      if (!known && !add_requirement(asked.requirements, requirement, full, phase.id)) break;
    }
    for (Finding& finding : full.take()) asked.findings.push_back(std::move(finding));
    if (asked.source.file.empty()) asked.source = template_gate_.source;
    if (template_gate_.human_approval && !asked.human_approval) {
      asked.human_approval = true;
      asked.human_approval_source = template_gate_.human_approval_source;
    }
  }

  /// False once the texts are too much: a template is written out for every task.
  bool add_texts(const ReadTasksPhase& read, std::size_t index) {
    const Phase& phase = loaded_.workflow.phases[index];
    const auto& phases = loaded_.workflow.phases;
    const TextedPhase whole{text_, read, phase,
                            index + 1 < phases.size() ? phases[index + 1].id : std::string()};
    add_text(phase.file, text_of_phase(whole, templates_), phase.id, dynamic_.phase_template);
    for (std::size_t i = 0; i < read.tasks.size(); ++i) {
      add_text(phase.tasks[i].file, text_of_task(whole, i, templates_), phase.id,
               dynamic_.task_template);
      if (bytes_ <= base::limits::kWorkflowBytesMax) continue;
      findings_.error("too_large",
                      "the texts of its phases and tasks have more than " +
                          std::to_string(base::limits::kWorkflowBytesMax) + " bytes together",
                      "split the spec, or shorten the task template",
                      {path_, read.tasks[i].span.line, 0}, phase.id);
      return false;
    }
    return true;
  }

  /// What its words name is looked for beside the template, then in the workflow's folder.
  void add_text(const std::string& path, std::string text, const std::string& phase,
                const std::string& from) {
    Document document;
    document.path = path;
    document.phase = phase;
    document.links = links_->links_of(from, text, LinkFinder::Form::markdown);
    add_document(std::move(document), std::move(text));
  }

  void add_document(Document document, std::string bytes) {
    document.hash = base::sha256_hex(bytes);
    document.bytes = bytes.size();
    bytes_ += bytes.size();
    loaded_.blobs.emplace(document.hash, std::move(bytes));
    std::string path = document.path;
    loaded_.workflow.documents.emplace(std::move(path), std::move(document));
  }

  LoadedWorkflow loaded_;
  const DynamicPhases dynamic_;
  std::string path_;
  std::string text_;
  FindingList findings_;
  PhaseTemplates templates_;
  ReadGate template_gate_;
  std::unique_ptr<LinkFinder> links_;
  std::size_t bytes_ = 0;  ///< of the texts that were made
};

}  // namespace

LoadedWorkflow with_dynamic_phases(const LoadedWorkflow& loaded, std::string_view tasks,
                                   std::string_view path) {
  return Expansion(loaded, path).expand(tasks);
}

}  // namespace phasegate::phases
