#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings.h"
#include "base/result.h"
#include "gating/engine/engine.h"

namespace phasegate::app::cli {

/// A session that may be meant.
struct Candidate {
  std::string id;
  std::string workflow;  ///< may be empty: not looked at
};

struct Candidates {
  std::vector<Candidate> found;
  bool more = false;  ///< there are others, which are not named
};

/// The sessions whose id begins so.
using LookUpSessions = std::function<base::Result<Candidates>(const std::string& prefix)>;

/// The id of the session that `typed` names, as find_session says, among those that `look_up`
/// finds. Errors: those of find_session and of `look_up`. A full id is not looked up.
[[nodiscard]] base::Result<std::string> find_session_among(const LookUpSessions& look_up,
                                                           std::string_view typed,
                                                           std::string_view options);

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

/// The error where no session is called what was typed; `options` completes the command.
[[nodiscard]] base::Error unknown_session(std::string_view typed, std::string_view options);

/// An error of the engine about a session, with the hint that a person on the command line needs
/// instead of the one for assistants.
[[nodiscard]] base::Error session_error(base::Error error, std::string_view options);

/// `error` as it is, but of a session that was pruned what is still known of it (`pruned_session`).
/// Pass what was typed and the error that it gave.
[[nodiscard]] base::Error missing_session(const Settings& settings, std::string_view typed,
                                          base::Error error);

}  // namespace phasegate::app::cli
