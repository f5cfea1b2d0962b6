#include "phases/native/writer.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "phases/loaded_workflow.h"
#include "phases/native/check_writer.h"
#include "phases/native/decision_writer.h"
#include "phases/native/field_writer.h"
#include "phases/native/yaml_text.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kFilesNamed = 5;

class Writer {
 public:
  NativeText write(const std::vector<WrittenWorkflow>& workflows) {
    const Workflow& first = workflows.front().loaded->workflow;
    for (const WrittenWorkflow& one : workflows) {
      loaded_ = one.loaded;
      prefix_ = one.prefix;
      write_steps();
      note_whole();
    }
    std::string head =
        "# Adopted by `phasegate adopt`. This file counts from now on; the documents that it was\n"
        "# made from do not, and may change without changing a gate.\n";
    for (const std::string& note : out_.notes) head += yaml_comment(note, 0);
    head += "workflow: " + yaml_quoted(first.id) + "\n";
    add_text(head, "version", first.version);
    if (first.title != first.id) add_text(head, "title", first.title);
    add_text(head, "description", first.description);
    if (first.outline) head += "outline: titles\n";
    if (first.passages_on_refusal) head += "passages: on_refusal\n";
    if (workflows.size() == 1 && first.complete_message != default_complete_message(first)) {
      add_text(head, "complete_message", first.complete_message);
    }
    head +=
        input_of(first) + named_checks(first) + native_protect(first) + adopted_from() + "steps:\n";
    out_.yaml = head + steps_.substr(steps_.find_first_not_of('\n'));
    return std::move(out_);
  }

 private:
  static void add_text(std::string& out, const char* key, const std::string& text) {
    if (!text.empty()) out += std::string(key) + ": " + yaml_quoted(base::to_utf8(text)) + "\n";
  }

  void note(std::string sentence, std::size_t indent) {
    steps_ += yaml_comment(sentence, indent);
    out_.notes.push_back(std::move(sentence));
  }

  static std::string input_of(const Workflow& workflow) {
    if (workflow.input.empty() && !workflow.input_closed) return "";
    std::string text = "input:\n  type: object\n";
    std::vector<std::string> required;
    std::string properties;
    for (const Requirement& input : workflow.input) {
      if (input.required) required.push_back(yaml_quoted(input.name));
      properties += native_field(input, 4, "", true);
    }
    if (!required.empty()) text += "  required: [" + base::joined(required, ", ") + "]\n";
    if (workflow.input_closed) text += "  additionalProperties: false\n";
    return text + (properties.empty() ? "" : "  properties:\n" + properties);
  }

  /// Remembers a document; gives the name under which the new file finds it. A part of a document
  /// (`plan.md#2`) stands for the document.
  std::string document(const std::string& part) {
    if (part.empty()) return "";
    const std::string whole = part.substr(0, part.find('#'));
    const std::string& path = loaded_->workflow.documents.contains(whole) ? whole : part;
    const std::string written = prefix_ + path;
    const auto found = loaded_->workflow.documents.find(path);
    if (found == loaded_->workflow.documents.end()) return written;
    const bool known = std::any_of(documents_.begin(), documents_.end(),
                                   [&](const auto& one) { return one.first == written; });
    if (!known) documents_.emplace_back(written, found->second.hash);
    return written;
  }

  [[nodiscard]] std::string adopted_from() const {
    std::string text;
    for (const auto& [path, hash] : documents_) {
      text += "  - {file: " + yaml_quoted(base::to_utf8(path)) + ", sha256: \"" + hash + "\"}\n";
    }
    return text.empty() ? "" : "adopted_from:\n" + text;
  }

  /// The text of a document; a blank one is said to be so, since no step is without.
  std::string text_of(const std::string& path) {
    const auto found = loaded_->workflow.documents.find(path);
    const auto blob = found == loaded_->workflow.documents.end()
                          ? loaded_->blobs.end()
                          : loaded_->blobs.find(found->second.hash);
    if (blob == loaded_->blobs.end() || base::trimmed(blob->second).empty()) return "(no text)\n";
    used_.insert(path);
    document(path);
    if (base::is_utf8(blob->second)) return blob->second;
    out_.notes.push_back(path + " is not UTF-8; what could not be read was replaced");
    return base::to_utf8(blob->second);
  }

  std::string free_id(const std::string& id) {
    std::string free = id;
    for (int number = 1; !ids_.insert(free).second; ++number) {
      const std::string name = name_from_sentence(loaded_->workflow.id);
      free = name.substr(0, 24) + "-" + id + (number == 1 ? "" : "-" + std::to_string(number));
      if (!is_phase_id(free)) free = "step-" + std::to_string(ids_.size() + 1);
    }
    return free;
  }

