#include "state/file_calls.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace phasegate::state {
namespace {

template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// `write` gets what is left and how much is done already.
template <typename Write>
bool write_all(std::string_view bytes, Write write) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = uninterrupted([&] { return write(bytes.substr(done), done); });
    if (written < 0) return false;
    if (written == 0) {
      errno = ENOSPC;
      return false;
    }
    done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

base::Descriptor open_file(const std::filesystem::path& file, int flags, mode_t mode) {
  return base::Descriptor(
      uninterrupted([&] { return ::open(file.c_str(), flags | O_CLOEXEC, mode); }));
}

bool write_whole(int fd, std::string_view bytes) {
  return write_all(bytes, [&](std::string_view left, std::size_t /*done*/) {
    return ::write(fd, left.data(), left.size());
  });
}

bool write_whole_at(int fd, std::string_view bytes, off_t at) {
  return write_all(bytes, [&](std::string_view left, std::size_t done) {
    return ::pwrite(fd, left.data(), left.size(), at + static_cast<off_t>(done));
  });
}

ssize_t read_up_to_at(int fd, std::string& bytes, off_t at) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = uninterrupted([&] {
      return ::pread(fd, bytes.data() + done, bytes.size() - done, at + static_cast<off_t>(done));
    });
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

bool sync_file(int fd) {
  return uninterrupted([&] { return ::fsync(fd); }) == 0;
}

bool sync_bytes(int fd) {
  return uninterrupted([&] { return ::fdatasync(fd); }) == 0;
}

}  // namespace phasegate::state
