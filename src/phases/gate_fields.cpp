#include "phases/gate_fields.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/text.h"
#include "phases/gate_items.h"
#include "phases/lambda_validators.h"
#include "phases/project_paths.h"
#include "phases/requirement_names.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;

constexpr const char* kValueHint = "write numbers as 1000 or 0.85, without quotes or underscores";

/// Keys of JSON Schema that a field may carry, and the rule that each is.
struct SchemaKey {
  const char* name;
  RuleKind kind;
};
constexpr SchemaKey kSchemaKeys[] = {
    {"minimum", RuleKind::at_least},
    {"maximum", RuleKind::at_most},
    {"min", RuleKind::at_least},
    {"max", RuleKind::at_most},
    {"exclusiveMinimum", RuleKind::greater},
    {"exclusiveMaximum", RuleKind::less},
    {"exclusive_minimum", RuleKind::greater},
    {"exclusive_maximum", RuleKind::less},
    {"min_length", RuleKind::min_length},
    {"minLength", RuleKind::min_length},
    {"min_items", RuleKind::min_length},
    {"minItems", RuleKind::min_length},
    {"pattern", RuleKind::pattern},
    {"const", RuleKind::equals},
};

/// Keys with an upper bound of a length, which no validator word has.
constexpr const char* kUpperKeys[] = {"max_length", "maxLength", "max_items", "maxItems"};

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> kKeys = [] {
    std::vector<std::string> keys = {"type",       "required",         "description", "validator",
                                     "validators", "validator_params", "enum",        "format",
                                     "title",      "example",          "examples",    "check"};
    for (const SchemaKey& key : kSchemaKeys) keys.emplace_back(key.name);
    for (const char* key : kUpperKeys) keys.emplace_back(key);
    keys.emplace_back("items");
    return keys;
  }();
  return kKeys;
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class FieldReader {
 public:
  FieldReader(const YamlNode& field, const std::string& phase,
              const std::map<std::string, NamedValidator>& validators, Requirement& requirement,
              FindingList& findings)
      : field_(field),
        phase_(phase),
        validators_(validators),
        requirement_(requirement),
        findings_(findings) {}

  bool read() {
    refuse_unknown_keys();
    const YamlNode* type = field_.find("type");
    if (type == nullptr || type->kind != Kind::scalar) {
      error("unknown_type", "has no type",
            "write type: boolean, integer, number, string, array or object",
            type == nullptr ? requirement_.source.line : type->line);
      return false;
    }
    const auto known =
        read_type(type->scalar, requirement_.name, findings_, at(type->line), phase_);
    if (!known) return false;
    requirement_.type = *known;
    read_required();
    if (const YamlNode* text = field_.find("description"); text != nullptr && !text->is_null()) {
      if (text->kind == Kind::scalar) {
        requirement_.description = plain_sentence(text->scalar);
      } else {
        error("wrong_type", "has a description that is no text", "", text->line);
      }
    }
    read_validator();
    read_schema_keys();
    read_upper_lengths();
    if (const YamlNode* items = field_.find("items")) {
      read_gate_items(*items, phase_, requirement_, findings_);
    }
    read_enum();
    read_format();
    read_check();
    if (const auto possible = check_satisfiable(requirement_); !possible) {
      error(possible.error().code, possible.error().message, possible.error().hint,
            requirement_.source.line);
    }
    return true;
  }

 private:
  [[nodiscard]] Source at(int line) const { return {requirement_.source.file, line, 0}; }

  void error(const std::string& code, const std::string& message, const std::string& hint,
             int line) {
    findings_.error(code, base::in_quotes(requirement_.name) + " " + message, hint, at(line),
                    phase_);
  }

  void refuse_unknown_keys() {
    for (const auto& member : field_.members) {
      const auto& known = known_keys();
      if (std::find(known.begin(), known.end(), member.name) != known.end()) continue;
      const auto nearest = base::nearest_name(member.name, known);
      error("unknown_key",
            "has the key " + base::in_quotes(base::shortened(member.name, 60)) +
                ", which is not known",
            nearest ? "did you mean " + *nearest + "?" : "known keys: " + base::joined(known, ", "),
            member.line);
    }
  }

  void read_required() {
    const YamlNode* node = field_.find("required");
    if (node == nullptr) return;
    const auto value = node->as_bool();
    if (!value)
      error("wrong_type", "has a required that is neither true nor false", "", node->line);
    requirement_.required = value.value_or(true);
  }

  /// Whether the gate has such a check is looked at once it is complete.
  void read_check() {
    const YamlNode* node = field_.find("check");
    if (node == nullptr) return;
    const bool single =
        requirement_.type != ValueType::array && requirement_.type != ValueType::object;
    if (node->kind != Kind::scalar || base::is_blank(node->scalar) || !single) {
      return error("wrong_type", "has a check that is no name, or is of a type that no check finds",
                   "write the name of a check of this gate; lists are compared in an expr",
                   node->line);
    }
    requirement_.check = node->scalar;
  }

  /// Parameters by name; those of a list are named by their position.
  bool read_params(std::map<std::string, std::string>& params, std::vector<std::string>& operands) {
    const YamlNode* node = field_.find("validator_params");
    if (node == nullptr || node->is_null()) return true;
    const auto put = [&](const std::string& name, const YamlNode& value) {
      if (value.kind != Kind::scalar) return false;
      params[name] = value.scalar;
      operands.push_back(value.scalar);
      return true;
    };
    bool fine = true;
    if (node->kind == Kind::map) {
      // between takes its operands as (low, high), however the author ordered them.
      const bool swapped = node->members.size() == 2 && node->members[0].name.starts_with("max");
      for (const auto& member : node->members) fine = put(member.name, member.value) && fine;
      if (swapped && fine) std::swap(operands[0], operands[1]);
    } else if (node->kind == Kind::sequence) {
      for (const YamlNode& item : node->items) {
        fine = put(std::to_string(operands.size()), item) && fine;
      }
    } else {
      fine = put("0", *node);
    }
    if (!fine) {
      error("unsupported_validator_params", "has validator_params that are no single values", "",
            node->line);
    }
    return fine;
  }

  void read_validator() {
    const YamlNode* node = field_.find("validator");
    if (const YamlNode* several = field_.find("validators"); several != nullptr) {
      if (node != nullptr) {
        return error("duplicate_key", "has validator and validators", "keep one of the two",
                     several->line);
      }
      node = several;
    }
    std::map<std::string, std::string> params;
    std::vector<std::string> operands;
    if (!read_params(params, operands)) return;
    if (node == nullptr || node->is_null()) {
      if (!operands.empty()) {
        error("unsupported_validator_params", "has validator_params but no validator", "",
              requirement_.source.line);
      }
      return;
    }
    if (node->kind == Kind::sequence) {
      for (const YamlNode& item : node->items) use_validator(item, params, operands);
    } else {
      use_validator(*node, params, operands);
    }
  }

  void use_validator(const YamlNode& node, const std::map<std::string, std::string>& params,
                     const std::vector<std::string>& operands) {
    if (node.kind != Kind::scalar) {
      return error("wrong_type", "has a validator that is no text", "", node.line);
    }
    const std::string word(base::trimmed(node.scalar));
    Requirement& requirement = requirement_;
    const auto apply = [&](const base::Result<std::vector<ValidatorRule>>& rules) {
      const Source source = std::exchange(requirement.source, at(node.line));
      apply_rules(rules, requirement, findings_, phase_);
      requirement.source = source;
    };
    if (const auto named = validators_.find(word); named != validators_.end()) {
      if (named->second.refused) return;
      refuse_unused_params(named->second.code, params, node.line);
      return apply(rules_of(named->second.code, params, operands));
    }
    if (word.starts_with("lambda")) {
      refuse_unused_params(word, params, node.line);
      return apply(rules_from_lambda(word, params));
    }
    apply(operands.empty() ? rules_from_cell(word) : rules_from_parts(word, operands));
  }

  /// `validator_params: {min: 80}` beside `lambda x: x > 0` would be a bound that nothing checks. A
  /// parameter that is used stands among the arguments and in the body.
  void refuse_unused_params(const std::string& code,
                            const std::map<std::string, std::string>& params, int line) {
    if (!code.starts_with("lambda")) return;  // words count their operands themselves
    for (const auto& [name, value] : params) {
      int found = 0;
      for (auto at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
        const bool begins = at == 0 || !is_name_char(code[at - 1]);
        const std::size_t end = at + name.size();
        if (begins && (end == code.size() || !is_name_char(code[end]))) ++found;
      }
      if (found >= 2) continue;
      error("unsupported_validator_params",
            "has the parameter " + base::in_quotes(base::shortened(name, 60)) +
                ", which its lambda does not use",
            "use it in the lambda, or remove it", line);
    }
  }

  static base::Result<std::vector<ValidatorRule>> rules_of(
      const std::string& code, const std::map<std::string, std::string>& params,
      const std::vector<std::string>& operands) {
    if (code.starts_with("lambda")) return rules_from_lambda(code, params);
    return rules_from_parts(code, operands);
  }

  void read_schema_keys() {
    for (const SchemaKey& key : kSchemaKeys) {
      const YamlNode* node = field_.find(key.name);
      if (node == nullptr) continue;
      const bool items = std::string_view(key.name).ends_with("tems");
      const bool length = key.kind == RuleKind::min_length;
      const ValueType wanted = items ? ValueType::array : ValueType::string;
      if (node->kind != Kind::scalar || (length && requirement_.type != wanted)) {
        error("validator_does_not_fit",
              std::string("has the key ") + key.name + ", which does not fit its type " +
                  std::string(to_text(requirement_.type)),
              "", node->line);
        continue;
      }
      if (key.kind == RuleKind::equals) {
        read_const(*node);
        continue;
      }
      if (const auto applied = apply_rule({key.kind, node->scalar}, requirement_); !applied) {
        error(applied.error().code, std::string("(") + key.name + "): " + applied.error().message,
              applied.error().hint, node->line);
      }
    }
  }

  void read_upper_lengths() {
    for (const char* key : kUpperKeys) {
      const YamlNode* node = field_.find(key);
      if (node == nullptr) continue;
      const bool items = std::string_view(key).ends_with("tems");
      const auto length =
          node->kind == Kind::scalar && !node->quoted ? length_from(node->scalar) : std::nullopt;
      if (!length || requirement_.type != (items ? ValueType::array : ValueType::string)) {
        error("validator_does_not_fit",
              std::string("has the key ") + key + ", which does not fit its type " +
                  std::string(to_text(requirement_.type)) + " or is no whole number from 0",
              "", node->line);
        continue;
      }
      auto& most = items ? requirement_.max_items : requirement_.max_length;
      most = std::min(*length, most.value_or(*length));
      // A required text is never empty.
      const std::int64_t never_empty = !items && requirement_.required ? 1 : 0;
      const auto& least = items ? requirement_.min_items : requirement_.min_length;
      if (std::max(least.value_or(0), never_empty) <= *most) continue;
      error("impossible_rule", std::string("has the key ") + key + ", which is less than its least",
            "correct one of the bounds", node->line);
    }
  }

  [[nodiscard]] std::string wanted_value() const {
    const std::string type(to_text(requirement_.type));
    return requirement_.type == ValueType::integer ? type + " between -2^53 and 2^53" : type;
  }

  void read_const(const YamlNode& node) {
    const auto value = gate_scalar(node, requirement_.type);
    if (!value) {
      return error("wrong_type", "has a const that is no " + wanted_value(), kValueHint, node.line);
    }
    if (requirement_.constant && *requirement_.constant != *value) {
      return error("impossible_rule", "would have to equal two values at once",
                   "keep one of the two", node.line);
    }
    requirement_.constant = *value;
    if (std::holds_alternative<bool>(*value)) requirement_.false_allowed = !std::get<bool>(*value);
  }

  void read_enum() {
    const YamlNode* node = field_.find("enum");
    if (node == nullptr) return;
    if (node->kind != Kind::sequence || node->items.empty()) {
      return error("wrong_type", "has an enum that is no list of values", "", node->line);
    }
    for (const YamlNode& item : node->items) {
      const auto value = gate_scalar(item, requirement_.type);
      if (!value) {
        error("wrong_type", "has a value in its enum that is no " + wanted_value(), kValueHint,
              item.line);
        continue;
      }
      if (*value == Scalar(false)) requirement_.false_allowed = true;
      requirement_.one_of.push_back(*value);
    }
  }

  void read_format() {
    static const std::vector<std::string> kFormats = {"date",
                                                      "date-time",
                                                      "email",
                                                      "uri",
                                                      "uuid",
                                                      std::string(kProjectPath),
                                                      std::string(kProjectFolder)};
    const YamlNode* node = field_.find("format");
    if (node == nullptr) return;
    const bool known = node->kind == Kind::scalar &&
                       std::find(kFormats.begin(), kFormats.end(), node->scalar) != kFormats.end();
    if (!known || requirement_.type != ValueType::string) {
      return error("validator_does_not_fit", "has a format that is not known or needs a string",
                   "formats of a string: " + base::joined(kFormats, ", "), node->line);
    }
    requirement_.format = node->scalar;
  }

  const YamlNode& field_;
  const std::string& phase_;
  const std::map<std::string, NamedValidator>& validators_;
  Requirement& requirement_;
  FindingList& findings_;
};

}  // namespace

