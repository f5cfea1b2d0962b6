#include "phases/native/evidence.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "phases/native/rules.h"
#include "phases/project_paths.h"
#include "phases/requirement_checks.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;

/// The types that a rule has a meaning for.
std::string fitting_types(const std::string& key) {
  if (key.ends_with("minimum") || key.ends_with("maximum")) return "integer or number";
  if (key == "min_items" || key == "max_items" || key == "items") return "array";
  if (key == "enum" || key == "const") return "boolean, integer, number or string";
  return "string";
}

bool fits(const std::string& key, ValueType type) {
  const std::string types = fitting_types(key);
  return types.find(to_text(type)) != std::string::npos;
}

bool is_rule(const std::string& key) {
  return key != "type" && key != "description" && key != "example" && key != "required" &&
         key != "artifact" && key != "aliases" && key != "check" && key != "secret" &&
         key != "source";
}

class FieldReader {
 public:
  FieldReader(const YamlNode::Member& field, FieldUse use, const NativeReport& report)
      : field_(field), use_(use), report_(report) {}

  std::optional<Requirement> read() {
    requirement_.name = field_.name;
    requirement_.kind = RequirementSource::native;
    requirement_.source = report_.kept(field_.line);
    // An input that is not required is what its author says, not what a gate must see.
    requirement_.false_allowed = use_ == FieldUse::input;
    requirement_.required = use_ == FieldUse::evidence;
    if (!is_plain_name(field_.name)) {
      report_.error("unusable_name",
                    base::in_quotes(base::shortened(field_.name, 80)) + " cannot be the name of " +
                        what_it_is(),
                    "use at most 100 letters, digits, and _ - . and begin with a letter",
                    report_.at(field_));
      return std::nullopt;
    }
    if (field_.value.kind == Kind::scalar) {
      if (!read_type(field_.value)) return std::nullopt;
      requirement_.false_allowed = requirement_.false_allowed && is_boolean();
      return std::move(requirement_);
    }
    if (field_.value.kind != Kind::map) {
      report_.wrong_type(named(""), "a type, or a map with type and rules", field_.value,
                         "write " + field_.name + ": {type: string, description: …}");
      return std::nullopt;
    }
    return read_map();
  }

 private:
  [[nodiscard]] const char* what_it_is() const {
    return use_ == FieldUse::input ? "an input" : "evidence";
  }
  [[nodiscard]] bool is_boolean() const { return requirement_.type == ValueType::boolean; }

  /// `"files" (min_items)`
  [[nodiscard]] std::string named(const std::string& key) const {
    const std::string name = base::in_quotes(field_.name);
    return key.empty() ? name : name + " (" + key + ")";
  }

  bool read_type(const YamlNode& node) {
    const auto type = phases::read_type(node.scalar, field_.name, report_.findings(),
                                        report_.at(node), report_.step());
    if (type) requirement_.type = *type;
    return type.has_value();
  }

  std::optional<Requirement> read_map() {
    const YamlNode& map = field_.value;
    const NativeKeys& keys =
        use_ == FieldUse::input ? native_property_keys() : native_evidence_keys();
    report_.refuse_other_keys(map, keys, named(""));
    const YamlNode* type = map.find("type");
    if (type == nullptr) {
      report_.error("unknown_type", named("") + " has no type",
                    "write type: boolean, integer, number, string, array or object",
                    report_.at(field_));
      return std::nullopt;
    }
    if (type->kind != Kind::scalar) {
      report_.wrong_type(named("type"), "the name of a type", *type);
      return std::nullopt;
    }
    if (!read_type(*type)) return std::nullopt;
    requirement_.false_allowed = requirement_.false_allowed && is_boolean();
    for (const auto& member : map.members) read_key(member);
    if (const auto impossible = impossible_rules(requirement_)) {
      const auto blamed = seen_.find(impossible->key);
      report_.error("impossible_rule", named("") + " can never be satisfied: " + impossible->why,
                    "correct one of its rules",
                    report_.at(blamed == seen_.end() ? field_ : *blamed->second));
    }
    return std::move(requirement_);
  }

