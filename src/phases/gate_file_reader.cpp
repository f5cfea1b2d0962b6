#include "phases/gate_file_reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/checks_reader.h"
#include "phases/gate_fields.h"
#include "phases/native/decision.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;

class GateFileReader {
 public:
  GateFileReader(std::string_view path, const std::string& phase) : path_(path), phase_(phase) {
    gate_.source = {path_, 0, 0};
  }

  ReadGateFile read(std::string_view text) {
    const auto parsed =
        parse_yaml(text, base::limits::kGateFileBytesMax, base::limits::kDocumentDepthMax);
    if (!parsed) {
      int line = 0;
      const std::string& where = parsed.error().where;
      std::from_chars(where.data(), where.data() + where.size(), line);
      findings_.error("invalid_yaml", parsed.error().message,
                      "the gate stays shut until it is mended", at(line), phase_);
    } else if (parsed->kind == Kind::map) {
      read_root(*parsed);
    } else if (!parsed->is_null()) {
      wrong_kind("the file", "a map", *parsed);
    }
    gate_.findings = findings_.take();
    return std::move(gate_);
  }

 private:
  [[nodiscard]] Source at(int line) const { return {path_, line, 0}; }

  void wrong_kind(std::string_view what, std::string_view wanted, const YamlNode& got) {
    findings_.error("wrong_type",
                    std::string(what) + " must be " + std::string(wanted) + ", got a " +
                        std::string(got.kind_name()),
                    "", at(got.line), phase_);
  }

  void refuse_unknown_keys(const YamlNode& map, const std::vector<std::string>& known,
                           std::string_view where) {
    for (const auto& member : map.members) {
      if (std::find(known.begin(), known.end(), member.name) != known.end()) continue;
      const auto nearest = base::nearest_name(member.name, known);
      findings_.error(
          "unknown_key",
          std::string(where) + " has the key " + base::in_quotes(base::shortened(member.name, 60)) +
              ", which is not known",
          nearest ? "did you mean " + *nearest + "?" : "known keys: " + base::joined(known, ", "),
          at(member.line), phase_);
    }
  }

  void read_root(const YamlNode& root) {
    static const std::vector<std::string> kKnown = {"checkpoint",
                                                    "evidence_schema",
                                                    "evidence_required",
                                                    "validators",
                                                    "cross_field_validation",
                                                    "checks",
                                                    "decision",
                                                    "version",
                                                    "name",
                                                    "title",
                                                    "description",
                                                    "phase",
                                                    "phase_number",
                                                    "phase_name",
                                                    "metadata",
                                                    "workflow_type",
                                                    "created",
                                                    "updated",
                                                    "author",
                                                    "human_approval",
                                                    "human_approval_required"};
    refuse_unknown_keys(root, kKnown, "the gate file");
    if (const YamlNode* checkpoint = root.find("checkpoint")) read_checkpoint(*checkpoint);
    read_approval(root);
    std::map<std::string, NamedValidator> validators;
    if (const YamlNode* named = root.find("validators")) validators = read_validators(*named);
    if (const YamlNode* cross = root.find("cross_field_validation")) refuse_cross_field(*cross);
    read_schema(root, validators);
    if (const YamlNode* checks = root.find("checks")) {
      const NativeReport report = NativeReport(path_, findings_).of_step(phase_);
      gate_.checks = read_checks(*checks, "checks of the gate file", report).checks;
    }
    if (const YamlNode* decision = root.find("decision")) {
      const NativeReport report = NativeReport(path_, findings_).of_step(phase_);
      auto read = read_native_decision(*decision, "decision of the gate file", phase_, report);
      if (read) gate_.decision = std::move(read->demand);
    }
    report_unused(root, validators);
  }

  /// A rule that stands there and that no field asks for is a rule that somebody believes in.
  void report_unused(const YamlNode& root,
                     const std::map<std::string, NamedValidator>& validators) {
    const YamlNode* schema = root.find("evidence_schema");
    if (schema == nullptr) schema = root.find("evidence_required");
    std::set<std::string> used;
    const auto note = [&](const YamlNode* node) {
      if (node == nullptr) return;
      used.insert(std::string(base::trimmed(node->scalar)));
      for (const YamlNode& item : node->items) used.insert(std::string(base::trimmed(item.scalar)));
    };
    if (schema != nullptr) {
      for (const auto& member : schema->members) {
        note(member.value.find("validator"));
        note(member.value.find("validators"));
      }
    }
    for (const auto& [name, validator] : validators) {
      if (used.contains(name)) continue;
      findings_.warning("unused_validator",
                        "the validator " + base::in_quotes(base::shortened(name, 60)) +
                            " is not used by any field and checks nothing",
                        "name it as validator of the field that it is meant for",
                        at(validator.line), phase_);
    }
  }

