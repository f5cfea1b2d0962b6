#include "phases/gate_items.h"

#include <cmath>

#include "base/limits.h"
#include "base/text.h"
#include "phases/requirement_checks.h"
#include "phases/validators.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;

class ItemsReader {
 public:
  ItemsReader(const std::string& phase, const Requirement& requirement, FindingList& findings)
      : phase_(phase), requirement_(requirement), findings_(findings) {}

  std::optional<ItemRule> read(const YamlNode& node) {
    if (requirement_.type != ValueType::array) {
      error("validator_does_not_fit", "which needs an array", node.line);
      return std::nullopt;
    }
    const YamlNode* type = node.kind == Kind::map ? node.find("type") : &node;
    if (type == nullptr || type->kind != Kind::scalar) {
      error("wrong_type", "which must be a type, or a map with a type", node.line);
      return std::nullopt;
    }
    const auto known = read_type(type->scalar, requirement_.name + " (items)", findings_,
                                 {requirement_.source.file, type->line, 0}, phase_);
    if (!known) return std::nullopt;
    rule_.type = *known;
    for (const auto& member : node.members) read_rule(member);
    return rule_;
  }

 private:
  void error(const std::string& code, const std::string& message, int line) {
    findings_.error(code, base::in_quotes(requirement_.name) + " has items, " + message,
                    "items takes type, min_length, pattern and enum",
                    {requirement_.source.file, line, 0}, phase_);
  }

  void read_rule(const YamlNode::Member& member) {
    const YamlNode& value = member.value;
    const bool of_text = rule_.type == ValueType::string;
    const bool plain = value.kind == Kind::scalar;
    if (member.name == "type") return;
    if (member.name == "min_length" || member.name == "minLength") {
      const auto length = plain && !value.quoted ? length_from(value.scalar) : std::nullopt;
      if (!of_text || !length) return misfit(member);
      if (rule_.min_length) {
        return error("duplicate_key", "with its least length in both spellings", member.line);
      }
      rule_.min_length = length;
    } else if (member.name == "pattern") {
      const std::size_t bytes = value.scalar.size();
      if (!of_text || !plain || bytes == 0 || bytes > base::limits::kPatternBytesMax) {
        return misfit(member);
      }
      rule_.pattern = value.scalar;
    } else if (member.name == "enum") {
      if (value.kind != Kind::sequence || value.items.empty()) return misfit(member);
      for (const YamlNode& item : value.items) {
        const auto one = gate_scalar(item, rule_.type);
        if (!one) return misfit(member);
        rule_.one_of.push_back(*one);
      }
    } else {
      error("unknown_key",
            "with the key " + base::in_quotes(base::shortened(member.name, 60)) +
                ", which is not known",
            member.line);
    }
  }

  void misfit(const YamlNode::Member& member) {
    error(
        "validator_does_not_fit",
        "whose " + member.name + " does not fit items of type " + std::string(to_text(rule_.type)),
        member.line);
  }

  const std::string& phase_;
  const Requirement& requirement_;
  FindingList& findings_;
  ItemRule rule_;
};

}  // namespace

std::optional<Scalar> gate_scalar(const YamlNode& node, ValueType type) {
  if (node.kind != Kind::scalar) return std::nullopt;
  if (type == ValueType::string) return Scalar(node.scalar);
  if (node.quoted) return std::nullopt;
  if (type == ValueType::boolean) {
    const auto value = node.as_bool();
    return value ? std::optional<Scalar>(*value) : std::nullopt;
  }
  const auto number = number_from(node.scalar);
  if (!number) return std::nullopt;
  if (type == ValueType::number) return Scalar(*number);
  if (type != ValueType::integer || std::floor(*number) != *number) return std::nullopt;
  if (std::fabs(*number) > kExactIntegerMax) return std::nullopt;
  return Scalar(static_cast<std::int64_t>(*number));
}

void read_gate_items(const YamlNode& node, const std::string& phase, Requirement& requirement,
                     FindingList& findings) {
  requirement.items = ItemsReader(phase, requirement, findings).read(node);
}

}  // namespace phasegate::phases
