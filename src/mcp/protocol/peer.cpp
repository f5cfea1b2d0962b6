#include "mcp/protocol/peer.h"

#include "base/json.h"

namespace phasegate::mcp::protocol {
namespace {

bool declares(const base::Json& object, std::string_view name) {
  const base::Json* member = base::find_member(object, name);
  return member != nullptr && member->is_object();
}

}  // namespace

ClientCapabilities read_capabilities(const base::Json& object) {
  ClientCapabilities capabilities;
  if (declares(object, "elicitation")) {
    const base::Json& elicitation = *base::find_member(object, "elicitation");
    capabilities.elicitation_url = declares(elicitation, "url");
    // Before there were modes, an empty object meant forms, and it still does.
    capabilities.elicitation_form = declares(elicitation, "form") || !capabilities.elicitation_url;
  }
  capabilities.sampling = declares(object, "sampling");
  capabilities.roots = declares(object, "roots");
  return capabilities;
}

}  // namespace phasegate::mcp::protocol
