#pragma once
#include <functional>
#include <memory>
#include <string>

#include "mcp/http/http.h"

namespace phasegate::mcp::http {

/// The open streams of all clients: keeps each as long as it lasts, and ends all of them together.
/// Thread-safe. Nothing of a stream's is called while a lock is held here, since a stream may tell
/// at once that it is gone.
class OpenStreams {
 public:
  /// What goes on once a stream is open: sends its first line, lets others write to it. What it
  /// returns is let go when the stream has ended.
  using Opened = std::function<std::shared_ptr<void>(const std::shared_ptr<OpenStream>&)>;

  OpenStreams();
  ~OpenStreams();
  OpenStreams(const OpenStreams&) = delete;
  OpenStreams& operator=(const OpenStreams&) = delete;

  /// A response that is an open stream. When the server ends it, its last line is `last`.
  [[nodiscard]] Response response(std::string last, Opened opened);

  /// Ends every stream, and those that come later as soon as they are open.
  void close();

 private:
  struct Entry;
  struct State;
  std::shared_ptr<State> state_;  ///< also held by responses, which may outlive this object
};

}  // namespace phasegate::mcp::http