  void read_checkpoint(const YamlNode& checkpoint) {
    if (checkpoint.is_null()) return;
    if (checkpoint.kind != Kind::map) return wrong_kind("checkpoint", "a map", checkpoint);
    static const std::vector<std::string> kKnown = {"strict",
                                                    "allow_override",
                                                    "enabled",
                                                    "human_approval",
                                                    "human_approval_required",
                                                    "description",
                                                    "name"};
    refuse_unknown_keys(checkpoint, kKnown, "checkpoint");
    read_approval(checkpoint);
    const bool lenient = flag(checkpoint, "strict") == false;
    const bool override_allowed = flag(checkpoint, "allow_override") == true;
    const bool disabled = flag(checkpoint, "enabled") == false;
    if (!lenient && !override_allowed && !disabled) return;
    gate_.asks_leniency = true;
    std::string asked;
    for (const auto& [on, word] :
         {std::pair{lenient, "strict: false"}, std::pair{override_allowed, "allow_override: true"},
          std::pair{disabled, "enabled: false"}}) {
      if (!on) continue;
      if (!asked.empty()) asked += ", ";
      asked += word;
    }
    findings_.warning(
        "asks_leniency",
        "the gate file asks for leniency (" + asked + "), which does not open the gate",
        "start with --gates as-written to honour it; the outcome is then partial",
        at(checkpoint.line), phase_);
  }

  /// A boolean member; anything else there is an error.
  std::optional<bool> flag(const YamlNode& map, std::string_view name) {
    const YamlNode* node = map.find(name);
    if (node == nullptr) return std::nullopt;
    const auto value = node->as_bool();
    if (!value) wrong_kind(name, "true or false", *node);
    return value;
  }

  void read_approval(const YamlNode& map) {
    for (const char* name : {"human_approval", "human_approval_required"}) {
      const YamlNode* node = map.find(name);
      if (node == nullptr || node->as_bool() == false) continue;
      if (!node->as_bool()) wrong_kind(name, "true or false", *node);
      gate_.human_approval = true;
      gate_.human_approval_source = at(node->line);
    }
  }

  std::map<std::string, NamedValidator> read_validators(const YamlNode& node) {
    std::map<std::string, NamedValidator> named;
    if (node.is_null()) return named;
    if (node.kind != Kind::map) {
      wrong_kind("validators", "a map", node);
      return named;
    }
    for (const auto& member : node.members) {
      const YamlNode* code = &member.value;
      if (code->kind == Kind::map) code = code->find("function");
      if (code == nullptr || code->kind != Kind::scalar) {
        wrong_kind("the validator " + base::in_quotes(member.name), "a text or a map with function",
                   member.value);
        continue;
      }
      NamedValidator validator{code->scalar, member.line, false};
      if (const auto problem = problem_of(validator)) {
        findings_.error(problem->code, base::in_quotes(member.name) + ": " + problem->message,
                        problem->hint, at(member.line), phase_);
        validator.refused = true;
      }
      named.emplace(member.name, std::move(validator));
    }
    return named;
  }

  void refuse_cross_field(const YamlNode& node) {
    const bool empty =
        node.is_null() || (node.kind != Kind::scalar && node.items.empty() && node.members.empty());
    if (empty) return;
    findings_.error("unsupported_cross_field_rule",
                    "cross_field_validation holds rules that compare fields; they are code and are "
                    "not run",
                    "remove them, or express them as rules of single fields", at(node.line),
                    phase_);
  }

  void read_schema(const YamlNode& root, const std::map<std::string, NamedValidator>& validators) {
    const YamlNode* schema = root.find("evidence_schema");
    if (const YamlNode* synonym = root.find("evidence_required")) {
      if (schema != nullptr) {
        findings_.error("duplicate_key", "evidence_schema and evidence_required are both there",
                        "keep evidence_schema", at(synonym->line), phase_);
      } else {
        findings_.warning("old_name", "evidence_required is read as evidence_schema",
                          "rename it to evidence_schema", at(synonym->line), phase_);
        schema = synonym;
      }
    }
    if (schema == nullptr || schema->is_null()) return;
    if (schema->kind != Kind::map) return wrong_kind("evidence_schema", "a map", *schema);
    for (const auto& member : schema->members) {
      auto requirement = read_gate_field(member.name, member.line, member.value, path_, phase_,
                                         validators, findings_);
      if (!requirement) continue;
      if (!add_requirement(gate_.requirements, std::move(*requirement), findings_, phase_)) return;
    }
  }

  std::string path_;
  const std::string& phase_;
  ReadGateFile gate_;
  FindingList findings_;
};

}  // namespace

ReadGateFile read_gate_file(std::string_view text, std::string_view path,
                            const std::string& phase) {
  return GateFileReader(path, phase).read(text);
}

}  // namespace phasegate::phases