  void read_key(const YamlNode::Member& member) {
    const std::string key = plain_key(member.name);
    const NativeKeys& keys =
        use_ == FieldUse::input ? native_property_keys() : native_evidence_keys();
    if (std::find(keys.read.begin(), keys.read.end(), member.name) == keys.read.end()) return;
    const auto [first, is_new] = seen_.emplace(key, &member);
    if (!is_new) {
      report_.error("duplicate_key",
                    named("") + " has " + first->second->name + " and " + member.name +
                        ", which are the same, the first in line " +
                        std::to_string(first->second->line),
                    "keep one of the two", report_.at(member));
      return;
    }
    if (is_rule(key) && !fits(key, requirement_.type)) {
      report_.error("rule_does_not_fit",
                    named("") + " is " + std::string(to_text(requirement_.type)) + ", and " +
                        member.name + " means nothing for it",
                    member.name + " is for " + fitting_types(key), report_.at(member));
      return;
    }
    read_value(key, member.value);
  }

  void read_value(const std::string& key, const YamlNode& node) {
    Requirement& r = requirement_;
    const std::string what = named(key);
    if (key == "description") {
      if (const auto text = report_.text(node, what)) r.description = plain_sentence(*text);
    } else if (key == "required") {
      r.required = report_.flag(node, what).value_or(true);
    } else if (key == "artifact") {
      r.artifact = report_.flag(node, what).value_or(true);
    } else if (key == "secret") {
      r.secret = report_.flag(node, what).value_or(false);
    } else if (key == "aliases") {
      r.aliases = read_native_aliases(node, what, report_);
    } else if (key == "check") {
      read_check(node, what);
    } else if (key == "source") {
      // For people, and for the comparison with what was adopted (adopted.h).
      (void)report_.shown_text(node, what);
    } else if (key == "example") {
      r.example = read_native_example(node, what, report_);
    } else if (key == "minimum") {
      r.minimum = read_native_number(node, what, report_);
    } else if (key == "maximum") {
      r.maximum = read_native_number(node, what, report_);
    } else if (key == "exclusive_minimum") {
      r.exclusive_minimum = read_native_number(node, what, report_);
    } else if (key == "exclusive_maximum") {
      r.exclusive_maximum = read_native_number(node, what, report_);
    } else if (key == "min_length") {
      r.min_length = read_native_length(node, what, report_);
    } else if (key == "max_length") {
      r.max_length = read_native_length(node, what, report_);
    } else if (key == "min_items") {
      r.min_items = read_native_length(node, what, report_);
    } else if (key == "max_items") {
      r.max_items = read_native_length(node, what, report_);
    } else if (key == "items") {
      r.items = read_items(node);
    } else if (key == "pattern") {
      r.pattern = read_pattern(node, what);
    } else if (key == "format") {
      read_format(node, what);
    } else if (key == "enum") {
      r.one_of = read_native_enum(node, r.type, what, report_);
      if (std::find(r.one_of.begin(), r.one_of.end(), Scalar(false)) != r.one_of.end()) {
        r.false_allowed = true;
      }
    } else if (key == "const") {
      r.constant = read_native_scalar(node, r.type, what, report_);
      if (r.constant && *r.constant == Scalar(false)) r.false_allowed = true;
    }
  }

  /// Whether the gate has such a check is looked at once the gate is complete.
  void read_check(const YamlNode& node, const std::string& what) {
    const auto name = report_.text(node, what);
    if (!name) return;
    const ValueType type = requirement_.type;
    if (type == ValueType::array || type == ValueType::object) {
      report_.error("rule_does_not_fit",
                    named("") + " is " + std::string(to_text(type)) +
                        ", and a check finds a flag, a number or a text",
                    "compare it in an expression: {expr: \"…\"}", report_.at(node));
    } else if (is_blank(*name)) {
      report_.error("empty_text", what + " is empty", "write the name of a check of the step",
                    report_.at(node));
    } else {
      requirement_.check = *name;
    }
  }

