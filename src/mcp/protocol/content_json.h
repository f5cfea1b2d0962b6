#pragma once
#include "base/json_fwd.h"
#include "mcp/protocol/prompt.h"
#include "mcp/protocol/resource.h"
#include "mcp/protocol/revision.h"

/// The parts of answers as JSON, in the shape of a revision.
namespace phasegate::mcp::protocol {

[[nodiscard]] base::Json to_json(const Content& content, Revision revision);
[[nodiscard]] base::Json to_json(const Resource& resource, Revision revision);
[[nodiscard]] base::Json to_json(const ResourceTemplate& family, Revision revision);
[[nodiscard]] base::Json to_json(const ResourceContents& contents);
[[nodiscard]] base::Json to_json(const Prompt& prompt, Revision revision);

}  // namespace phasegate::mcp::protocol
