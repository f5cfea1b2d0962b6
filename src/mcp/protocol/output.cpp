#include "mcp/protocol/output.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace phasegate::mcp::protocol {
namespace {

/// How many bytes a pipe takes for certain without blocking. An empty one takes its whole
/// capacity, which makes one system call of an ordinary answer; a writable one takes PIPE_BUF.
std::size_t pipe_room(int fd) {
#ifdef F_GETPIPE_SZ
  int unread = 0;
  if (::ioctl(fd, FIONREAD, &unread) == 0 && unread == 0) {
    const int capacity = ::fcntl(fd, F_GETPIPE_SZ);
    if (capacity > 0) return static_cast<std::size_t>(capacity);
  }
#endif
  pollfd one{fd, POLLOUT, 0};
  return ::poll(&one, 1, 0) > 0 ? PIPE_BUF : 0;
}

}  // namespace

Output::Output(int fd) : fd_(fd) {
  struct stat about{};
  if (::fstat(fd, &about) != 0) return;
  is_pipe_ = S_ISFIFO(about.st_mode);
  is_socket_ = S_ISSOCK(about.st_mode);
}

void Output::put(std::string line) {
  pending_ = std::move(line);
  pending_ += '\n';
  written_ = 0;
}

std::ptrdiff_t Output::write_some() {
  const char* data = pending_.data() + written_;
  std::size_t size = pending_.size() - written_;
  if (is_socket_) return ::send(fd_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (is_pipe_) {
    size = std::min(size, pipe_room(fd_));
    if (size == 0) {
      errno = EAGAIN;
      return -1;
    }
  }
  return ::write(fd_, data, size);
}

Output::Status Output::flush() {
  while (!empty()) {
    const std::ptrdiff_t wrote = write_some();
    if (wrote >= 0) {
      written_ += static_cast<std::size_t>(wrote);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return Status::full;
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return Status::gone;
    } else if (errno != EINTR) {
      return Status::failed;
    }
  }
  return Status::done;
}

}  // namespace phasegate::mcp::protocol
