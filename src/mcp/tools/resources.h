#pragma once
#include <string_view>

#include "mcp/protocol/service.h"
#include "mcp/tools/handlers.h"

/// Workflows and sessions as resources. What a session has not reached is not there, like what does
/// not exist; everything is read through the engine, as the tools read it.
///
/// A resource has no pages. A text that is longer than limits::kResourceBytesMax ends with the call
/// that continues it.
namespace phasegate::mcp::tools {

/// The list of workflows and each workflow, a page at a time. Errors: a cursor of another list.
[[nodiscard]] protocol::Listed<protocol::Resource> list_resources(const Hands& hands,
                                                                  std::string_view cursor);

/// Sessions, their phases and tasks. There is one page.
[[nodiscard]] protocol::Listed<protocol::ResourceTemplate> list_resource_templates(
    std::string_view cursor);

/// Errors: resource_not_found for a URI that names nothing, or nothing that may be seen now; it
/// says what is open instead.
[[nodiscard]] protocol::Outcome<protocol::ReadResult> read_resource(const Hands& hands,
                                                                    std::string_view uri);

/// True for the URI of a session, and of what a session has reached.
[[nodiscard]] bool is_session_resource(const Hands& hands, std::string_view uri);

}  // namespace phasegate::mcp::tools