  void write_steps() {
    used_.clear();
    named_.clear();
    // A decision may lead to a step that comes later.
    for (const Phase& phase : loaded_->workflow.phases) {
      named_.emplace(phase.id, free_id(phase.id));
    }
    for (const Phase& phase : loaded_->workflow.phases) write_step(phase);
  }

  void write_step(const Phase& phase) {
    const std::string id = named_.at(phase.id);
    steps_ += "\n  - id: " + yaml_quoted(id) + "\n";
    if (!phase.title.empty() && phase.title != id) {
      steps_ += "    title: " + yaml_quoted(base::to_utf8(phase.title)) + "\n";
    }
    if (!phase.purpose.empty()) {
      steps_ += "    purpose: " + yaml_quoted(base::to_utf8(phase.purpose)) + "\n";
    }
    if (phase.by_person) steps_ += "    kind: decision\n";
    if (!phase.by_person || !phase.file.empty()) {
      steps_ += "    instructions:" + yaml_block(text_of(phase.file), 4);
    }
    if (!phase.tasks.empty()) steps_ += "    tasks:\n";
    std::size_t number = 0;
    for (const Task& task : phase.tasks) {
      if (task.number != std::to_string(++number)) {
        steps_ += yaml_comment("task " + task.number + " of the document", 6);
      }
      steps_ += "      - name: " + yaml_quoted(base::to_utf8(task.name)) + "\n";
      steps_ += "        instructions:" + yaml_block(text_of(task.file), 8);
    }
    write_gate(phase, id);
  }

  void write_gate(const Phase& phase, const std::string& id) {
    const Gate& gate = phase.gate;
    if (gate.asks_leniency) {
      note("Step " + id + ": the gate file asks for leniency (strict: false); here its rules hold",
           4);
    }
    if (gate.weak) {
      note("Step " + id + ": the document requires nothing; a summary is asked for", 4);
    }
    if (gate.none) steps_ += "    gate: none\n";
    if (!gate.requirements.empty()) steps_ += "    evidence:\n";
    for (const Requirement& requirement : gate.requirements) {
      Source source = requirement.source;
      source.file = document(source.file);
      steps_ += native_field(requirement, 6, base::to_utf8(to_text(source)));
    }
    if (!gate.checks.empty()) steps_ += "    checks:\n";
    for (const Check& check : gate.checks) steps_ += native_check(check, 6);
    write_decision(phase);
  }

  void write_decision(const Phase& phase) {
    const Gate& gate = phase.gate;
    if (gate.human_approval) {
      Source source = gate.human_approval_source;
      source.file = document(source.file);
      steps_ += yaml_comment(
          "The document asks for a person's approval (" + base::to_utf8(to_text(source)) + ").", 4);
    }
    const auto demand = decision_demand(phase);
    if (!demand) return;
    if (!gate.decision) {
      steps_ += "    decision: " + yaml_quoted(base::to_utf8(demand->prompt)) + "\n";
    } else if (phase.by_person) {
      steps_ += native_decision(*demand, 4, named_);
    } else {
      steps_ += "    decision:\n" + native_decision(*demand, 6, named_);
    }
  }

  static std::string named_checks(const Workflow& workflow) {
    std::string text;
    for (const Check& check : workflow.checks) text += native_named_check(check, 2);
    return text.empty() ? "" : "checks:\n" + text;
  }

  /// What is true of the workflow as a whole and does not fit into the file.
  void note_whole() {
    const Workflow& workflow = loaded_->workflow;
    if (!workflow.dynamic_reason.empty() || workflow.dynamic) {
      out_.notes.push_back(
          "Behind the last step the documents ask for phases that come from a document of the "
          "project; this format cannot say that, so the workflow ends there");
    }
    for (const std::string& alias : workflow.aliases) {
      out_.notes.push_back("It could also be started as " + base::in_quotes(alias) +
                           "; this file has its own name and its id only");
    }
    std::vector<std::string> left;
    for (const auto& [path, document] : workflow.documents) {
      if (!document.withheld && !used_.contains(path)) left.push_back(path);
    }
    if (left.empty()) return;
    const std::size_t count = left.size();
    if (count > kFilesNamed) {
      left.resize(kFilesNamed);
      left.emplace_back("…");
    }
    out_.notes.push_back(base::counted(count, "other file") + " that the texts may link to " +
                         (count == 1 ? "is" : "are") +
                         " not part of this file: " + base::joined(left, ", "));
  }

  const LoadedWorkflow* loaded_ = nullptr;
  std::string prefix_;
  std::set<std::string> used_;  ///< documents whose text was written
  std::set<std::string> ids_;
  std::map<std::string, std::string> named_;  ///< what this workflow's phases are called, by id
  std::vector<std::pair<std::string, std::string>> documents_;  ///< path and digest, as first used
  std::string steps_;
  NativeText out_;
};

}  // namespace

NativeText write_native(const std::vector<WrittenWorkflow>& workflows) {
  return Writer().write(workflows);
}

}  // namespace phasegate::phases
