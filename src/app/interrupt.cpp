#include "app/interrupt.h"

#include <initializer_list>

#include <poll.h>

namespace phasegate::app {
namespace {

volatile std::sig_atomic_t asked_to_end = 0;

void note(int) {
  asked_to_end = 1;
}

}  // namespace

Interrupt::Interrupt() {
  asked_to_end = 0;
  struct sigaction action{};
  action.sa_handler = note;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &before_int_);
  ::sigaction(SIGTERM, &action, &before_term_);
  ::sigaction(SIGHUP, &action, &before_hup_);
  // Held outside of a wait, so that none arrives between a look at the flag and the wait.
  sigset_t held;
  ::sigemptyset(&held);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&held, number);
  ::pthread_sigmask(SIG_BLOCK, &held, &outside_);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigdelset(&outside_, number);
}

Interrupt::~Interrupt() {
  ::pthread_sigmask(SIG_SETMASK, &outside_, nullptr);
  ::sigaction(SIGINT, &before_int_, nullptr);
  ::sigaction(SIGTERM, &before_term_, nullptr);
  ::sigaction(SIGHUP, &before_hup_, nullptr);
}

bool Interrupt::asked() {
  return asked_to_end != 0;
}

Interrupt::Woken Interrupt::wait(int descriptor, short events, const timespec* time) const {
  for (;;) {
    pollfd output{descriptor, events, 0};
    const int ready = ::ppoll(&output, 1, time, &outside_);
    if (asked()) return Woken::asked_to_end;
    if (ready > 0 && (output.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
      return Woken::reader_is_gone;
    }
    if (ready > 0) return Woken::may_write;
    if (time != nullptr) return Woken::time_is_over;
  }
}

Interrupt::Woken Interrupt::wait_ms(int descriptor, int ms) const {
  constexpr long kNanosecondsPerMs = 1'000'000;
  const timespec time{ms / 1000, (ms % 1000) * kNanosecondsPerMs};
  return wait(descriptor, 0, &time);
}

Interrupt::Woken Interrupt::wait_to_write(int descriptor) const {
  return wait(descriptor, POLLOUT, nullptr);
}

}  // namespace phasegate::app
