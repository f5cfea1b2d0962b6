#include "world/database/restore.h"

#include <cerrno>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/text.h"
#include "world/database/copy.h"

namespace phasegate::world::database {
namespace fs = std::filesystem;
using base::Error;
using base::Result;
namespace {

/// A copy, open and sound.
Result<Connection> open_copy(const Place& database, const BackupFolder& folder,
                             const Backup& backup) {
  const std::string shown = base::in_quotes(folder.path_of(backup.path));
  if (!backup.sha256.empty()) {
    const auto state = state_of(folder, backup.path);
    if (!state) return state.error();
    if (state->sha256 != backup.sha256) {
      return Error{"damaged", "the copy " + shown + " is not what was made: its digest is another",
                   "choose another one of `phasegate db backups`; nothing was changed", ""};
    }
  }
  const auto place = find_database(database.root, folder.path_of(backup.path));
  if (!place) return place.error();
  auto copy = open_at(*place, Connection::Mode::read_only, 0);
  if (!copy) return copy;
  if (auto sound = verify_integrity(*copy); !sound) return std::move(sound).error();
  return copy;
}

/// A file that SQLite cannot read goes to the copies, with what lies beside it: an old journal
/// would be played into the restored database.
Result<std::string> keep_damaged(const Place& place, const BackupFolder& folder,
                                 base::TimePoint now) {
  const base::Descriptor from = open_folder(place.root, place.folder());
  const std::string name = place.file_name();
  const std::string to = backup_name(name, now, 1) + ".damaged";
  for (const char* suffix : {"-journal", "-wal", "-shm", ""}) {
    const std::string target = to + suffix;
    if (::renameat(from.get(), (name + suffix).c_str(), folder.descriptor.get(), target.c_str()) ==
        0) {
      continue;
    }
    if (errno == ENOENT && *suffix != '\0') continue;
    return describe_errno(errno, base::in_quotes(place.path) + " cannot be set aside");
  }
  return to;
}

/// Writes the copy into the file and reads that back.
Result<void> put_back(const Place& place, Connection& copy) {
  auto live = open_at(place, Connection::Mode::existing, base::limits::kStoreBusyMs);
  if (!live) return std::move(live).error();
  if (auto copied = copy_database(copy, *live); !copied) {
    Error error = std::move(copied).error();
    if (error.code == "read_only") {
      error.hint = "where the sizes of pages differ, close everything that uses the database first";
    }
    return error;
  }
  if (auto sound = verify_integrity(*live); !sound) return sound;
  const auto wanted = schema_digest(copy);
  const auto found = schema_digest(*live);
  if (!wanted) return wanted.error();
  if (!found) return found.error();
  if (*wanted == *found) return {};
  return Error{"changed", base::in_quotes(place.path) + " was changed while it was restored",
               "restore again when nothing writes to it", ""};
}

/// The same where there is no file.
Result<void> put_back_anew(const Place& place, Connection& copy) {
  const base::Descriptor folder = open_folder(place.root, place.folder());
  const std::string name = place.file_name();
  {
    const base::Descriptor made(::openat(folder.get(), name.c_str(),
                                         O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                         place.mode));
    if (!made.open() || ::fchmod(made.get(), place.mode) != 0) {
      return describe_errno(errno, base::in_quotes(place.path) + " cannot be made");
    }
  }
  auto put = put_back(place, copy);
  if (!put) ::unlinkat(folder.get(), name.c_str(), 0);
  return put;
}

}  // namespace

Result<Backup> find_backup(const fs::path& root, std::string_view path, std::string_view name) {
  const auto list = list_backups(root, path);
  if (!list) return list.error();
  if (list->backups.empty()) {
    return Error{"not_found", "there are no copies of " + base::in_quotes(path),
                 "`phasegate db backup` makes one", ""};
  }
  if (name == "latest") return list->backups.back();
  const std::string_view wanted = name.substr(name.rfind('/') + 1);
  std::vector<std::string> names;
  for (const Backup& backup : list->backups) {
    if (backup.path == wanted) return backup;
    names.push_back(backup.path);
  }
  const auto nearest = base::nearest_name(wanted, names);
  return Error{"not_found", base::in_quotes(name) + " is no copy of " + base::in_quotes(path),
               nearest ? "did you mean " + *nearest + "?" : "`phasegate db backups` lists them",
               ""};
}

Result<Restored> restore(const fs::path& root, std::string_view path, std::string_view name,
                         const base::Clock& clock) {
  auto place = find_database(root, path);
  if (!place) return std::move(place).error();
  auto from = find_backup(root, path, name);
  if (!from) return std::move(from).error();
  const auto folder = open_backup_folder(*place, false);
  if (!folder) return folder.error();
  auto copy = open_copy(*place, *folder, *from);
  if (!copy) return std::move(copy).error();

  Restored done;
  done.from = *std::move(from);
  if (place->there) {
    auto before = back_up(root, BackupRequest{std::string(path), "", 0}, clock);
    if (before) {
      done.before = *std::move(before);
    } else if (before.error().code != "damaged" && before.error().code != "not_a_database") {
      return std::move(before).error();
    } else {
      auto aside = keep_damaged(*place, *folder, clock.now());
      if (!aside) return std::move(aside).error();
      done.set_aside = *std::move(aside);
      place->there = false;
    }
  }
  const auto put = place->there ? put_back(*place, *copy) : put_back_anew(*place, *copy);
  if (!put) return put.error();
  return done;
}

}  // namespace phasegate::world::database
