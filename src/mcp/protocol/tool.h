#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"

namespace phasegate::mcp::protocol {

/// A tool as `tools/list` shows it (MCP 2026-07-28 §Tools). Schemas are flat objects with one type
/// per property: some clients drop what is richer.
struct ToolDefinition {
  std::string name;  ///< [a-z][a-z0-9_]{2,30}
  std::string title;
  std::string description;   ///< under 2 KB, self-contained: some clients show nothing else
  std::string input_schema;  ///< JSON text of an object schema
  bool read_only = false;
  bool destructive = false;
  bool idempotent = false;
};

/// What a tool answers. The same information stands in `text` and in `structured`, since some
/// clients give the model only one of the two.
struct ToolResult {
  std::string text;
  std::shared_ptr<const base::Json> structured;  ///< an object, or null
  bool is_error = false;  ///< a refusal that the caller can act on; never a protocol error
};

/// What the server needs to know about one call, in any era.
struct CallContext {
  std::string client_name;  ///< display only: clients can claim any name
};

/// The tools behind a server. The list is constant: MCP 2026-07-28 forbids varying it as a side
/// effect of requests.
class ToolProvider {
 public:
  virtual ~ToolProvider() = default;
  [[nodiscard]] virtual const std::vector<ToolDefinition>& tools() const = 0;
  /// `name` is one of tools(); `arguments` is an object (empty if the client sent none). Wrong
  /// arguments are a ToolResult with is_error.
  [[nodiscard]] virtual ToolResult call(std::string_view name, const base::Json& arguments,
                                        const CallContext& context) = 0;
};

}  // namespace phasegate::mcp::protocol
