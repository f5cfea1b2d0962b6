#include "phases/correction/corrections.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/checks_reader.h"
#include "phases/native/decision.h"
#include "phases/native/report.h"
#include "phases/requirement_names.h"
#include "phases/text_position.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;
using Act = RequirementCorrection::Act;

constexpr std::array<std::string_view, 3> kReferences = {"requirement", "item", "add"};
constexpr std::size_t kSentenceBytesMax = 4096;

bool is_own_key(const std::string& key) {
  return std::find(kReferences.begin(), kReferences.end(), key) != kReferences.end() ||
         key == "name" || key == "drop" || key == "because";
}

/// A reason why something is left out; an error without one, since dropping a demand is what a
/// reader of the file must be able to judge.
std::string read_because(const YamlNode& map, bool needed, const std::string& what,
                         const NativeReport& report) {
  const YamlNode* node = map.find("because");
  if (node == nullptr) {
    if (needed) {
      report.error("missing_key", what + " is dropped without a reason",
                   "write because: and why it is no demand of the document", report.at(map));
    }
    return {};
  }
  const auto text = report.text(*node, "because of " + what);
  if (!text) return {};
  if (!is_blank(*text)) return base::shortened(*text, base::limits::kWorkflowTextBytesMax);
  report.error("empty_text", "because of " + what + " is empty", "say why", report.at(*node));
  return {};
}

bool read_drop(const YamlNode& map, const std::string& what, const NativeReport& report) {
  const YamlNode* node = map.find("drop");
  return node != nullptr && report.flag(*node, "drop of " + what).value_or(false);
}

class EntryReader {
 public:
  EntryReader(const YamlNode& node, std::size_t number, const NativeReport& report)
      : node_(node), what_("entry " + std::to_string(number)), report_(report) {}

  std::optional<RequirementCorrection> read() {
    if (node_.kind != Kind::map) {
      report_.wrong_type(what_, "a map that begins with requirement, item or add", node_);
      return std::nullopt;
    }
    report_.refuse_other_keys(node_, requirement_correction_keys(), what_);
    entry_.source = report_.at(node_);
    if (!read_reference()) return std::nullopt;
    read_name();
    entry_.because = read_because(node_, read_act(), what_, report_);
    take_field();
    return std::move(entry_);
  }

 private:
  bool read_reference() {
    const YamlNode* found = nullptr;
    for (const std::string_view key : kReferences) {
      const YamlNode* node = node_.find(key);
      if (node == nullptr) continue;
      if (found != nullptr) {
        report_.error("contradicting_keys",
                      what_ + " has more than one of requirement, item and add",
                      "an entry speaks of one requirement", report_.at(*node));
        return false;
      }
      found = node;
      const auto text = report_.text(*node, std::string(key) + " of " + what_);
      if (!text) return false;
      if (is_blank(*text) || text->size() > kSentenceBytesMax) {
        report_.error("empty_text", std::string(key) + " of " + what_ + " is empty or too long", "",
                      report_.at(*node));
        return false;
      }
      entry_.reference = *text;
      entry_.by_item = key == "item";
      if (key == "add") entry_.act = Act::add;
      entry_.source = report_.at(*node);
    }
    if (found != nullptr) {
      what_ += " (" + base::in_quotes(base::shortened(entry_.reference, 60)) + ")";
      return true;
    }
    report_.error("missing_key", what_ + " does not say which requirement it corrects",
                  "begin with requirement: NAME, item: \"the sentence\", or add: NAME",
                  report_.at(node_));
    return false;
  }

  void read_name() {
    const YamlNode* node = node_.find("name");
    if (node == nullptr) return;
    const auto name = report_.text(*node, "name of " + what_);
    if (!name) return;
    if (entry_.act == Act::add) {
      report_.error("contradicting_keys", what_ + " has a name beside add",
                    "add: is the name already", report_.at(*node));
    } else if (!is_plain_name(*name)) {
      report_.error("unusable_name",
                    base::in_quotes(base::shortened(*name, 80)) + " cannot be the name of evidence",
                    "use at most 100 letters, digits, and _ - . and begin with a letter",
                    report_.at(*node));
    } else {
      entry_.name = *name;
    }
  }

