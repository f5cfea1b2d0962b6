#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace phasegate::mcp::protocol {

/// What a `requestState` holds: who may come back with it, for which request, and until when.
struct RequestState {
  std::string principal;
  std::string request;             ///< digest of method and salient params
  std::string once;                ///< random, for single use
  std::int64_t expires_at_ms = 0;  ///< UTC
  std::string state;               ///< the handler's
};

/// Writes and reads `requestState` (MCP 2026-07-28 §Multi round-trip requests):
/// `v1.base64url(payload).base64url(HMAC-SHA256)`. It passes through the client, so nothing in it
/// is believed before the seal is. The key is the installation's, so that another process can read
/// it; it is fetched when first needed, so that starting a server touches nothing.
class RequestSeal {
 public:
  using Key = std::function<base::Result<std::string>()>;

  /// `key` gives at least 32 bytes, or says why there is no key now; it is asked every time.
  explicit RequestSeal(Key key) : key_(std::move(key)) {}

  /// Errors: those of the key.
  [[nodiscard]] base::Result<std::string> seal(const RequestState& state);
  /// Nullopt for anything that was not sealed with this key, byte for byte, for what is too long,
  /// and while there is no key. Expiry, principal and request are the caller's to check. Compares
  /// in constant time.
  [[nodiscard]] std::optional<RequestState> open(std::string_view sealed);

 private:
  Key key_;
};

}  // namespace phasegate::mcp::protocol
