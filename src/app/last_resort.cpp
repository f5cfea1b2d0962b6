#include "app/last_resort.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"

namespace phasegate::app {
namespace {

void wait_for_the_end(int stop_fd, int finished_fd) {
  std::array<pollfd, 2> fds{{{stop_fd, POLLIN, 0}, {finished_fd, POLLIN, 0}}};
  while (::poll(fds.data(), fds.size(), -1) < 0 && errno == EINTR) {
  }
  pollfd finished{finished_fd, POLLIN, 0};
  if (::poll(&finished, 1, static_cast<int>(base::limits::kStopGraceMs)) != 0) return;
  base::log_warning("serve.calls_left_behind", {});
  ::_exit(0);
}

}  // namespace

LastResort::LastResort(int stop_fd) : finished_(::eventfd(0, EFD_CLOEXEC)) {
  if (!finished_.open()) throw std::system_error(errno, std::generic_category(), "eventfd");
  thread_ = std::thread(
      [stop_fd, finished_fd = finished_.get()] { wait_for_the_end(stop_fd, finished_fd); });
}

LastResort::~LastResort() {
  static_cast<void>(::eventfd_write(finished_.get(), 1));
  thread_.join();
}

}  // namespace phasegate::app
