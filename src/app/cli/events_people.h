#pragma once
#include <optional>
#include <string>

#include "app/cli/page.h"
#include "base/json_fwd.h"
#include "gating/engine/ports.h"

namespace phasegate::app::cli {

/// What people did, or were asked, in words: `decided by ada: Approve`; nullopt for an entry of
/// another kind. `data`: the entry's.
[[nodiscard]] std::optional<std::string> people_words(const gating::engine::JournalRow& row,
                                                      const base::Json& data, const Page& page);

/// How an entry of such a kind is to be coloured.
[[nodiscard]] std::optional<Tone> people_tone(const std::string& kind);

}  // namespace phasegate::app::cli
