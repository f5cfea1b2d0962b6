#pragma once
#include <string>
#include <string_view>

#include "gating/engine/engine.h"

namespace phasegate::mcp::tools {

/// `content_digest` of a phase as it is shown with `text`: 16 hexadecimal digits over everything
/// that an answer with this content holds beside the run's state – the run and so its input, the
/// pinned definition and so the criteria, the phase, its text, what it links to and the artifacts.
[[nodiscard]] std::string content_digest(const gating::engine::PhaseView& phase,
                                         std::string_view text);

/// The same of a task or a linked file.
[[nodiscard]] std::string content_digest(const gating::engine::TaskView& task);

}  // namespace phasegate::mcp::tools
