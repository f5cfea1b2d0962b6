#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "mcp/http/http.h"
#include "mcp/http/known_names.h"
#include "mcp/http/rate_limit.h"
#include "mcp/http/request_head.h"

namespace phasegate::mcp::http {

/// Keeps out requests that were sent under somebody else's name: a browser can be made to send them
/// to this computer (MCP 2026-07-28 §Streamable HTTP, Security). Thread-safe.
class ForeignNames {
 public:
  /// `names`: see KnownNames.
  ForeignNames(const std::vector<std::string>& names, base::Clock& clock);

  /// Refuses a missing or doubled `Host` (400) and a `Host` or `Origin` that is not ours (403),
  /// which is logged now and then.
  [[nodiscard]] std::optional<Refusal> refuse(const RequestHead& head);

 private:
  void log(const RequestHead& head, std::string_view field);

  const KnownNames names_;
  RateLimit logged_;
};

}  // namespace phasegate::mcp::http
