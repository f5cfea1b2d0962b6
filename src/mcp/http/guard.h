#pragma once
#include <functional>
#include <memory>
#include <variant>

#include "mcp/http/connection.h"
#include "mcp/http/http.h"
#include "mcp/http/request_head.h"

namespace phasegate::mcp::http {

/// Stands between connections and cpp-httplib. The library sees a head that we have written anew
/// (GET, HEAD or POST of `/`, the body's framing, nothing else of the client's) and a body without
/// ambiguity; it reads the body, writes the response, and has nothing left to misunderstand.
class Guard {
 public:
  /// What is to become of the connection.
  enum class After {
    next,    ///< it waits for its next request
    close,   ///< everything is said
    linger,  ///< likewise, but the client is still sending
    stream,  ///< its response is an open stream, whose head has been sent
  };
  struct Outcome {
    After after;
    Response stream;              ///< with `open` and `gone`
    bool chunked = false;         ///< how the stream's body is written
    std::shared_ptr<void> place;  ///< of the stream, among those allowed at once
  };

  /// Asked before the head of an open stream is sent, with the remote address: a place for it, or
  /// why there is none.
  using Admission = std::function<std::variant<std::shared_ptr<void>, Refusal>(const std::string&)>;

  Guard(Handler& handler, const ListenerLimits& limits, Admission admit);
  ~Guard();

  /// Answers one request whose head was read. `last`: the connection ends afterwards.
  [[nodiscard]] Outcome answer(Connection& connection, std::variant<ParsedHead, Refusal> head,
                               bool last);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace phasegate::mcp::http