std::optional<base::Error> problem_of(const NamedValidator& validator) {
  if (!validator.code.starts_with("lambda")) {
    const auto bare = rules_from_word(validator.code);
    if (bare) return std::nullopt;
    // greater_than and the like are known, they only wait for their operand.
    const auto one = rules_from_parts(validator.code, {"1"});
    const auto two = rules_from_parts(validator.code, {"1", "2"});
    return one || two ? std::nullopt : std::optional(bare.error());
  }
  // Every further argument counts as given here; what is missing shows where the field uses it.
  std::map<std::string, std::string> params;
  const auto colon = validator.code.find(':');
  std::string head = validator.code.substr(0, colon).substr(std::string_view("lambda").size());
  for (const std::string_view name : base::split(head, ',')) {
    params.emplace(base::trimmed(name), "1");
  }
  const auto rules = rules_from_lambda(validator.code, params);
  return rules ? std::nullopt : std::optional(rules.error());
}

std::optional<Requirement> read_gate_field(const std::string& name, int line, const YamlNode& field,
                                           const std::string& path, const std::string& phase,
                                           const std::map<std::string, NamedValidator>& validators,
                                           FindingList& findings) {
  Requirement requirement;
  requirement.name = name;
  requirement.kind = RequirementSource::gate_file;
  requirement.source = {path, line, 0};
  if (!is_plain_name(name)) {
    findings.error("unusable_name",
                   base::in_quotes(base::shortened(name, 80)) + " cannot be the name of evidence",
                   "use letters, digits and underscores", requirement.source, phase);
    return std::nullopt;
  }
  if (field.kind != Kind::map) {
    findings.error("wrong_type",
                   base::in_quotes(name) + " must be a map with type and description, got a " +
                       std::string(field.kind_name()),
                   "write type: boolean below it", requirement.source, phase);
    return std::nullopt;
  }
  FieldReader reader(field, phase, validators, requirement, findings);
  if (!reader.read()) return std::nullopt;
  return requirement;
}

}  // namespace phasegate::phases
