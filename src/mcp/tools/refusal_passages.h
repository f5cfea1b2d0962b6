#pragma once
#include <vector>

#include "gating/engine/engine.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/handlers.h"
#include "rag/finder.h"

namespace phasegate::mcp::tools {

/// Where the project's documents speak of what a refused gate misses, best first; empty unless the
/// workflow's author asked for it (`passages: on_refusal`) and something is near enough. Never
/// fails: what cannot be searched is not named.
[[nodiscard]] std::vector<rag::FoundPassage> passages_for(
    const Hands& hands, const gating::engine::CompleteReply& reply);

/// Names the places, not what they say.
void add_places(Answer& answer, const std::vector<rag::FoundPassage>& passages);

}  // namespace phasegate::mcp::tools
