#include "app/output.h"

#include <cerrno>

#include <unistd.h>

namespace phasegate::app {

Written write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return Written::reader_gone;
    } else if (errno != EINTR) {
      return Written::failed;
    }
  }
  return Written::all;
}

}  // namespace phasegate::app
