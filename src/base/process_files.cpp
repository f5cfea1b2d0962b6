#include "base/process_files.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace phasegate::base {

Descriptor owned(int fd) {
  if (fd < 0 || fd > 2) return Descriptor(fd);
  const Descriptor low(fd);
  return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

std::optional<Pair> output_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  Pair pair{owned(ends[0]), owned(ends[1])};
  if (!pair.ours.open() || !pair.theirs.open()) return std::nullopt;
  if (::fcntl(pair.ours.get(), F_SETFL, O_NONBLOCK) != 0) return std::nullopt;
  return pair;
}

std::optional<Pair> guard_channel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return std::nullopt;
  }
  Pair pair{owned(ends[0]), owned(ends[1])};
  if (!pair.ours.open() || !pair.theirs.open()) return std::nullopt;
  return pair;
}

// A file in memory rather than a pipe: nobody has to feed it, and a program that does not read it
// disturbs nobody.
Descriptor input_file(std::string_view input) {
  if (input.empty()) return owned(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Descriptor file = owned(::memfd_create("input", MFD_CLOEXEC));
  while (file.open() && !input.empty()) {
    const ssize_t written = ::write(file.get(), input.data(), input.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return {};
    input.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file.open() && ::lseek(file.get(), 0, SEEK_SET) != 0) return {};
  return file;
}

}  // namespace phasegate::base
