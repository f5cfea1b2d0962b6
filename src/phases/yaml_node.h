#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace phasegate::phases {

/// A value of a document in the safe subset of YAML that we read, or of a JSON file.
struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  struct Member;

  Kind kind = Kind::null;
  std::string scalar;   ///< as written, quotes and escapes resolved
  bool quoted = false;  ///< a quoted scalar is always a text
  int line = 1;         ///< from 1
  int column = 1;       ///< from 1, in characters
  std::vector<YamlNode> items;
  std::vector<Member> members;

  /// The member of a map, or null. O(members).
  [[nodiscard]] const YamlNode* find(std::string_view name) const;
  /// `true`, `yes`, `on`, `false`, `no`, `off` in any case, unquoted; nullopt for anything else.
  [[nodiscard]] std::optional<bool> as_bool() const;
  [[nodiscard]] bool is_null() const { return kind == Kind::null; }
  /// `null`, `scalar`, `list` or `map`, for messages.
  [[nodiscard]] std::string_view kind_name() const;
};

struct YamlNode::Member {
  std::string name;
  int line = 1;
  int column = 1;
  YamlNode value;
};

/// Parses one YAML document. Refuses (`invalid_yaml`, `where` is `line:column`) malformed text,
/// invalid UTF-8, duplicate keys, keys that are no scalars, tags, anchors and aliases, a second
/// document, nesting deeper than `depth_max` and more than `bytes_max` bytes. Never throws.
[[nodiscard]] base::Result<YamlNode> parse_yaml(std::string_view text, std::size_t bytes_max,
                                                std::size_t depth_max);

/// The same for native workflow files, within limits::kWorkflowFileBytesMax and kDocumentDepthMax.
/// Anchors and aliases are read: an alias is a copy, and all copies together may have
/// limits::kYamlNodesMax values and limits::kYamlExpandedBytesMax bytes. Merge keys (`<<`), control
/// characters and aliases as keys are refused. Accepts a byte order mark, CRLF and CR.
[[nodiscard]] base::Result<YamlNode> parse_native_yaml(std::string_view text);

/// Parses strict JSON (RFC 8259) of a native workflow file into the same tree: strings are quoted
/// scalars, numbers and booleans plain ones. Refuses (`invalid_json`, `where` is `line:column`)
/// what is malformed, duplicate keys, and what is over the limits of a native YAML file.
[[nodiscard]] base::Result<YamlNode> parse_native_json(std::string_view text);

}  // namespace phasegate::phases
