#include "mcp/http/waiting.h"

#include <array>
#include <cerrno>
#include <utility>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/limits.h"

namespace phasegate::mcp::http {
namespace {
namespace limits = base::limits;
constexpr std::size_t kDiscardBytes = 64U << 10U;
}  // namespace

IdleConnection::IdleConnection(std::unique_ptr<Connection> connection,
                               std::chrono::milliseconds idle_time, Resume resume)
    : connection_(std::move(connection)),
      fd_(connection_->fd()),
      end_(std::chrono::steady_clock::now() + idle_time),
      resume_(std::move(resume)) {
  connection_->rest();
}

std::uint32_t IdleConnection::events() const {
  return EPOLLIN | EPOLLRDHUP;
}

bool IdleConnection::ready(std::uint32_t events) {
  if (events == 0) return true;
  resuming_ = input_waits(fd_);
  return false;
}

void IdleConnection::leave() {
  if (resuming_) resume_(std::move(connection_));
}

LingeringConnection::LingeringConnection(base::Descriptor socket, Slot slot)
    : socket_(std::move(socket)),
      slot_(std::move(slot)),
      end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(limits::kHttpLingerMs)),
      bytes_left_(limits::kHttpLingerBytesMax) {
  ::shutdown(fd(), SHUT_WR);
}

std::uint32_t LingeringConnection::events() const {
  return EPOLLIN | EPOLLRDHUP;
}

bool LingeringConnection::ready(std::uint32_t /*events*/) {
  std::array<char, kDiscardBytes> discarded;
  const ssize_t got = ::recv(fd(), discarded.data(), discarded.size(), 0);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0 || static_cast<std::size_t>(got) >= bytes_left_) return false;
  bytes_left_ -= static_cast<std::size_t>(got);
  return true;
}

}  // namespace phasegate::mcp::http
