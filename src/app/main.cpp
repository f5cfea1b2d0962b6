#include <csignal>
#include <string>
#include <vector>

#include "app/run.h"

int main(int count, char** values) {
  // A reader that closes early is noticed where we write, not by dying of a signal.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> arguments(values + (count > 0 ? 1 : 0), values + count);
  return phasegate::app::run(arguments, phasegate::app::environment_of_process());
}