  /// True if the entry drops its requirement.
  bool read_act() {
    if (!read_drop(node_, what_, report_)) return false;
    const auto other = std::find_if(
        node_.members.begin(), node_.members.end(), [](const YamlNode::Member& member) {
          return member.name != "requirement" && member.name != "item" && member.name != "drop" &&
                 member.name != "because";
        });
    if (other != node_.members.end()) {
      report_.error("contradicting_keys",
                    what_ + " drops its requirement and has " + other->name + " as well",
                    "keep one of the two", report_.at(*other));
    }
    entry_.act = Act::drop;
    return true;
  }

  /// What is left is a field as the native format has it, and is read as one.
  void take_field() {
    entry_.field.name = entry_.reference;
    entry_.field.line = node_.line;
    entry_.field.column = node_.column;
    entry_.field.value.kind = Kind::map;
    entry_.field.value.line = node_.line;
    entry_.field.value.column = node_.column;
    const auto& known = requirement_correction_keys().read;
    for (const auto& member : node_.members) {
      const bool read = std::find(known.begin(), known.end(), member.name) != known.end();
      if (read && !is_own_key(member.name)) entry_.field.value.members.push_back(member);
    }
  }

  const YamlNode& node_;
  std::string what_;
  const NativeReport& report_;
  RequirementCorrection entry_;
};

class CorrectionsReader {
 public:
  CorrectionsReader(const NativeReport& report, Corrections& corrections)
      : report_(report), corrections_(corrections) {}

  void read(const YamlNode& root) {
    if (root.kind != Kind::map) {
      report_.wrong_type("the file", "a map with phases", root, "begin with phases:");
      return;
    }
    report_.refuse_other_keys(root, correction_keys(), "the file");
    if (const YamlNode* digests = root.find("document_sha256")) read_digests(*digests);
    const YamlNode* phases = root.find("phases");
    if (phases == nullptr || phases->is_null()) return;
    if (phases->kind != Kind::map) {
      report_.wrong_type("phases", "a map of phases by id", *phases, "write phases: {\"1\": {…}}");
      return;
    }
    for (const auto& member : phases->members) read_phase(member);
  }

 private:
  void read_digests(const YamlNode& node) {
    if (node.kind != Kind::map) {
      report_.wrong_type("document_sha256", "a map of documents", node,
                         "write document_sha256: {phases/1/phase.md: …}");
      return;
    }
    for (const auto& member : node.members) {
      const std::string digest = base::lowered(member.value.scalar);
      const bool sound = member.value.kind == Kind::scalar && digest.size() == 64 &&
                         digest.find_first_not_of("0123456789abcdef") == std::string::npos;
      if (sound) {
        corrections_.documents.push_back({member.name, digest, report_.at(member)});
        continue;
      }
      report_.wrong_type("the digest of " + base::in_quotes(base::shortened(member.name, 80)),
                         "64 hexadecimal digits", member.value, "sha256sum FILE prints it");
    }
  }

  void read_phase(const YamlNode::Member& member) {
    const NativeReport report = report_.of_step(member.name);
    const std::string what = "phase " + base::in_quotes(base::shortened(member.name, 60));
    if (member.value.kind != Kind::map) {
      return report.wrong_type(
          what, "a map", member.value,
          "write title, gate: none, drop, requirements, checks or decision below it");
    }
    report.refuse_other_keys(member.value, phase_correction_keys(), what);
    PhaseCorrection phase;
    phase.phase = member.name;
    phase.source = report.at(member);
    if (const YamlNode* title = member.value.find("title")) {
      phase.title = report.shown_text(*title, "title of " + what);
      if (phase.title && is_blank(*phase.title)) {
        report.error("empty_text", "title of " + what + " is empty", "", report.at(*title));
      }
    }
    if (const YamlNode* gate = member.value.find("gate")) {
      static const NativeKeys kNone = {{"none"}, {}};
      bool later = false;
      phase.gate_none = report.word(*gate, kNone, "gate of " + what, later).has_value();
    }
    phase.drop = read_drop(member.value, what, report);
    phase.because = read_because(member.value, phase.drop, what, report);
    if (const YamlNode* list = member.value.find("requirements")) {
      read_requirements(*list, what, report, phase);
    }
    if (const YamlNode* list = member.value.find("checks")) {
      phase.checks = read_checks(*list, "checks of " + what, report).checks;
    }
    if (const YamlNode* decision = member.value.find("decision")) {
      phase.decision_none = is_no_decision(*decision);
      if (!phase.decision_none) {
        auto read = read_native_decision(*decision, "decision of " + what, member.name, report);
        if (read) phase.decision = std::move(read->demand);
      }
    }
    refuse_contradictions(phase, what, report);
    corrections_.phases.push_back(std::move(phase));
  }

