#include "phases/correction/field_corrector.h"

#include <algorithm>

#include "base/text.h"
#include "phases/native/evidence.h"
#include "phases/native/keys.h"
#include "phases/native/rules.h"

namespace phasegate::phases {
namespace {

/// Copies what a key of the native format sets.
void take_key(const std::string& key, const Requirement& from, Requirement& to) {
  if (key == "description") to.description = from.description;
  if (key == "required") to.required = from.required;
  if (key == "artifact") to.artifact = from.artifact;
  if (key == "check") to.check = from.check;
  if (key == "secret") to.secret = from.secret;
  if (key == "example") to.example = from.example;
  if (key == "minimum") to.minimum = from.minimum;
  if (key == "maximum") to.maximum = from.maximum;
  if (key == "exclusive_minimum") to.exclusive_minimum = from.exclusive_minimum;
  if (key == "exclusive_maximum") to.exclusive_maximum = from.exclusive_maximum;
  if (key == "min_length") to.min_length = from.min_length;
  if (key == "max_length") to.max_length = from.max_length;
  if (key == "min_items") to.min_items = from.min_items;
  if (key == "max_items") to.max_items = from.max_items;
  if (key == "items") to.items = from.items;
  if (key == "pattern") to.pattern = from.pattern;
  if (key == "format") to.format = from.format;
  if (key == "enum") to.one_of = from.one_of;
  if (key == "const") to.constant = from.constant;
  if (key == "enum" || key == "const") to.false_allowed = from.false_allowed;
}

/// What the document said of it beside its type and rules.
Requirement without_rules(const Requirement& read) {
  Requirement bare;
  bare.name = read.name;
  bare.required = read.required;
  bare.description = read.description;
  bare.kind = read.kind;
  bare.source = read.source;
  bare.aliases = read.aliases;
  bare.artifact = read.artifact;
  bare.check = read.check;
  bare.secret = read.secret;
  return bare;
}

void add_alias(std::vector<std::string>& aliases, const std::string& alias) {
  if (std::find(aliases.begin(), aliases.end(), alias) == aliases.end()) aliases.push_back(alias);
}

}  // namespace

std::optional<Requirement> corrected_field(const Requirement& read,
                                           const RequirementCorrection& entry,
                                           const NativeReport& report) {
  YamlNode::Member field = entry.field;
  field.name = read.name;
  const bool retyped = field.value.find("type") != nullptr;
  if (!retyped) {
    YamlNode type;
    type.kind = YamlNode::Kind::scalar;
    type.scalar = to_text(read.type);
    type.line = field.line;
    type.column = field.column;
    field.value.members.push_back({"type", field.line, field.column, std::move(type)});
  }
  const auto written = read_native_field(field, FieldUse::evidence, report);
  if (!written) return std::nullopt;
  Requirement corrected = retyped ? without_rules(read) : read;
  corrected.type = written->type;
  for (const auto& member : field.value.members) {
    take_key(plain_key(member.name), *written, corrected);
  }
  corrected.confidence = Confidence::high;
  if (corrected.kind == RequirementSource::synthetic) {
    corrected.kind = RequirementSource::correction;
  }
  std::vector<std::string> aliases;
  if (entry.name && *entry.name != read.name) {
    corrected.name = *entry.name;
    aliases.push_back(read.name);
  }
  for (const std::string& alias : written->aliases) add_alias(aliases, alias);
  for (const std::string& alias : read.aliases) add_alias(aliases, alias);
  std::erase(aliases, corrected.name);
  corrected.aliases = std::move(aliases);
  if (const auto impossible = impossible_rules(corrected)) {
    report.error("impossible_rule",
                 base::in_quotes(corrected.name) + " can never be satisfied: " + impossible->why,
                 "correct one of its rules, or write its type, which leaves out the rules that "
                 "were read",
                 entry.source);
  }
  return corrected;
}

std::optional<Requirement> added_field(const RequirementCorrection& entry,
                                       const NativeReport& report) {
  auto added = read_native_field(entry.field, FieldUse::evidence, report);
  if (!added) return std::nullopt;
  added->kind = RequirementSource::correction;
  return added;
}

}  // namespace phasegate::phases
