#include "mcp/http/sockets.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"

namespace phasegate::mcp::http {
namespace {

/// Rounded up, so that a wait does not end just before its time and spin.
int milliseconds_until(TimePoint deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, INT_MAX));
}

}  // namespace

StopSignal::StopSignal() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.open()) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void StopSignal::raise() {
  if (raising_.exchange(true)) return;
  write_end_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(base::limits::kHttpStopWriteMs);
  raised_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t wrote = ::write(event_.get(), &one, sizeof one);
}

Ready wait_until(int fd, short events, TimePoint deadline, const StopSignal* stop) {
  std::array<pollfd, 2> both{pollfd{fd, events, 0},
                             pollfd{stop == nullptr ? -1 : stop->fd(), POLLIN, 0}};
  while (true) {
    const int ready = ::poll(both.data(), both.size(), milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (both[1].revents != 0) return Ready::stopped;
    return ready == 0 ? Ready::timeout : Ready::yes;
  }
}

bool other_end_closed(int fd) {
  pollfd socket{fd, POLLRDHUP, 0};
  return ::poll(&socket, 1, 0) > 0;
}

bool input_waits(int fd) {
  int unread = 0;
  return ::ioctl(fd, FIONREAD, &unread) == 0 && unread > 0;
}

ssize_t send_some(int fd, const char* data, std::size_t size) {
  while (true) {
    const ssize_t sent = ::send(fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    if (errno != EINTR) return -1;
  }
}

std::string remote_address(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return "unknown";
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* address = nullptr;
  if (storage.ss_family == AF_INET) {
    address = &reinterpret_cast<const sockaddr_in&>(storage).sin_addr;
  } else if (storage.ss_family == AF_INET6) {
    address = &reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr;
  } else {
    return "unix";
  }
  return ::inet_ntop(storage.ss_family, address, text.data(), text.size());
}

}  // namespace phasegate::mcp::http