  static void read_requirements(const YamlNode& list, const std::string& what,
                                const NativeReport& report, PhaseCorrection& phase) {
    if (list.kind != Kind::sequence) {
      return report.wrong_type("requirements of " + what, "a list", list,
                               "write - {requirement: NAME, type: integer} below it");
    }
    for (const YamlNode& item : list.items) {
      const std::size_t number = static_cast<std::size_t>(&item - list.items.data()) + 1;
      if (auto entry = EntryReader(item, number, report).read()) {
        phase.requirements.push_back(std::move(*entry));
      }
    }
  }

  static void refuse_contradictions(const PhaseCorrection& phase, const std::string& what,
                                    const NativeReport& report) {
    const bool others = phase.title || phase.gate_none || !phase.requirements.empty() ||
                        !phase.checks.empty() || phase.decision || phase.decision_none;
    if (phase.drop && others) {
      report.error("contradicting_keys", what + " is dropped and corrected", "keep one of the two",
                   phase.source);
    }
    if (phase.gate_none && !phase.requirements.empty()) {
      report.error("contradicting_gate", what + " says gate: none and corrects requirements",
                   "keep one of the two; what is dropped one by one needs no gate: none",
                   phase.source);
    }
    if (phase.gate_none && !phase.checks.empty()) {
      report.error("contradicting_gate", what + " says gate: none and has checks",
                   "keep one of the two", phase.source);
    }
  }

  const NativeReport& report_;
  Corrections& corrections_;
};

}  // namespace

std::string corrections_file_of(std::string_view document) {
  const auto slash = document.rfind('/');
  const auto dot = document.rfind('.');
  const bool ending = dot != std::string_view::npos && dot > 0 &&
                      (slash == std::string_view::npos || dot > slash + 1);
  return std::string(document.substr(0, ending ? dot : document.size())) + "." +
         std::string(kCorrectionsFile);
}

bool is_corrections_name(std::string_view path) {
  const std::string name = base::lowered(path.substr(path.rfind('/') + 1));
  for (const char* ending : {"phasegate.yaml", "phasegate.yml", "phasegate.json"}) {
    if (name == ending || name.ends_with("." + std::string(ending))) return true;
  }
  return false;
}

const NativeKeys& correction_keys() {
  static const NativeKeys kKeys = {{"phases", "document_sha256"}, {}};
  return kKeys;
}

const NativeKeys& phase_correction_keys() {
  static const NativeKeys kKeys = {
      {"title", "drop", "because", "gate", "requirements", "checks", "decision"}, {}};
  return kKeys;
}

const NativeKeys& requirement_correction_keys() {
  static const NativeKeys kKeys = [] {
    NativeKeys keys{{"requirement", "item", "add", "name", "drop", "because"}, {}};
    for (const std::string& key : native_evidence_keys().read) {
      if (key != "source") keys.read.push_back(key);
    }
    return keys;
  }();
  return kKeys;
}

Corrections read_corrections(std::string_view text, const std::string& file,
                             FindingList& findings) {
  Corrections corrections;
  corrections.file = file;
  const auto root = parse_native_yaml(text);
  if (!root) {
    const Position at = position_from(root.error().where);
    findings.error(root.error().code, root.error().message, root.error().hint,
                   {file, at.line, 0, at.column});
    return corrections;
  }
  if (root->is_null()) {
    findings.error("empty_file", "the file of corrections is empty",
                   "write phases: and what is to be corrected, or remove the file",
                   {file, 1, 0, 1});
    return corrections;
  }
  const NativeReport report(file, findings);
  CorrectionsReader(report, corrections).read(*root);
  return corrections;
}

}  // namespace phasegate::phases
