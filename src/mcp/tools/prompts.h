#pragma once
#include <string_view>

#include "base/json_fwd.h"
#include "mcp/protocol/service.h"
#include "mcp/tools/handlers.h"

/// Workflows that can be started, as prompts: for people who begin one by hand. A prompt says what
/// to call and nothing of any phase.
namespace phasegate::mcp::tools {

/// A page of the startable workflows, by id. Errors: a cursor of another list.
[[nodiscard]] protocol::Listed<protocol::Prompt> list_prompts(const Hands& hands,
                                                              std::string_view cursor);

/// The message that has a workflow started with these arguments, an object of texts. Errors
/// (invalid params): an unknown prompt or argument (with the nearest name), what is required and
/// missing, a text that is no value of its input's type.
[[nodiscard]] protocol::Outcome<protocol::PromptResult> get_prompt(const Hands& hands,
                                                                   std::string_view name,
                                                                   const base::Json& arguments);

}  // namespace phasegate::mcp::tools
