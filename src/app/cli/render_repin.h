#pragma once
#include <string>

#include "app/cli/page.h"
#include "gating/engine/engine.h"

namespace phasegate::app::cli {

/// What a session would be given by its workflow as it is now, phase by phase. For people: it names
/// phases that are still to come.
[[nodiscard]] std::string repin_text(const gating::engine::RepinView& repin, const Page& page);

}  // namespace phasegate::app::cli
