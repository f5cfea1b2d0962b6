#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/protocol/revision.h"
#include "mcp/protocol/server.h"
#include "mcp/protocol/tool.h"

namespace phasegate::mcp::protocol {

/// A list of tools, made ready once: found by name, written in the shape of each revision.
class ToolCatalog {
 public:
  /// Throws std::invalid_argument if a tool's schema is not a JSON object.
  explicit ToolCatalog(std::shared_ptr<const std::vector<ToolDefinition>> tools);

  [[nodiscard]] const std::vector<ToolDefinition>& tools() const { return *tools_; }
  [[nodiscard]] bool is_of(const std::shared_ptr<const std::vector<ToolDefinition>>& tools) const {
    return tools_ == tools;
  }
  /// Null if there is no such tool.
  [[nodiscard]] const ToolDefinition* find(std::string_view name) const;
  [[nodiscard]] std::vector<HeaderParameter> header_parameters(std::string_view name) const;
  /// The JSON array for `tools/list`; written once per revision. Thread-safe.
  [[nodiscard]] std::string_view list(Revision revision) const;

 private:
  /// A tool with its texts already quoted as JSON.
  struct Quoted {
    std::string name;
    std::string title;
    std::string description;
    std::string input_schema;
    std::string hints;
    std::vector<HeaderParameter> headers;
  };
  [[nodiscard]] std::string written(Revision revision) const;

  std::shared_ptr<const std::vector<ToolDefinition>> tools_;
  std::vector<Quoted> quoted_;
  mutable std::mutex mutex_;
  mutable std::array<std::string, kRevisions> lists_;
};

}  // namespace phasegate::mcp::protocol
