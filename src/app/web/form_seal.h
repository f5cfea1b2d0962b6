#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "mcp/protocol/request_state.h"

namespace phasegate::app::web {

/// How long a form that was opened may be sent.
inline constexpr std::int64_t kFormMs = 60 * 60'000;

/// The hidden field of a form: which decision it is about, what was shown, and until when. Sealed
/// with the installation's key, so a form can only be one that this server has made.
[[nodiscard]] base::Result<std::string> seal_form(mcp::protocol::RequestSeal& seal,
                                                  std::string_view decision,
                                                  std::string_view shown_digest,
                                                  base::TimePoint now);

/// The digest of what was shown; nullopt for a token that is not ours, belongs to another decision,
/// or has expired.
[[nodiscard]] std::optional<std::string> open_form(mcp::protocol::RequestSeal& seal,
                                                   std::string_view token,
                                                   std::string_view decision, base::TimePoint now);

}  // namespace phasegate::app::web
