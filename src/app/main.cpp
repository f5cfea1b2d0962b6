#include <csignal>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "app/run.h"

namespace {

/// A caller may have closed standard input, output or error. What is opened next would take their
/// place, and a database or a pipe of ours would be read and written as if it were the client.
void keep_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is taken, and all below it are open.
    if (::open("/dev/null", O_RDWR) < 0) return;
  }
}

}  // namespace

int main(int count, char** values) {
  keep_standard_descriptors();
  // A reader that closes early is noticed where we write, not by dying of a signal.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> arguments(values + (count > 0 ? 1 : 0), values + count);
  return phasegate::app::run(arguments, phasegate::app::environment_of_process());
}
