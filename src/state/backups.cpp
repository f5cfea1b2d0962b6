#include "state/backups.h"

#include <algorithm>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "gating/engine/ports.h"
#include "state/backup_copy.h"
#include "state/files.h"
#include "state/lost_store.h"
#include "state/seal/audit.h"
#include "state/seal/open_seal.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using base::Error;
using base::Result;
namespace {

using Kind = StateBackup::Kind;

constexpr std::string_view kNameEnd = ".db";

std::string_view name_begin(Kind kind) {
  if (kind == Kind::doubtful) return "doubtful-";
  return kind == Kind::before_restore ? "before-restore-" : "state-";
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

Error already_there(const fs::path& file) {
  return {"exists", base::in_quotes(file.string()) + " is there already.",
          "Name another file; nothing was written.", ""};
}

/// What the file system says of a copy; nullopt if it is no regular file.
std::optional<StateBackup> look_at(const fs::path& file, Kind kind) {
  struct stat status{};
  if (::lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return StateBackup{kind, file, {std::int64_t{status.st_mtim.tv_sec} * 1000}, status.st_size};
}

/// The copies of this kind that back_up has named itself, oldest first.
std::vector<StateBackup> made_ones(const fs::path& folder, Kind kind) {
  std::vector<StateBackup> found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder / kBackupFolderName, failed), end;
       !failed && entry != end; entry.increment(failed)) {
    const auto time = time_of_backup_name(entry->path().filename().string(), kind);
    if (!time) continue;
    auto one = look_at(entry->path(), kind);
    if (!one) continue;
    one->made_at = *time;
    found.push_back(*std::move(one));
  }
  std::sort(found.begin(), found.end(),
            [](const StateBackup& a, const StateBackup& b) { return a.made_at < b.made_at; });
  return found;
}

/// Removes the oldest of them, never the newest, nor `made`, which is the oldest by name if the
/// clock was set back.
std::vector<std::string> clear_away(const fs::path& folder, const StateBackup& made) {
  std::vector<std::string> cleared;
  const std::vector<StateBackup> all = made_ones(folder, made.kind);
  const std::size_t kept = made.kind == Kind::made ? kBackupsKept : kOthersKept;
  for (std::size_t i = 0; i + kept < all.size(); ++i) {
    if (all[i].file == made.file) continue;
    // Another process may have been quicker.
    if (::unlink(all[i].file.c_str()) == 0) cleared.push_back(all[i].file.filename().string());
  }
  return cleared;
}

/// The name of the copy that is finished now: `to`, or the next free one of ours.
Result<fs::path> name_it(const UnfinishedFile& copy, const fs::path& folder,
                         const std::optional<fs::path>& to, base::TimePoint now, Kind kind) {
  if (to) {
    if (!give_name(copy.path(), *to)) return already_there(*to);
    return *to;
  }
  const fs::path place = folder / kBackupFolderName;
  // Copies of one millisecond are told apart by the next ones.
  for (std::size_t i = 0; i < base::limits::kBackupsMax; ++i) {
    fs::path name = place / backup_name({now.ms + static_cast<std::int64_t>(i)}, kind);
    if (give_name(copy.path(), name)) return name;
  }
  return already_there(place / backup_name(now, kind));
}

/// What is known before the copy is made: an anchor is never ahead of what was committed before.
struct Before {
  std::optional<std::int64_t> anchor;
  std::vector<std::string> doubts;
};

Before look_before(Db& source, const fs::path& folder) {
  Before before;
  try {
    auto seal = open_seal(source, folder);
    if (!seal) return before;
    AuditReport found;
    before.anchor = look_at_anchor(source, *seal, found);
    for (AuditFinding& one : found.findings) before.doubts.push_back(std::move(one.message));
  } catch (const gating::engine::StoreFailure&) {
    // The audit of the copy comes upon it as well.
  }
  return before;
}

std::vector<std::string> doubts_about(Db& copy, const fs::path& folder, Before before) {
  std::vector<std::string> doubts = std::move(before.doubts);
  try {
    auto seal = open_seal(copy, folder);
    if (!seal) return doubts;
    for (std::string& one : audit_copy(copy, *seal, before.anchor)) {
      doubts.push_back(std::move(one));
    }
  } catch (const gating::engine::StoreFailure& failure) {
    doubts.push_back(failure.error().message);
  }
  return doubts;
}

}  // namespace

std::string time_in_name(base::TimePoint time) {
  std::string text;
  for (const char c : base::to_rfc3339(time)) {
    if (c != '-' && c != ':' && c != '.') text += c;
  }
  return text;
}

