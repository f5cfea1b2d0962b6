#pragma once
#include <optional>
#include <string>

#include "gating/engine/engine.h"
#include "mcp/protocol/call_context.h"
#include "mcp/protocol/service.h"
#include "mcp/tools/handlers.h"

namespace phasegate::mcp::tools {

/// What the person is shown through their client about the decision that the run waits for. Without
/// `channel: client` it only says where they decide: a client's answer carries no credential, and a
/// client can give it without asking anybody. `phase` is the one that the call is about. Nullopt if
/// no decision is open, the client cannot ask, or somebody was asked about this decision before.
[[nodiscard]] std::optional<protocol::InputRequired> question_about(const Hands& hands,
                                                                    const gating::RunState& run,
                                                                    const std::string& phase,
                                                                    protocol::CallContext& context);

/// How the session stands after the question: decided meanwhile, decided by this answer where the
/// workflow takes it, or still waiting. Nothing is handed over. Everything but an explicit choice
/// (declined, dismissed, timed out, answered by the client itself) is no decision. `session` is the
/// one that the call names, which must be the question's; nullopt for a call that names none.
[[nodiscard]] protocol::ToolResult after_question(const Hands& hands,
                                                  const std::optional<std::string>& session,
                                                  protocol::CallContext& context);

}  // namespace phasegate::mcp::tools
