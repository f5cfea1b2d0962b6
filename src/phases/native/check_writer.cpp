#include "phases/native/check_writer.h"

#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "phases/check_json.h"
#include "phases/checks/duration.h"
#include "phases/native/yaml_text.h"

namespace phasegate::phases {
namespace {

using base::Json;

/// A value on one line, its texts in quotes: read again it is the same.
std::string flow_text(const Json& value) {
  if (value.is_string()) return yaml_quoted(base::to_utf8(value.get_ref<const std::string&>()));
  if (!value.is_structured()) return base::dump(value);
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const Json& item : value) parts.push_back(flow_text(item));
    return "[" + base::joined(parts, ", ") + "]";
  }
  for (const auto& [name, member] : value.items()) {
    parts.push_back(yaml_quoted(base::to_utf8(name)) + ": " + flow_text(member));
  }
  return "{" + base::joined(parts, ", ") + "}";
}

std::string member_text(const CheckMember& member, const Json& value) {
  const auto milliseconds = base::as_integer(value);
  if (member.type == MemberType::duration && milliseconds) return duration_text(*milliseconds);
  return flow_text(value);
}

/// The kind with its members, and what stands beside it, each on a line `indent` columns deep.
std::string body(const Check& check, std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string text = margin + std::string(to_text(check.kind)) + ":\n";
  const auto parameters = parameters_of(check);
  for (const CheckMember& member : check_members(check.kind)) {
    const Json* value = parameters ? base::find_member(*parameters, member.name) : nullptr;
    if (value == nullptr) continue;
    text += margin + "  " + std::string(member.name) + ": " + member_text(member, *value) + "\n";
  }
  if (check.cache_inputs) text += margin + "cache: inputs\n";
  if (!check.error.empty()) {
    text += margin + "error: " + yaml_quoted(base::to_utf8(check.error)) + "\n";
  }
  return text;
}

}  // namespace

std::string native_check(const Check& check, std::size_t indent) {
  return std::string(indent, ' ') + "- name: " + yaml_quoted(check.name) + "\n" +
         body(check, indent + 2);
}

std::string native_named_check(const Check& check, std::size_t indent) {
  return std::string(indent, ' ') + yaml_key(check.name) + ":\n" + body(check, indent + 2);
}

std::string native_protect(const Workflow& workflow) {
  std::string text;
  for (const ProtectedDatabase& database : workflow.protect) {
    text += "  - {sqlite: " + yaml_quoted(database.path) +
            ", backups: " + std::to_string(database.backups) + "}\n";
  }
  return text.empty() ? "" : "protect:\n" + text;
}

}  // namespace phasegate::phases
