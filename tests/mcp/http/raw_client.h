#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "mcp/http/listener.h"
#include "mcp/http/sockets.h"

namespace phasegate::test {

/// What came back, as far as HTTP goes.
struct RawResponse {
  int status = 0;
  std::string head;  ///< with its empty line
  std::string body;  ///< without chunk framing
  bool whole = false;

  /// The value of a header, or `(none)`.
  [[nodiscard]] std::string header(std::string_view name) const;
};

/// A client that sends exactly the bytes it is told to. Every wait ends after a time that is only
/// reached by a broken server, and then the test fails.
class RawClient {
 public:
  explicit RawClient(const mcp::http::Address& address);

  /// False if the server no longer takes them.
  bool send(std::string_view bytes);
  /// As far as it goes without waiting.
  std::size_t send_what_fits(std::string_view bytes);

  [[nodiscard]] RawResponse read_response(bool to_head_request = false);
  /// Reads until the text has come; returns everything up to its end, and takes it.
  [[nodiscard]] std::string read_until(std::string_view text);
  /// Reads until the server closes.
  [[nodiscard]] std::string read_rest();
  /// True if the server closes without sending anything more.
  [[nodiscard]] bool is_closed() { return read_rest().empty() && ended_; }

  void close_writing();
  void close() { socket_.reset(); }
  [[nodiscard]] int fd() const { return socket_.get(); }

 private:
  [[nodiscard]] bool read_more();
  [[nodiscard]] std::string take(std::size_t bytes);
  [[nodiscard]] bool read_chunks(std::string& body);

  base::Descriptor socket_;
  std::string buffer_;
  bool ended_ = false;  ///< closed by the server
};

/// One request on a connection of its own; the response, and whether the connection then ended.
[[nodiscard]] RawResponse ask(const mcp::http::Address& address, std::string_view bytes);

/// A plain POST.
[[nodiscard]] std::string post(std::string_view body, std::string_view headers = "",
                               std::string_view path = "/mcp");
/// A plain GET.
[[nodiscard]] std::string get(std::string_view path = "/mcp", std::string_view headers = "");

}  // namespace phasegate::test
