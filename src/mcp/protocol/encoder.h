#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/revision.h"
#include "mcp/protocol/server.h"
#include "mcp/protocol/tool.h"

namespace phasegate::mcp::protocol {

/// Writes answers as lines, each revision's envelope around the same content: the only place that
/// knows which revision has which field (MCP 2026-07-28 §Results, §Caching; 2025-06-18 §Tools).
/// Ids are JSON text; an empty id leaves the member out, as for errors whose request is unknown.
class Encoder {
 public:
  /// Throws std::invalid_argument if a tool's input schema is not a JSON object: our own mistake.
  Encoder(const ServerInfo& info, const std::vector<ToolDefinition>& tools);

  [[nodiscard]] std::string initialized(std::string_view id, Revision revision) const;
  [[nodiscard]] std::string discovered(std::string_view id) const;
  /// The list of a revision is written once and then copied.
  [[nodiscard]] std::string tools(std::string_view id, Revision revision);
  [[nodiscard]] std::string tool_result(std::string_view id, Revision revision,
                                        const ToolResult& result) const;
  /// An empty result, as for `ping`.
  [[nodiscard]] std::string empty(std::string_view id) const;
  [[nodiscard]] std::string error(std::string_view id, const RpcError& error) const;

 private:
  [[nodiscard]] std::string tool_list(Revision revision) const;

  /// A tool with its texts already quoted as JSON.
  struct Tool {
    std::string name;
    std::string title;
    std::string description;
    std::string input_schema;
    std::string hints;
  };

  std::string server_;        ///< name and version, as members
  std::string server_title_;  ///< `,"title":…`, or empty
  std::string instructions_;  ///< `,"instructions":…`, or empty
  std::string modern_tail_;   ///< what ends each modern result
  std::vector<Tool> tools_;
  std::array<std::string, kRevisions> tool_lists_;
};

}  // namespace phasegate::mcp::protocol
