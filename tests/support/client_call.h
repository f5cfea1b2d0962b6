#pragma once
#include <memory>
#include <string>
#include <utility>

#include "base/json.h"
#include "mcp/protocol/call_context.h"

namespace phasegate::test {

/// The context of a call of a client that can show forms, in its first round or a later one.
class ClientCall {
 public:
  ClientCall() { peer_ = {"ada", "tester", {.elicitation_form = true}}; }
  ClientCall(base::Json responses, std::string state, std::string once, std::int64_t until_ms)
      : ClientCall() {
    round_.responses = std::make_shared<const base::Json>(std::move(responses));
    round_.state = std::move(state);
    round_.once = std::move(once);
    round_.once_until_ms = until_ms;
  }
  ClientCall(const ClientCall&) = delete;
  ClientCall& operator=(const ClientCall&) = delete;

  [[nodiscard]] mcp::protocol::Peer& peer() { return peer_; }
  [[nodiscard]] mcp::protocol::CallContext& context() { return context_; }

 private:
  mcp::protocol::Peer peer_;
  mcp::protocol::Round round_;
  mcp::protocol::NoExchange nowhere_;
  mcp::protocol::CallContext context_{peer_, round_, {}, nowhere_};
};

}  // namespace phasegate::test