std::string backup_name(base::TimePoint time, Kind kind) {
  return std::string(name_begin(kind)).append(time_in_name(time)).append(kNameEnd);
}

std::optional<base::TimePoint> time_of_backup_name(std::string_view name, Kind kind) {
  constexpr std::size_t kDigits = std::string_view("20270115T080000123Z").size();
  const std::string_view begin = name_begin(kind);
  if (!name.starts_with(begin) || !name.ends_with(kNameEnd)) return std::nullopt;
  name = name.substr(begin.size());
  name.remove_suffix(std::min(name.size(), kNameEnd.size()));
  if (name.size() != kDigits) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t count) {
    return std::string(name.substr(at, count));
  };
  const std::string text = part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + part(8, 1) +
                           part(9, 2) + ":" + part(11, 2) + ":" + part(13, 2) + "." + part(15, 3) +
                           part(18, 1);
  return base::from_rfc3339(text);
}

Result<BackedUp> back_up(const fs::path& folder, const std::optional<fs::path>& to,
                         base::TimePoint now, Kind kind) {
  const fs::path file = folder / kStoreFileName;
  if (!is_there(file)) {
    if (auto lost = lost_store(folder)) throw gating::engine::StoreFailure(*std::move(lost));
    return Error{"not_found", "Nothing is stored here yet, so there is nothing to copy.",
                 "`phasegate doctor` shows which folder is used.", ""};
  }
  std::error_code failed;
  if (to && is_there(*to)) return already_there(*to);
  if (to && !fs::is_directory(fs::absolute(*to).parent_path(), failed)) {
    return Error{
        "not_found",
        "There is no folder " + base::in_quotes(fs::absolute(*to).parent_path().string()) + ".",
        "Make it, or name another file; nothing was written.", ""};
  }
  Db source(file, {.mode = DbOptions::Mode::read_only,
                   .busy_ms = base::limits::kStoreBusyMs,
                   .application_id = kApplicationId});
  require_version_at_most(source, kStoreFileName, newest_version(all_migrations()));
  const fs::path place = to ? fs::absolute(*to).parent_path() : folder / kBackupFolderName;
  if (!to) {
    make_private_folder(place);
    remove_leftovers(place, kStoreFileName);
  }
  UnfinishedFile copy(to ? fs::absolute(*to) : place / kStoreFileName);
  Before before = look_before(source, folder);
  const CopyFacts facts = copy_verified(source, copy);
  BackedUp done;
  {
    Db read(copy.path(), {.mode = DbOptions::Mode::read_only});
    done.sessions = read.query_integer("SELECT count(*) FROM run").value_or(0);
    if (kind == Kind::made) done.doubts = doubts_about(read, folder, std::move(before));
  }
  if (!done.doubts.empty()) kind = Kind::doubtful;
  const auto name = name_it(copy, folder, to, now, kind);
  if (!name) return name.error();
  sync_folder(place);
  if (to) kind = Kind::named;
  done.backup = look_at(*name, kind).value_or(StateBackup{kind, *name, now, facts.bytes});
  done.backup.made_at = now;
  done.schema_version = facts.schema_version;
  done.database_id = facts.database_id;
  if (!to) done.cleared = clear_away(folder, done.backup);
  base::log_info("state.backed_up", {{"file", name->filename().string()},
                                     {"sessions", std::to_string(done.sessions)}});
  return done;
}

std::vector<StateBackup> list_backups(const fs::path& folder) {
  std::vector<StateBackup> all = made_ones(folder, Kind::made);
  for (const Kind kind : {Kind::doubtful, Kind::before_restore}) {
    const auto others = made_ones(folder, kind);
    all.insert(all.end(), others.begin(), others.end());
  }
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(std::string(kStoreFileName) + ".before-v")) continue;
    if (auto one = look_at(entry->path(), Kind::before_upgrade)) {
      all.push_back(*std::move(one));
    }
  }
  std::sort(all.begin(), all.end(),
            [](const StateBackup& a, const StateBackup& b) { return a.made_at < b.made_at; });
  return all;
}

std::optional<StateBackup> latest_backup(const fs::path& folder) {
  const std::vector<StateBackup> all = list_backups(folder);
  for (const Kind kind : {Kind::made, Kind::before_upgrade}) {
    const auto found = std::find_if(all.rbegin(), all.rend(),
                                    [&](const StateBackup& one) { return one.kind == kind; });
    if (found != all.rend()) return *found;
  }
  return std::nullopt;
}

}  // namespace phasegate::state
