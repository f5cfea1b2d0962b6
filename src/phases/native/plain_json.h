#pragma once
#include <cstddef>

#include "base/json_fwd.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {

/// A value of a native file as JSON, by JSON's rules: `true` and numbers without quotes are what
/// they look like, `yes` is a text, and so is a number that no double holds. The node's depth was
/// bounded when it was parsed. Linear.
[[nodiscard]] base::Json plain_json(const YamlNode& node);

/// Levels of nesting; a scalar has one.
[[nodiscard]] std::size_t depth_of(const YamlNode& node);

}  // namespace phasegate::phases
