#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/json_fwd.h"
#include "mcp/protocol/call_context.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/peer.h"

/// The revisions of the Model Context Protocol and how one is chosen.
namespace phasegate::mcp::protocol {

/// In the order in which they appeared, so that `>=` asks whether a revision has a feature.
enum class Revision { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };
inline constexpr std::size_t kRevisions = 5;

/// `2025-06-18` and so on.
[[nodiscard]] std::string_view revision_name(Revision revision);

/// The revision that `initialize` answers: the requested one if it is a handshake revision that we
/// serve, else the latest of those (MCP 2025-11-25 §Version negotiation).
[[nodiscard]] Revision negotiated_revision(std::string_view requested);

/// What a request's `params._meta` says about its era, and what it wishes for.
struct Envelope {
  bool modern = false;  ///< carries per-request metadata: MCP 2026-07-28 §Versioning
  /// Of an envelope that is incomplete or ill-typed, in any era.
  std::optional<RpcError> malformed;
  /// Of a modern one that names a version which is not served (-32022).
  std::optional<RpcError> unsupported;
  std::string version;      ///< that a modern one names
  std::string client_name;  ///< from clientInfo; may be empty
  ClientCapabilities capabilities;
  CallContext::Wishes wishes;  ///< progress in every era; logging only in the modern one
};

/// Reads the envelope of a request. `params` may be null. O(members of `_meta`).
[[nodiscard]] Envelope read_envelope(const base::Json* params);

}  // namespace phasegate::mcp::protocol
