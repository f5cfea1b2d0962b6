#include "mcp/protocol/end_watch.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <system_error>

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"

namespace phasegate::mcp::protocol {
namespace {

#ifdef POLLRDHUP
constexpr short kHungUp = POLLRDHUP;
#else
constexpr short kHungUp = 0;
#endif

/// A process that has used less than this while it was granted its time was waiting, not working.
constexpr std::clock_t kWorking = CLOCKS_PER_SEC / 100;

/// Signals are for the thread that answers: this one only waits.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

EndWatch::EndWatch(int in_fd, int stop_fd) : finished_fd_(::eventfd(0, EFD_CLOEXEC)) {
  if (finished_fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  const NoSignals inherited;
  thread_ = std::thread([this, in_fd, stop_fd] { watch(in_fd, stop_fd); });
}

EndWatch::~EndWatch() {
  const std::uint64_t one = 1;
  const ssize_t wrote = ::write(finished_fd_, &one, sizeof one);
  static_cast<void>(wrote);
  thread_.join();
  ::close(finished_fd_);
}

void EndWatch::watch(int in_fd, int stop_fd) {
  // No input is asked for: only that the other end is gone makes the first one ready.
  std::array<pollfd, 3> fds{{{in_fd, kHungUp, 0}, {stop_fd, POLLIN, 0}, {finished_fd_, POLLIN, 0}}};
  while (::poll(fds.data(), fds.size(), -1) < 0 && errno == EINTR) {
  }
  // From here on only calls are looked at, each for as long as it is granted.
  bool signalled = fds[1].revents != 0;
  std::uint64_t seen = turn_.load(std::memory_order_relaxed);
  std::clock_t worked = std::clock();
  while (true) {
    std::array<pollfd, 2> end{{{finished_fd_, POLLIN, 0}, {signalled ? -1 : stop_fd, POLLIN, 0}}};
    const int ready = ::poll(end.data(), end.size(), static_cast<int>(base::limits::kStopGraceMs));
    if (ready < 0 && errno == EINTR) continue;
    if (end[0].revents != 0) return;
    const std::uint64_t now = turn_.load(std::memory_order_relaxed);
    const std::clock_t used = std::clock();
    const bool waiting = used - worked < kWorking;
    if (ready > 0) {
      // A signal after the hang-up: what runs is granted its time from now on.
      signalled = true;
    } else if (now % 2 == 1 && now == seen && (signalled || waiting)) {
      base::log_warning("stdio.call_left_behind", {});
      ::_exit(0);
    }
    seen = now;
    worked = used;
  }
}

}  // namespace phasegate::mcp::protocol
