#pragma once
#include <string>
#include <utility>

#include "mcp/protocol/call_context.h"

namespace phasegate::mcp::protocol {

/// The context of a call that no client sent: nobody can be asked, told or cancelled.
class LocalCall {
 public:
  LocalCall(std::string principal, std::string client_name)
      : peer_{std::move(principal), std::move(client_name), {}},
        context_(peer_, round_, {}, nowhere_) {}
  LocalCall(const LocalCall&) = delete;
  LocalCall& operator=(const LocalCall&) = delete;

  [[nodiscard]] CallContext& context() { return context_; }

 private:
  Peer peer_;
  Round round_;
  NoExchange nowhere_;
  CallContext context_;
};

}  // namespace phasegate::mcp::protocol
