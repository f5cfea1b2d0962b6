#include "state/seal/seal_keys.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
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
#include "state/seal/seal_text.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kLineBytesMax = 20 + 1 + 2 * kKeyBytes + 1;

[[noreturn]] void refuse(const std::string& why) {
  throw StoreFailure(seal_keys_error(std::string(kSealKeysFileName) + " " + why));
}

void require_private_file(int fd) {
  constexpr mode_t kOthers = 077;
  struct stat status{};
  if (::fstat(fd, &status) != 0) throw_errno(errno, "cannot be read");
  if (!S_ISREG(status.st_mode)) refuse("is not a regular file");
  if (status.st_uid != ::geteuid()) refuse("belongs to another user");
  if ((status.st_mode & kOthers) != 0) {
    base::Error error =
        seal_keys_error(std::string(kSealKeysFileName) + " may be read or written by others");
    error.hint =
        "if that is all, `chmod 600` the file; if others may have changed it, " + error.hint;
    throw StoreFailure(std::move(error));
  }
  if (status.st_size > static_cast<off_t>(kSealKeysMax * kLineBytesMax)) refuse("is too large");
}

/// The file's text; nullopt if there is none.
std::optional<std::string> read_text(const fs::path& file) {
  // Not blocking: what lies there may be a pipe.
  const auto fd = open_file(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fd.get() < 0 && errno == ENOENT) return std::nullopt;
  if (fd.get() < 0 && errno == ELOOP) refuse("is a link");
  if (fd.get() < 0 && (errno == ENXIO || errno == EISDIR)) refuse("is not a regular file");
  if (fd.get() < 0 && errno == EACCES) refuse("may not be read by this user");
  if (fd.get() < 0) throw_errno(errno, "holds keys that cannot be read");
  require_private_file(fd.get());
  std::string text(kSealKeysMax * kLineBytesMax, '\0');
  const ssize_t size = read_up_to_at(fd.get(), text, 0);
  if (size < 0) throw_errno(errno, "holds keys that cannot be read");
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string line_of(const SealKey& key) {
  return std::to_string(key.number) + " " + to_hex(key.bytes) + "\n";
}

/// The key of a line without its end; a number of 0 for anything else than what line_of writes.
SealKey key_of(std::string_view line) {
  SealKey key;
  const char* const end = line.data() + line.size();
  const auto [stopped, failed] = std::from_chars(line.data(), end, key.number);
  const std::string_view rest(stopped, static_cast<std::size_t>(end - stopped));
  if (failed != std::errc() || !rest.starts_with(' ')) return {};
  auto bytes = from_hex(rest.substr(1));
  if (!bytes || bytes->size() != kKeyBytes) return {};
  key.bytes.assign(*bytes);
  return line_of(key) == std::string(line) + "\n" ? key : SealKey{};
}

std::vector<SealKey> keys_of(std::string_view text) {
  std::vector<SealKey> keys;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    SealKey key = end == std::string_view::npos ? SealKey{} : key_of(text.substr(0, end));
    const std::int64_t before = keys.empty() ? 0 : keys.back().number;
    if (key.number <= before) refuse("is not as it was written");
    keys.push_back(std::move(key));
    text.remove_prefix(end + 1);
  }
  if (keys.empty()) refuse("is empty");
  return keys;
}

void write_text(const fs::path& file, std::string_view text) {
  const auto fd = open_file(file, O_WRONLY | O_NOFOLLOW);
  if (!fd.open() || !write_whole(fd.get(), text)) throw_errno(errno, "cannot be written");
  if (!sync_file(fd.get())) throw_errno(errno, "cannot be synced");
}

SealKey new_key(std::int64_t number) {
  return {number, base::random_bytes(kKeyBytes)};
}

}  // namespace

base::Error seal_keys_error(const std::string& what) {
  return {"damaged",
          what +
              "; without the keys that sealed them, no history can be told from a "
              "changed one",
          "put " + std::string(kSealKeysFileName) +
              " back beside state.db from your own copy (readable and writable by you alone, mode "
              "0600); without it no copy of the database can be put back either; nothing was "
              "changed, and `phasegate doctor` shows where the state lies",
          ""};
}

SealKeysLook look_at_seal_keys(const fs::path& folder) {
  struct stat status{};
  if (::lstat((folder / kSealKeysFileName).c_str(), &status) != 0) return {};
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {status.st_ino, status.st_size,
          status.st_ctim.tv_sec * kNanoseconds + status.st_ctim.tv_nsec};
}

std::vector<SealKey> read_seal_keys(const fs::path& folder) {
  const auto text = read_text(folder / kSealKeysFileName);
  return text ? keys_of(*text) : std::vector<SealKey>();
}

std::vector<SealKey> make_seal_keys(const fs::path& folder) {
  if (auto keys = read_seal_keys(folder); !keys.empty()) return keys;
  make_private_folder(folder);
  // Made whole under another name, then named: of two processes that do so at once one wins, and
  // nobody ever reads half a key.
  const fs::path file = folder / kSealKeysFileName;
  const fs::path unfinished = unfinished_name(file);
  const RemoveOnExit cleanup(unfinished);
  create_private_file(unfinished);
  write_text(unfinished, line_of(new_key(1)));
  if (::link(unfinished.c_str(), file.c_str()) != 0 && errno != EEXIST) {
    throw_errno(errno, "cannot hold a new key");
  }
  sync_folder(folder);
  auto keys = read_seal_keys(folder);
  if (keys.empty()) refuse("was removed while it was made");
  return keys;
}

void add_seal_key(const fs::path& folder) {
  const auto keys = read_seal_keys(folder);
  if (keys.empty()) refuse("is gone");
  if (keys.size() >= kSealKeysMax) {
    refuse("holds " + std::to_string(kSealKeysMax) + " keys, which is as many as there may be");
  }
  std::string text;
  for (const SealKey& key : keys) text += line_of(key);
  text += line_of(new_key(keys.back().number + 1));
  const fs::path file = folder / kSealKeysFileName;
  const fs::path unfinished = unfinished_name(file);
  const RemoveOnExit cleanup(unfinished);
  create_private_file(unfinished);
  write_text(unfinished, text);
  if (std::rename(unfinished.c_str(), file.c_str()) != 0) throw_errno(errno, "cannot be written");
  sync_folder(folder);
}

std::optional<base::Error> seal_keys_problem(const fs::path& folder) {
  try {
    static_cast<void>(read_seal_keys(folder));
    return std::nullopt;
  } catch (const StoreFailure& failure) {
    return failure.error();
  }
}

}  // namespace phasegate::state
