#pragma once
#include <string>

namespace phasegate::mcp::protocol {

/// One block of a tool's result or of a prompt's message (MCP 2026-07-28 §Content). What a revision
/// does not know yet is sent to it as a text block that says what is left out.
struct Content {
  enum class Kind {
    text,
    image,
    audio,          ///< since 2025-03-26
    resource,       ///< a resource's contents, embedded
    resource_link,  ///< since 2025-06-18
  };

  Kind kind = Kind::text;
  std::string text;       ///< of text; of a resource whose contents are text
  std::string data;       ///< base64: of image and audio; of a resource whose contents are bytes
  std::string mime_type;  ///< required for image and audio
  std::string uri;        ///< of resource and resource_link
  std::string name;       ///< of resource_link
};

}  // namespace phasegate::mcp::protocol
