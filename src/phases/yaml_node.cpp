#include "phases/yaml_node.h"

#include <algorithm>

#include "base/text.h"

namespace phasegate::phases {

const YamlNode* YamlNode::find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

std::optional<bool> YamlNode::as_bool() const {
  if (kind != Kind::scalar || quoted) return std::nullopt;
  const std::string word = base::lowered(scalar);
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  return std::nullopt;
}

std::string_view YamlNode::kind_name() const {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::scalar:
      return "scalar";
    case Kind::sequence:
      return "list";
    case Kind::map:
      return "map";
  }
  return "null";
}

}  // namespace phasegate::phases
