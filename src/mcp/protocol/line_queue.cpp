#include "mcp/protocol/line_queue.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/limits.h"

namespace phasegate::mcp::protocol {

LineQueue::LineQueue() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

LineQueue::~LineQueue() {
  ::close(fd_);
}

bool LineQueue::add(std::string line, std::size_t bytes_max) {
  {
    const std::lock_guard lock(mutex_);
    if (bytes_ + line.size() > bytes_max) return false;
    bytes_ += line.size();
    lines_.push_back(std::move(line));
  }
  wake();
  return true;
}

bool LineQueue::send(std::string line) {
  return add(std::move(line), base::limits::kQueuedBytesMax);
}

void LineQueue::put(std::string line) {
  static_cast<void>(add(std::move(line), std::numeric_limits<std::size_t>::max()));
}

std::optional<std::string> LineQueue::take() {
  const std::lock_guard lock(mutex_);
  if (lines_.empty()) return std::nullopt;
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  bytes_ -= line.size();
  return line;
}

void LineQueue::wake() {
  const std::uint64_t one = 1;
  // It can fail only because it is readable already.
  const ssize_t wrote = ::write(fd_, &one, sizeof one);
  static_cast<void>(wrote);
}

void LineQueue::drain() {
  std::uint64_t count = 0;
  const ssize_t got = ::read(fd_, &count, sizeof count);
  static_cast<void>(got);
}

}  // namespace phasegate::mcp::protocol
