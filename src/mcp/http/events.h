#pragma once
#include <string>
#include <string_view>

#include "mcp/http/text.h"

/// The bytes of a stream of events.
namespace phasegate::mcp::http {

/// One message as an event (HTML §9.2.6). A line break in it would end the event: messages have
/// none.
[[nodiscard]] inline std::string event_of(std::string_view line) {
  std::string event = "event: message\ndata: ";
  event += line;
  event += "\n\n";
  return event;
}

/// Keeps a silent stream alive; clients pass over it.
inline constexpr std::string_view kHeartbeat = ":\n\n";

/// A piece of a chunked body; of an empty text, the body's end.
[[nodiscard]] inline std::string chunk_of(std::string_view text) {
  std::string chunk = to_hex(text.size());
  chunk += "\r\n";
  chunk += text;
  chunk += "\r\n";
  return chunk;
}

}  // namespace phasegate::mcp::http
