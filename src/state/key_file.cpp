#include "state/key_file.h"

#include <cerrno>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/ids.h"
#include "gating/engine/ports.h"
#include "state/db_failure.h"
#include "state/file_calls.h"
#include "state/files.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

constexpr std::size_t kKeyBytes = 32;

[[noreturn]] void refuse(const KeyFile& kept, const std::string& why) {
  throw StoreFailure(
      base::Error{"unsafe_key", std::string(kept.name) + " in the state folder " + why,
                  "it was left as it is; a person should look at it and remove it (a new one is "
                  "made then, and " +
                      std::string(kept.lost) + "); `phasegate doctor` shows where the state lies",
                  ""});
}

void require_private_file(const KeyFile& kept, int fd) {
  constexpr mode_t kOthers = 077;
  struct stat status{};
  if (::fstat(fd, &status) != 0) throw_errno(errno, "cannot be read");
  if (!S_ISREG(status.st_mode)) refuse(kept, "is not a regular file");
  if (status.st_uid != ::geteuid()) refuse(kept, "belongs to another user");
  if ((status.st_mode & kOthers) != 0) refuse(kept, "may be read or written by others");
  if (std::cmp_not_equal(status.st_size, kKeyBytes)) {
    refuse(kept,
           "has " + std::to_string(status.st_size) + " bytes, not " + std::to_string(kKeyBytes));
  }
}

/// The key, or nullopt if there is no file.
std::optional<std::string> read_key(const KeyFile& kept, const fs::path& file) {
  // Not blocking: what lies there may be a pipe.
  const auto fd = open_file(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fd.get() < 0 && errno == ENOENT) return std::nullopt;
  if (fd.get() < 0 && errno == ELOOP) refuse(kept, "is a link");
  if (fd.get() < 0 && (errno == ENXIO || errno == EISDIR)) refuse(kept, "is not a regular file");
  if (fd.get() < 0) throw_errno(errno, "holds a key that cannot be read");
  require_private_file(kept, fd.get());
  std::string key(kKeyBytes, '\0');
  const ssize_t got = read_up_to_at(fd.get(), key, 0);
  if (got < 0) throw_errno(errno, "holds a key that cannot be read");
  if (std::cmp_not_equal(got, kKeyBytes)) refuse(kept, "was changed while it was read");
  return key;
}

void write_key(const fs::path& file) {
  const std::string key = base::random_bytes(kKeyBytes);
  const auto fd = open_file(file, O_WRONLY | O_NOFOLLOW);
  if (!fd.open() || !write_whole(fd.get(), key)) throw_errno(errno, "cannot be written");
  if (!sync_file(fd.get())) throw_errno(errno, "cannot be synced");
}

/// Made whole under another name, then named: of two processes that do so at once one wins, and
/// nobody ever reads half a key.
void make_key(const fs::path& folder, const fs::path& file) {
  make_private_folder(folder);
  const fs::path unfinished = unfinished_name(file);
  const RemoveOnExit cleanup(unfinished);
  create_private_file(unfinished);
  write_key(unfinished);
  if (::link(unfinished.c_str(), file.c_str()) != 0 && errno != EEXIST) {
    throw_errno(errno, "cannot hold a new key");
  }
  sync_folder(folder);
}

}  // namespace

std::string key_in(const fs::path& folder, const KeyFile& kept) {
  const fs::path file = folder / kept.name;
  if (auto key = read_key(kept, file)) return *std::move(key);
  make_key(folder, file);
  if (auto key = read_key(kept, file)) return *std::move(key);
  refuse(kept, "was removed while it was made");
}

std::optional<base::Error> key_problem(const fs::path& folder, const KeyFile& kept) {
  try {
    static_cast<void>(read_key(kept, folder / kept.name));
    return std::nullopt;
  } catch (const StoreFailure& failure) {
    return failure.error();
  }
}

}  // namespace phasegate::state
