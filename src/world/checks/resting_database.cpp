#include "world/checks/resting_database.h"

#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"

namespace phasegate::world::checks {
namespace fs = std::filesystem;
namespace {

/// Bytes of a database's header, which say how it is written and read.
constexpr off_t kVersions = 18;
constexpr unsigned char kWal = 2;

bool keeps_log(const fs::path& path) {
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::array<unsigned char, 2> versions{};
  return file.open() &&
         ::pread(file.get(), versions.data(), versions.size(), kVersions) == ssize_t{2} &&
         versions[0] == kWal && versions[1] == kWal;
}

/// True if there is no log, or an empty one.
bool log_is_empty(const fs::path& path) {
  struct stat found{};
  if (::lstat((path.string() + "-wal").c_str(), &found) != 0) return errno == ENOENT;
  return S_ISREG(found.st_mode) && found.st_size == 0;
}

}  // namespace

std::optional<RestingDatabase::Stamp> RestingDatabase::stamp_of(const fs::path& path) {
  struct stat found{};
  if (!log_is_empty(path) || ::lstat(path.c_str(), &found) != 0) return std::nullopt;
  return Stamp{static_cast<std::int64_t>(found.st_dev),
               static_cast<std::int64_t>(found.st_ino),
               std::int64_t{found.st_size},
               std::int64_t{found.st_mtim.tv_sec},
               std::int64_t{found.st_mtim.tv_nsec},
               std::int64_t{found.st_ctim.tv_sec},
               std::int64_t{found.st_ctim.tv_nsec}};
}

std::optional<RestingDatabase> RestingDatabase::at(const fs::path& path) {
  // The stamp first: what is written from here on is seen by it.
  const auto stamp = stamp_of(path);
  if (!stamp || !keeps_log(path)) return std::nullopt;
  return RestingDatabase(path, *stamp);
}

std::string RestingDatabase::uri() const {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path_.string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    if (plain) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += kDigits[byte >> 4U];
    uri += kDigits[byte & 15U];
  }
  return uri + "?mode=ro&immutable=1";
}

bool RestingDatabase::still() const {
  return stamp_of(path_) == stamp_;
}

}  // namespace phasegate::world::checks
