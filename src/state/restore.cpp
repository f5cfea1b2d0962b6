#include "state/restore.h"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/text.h"
#include "gating/engine/ports.h"
#include "state/backup_copy.h"
#include "state/db_failure.h"
#include "state/file_calls.h"
#include "state/file_system.h"
#include "state/files.h"
#include "state/restore_plan.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using base::Error;
using base::Result;
using gating::engine::StoreFailure;
namespace {

/// Appends all bytes of a file to another.
void append_file(const fs::path& from, UnfinishedFile& to) {
  constexpr std::size_t kBytesAtOnce = 1U << 20U;
  const auto fd = open_file(from, O_RDONLY | O_NONBLOCK);
  struct stat status{};
  if (!fd.open() || ::fstat(fd.get(), &status) != 0) throw_errno(errno, "cannot take the copy in");
  if (!S_ISREG(status.st_mode)) {
    throw StoreFailure(Error{"not_a_database", from.filename().string() + " is no regular file",
                             "name a copy that `phasegate backup` has made", ""});
  }
  std::string bytes(kBytesAtOnce, '\0');
  for (off_t at = 0;;) {
    const ssize_t got = read_up_to_at(fd.get(), bytes, at);
    if (got < 0) throw_errno(errno, "cannot take the copy in");
    if (got == 0) return;
    to.append(std::string_view(bytes.data(), static_cast<std::size_t>(got)));
    at += got;
  }
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) && !failed;
}

Error changed_meanwhile() {
  return {"busy", "another process has made a state here meanwhile",
          "stop every phasegate of this project and repeat the call", ""};
}

/// What is said of the unfinished file is said of the copy that it was made from.
[[noreturn]] void throw_about(const StoreFailure& failure, const fs::path& unfinished,
                              const fs::path& copy) {
  Error error = failure.error();
  const std::string name = unfinished.filename().string();
  const std::size_t at = error.message.find(name);
  if (at != std::string::npos) {
    error.message.replace(at, name.size(), copy.filename().string());
    error.hint =
        "choose another copy, `phasegate backup --list` shows those here; nothing was changed";
  }
  throw StoreFailure(std::move(error));
}

}  // namespace

struct Restore::Parts {
  explicit Parts(const fs::path& where) : folder(where), staged(where / kStoreFileName) {}

  fs::path folder;
  UnfinishedFile staged;
  RestorePlan plan;
};

Restore::Restore(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Restore::~Restore() = default;

const RestorePlan& Restore::plan() const {
  return parts_->plan;
}

Result<std::unique_ptr<Restore>> Restore::prepare(const fs::path& folder, const fs::path& copy) {
  std::error_code failed;
  if (!fs::exists(copy, failed)) {
    return Error{"not_found", "There is no file " + base::in_quotes(copy.string()) + ".",
                 "`phasegate backup --list` shows the copies here.", ""};
  }
  if (is_same_file(copy, folder / kStoreFileName)) {
    return Error{"not_found", base::in_quotes(copy.string()) + " is the state itself, no copy.",
                 "`phasegate backup --list` shows the copies here.", ""};
  }
  if (const auto network = network_file_system_of(folder)) {
    throw StoreFailure(network_refusal(*network));
  }
  make_private_folder(folder);
  auto parts = std::make_unique<Parts>(folder);
  append_file(copy, parts->staged);
  const fs::path log = copy.string() + "-wal";
  std::optional<UnfinishedFile> staged_log;
  if (fs::exists(log, failed) && fs::file_size(log, failed) > 0) {
    create_private_file(parts->staged.path().string() + "-wal");
    staged_log.emplace(folder / kStoreFileName);
    append_file(log, *staged_log);
    fs::rename(staged_log->path(), parts->staged.path().string() + "-wal");
  }
  try {
    look_at_copy(folder, parts->staged.path(), copy.filename().string(), parts->plan);
  } catch (const StoreFailure& failure) {
    throw_about(failure, parts->staged.path(), copy);
  }
  compare_with_live(folder, parts->staged.path(), parts->plan);
  return std::unique_ptr<Restore>(new Restore(std::move(parts)));
}

Restored Restore::carry_out(const std::string& who, base::TimePoint now) {
  Restored done;
  const fs::path file = parts_->folder / kStoreFileName;
  const RestorePlan& plan = parts_->plan;
  if (plan.there && !plan.unreadable) {
    Db copy(parts_->staged.path(), {.application_id = kApplicationId});
    Db live(file, {.busy_ms = base::limits::kStoreBusyMs, .application_id = kApplicationId});
    live.use_write_ahead_log();
    // What is committed until now is in the copy of what was there; after it nothing is.
    Replacement replacement(live, copy);
    auto before = back_up(parts_->folder, std::nullopt, now, StateBackup::Kind::before_restore);
    if (!before) throw StoreFailure(before.error());
    done.before = std::move(before->backup);
    prepare_copy(parts_->folder, copy, who, now);
    replacement.carry_out();
    live.empty_log();
  } else {
    {
      Db copy(parts_->staged.path(), {.application_id = kApplicationId});
      prepare_copy(parts_->folder, copy, who, now);
    }
    std::error_code none;
    const auto log_bytes = fs::file_size(parts_->staged.path().string() + "-wal", none);
    if (!none && log_bytes > 0) throw_errno(ENOSPC, "cannot be written");
    if (plan.there) {
      if (!why_unusable(parts_->folder)) throw StoreFailure(changed_meanwhile());
      done.set_aside = set_database_aside(parts_->folder, now);
    }
    parts_->staged.unlock();
    if (!give_name(parts_->staged.path(), file)) {
      throw StoreFailure(changed_meanwhile());
    }
    sync_folder(parts_->folder);
  }
  anchor_restored(parts_->folder);
  base::log_info("state.restored", {{"by", who}});
  return done;
}

}  // namespace phasegate::state
