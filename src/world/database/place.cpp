#include "world/database/place.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/text.h"

namespace phasegate::world::database {
namespace fs = std::filesystem;
using base::Descriptor;
using base::Error;
using base::Result;
namespace {

bool is_below(const fs::path& root, const fs::path& path) {
  const auto [root_end, unused] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end();
}

Error leads_out(std::string_view path) {
  return {"outside_root", base::in_quotes(path) + " is a link that leads out of the project",
          "databases are protected inside the project only; put the file itself there",
          std::string(path)};
}

/// What lies at the place; nullopt: nothing. A descriptor that is only a path is used: closing
/// another one would drop the locks that connections of this process hold on the file.
Result<std::optional<struct stat>> look_at(const Place& place) {
  const Descriptor folder = open_folder(place.root, place.folder());
  const std::string name = place.file_name();
  struct stat status{};
  if (folder.open() && ::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
    return std::optional(status);
  }
  if (errno == ENOENT) return std::optional<struct stat>();
  return describe_errno(errno, base::in_quotes(place.path) + " cannot be looked at");
}

Result<fs::path> resolved(const fs::path& root, const std::string& normalised) {
  std::error_code failed;
  const fs::path whole = root / normalised;
  if (fs::exists(fs::symlink_status(whole, failed))) {
    fs::path path = fs::canonical(whole, failed);
    if (!failed) return path;
    return Error{"unreadable", base::in_quotes(normalised) + " is a link that leads to nothing", "",
                 normalised};
  }
  // What is not there yet may become a database; a folder that is a link is resolved all the same.
  fs::path path = fs::weakly_canonical(whole, failed);
  if (!failed) return path;
  return Error{"unreadable", base::in_quotes(normalised) + " cannot be looked at", "", normalised};
}

}  // namespace

Descriptor open_folder(const fs::path& root, std::string_view below) {
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  Descriptor at(::open(root.c_str(), kFlags));
  for (const std::string_view part : base::split(below, '/')) {
    if (part.empty() || !at.open()) continue;
    at.reset(::openat(at.get(), std::string(part).c_str(), kFlags | O_NOFOLLOW));
  }
  return at;
}

std::string Place::folder() const {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string Place::file_name() const {
  return path.substr(path.rfind('/') + 1);
}

Error describe_errno(int number, std::string_view what) {
  const std::string message = std::string(what) + ": " + std::strerror(number);
  if (number == ENOSPC || number == EDQUOT) {
    return {"disk_full", message, "free some disk space and repeat; nothing of it was kept", ""};
  }
  if (number == EACCES || number == EPERM || number == EROFS) return {"read_only", message, "", ""};
  return {"io_error", message, "", ""};
}

Result<Place> find_database(const fs::path& root, std::string_view path) {
  auto normalised = base::normalised_relative(path);
  if (!normalised) return std::move(normalised).error();
  std::error_code failed;
  Place place;
  place.root = fs::canonical(root, failed);
  if (failed) return Error{"not_found", "the project's folder does not exist", "", ""};
  const auto whole = resolved(place.root, *normalised);
  if (!whole) return whole.error();
  if (!is_below(place.root, *whole)) return leads_out(*normalised);
  place.path = whole->lexically_relative(place.root).generic_string();
  const auto status = look_at(place);
  if (!status) return status.error();
  if (!status->has_value()) return place;
  if (!S_ISREG((*status)->st_mode)) {
    return Error{"not_a_file", base::in_quotes(*normalised) + " is not a regular file", "",
                 *normalised};
  }
  place.there = true;
  place.device = (*status)->st_dev;
  place.inode = (*status)->st_ino;
  place.mode = (*status)->st_mode & 0777U;
  return place;
}

Result<Connection> open_at(const Place& place, Connection::Mode mode, std::int64_t busy_ms) {
  auto connection = Connection::open(place.file(), place.path, mode, busy_ms);
  if (!connection) return connection;
  const auto status = look_at(place);
  if (!status) return status.error();
  const bool same =
      status->has_value() && S_ISREG((*status)->st_mode) && !connection->has_moved() &&
      (!place.there || ((*status)->st_dev == place.device && (*status)->st_ino == place.inode));
  if (same) return connection;
  return Error{"changed", base::in_quotes(place.path) + " was replaced while it was opened",
               "repeat when nothing else moves the file", place.path};
}

}  // namespace phasegate::world::database
