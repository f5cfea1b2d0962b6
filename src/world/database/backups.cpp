#include "world/database/backups.h"

#include <algorithm>

#include <unistd.h>

#include "base/ids.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "world/database/copy.h"

namespace phasegate::world::database {
namespace fs = std::filesystem;
using base::Error;
using base::Result;
namespace {

constexpr int kTurnsMax = 1000;

/// Copies into a new file and reads it back.
Result<void> copy_into(const Place& database, const Place& target) {
  auto source = open_at(database, Connection::Mode::existing, base::limits::kStoreBusyMs);
  if (!source) return std::move(source).error();
  const auto before = schema_digest(*source);
  if (!before) return before.error();
  {
    auto copy = open_at(target, Connection::Mode::existing, 0);
    if (!copy) return std::move(copy).error();
    if (auto copied = copy_database(*source, *copy); !copied) return copied;
    // One file that stands for itself, whatever the database keeps beside it.
    if (auto set = copy->run("PRAGMA main.journal_mode=DELETE"); !set) return set;
  }
  auto copy = open_at(target, Connection::Mode::read_only, 0);
  if (!copy) return std::move(copy).error();
  if (auto whole = verify_integrity(*copy); !whole) {
    Error error = std::move(whole).error();
    error.message = "the copy of " + base::in_quotes(database.path) + " is not sound (" +
                    error.message + "); so the database is not either";
    return error;
  }
  const auto copied = schema_digest(*copy);
  if (!copied) return copied.error();
  if (*copied == *before) return {};
  // The schema may have been changed by others while the copy was made.
  const auto after = schema_digest(*source);
  if (!after) return after.error();
  if (*copied == *after) return {};
  return Error{"changed", "the copy of " + base::in_quotes(database.path) + " has another schema",
               "repeat when nothing changes the schema", database.path};
}

/// Gives the finished copy a name that is free; the name.
Result<std::string> name_copy(const BackupFolder& folder, const Unfinished& copy,
                              std::string_view database, base::TimePoint now) {
  for (int turn = 1; turn <= kTurnsMax; ++turn) {
    std::string name = backup_name(database, now, turn);
    const auto named = give_name(folder, copy.name(), name);
    if (!named) return named.error();
    if (*named) return name;
  }
  return Error{"exists", base::in_quotes(folder.path) + " holds too many copies of this moment", "",
               folder.path};
}

/// Forgets what is not there any more, and the oldest of the list beyond `keep`; the names of the
/// latter's files. What was added last stays. A row whose path is no copy's name is never a file's.
Result<std::vector<std::string>> forget_oldest(Manifest& manifest, const BackupFolder& folder,
                                               std::string_view database, std::size_t keep) {
  const auto listed = manifest.of(database);
  if (!listed) return listed.error();
  std::vector<const Backup*> there;
  for (const Backup& backup : *listed) {
    if (file_size(folder, backup.path) && is_backup_name(database, backup.path)) {
      there.push_back(&backup);
    } else if (auto gone = manifest.forget(backup.id); !gone) {
      return std::move(gone).error();
    }
  }
  std::vector<std::string> names;
  if (keep == 0 || there.size() <= keep) return names;
  for (std::size_t i = 0; i < there.size() - keep; ++i) {
    if (auto gone = manifest.forget(there[i]->id); !gone) return std::move(gone).error();
    names.push_back(there[i]->path);
  }
  return names;
}

/// Lists a copy that has its name. Files that are to go are removed only once the list says so:
/// whatever fails, a good copy is left.
Result<void> list_copy(Manifest& manifest, const BackupFolder& folder, const Backup& backup,
                       std::size_t keep) {
  if (auto synced = sync(folder, backup.path); !synced) return synced;
  if (auto added = manifest.add(backup); !added) return added;
  const auto oldest = forget_oldest(manifest, folder, backup.database, keep);
  if (!oldest) return oldest.error();
  if (auto kept = manifest.commit(); !kept) return kept;
  for (const std::string& name : *oldest) ::unlinkat(folder.descriptor.get(), name.c_str(), 0);
  return {};
}

Result<std::optional<Backup>> no_database(const Place& place) {
  const auto folder = open_backup_folder(place, false);
  if (!folder) {
    if (folder.error().code == "not_found") return std::optional<Backup>();
    return folder.error();
  }
  const auto listed = Manifest::read(place, *folder);
  if (!listed) return listed.error();
  if (listed->empty()) {
    base::log_info("database.nothing_to_back_up", {{"database", place.path}});
    return std::optional<Backup>();
  }
  return Error{
      "not_found", "the database " + base::in_quotes(place.path) + " was copied before and is gone",
      "put it back with `phasegate db restore`; if it shall begin anew, move the copies in " +
          base::in_quotes(folder->path) + " away",
      place.path};
}

}  // namespace

Result<std::optional<Backup>> back_up(const fs::path& root, const BackupRequest& request,
                                      const base::Clock& clock) {
  const auto place = find_database(root, request.path);
  if (!place) return place.error();
  if (!place->there) return no_database(*place);
  const auto folder = open_backup_folder(*place, true);
  if (!folder) return folder.error();
  auto manifest = Manifest::open(*place, *folder);
  if (!manifest) return std::move(manifest).error();
  if (auto clean = Unfinished::remove_leftovers(*folder); !clean) return std::move(clean).error();

  base::SystemIdSource ids;
  Backup backup;
  backup.id = ids.new_id();
  backup.database = place->file_name();
  const base::TimePoint now = clock.now();
  backup.created_at = base::to_rfc3339(now);
  backup.run_id = request.run_id;

  const auto copy = Unfinished::make(*folder, backup.id);
  if (!copy) return copy.error();
  const auto target = find_database(place->root, folder->path_of(copy->name()));
  if (!target) return target.error();
  if (auto copied = copy_into(*place, *target); !copied) return std::move(copied).error();
  const auto state = state_of(*folder, copy->name());
  if (!state) return state.error();
  backup.size_bytes = state->size;
  backup.sha256 = state->sha256;
  if (auto synced = sync(*folder, copy->name()); !synced) return std::move(synced).error();
  auto name = name_copy(*folder, *copy, backup.database, now);
  if (!name) return std::move(name).error();
  backup.path = *std::move(name);
  if (auto listed = list_copy(*manifest, *folder, backup, request.keep); !listed) {
    ::unlinkat(folder->descriptor.get(), backup.path.c_str(), 0);
    return std::move(listed).error();
  }
  base::log_info("database.backed_up", {{"database", place->path}, {"copy", backup.path}});
  return std::optional(std::move(backup));
}

Result<std::optional<Backup>> back_up(const fs::path& root,
                                      const phases::ProtectedDatabase& database,
                                      const std::string& run_id, const base::Clock& clock) {
  const std::size_t keep = database.backups < 1 ? 1 : static_cast<std::size_t>(database.backups);
  return back_up(root, BackupRequest{database.path, run_id, keep}, clock);
}

Result<BackupList> list_backups(const fs::path& root, std::string_view path) {
  const auto place = find_database(root, path);
  if (!place) return place.error();
  const auto folder = open_backup_folder(*place, false);
  BackupList list;
  if (!folder) {
    if (folder.error().code == "not_found") return list;
    return folder.error();
  }
  list.folder = folder->path;
  const auto listed = Manifest::read(*place, *folder);
  if (!listed) list.problem = listed.error().message;
  const auto names = names_in(*folder);
  if (!names) return names.error();
  const std::string database = place->file_name();
  std::vector<std::string> known;
  for (const Backup& backup : listed ? *listed : std::vector<Backup>()) {
    known.push_back(backup.path);
    if (file_size(*folder, backup.path)) list.backups.push_back(backup);
  }
  std::sort(known.begin(), known.end());
  std::vector<Backup> unlisted;
  for (const std::string& name : *names) {
    if (!is_backup_name(database, name) || std::binary_search(known.begin(), known.end(), name)) {
      continue;
    }
    const auto size = file_size(*folder, name);
    if (size) unlisted.push_back({"", database, "", name, "", *size, ""});
  }
  list.backups.insert(list.backups.begin(), unlisted.begin(), unlisted.end());
  return list;
}

}  // namespace phasegate::world::database
