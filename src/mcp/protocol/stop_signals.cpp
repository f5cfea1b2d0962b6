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
  // If this fails because the pipe is full, the reader has been woken already.
  const ssize_t wrote = ::write(fd, &byte, 1);
  static_cast<void>(wrote);
  errno = before;
}

/// A pipe that lives as long as the process: a handler that was interrupted must never find its
/// descriptor closed, or worse, given to somebody else.
struct WakePipe {
  WakePipe() {
    if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    for (const int fd : ends) {
      ::fcntl(fd, F_SETFD, FD_CLOEXEC);
      ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    wake_fd.store(ends[1]);
  }
  std::array<int, 2> ends{};
};

int wake_pipe_read_end() {
  static const WakePipe pipe;
  return pipe.ends[0];
}

}  // namespace

StopSignals::StopSignals() : fd_(wake_pipe_read_end()) {
  // Whatever an earlier use left behind was for that one.
  std::array<char, 64> stale{};
  while (::read(fd_, stale.data(), stale.size()) > 0) {
  }
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
}

}  // namespace phasegate::mcp::protocol
