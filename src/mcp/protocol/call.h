#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/json_fwd.h"
#include "mcp/protocol/call_context.h"
#include "mcp/protocol/exchange.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/legacy_session.h"
#include "mcp/protocol/peer.h"
#include "mcp/protocol/revision.h"

namespace phasegate::mcp::protocol {

/// One request on its way to a method: the same for both eras.
struct Call {
  const Message& message;
  Revision revision;
  Peer peer;
  CallContext::Wishes wishes;
  LegacySession* session;  ///< null for a modern request
  Exchange& exchange;

  [[nodiscard]] bool modern() const { return session == nullptr; }
  [[nodiscard]] std::string_view id() const { return message.id; }
  /// A member of the params, or null; JSON's null counts as absent, as some clients write it.
  [[nodiscard]] const base::Json* param(std::string_view name) const;
};

/// `` `name` must be WANTED, not a number `` and the like.
[[nodiscard]] std::string must_be(std::string_view name, std::string_view wanted,
                                  const base::Json* got);
/// A name that came from a client, as it may be shown.
[[nodiscard]] std::string shown_name(std::string_view name);

/// A param that is a string, or why there is none.
[[nodiscard]] std::variant<std::string, RpcError> string_param(const Call& call,
                                                               std::string_view name);

}  // namespace phasegate::mcp::protocol
