#include "app/standard_input.h"

#include <cerrno>
#include <vector>

#include <unistd.h>

namespace phasegate::app {

base::Result<std::string> read_standard_input(std::size_t bytes_max) {
  constexpr std::size_t kChunk = 64U << 10U;
  std::string text;
  std::vector<char> chunk(kChunk);
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::Error{"usage", "Standard input cannot be read.", "", ""};
    text.append(chunk.data(), static_cast<std::size_t>(got));
    if (text.size() > bytes_max) {
      return base::Error{
          "usage", "Standard input has more than " + std::to_string(bytes_max) + " bytes.", "", ""};
    }
  }
}

}  // namespace phasegate::app
