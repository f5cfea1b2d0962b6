#pragma once
#include <string>
#include <vector>

#include "base/json_fwd.h"

namespace phasegate::mcp::protocol {

/// What a client said that it can do (MCP 2026-07-28 §ClientCapabilities). Nothing that it did not
/// declare is relied upon.
struct ClientCapabilities {
  bool elicitation_form = false;  ///< also for `elicitation: {}`, which means forms
  bool elicitation_url = false;
  bool sampling = false;
  bool roots = false;
};

/// Reads a `ClientCapabilities` object; what is ill-typed counts as not declared.
[[nodiscard]] ClientCapabilities read_capabilities(const base::Json& object);

/// Who asks.
struct Peer {
  std::string principal;    ///< from the transport: who was authenticated
  std::string client_name;  ///< display only: clients can claim any name
  ClientCapabilities capabilities;
};

}  // namespace phasegate::mcp::protocol
