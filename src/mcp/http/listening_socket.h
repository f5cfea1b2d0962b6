#pragma once
#include "base/result.h"
#include "mcp/http/listener.h"
#include "mcp/http/socket_file.h"
#include "mcp/http/sockets.h"

namespace phasegate::mcp::http {

/// The socket that connections are accepted from, and the file of a Unix socket.
class ListeningSocket {
 public:
  /// As Listener::bind.
  [[nodiscard]] base::Result<Address> bind(const Address& address);

  [[nodiscard]] int fd() const { return socket_.get(); }
  /// Accepts no more; removes the file if it is still ours.
  void close();

 private:
  [[nodiscard]] base::Result<Address> bind_tcp(const Address& address);

  base::Descriptor socket_;
  SocketFile file_;
};

}  // namespace phasegate::mcp::http
