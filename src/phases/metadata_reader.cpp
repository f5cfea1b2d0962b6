#include "phases/metadata_reader.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/dynamic_config.h"
#include "phases/workflow.h"

namespace phasegate::phases {
namespace {

using base::Json;

/// `1-N`, `N`, `dynamic`: a place for phases that are not known in advance.
bool is_dynamic_number(std::string_view text) {
  const std::string word = base::lowered(base::trimmed(text));
  return word == "n" || word == "dynamic" || word == "*" ||
         (word.find('-') != std::string::npos && word.front() != '-');
}

class MetadataReader {
 public:
  MetadataReader(const base::JsonWithLines& json, FindingList& findings)
      : json_(json), findings_(findings) {}

  Metadata read() {
    const Json& root = json_.document;
    metadata_.title = text(root, "", "name");
    metadata_.description = text(root, "", "description");
    metadata_.version = version(root);
    metadata_.workflow_type = text(root, "", "workflow_type");
    metadata_.workflow_type_line = json_.line_of("/workflow_type");
    read_total(root);
    if (base::bool_member(root, "dynamic_phases").value_or(false)) {
      set_dynamic(json_.line_of("/dynamic_phases"));
    }
    if (base::find_member(root, "dynamic_config") != nullptr) {
      set_dynamic(json_.line_of("/dynamic_config"));
      metadata_.dynamic_config = read_dynamic_config(json_, findings_);
    }
    read_phases(root);
    check_order();
    check_start(root);
    check_total();
    report_missing(root);
    return std::move(metadata_);
  }

 private:
  [[nodiscard]] Source at(const std::string& pointer) const {
    return {std::string(kMetadataFile), json_.line_of(pointer), 0};
  }

  void wrong_type(const std::string& pointer, std::string_view wanted, const Json& got,
                  const std::string& phase = "") {
    findings_.error("invalid_metadata",
                    base::in_quotes(pointer) + " must be " + std::string(wanted) + ", got " +
                        std::string(base::json_type_name(got)) + " " +
                        base::shortened(base::dump(got), 60),
                    "", at(pointer), phase);
  }

  /// A member that may be absent but not of another type.
  std::string text(const Json& object, const std::string& pointer, const char* name) {
    const Json* value = base::find_member(object, name);
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string()) return value->get<std::string>();
    wrong_type(pointer + "/" + name, "a string", *value);
    return {};
  }

  /// A text that stands in every answer: long ones would crowd out the rest.
  std::string shown_text(const Json& object, const std::string& pointer, const char* name,
                         const std::string& phase) {
    std::string whole = text(object, pointer, name);
    if (whole.size() <= base::limits::kTitleBytesMax) return whole;
    const std::string member = pointer + "/" + name;
    findings_.info("text_shortened",
                   base::in_quotes(member) + " has " + std::to_string(whole.size()) +
                       " bytes and is shortened to " + std::to_string(base::limits::kTitleBytesMax),
                   "what is longer belongs into the phase's text", at(member), phase);
    return base::shortened(whole, base::limits::kTitleBytesMax);
  }

  std::string version(const Json& root) {
    const Json* value = base::find_member(root, "version");
    if (value != nullptr && value->is_number()) return base::dump(*value);
    return text(root, "", "version");
  }

  void set_dynamic(int line) {
    if (!metadata_.dynamic) metadata_.dynamic_line = line;
    metadata_.dynamic = true;
  }

  void read_total(const Json& root) {
    const Json* total = base::find_member(root, "total_phases");
    if (total == nullptr) return;
    metadata_.total_phases_line = json_.line_of("/total_phases");
    if (total->is_string() && base::lowered(total->get<std::string>()) == "dynamic") {
      return set_dynamic(metadata_.total_phases_line);
    }
    const auto number = base::as_integer(*total);
    if (!number || *number < 0) {
      return wrong_type("/total_phases", "a whole number or \"dynamic\"", *total);
    }
    metadata_.total_phases = number;
  }

  void read_phases(const Json& root) {
    const Json* phases = base::find_member(root, "phases");
    if (phases == nullptr) {
      findings_.error("invalid_metadata", "there is no list of phases",
                      "add \"phases\": [{\"phase_number\": 0, \"phase_name\": \"…\", …}]",
                      at("/phases"));
      return;
    }
    if (!phases->is_array()) return wrong_type("/phases", "an array", *phases);
    if (phases->empty()) {
      findings_.error("invalid_metadata", "the list of phases is empty", "add a phase",
                      at("/phases"));
    }
    if (phases->size() > base::limits::kPhasesMax) {
      findings_.error("too_many_phases",
                      "there are " + std::to_string(phases->size()) + " phases, the limit is " +
                          std::to_string(base::limits::kPhasesMax),
                      "split the workflow", at("/phases"));
      return;
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < phases->size(); ++i) {
      const std::string pointer = "/phases/" + std::to_string(i);
      auto phase = read_phase((*phases)[i], pointer);
      if (!phase) continue;
      if (phase->dynamic) {
        set_dynamic(phase->line);
      } else if (!seen.insert(phase->number).second) {
        findings_.error("duplicate_phase", "phase " + phase->number + " is listed twice",
                        "give each phase its own number", at(pointer), phase->number);
        continue;
      }
      metadata_.phases.push_back(std::move(*phase));
    }
  }

