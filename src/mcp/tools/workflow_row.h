#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "gating/engine/engine.h"

namespace phasegate::mcp::tools {

/// A workflow as it is shown without a session, in both representations: nothing of its phases but
/// their number (invariant 1).
struct WorkflowRow {
  std::shared_ptr<base::Json> json;
  std::string text;
};
/// `options`: see ToolContext::command_options.
[[nodiscard]] WorkflowRow workflow_row(const gating::engine::FoundWorkflow& found, bool startable,
                                       const std::string& options);

/// Its title and description as one line each, within what a row holds.
[[nodiscard]] std::string title_line(const phases::Workflow& workflow);
[[nodiscard]] std::string description_line(const phases::Workflow& workflow);

}  // namespace phasegate::mcp::tools
