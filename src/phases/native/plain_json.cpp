#include "phases/native/plain_json.h"

#include <algorithm>

#include "base/json.h"
#include "phases/native/report.h"

namespace phasegate::phases {

using base::Json;

Json plain_json(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return nullptr;
    case YamlNode::Kind::sequence: {
      Json list = Json::array();
      for (const YamlNode& item : node.items) list.push_back(plain_json(item));
      return list;
    }
    case YamlNode::Kind::map: {
      Json map = Json::object();
      for (const auto& member : node.members) map[member.name] = plain_json(member.value);
      return map;
    }
    case YamlNode::Kind::scalar:
      break;
  }
  switch (scalar_kind(node)) {
    case ScalarKind::boolean:
      return node.scalar == "true";
    case ScalarKind::number: {
      const auto parsed = base::parse_json(node.scalar, {node.scalar.size(), 1});
      if (parsed) return *parsed;
      break;  // no double holds it: shown as it is written
    }
    case ScalarKind::text:
      break;
  }
  return node.scalar;
}

std::size_t depth_of(const YamlNode& node) {
  std::size_t deepest = 0;
  for (const YamlNode& item : node.items) deepest = std::max(deepest, depth_of(item));
  for (const auto& member : node.members) deepest = std::max(deepest, depth_of(member.value));
  return deepest + 1;
}

}  // namespace phasegate::phases