  std::optional<MetadataPhase> read_phase(const Json& json, const std::string& pointer) {
    if (!json.is_object()) return wrong_type(pointer, "an object", json), std::nullopt;
    MetadataPhase phase;
    const std::string number_pointer = pointer + "/phase_number";
    phase.line = json_.line_of(pointer);
    const Json* number = base::find_member(json, "phase_number");
    if (number == nullptr) {
      findings_.error("invalid_metadata",
                      "the phase at " + base::in_quotes(pointer) + " has no phase_number",
                      "add \"phase_number\"", at(pointer));
      return std::nullopt;
    }
    if (number->is_string() && is_dynamic_number(number->get<std::string>())) {
      phase.dynamic = true;
      phase.number = number->get<std::string>();
    } else if (const auto id = number_id(*number)) {
      phase.number = *id;
    } else {
      return wrong_type(number_pointer, "a whole number from 0, an id such as \"0B\", or \"1-N\"",
                        *number),
             std::nullopt;
    }
    phase.title = shown_text(json, pointer, "phase_name", phase.number);
    phase.purpose = shown_text(json, pointer, "purpose", phase.number);
    for (const char* name : {"file", "phase_file"}) {
      if (!phase.file.empty() || base::find_member(json, name) == nullptr) continue;
      phase.file = text(json, pointer, name);
      phase.file_line = json_.line_of(pointer + "/" + name);
    }
    read_skippable(json, pointer, phase);
    read_evidence(json, pointer, phase);
    read_tasks(json, pointer, phase);
    return phase;
  }

  /// 3 and 3.0 and "3" are "3"; "0B" stays; -1, 2.5 and true are nothing.
  static std::optional<std::string> number_id(const Json& value) {
    if (value.is_string()) {
      const std::string word(base::trimmed(value.get<std::string>()));
      return is_phase_number(word) ? std::optional(word) : std::nullopt;
    }
    const auto number = base::as_integer(value);
    if (!number || *number < 0) return std::nullopt;
    return std::to_string(*number);
  }

  void read_skippable(const Json& json, const std::string& pointer, const MetadataPhase& phase) {
    const Json* skippable = base::find_member(json, "skippable");
    if (skippable == nullptr || *skippable == Json(false)) return;
    const std::string condition = base::string_member(json, "skip_condition").value_or("");
    findings_.info("skippable_ignored",
                   "phase " + phase.number + " is marked skippable" +
                       (condition.empty() ? "" : " (" + base::in_quotes(condition) + ")") +
                       ", which is not honoured: it must be worked through",
                   "", at(pointer + "/skippable"), phase.number);
  }

  void read_evidence(const Json& json, const std::string& pointer, MetadataPhase& phase) {
    const Json* checkpoint = base::find_member(json, "checkpoint");
    if (checkpoint == nullptr) return;
    const Json* names = base::find_member(*checkpoint, "required_evidence");
    if (names == nullptr) return;
    const std::string list_pointer = pointer + "/checkpoint/required_evidence";
    phase.required_evidence_line = json_.line_of(list_pointer);
    if (names->is_object()) {
      for (const auto& member : names->items()) phase.required_evidence.push_back(member.key());
      return;
    }
    if (!names->is_array()) return wrong_type(list_pointer, "an array", *names, phase.number);
    for (const Json& name : *names) {
      if (name.is_string()) phase.required_evidence.push_back(name.get<std::string>());
    }
  }

  void read_tasks(const Json& json, const std::string& pointer, MetadataPhase& phase) {
    const Json* tasks = base::find_member(json, "tasks");
    if (tasks == nullptr) return;
    const std::string list_pointer = pointer + "/tasks";
    if (!tasks->is_array()) return wrong_type(list_pointer, "an array", *tasks, phase.number);
    if (tasks->size() > base::limits::kTasksPerPhaseMax) {
      findings_.error("too_many_tasks",
                      "phase " + phase.number + " has " + std::to_string(tasks->size()) +
                          " tasks, the limit is " + std::to_string(base::limits::kTasksPerPhaseMax),
                      "split the phase", at(list_pointer), phase.number);
      return;
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < tasks->size(); ++i) {
      const std::string task_pointer = list_pointer + "/" + std::to_string(i);
      const Json& item = (*tasks)[i];
      if (!item.is_object()) {
        wrong_type(task_pointer, "an object", item, phase.number);
        continue;
      }
      const Json* number = base::find_member(item, "task_number");
      const auto id = number == nullptr ? std::nullopt : number_id(*number);
      if (!id) {
        findings_.error(
            "invalid_metadata",
            "a task of phase " + phase.number + " has no task_number that is a whole number from 0",
            "number the tasks from 1", at(task_pointer), phase.number);
        continue;
      }
      if (!seen.insert(*id).second) {
        findings_.error("duplicate_task",
                        "phase " + phase.number + " has two tasks with the number " + *id,
                        "give each task its own number", at(task_pointer), phase.number);
        continue;
      }
      phase.tasks.push_back({*id, shown_text(item, task_pointer, "name", phase.number),
                             text(item, task_pointer, "file"), json_.line_of(task_pointer)});
    }
  }

