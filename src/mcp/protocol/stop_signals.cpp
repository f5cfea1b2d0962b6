#include "mcp/protocol/stop_signals.h"

#include <atomic>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace phasegate::mcp::protocol {
namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGPIPE};

/// The only thing that a signal handler can reach.
std::atomic<int> wake_fd{-1};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void phasegate_on_stop_signal(int) {
  const int before = errno;
  const char byte = 1;
  const int fd = wake_fd.load();
  // A full pipe has woken the reader already.
  if (fd >= 0 && ::write(fd, &byte, 1) < 0) errno = before;
  errno = before;
}

}  // namespace

StopSignals::StopSignals() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  read_end_ = ends[0];
  write_end_ = ends[1];
  for (const int fd : ends) {
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    ::fcntl(fd, F_SETFL, O_NONBLOCK);
  }
  wake_fd.store(write_end_);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action{};
    ::sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    action.sa_handler = kSignals[i] == SIGPIPE ? SIG_IGN : phasegate_on_stop_signal;
    ::sigaction(kSignals[i], &action, &before_[i]);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  wake_fd.store(-1);
  ::close(read_end_);
  ::close(write_end_);
}

}  // namespace phasegate::mcp::protocol
