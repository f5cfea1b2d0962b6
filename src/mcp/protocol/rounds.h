#pragma once
#include <functional>
#include <string>
#include <variant>

#include "base/clock.h"
#include "base/ids.h"
#include "mcp/protocol/call.h"
#include "mcp/protocol/encoder.h"
#include "mcp/protocol/request_state.h"
#include "mcp/protocol/server.h"

namespace phasegate::mcp::protocol {

/// Takes a handler through its rounds: the one place where the eras ask for input in different
/// ways. A modern client is told what is needed and comes back with a new request (MCP 2026-07-28
/// §Multi round-trip requests); a legacy client is asked inside the call (MCP 2025-11-25
/// §Elicitation), for at most limits::kInputWaitMs altogether.
class Rounds {
 public:
  /// One round of a handler: its answer as a line, what it needs first, or an error.
  using Step = std::function<std::variant<std::string, InputRequired, RpcError>(CallContext&)>;

  Rounds(const Encoder& encoder, RequestSeal& seal, base::Clock& clock, base::IdSource& ids)
      : encoder_(encoder), seal_(seal), clock_(clock), ids_(ids) {}

  [[nodiscard]] Answer run(const Call& call, const Step& step) const;

 private:
  [[nodiscard]] Answer modern(const Call& call, const Step& step) const;
  [[nodiscard]] Answer legacy(const Call& call, const Step& step) const;
  [[nodiscard]] std::variant<Round, RpcError> retried(const Call& call) const;
  [[nodiscard]] Answer refused(const Call& call, const RpcError& error) const;

  const Encoder& encoder_;
  RequestSeal& seal_;
  base::Clock& clock_;
  base::IdSource& ids_;
};

}  // namespace phasegate::mcp::protocol
