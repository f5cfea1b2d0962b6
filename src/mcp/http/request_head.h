#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "mcp/http/http.h"
#include "mcp/http/listener.h"

/// Reading a request's head (RFC 9112 §2–§6), more strictly than the library behind us: what two
/// readers could understand in two ways is refused.
namespace phasegate::mcp::http {

/// Why a request is answered before anybody has looked at what it means. The connection ends.
struct Refusal {
  int status;
  std::string text;  ///< for people: what was wrong, what to do
};
[[nodiscard]] Response to_response(const Refusal& refusal);

struct ParsedHead {
  enum class Body { none, sized, chunked };

  RequestHead head;  ///< without `remote`
  bool http_1_0 = false;
  bool close = false;  ///< the client wants no further request on this connection
  bool expects_continue = false;
  Body body = Body::none;
  std::size_t length = 0;  ///< of a sized body
};

/// Finds the end of a head in a buffer that grows. Each byte is looked at once.
class HeadEnd {
 public:
  /// The length of the head with its empty line, once it is there. A refusal if the bytes can no
  /// longer become a head: too long, or a line that ends in LF alone.
  [[nodiscard]] std::variant<std::monostate, std::size_t, Refusal> look(
      std::string_view buffered, const ListenerLimits& limits);

 private:
  std::size_t scanned_ = 0;
  std::size_t line_begin_ = 0;
  bool begun_ = false;  ///< a line that is not empty has been seen
  std::size_t lines_ = 0;
};

/// Reads a whole head, its empty line included.
[[nodiscard]] std::variant<ParsedHead, Refusal> parse_head(std::string_view bytes,
                                                           const ListenerLimits& limits);

}  // namespace phasegate::mcp::http