  std::optional<std::string> read_pattern(const YamlNode& node, const std::string& what) {
    auto pattern = report_.text(node, what);
    if (!pattern) return std::nullopt;
    if (!pattern->empty() && pattern->size() <= base::limits::kPatternBytesMax) return pattern;
    report_.error("rule_does_not_fit",
                  what + " must have 1 to " + std::to_string(base::limits::kPatternBytesMax) +
                      " bytes, has " + std::to_string(pattern->size()),
                  "", report_.at(node));
    return std::nullopt;
  }

  void read_format(const YamlNode& node, const std::string& what) {
    bool later = false;
    static const NativeKeys kFormats = {{"date", "date-time", "email", "uri", "uuid",
                                         std::string(kProjectPath), std::string(kProjectFolder)},
                                        {}};
    requirement_.format = report_.word(node, kFormats, what, later);
  }

  /// `items: string`, or a map with the type and its rules.
  std::optional<ItemRule> read_items(const YamlNode& node) {
    ItemRule rule;
    const YamlNode* type = node.kind == Kind::map ? node.find("type") : &node;
    if (node.kind == Kind::map) {
      report_.refuse_other_keys(node, native_item_keys(), named("items"));
    }
    if (type == nullptr || type->kind != Kind::scalar) {
      report_.wrong_type(named("items"), "a type, or a map with a type", node,
                         "write items: {type: string}");
      return std::nullopt;
    }
    const auto known = phases::read_type(type->scalar, field_.name + " (items)", report_.findings(),
                                         report_.at(*type), report_.step());
    if (!known) return std::nullopt;
    rule.type = *known;
    for (const auto& member : node.members) read_item_rule(member, rule);
    return rule;
  }

  void read_item_rule(const YamlNode::Member& member, ItemRule& rule) {
    const std::string key = plain_key(member.name);
    if (key != "min_length" && key != "pattern" && key != "enum") return;
    const std::string what = named("items, " + key);
    if (!fits(key, rule.type)) {
      report_.error("rule_does_not_fit",
                    what + " means nothing for items of type " + std::string(to_text(rule.type)),
                    member.name + " is for " + fitting_types(key), report_.at(member));
    } else if (key == "min_length") {
      if (rule.min_length) {
        report_.error("duplicate_key", what + " is there in both spellings", "keep one of the two",
                      report_.at(member));
      }
      rule.min_length = read_native_length(member.value, what, report_);
    } else if (key == "pattern") {
      rule.pattern = read_pattern(member.value, what);
    } else {
      rule.one_of = read_native_enum(member.value, rule.type, what, report_);
    }
  }

  const YamlNode::Member& field_;
  FieldUse use_;
  const NativeReport& report_;
  Requirement requirement_;
  std::map<std::string, const YamlNode::Member*> seen_;
};

}  // namespace

std::optional<Requirement> read_native_field(const YamlNode::Member& field, FieldUse use,
                                             const NativeReport& report) {
  return FieldReader(field, use, report).read();
}

std::vector<Requirement> read_native_evidence(const YamlNode& node, const NativeReport& report,
                                              bool& sound) {
  std::vector<Requirement> requirements;
  if (node.is_null()) return requirements;
  if (node.kind != Kind::map) {
    report.wrong_type("evidence", "a map of fields", node,
                      "write evidence: {summary: {type: string}}");
    sound = false;
    return requirements;
  }
  const YamlNode* type = node.find("type");
  const YamlNode* properties = node.find("properties");
  if (type != nullptr && type->kind == Kind::scalar && properties != nullptr &&
      properties->kind == Kind::map && properties->find("type") == nullptr) {
    report.error(
        "wrong_type", "evidence is written as a JSON Schema, and is a map of fields",
        "write the members of properties directly below evidence, each with required: false "
        "if it may be absent",
        report.at(*properties));
    sound = false;
    return requirements;
  }
  for (const auto& field : node.members) {
    auto requirement = read_native_field(field, FieldUse::evidence, report);
    if (!requirement) {
      sound = false;
      continue;
    }
    if (!add_requirement(requirements, std::move(*requirement), report.findings(), report.step())) {
      sound = false;
      break;
    }
  }
  check_aliases(requirements, report.findings(), report.step());
  check_wording(requirements, report.findings(), report.step());
  return requirements;
}

}  // namespace phasegate::phases
