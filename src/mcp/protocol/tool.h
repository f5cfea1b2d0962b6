#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "mcp/protocol/content.h"

namespace phasegate::mcp::protocol {

/// A tool as `tools/list` shows it (MCP 2026-07-28 §Tools). Schemas are flat objects with one type
/// per property: some clients drop what is richer.
struct ToolDefinition {
  std::string name;  ///< [a-z][a-z0-9_]{2,30}
  std::string title;
  std::string description;   ///< under 2 KB, self-contained: some clients show nothing else
  std::string input_schema;  ///< JSON text of an object schema; sent with its keys as they are
  bool read_only = false;
  bool destructive = false;
  bool idempotent = false;
  /// True for a tool that may take longer than a moment: that reports progress, logs, or asks. It
  /// is then given a thread, and over HTTP a stream, of its own.
  bool waits = false;
};

/// What a tool answers. The same information stands in `text` and in `structured`, since some
/// clients give the model only one of the two.
struct ToolResult {
  std::string text;           ///< the first block; left out if empty and there are others
  std::vector<Content> more;  ///< blocks after it
  std::shared_ptr<const base::Json> structured;  ///< an object, or null
  bool is_error = false;  ///< a refusal that the caller can act on; never a protocol error
};

}  // namespace phasegate::mcp::protocol
