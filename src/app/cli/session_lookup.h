#pragma once
#include <string>

#include "app/settings.h"
#include "base/result.h"
#include "gating/engine/engine.h"

namespace phasegate::app::cli {

/// The full id of the session that `typed` names: an id, or the first 4 or more characters of one,
/// in either case. Errors: `unknown_session` (also for text that is no beginning of an id;
/// `options` completes the command in the hint), `ambiguous_session` (the hint lists the
/// candidates). O(1) for a full id, O(sessions) for a beginning.
[[nodiscard]] base::Result<std::string> find_session(gating::engine::Engine& engine,
                                                     std::string_view typed,
                                                     std::string_view options);

/// The session that `typed` names, or, if nothing was typed, the open one that has changed last.
/// Errors: those of find_session; `no_open_session`.
[[nodiscard]] base::Result<std::string> find_session_or_newest(gating::engine::Engine& engine,
                                                               std::string_view typed,
                                                               std::string_view options);

/// An error of the engine about a session, with the hint that a person on the command line needs
/// instead of the one for assistants.
[[nodiscard]] base::Error session_error(base::Error error, std::string_view options);

/// The same, and for a session that was pruned what is still known of it (`pruned_session`). Pass
/// what was typed and the error that it gave.
[[nodiscard]] base::Error missing_session(const Settings& settings, std::string_view typed,
                                          base::Error error);

}  // namespace phasegate::app::cli
