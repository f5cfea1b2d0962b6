#pragma once
#include <variant>

#include "mcp/protocol/service.h"
#include "mcp/tools/handlers.h"

namespace phasegate::mcp::tools {

/// Values that begin with what was typed: of a prompt's argument whose values are fixed; of
/// `session_id` the open sessions; of `phase` and `task_number` what the session named beside has
/// reached. Of everything else none. Errors (invalid params): a prompt, template or argument that
/// does not exist.
[[nodiscard]] std::variant<protocol::Completion, protocol::RpcError> completion_of(
    const Hands& hands, const protocol::CompletionRequest& request);

}  // namespace phasegate::mcp::tools
