#pragma once
#include <string>

#include <sys/types.h>

#include "base/result.h"
#include "mcp/http/listener.h"
#include "mcp/http/sockets.h"

namespace phasegate::mcp::http {

/// The file of a Unix socket. Starting and stopping servers take turns by a lock on its folder, so
/// that none removes what another has just made.
class SocketFile {
 public:
  SocketFile() = default;
  ~SocketFile() { remove(); }
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

  /// Makes the file, mode 0600, and listens at it. A file that no program listens at is replaced.
  [[nodiscard]] base::Result<base::Descriptor> bind(const Address& address, int backlog);

  /// Removes the file if it is still the one that was made.
  void remove();

 private:
  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace phasegate::mcp::http