  void check_order() {
    const MetadataPhase* before = nullptr;
    for (const MetadataPhase& phase : metadata_.phases) {
      const bool numeric = std::all_of(phase.number.begin(), phase.number.end(),
                                       [](char c) { return c >= '0' && c <= '9'; });
      if (phase.dynamic || !numeric || phase.number.size() > 9) continue;
      if (before != nullptr && std::stoi(before->number) > std::stoi(phase.number)) {
        findings_.warning("phase_order",
                          "phase " + phase.number + " is listed behind phase " + before->number +
                              "; phases are performed in the order in which they are listed",
                          "sort the phases if that is not meant",
                          {std::string(kMetadataFile), phase.line, 0}, phase.number);
      }
      before = &phase;
    }
  }

  void check_start(const Json& root) {
    const Json* start = base::find_member(root, "start_phase");
    if (start == nullptr || metadata_.phases.empty()) return;
    const auto id = number_id(*start);
    if (id && *id == metadata_.phases.front().number) return;
    findings_.warning(
        "start_phase_ignored",
        "start_phase is " + base::shortened(base::dump(*start), 40) +
            ", yet a run begins with the first phase listed, " + metadata_.phases.front().number,
        "list the phases in the order in which they are performed", at("/start_phase"));
  }

  void check_total() {
    if (!metadata_.total_phases) return;
    const auto known = std::count_if(metadata_.phases.begin(), metadata_.phases.end(),
                                     [](const MetadataPhase& phase) { return !phase.dynamic; });
    if (known == *metadata_.total_phases) return;
    findings_.warning(
        "wrong_total",
        "total_phases is " + std::to_string(*metadata_.total_phases) + ", but " +
            counted(static_cast<std::size_t>(known), "phase is", "phases are") + " listed",
        "correct the number", {std::string(kMetadataFile), metadata_.total_phases_line, 0});
  }

  void report_missing(const Json& root) {
    std::vector<std::string> missing;
    for (const char* name : {"workflow_type", "name", "version", "description", "total_phases",
                             "estimated_duration", "primary_outputs"}) {
      if (base::find_member(root, name) == nullptr) missing.emplace_back(name);
    }
    const auto nameless = [](const MetadataPhase& phase) { return phase.title.empty(); };
    const auto aimless = [](const MetadataPhase& phase) { return phase.purpose.empty(); };
    const auto count = [&](auto lacks) {
      return static_cast<std::size_t>(
          std::count_if(metadata_.phases.begin(), metadata_.phases.end(), lacks));
    };
    const std::size_t unnamed = count(nameless);
    const std::size_t unexplained = count(aimless);
    if (unnamed > 0) missing.push_back("phase_name of " + counted(unnamed, "phase", "phases"));
    if (unexplained > 0) missing.push_back("purpose of " + counted(unexplained, "phase", "phases"));
    if (missing.empty()) return;
    findings_.info("incomplete_metadata", "metadata.json lacks " + base::joined(missing, ", "), "",
                   at(""));
  }

  const base::JsonWithLines& json_;
  FindingList& findings_;
  Metadata metadata_;
};

}  // namespace

std::optional<Metadata> read_metadata(std::string_view text, FindingList& findings) {
  const auto parsed = base::parse_json_with_lines(
      text, {base::limits::kDocumentBytesMax, base::limits::kDocumentDepthMax});
  if (!parsed) {
    // The parser's text begins with its own position: "parse error at line 3, column 7: …".
    int line = 0;
    const std::string& message = parsed.error().message;
    if (const auto mark = message.find("line "); mark != std::string::npos) {
      for (std::size_t i = mark + 5; i < message.size() && line < 100'000'000 &&
                                     std::isdigit(static_cast<unsigned char>(message[i])) != 0;
           ++i) {
        line = line * 10 + (message[i] - '0');
      }
    }
    findings.error("invalid_metadata", "metadata.json cannot be read: " + message,
                   parsed.error().hint, {std::string(kMetadataFile), line, 0});
    return std::nullopt;
  }
  if (!parsed->document.is_object()) {
    findings.error("invalid_metadata", "metadata.json must hold an object", "",
                   {std::string(kMetadataFile), 1, 0});
    return std::nullopt;
  }
  return MetadataReader(*parsed, findings).read();
}

}  // namespace phasegate::phases
