#include "rag/index_folder.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ids.h"
#include "base/limits.h"
#include "base/log.h"
#include "gating/engine/ports.h"
#include "rag/index_schema.h"
#include "state/db_failure.h"
#include "state/file_system.h"
#include "state/files.h"

namespace phasegate::rag {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kNameBytesMax = 128;
constexpr std::string_view kDoing = "cannot keep its search index";

std::string pointer_name() {
  return "current-" + std::to_string(kIndexFormat);
}

/// Of the index in use.
std::string index_prefix() {
  return "index-" + std::to_string(kIndexFormat) + "-";
}

/// Of one that is being made.
std::string build_prefix() {
  return "build-" + std::to_string(kIndexFormat) + "-";
}

/// A name that make_file made: what stands in a file that others can write is not trusted.
bool is_index_name(std::string_view name) {
  const std::string prefix = index_prefix();
  return name.starts_with(prefix) && name.ends_with(".db") &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") ==
             std::string_view::npos &&
         name.find("..") == std::string_view::npos;
}

/// What is behind the prefix of build_prefix.
std::string made_part(const fs::path& built) {
  return built.filename().string().substr(build_prefix().size());
}

/// Not written for an hour, or not there: a leftover of a killed process.
bool is_old(const fs::path& file) {
  std::error_code error;
  const auto written = fs::last_write_time(file, error);
  return error || fs::file_time_type::clock::now() - written > std::chrono::hours(1);
}

}  // namespace

std::optional<std::string> IndexFolder::current_name() const {
  const base::Descriptor file(::open((folder_ / pointer_name()).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    state::throw_errno(errno, kDoing);
  }
  std::array<char, kNameBytesMax> bytes{};
  const ssize_t size = ::read(file.get(), bytes.data(), bytes.size());
  if (size < 0) state::throw_errno(errno, kDoing);
  std::string name(bytes.data(), static_cast<std::size_t>(size));
  if (!is_index_name(name)) return std::nullopt;
  return name;
}

std::unique_ptr<IndexDb> IndexFolder::open_existing() const {
  // Between reading the name and opening the file another index may be swapped in.
  constexpr int kTries = 5;
  for (int i = 0; i < kTries; ++i) {
    const auto name = current_name();
    std::error_code error;
    if (!name || !fs::exists(folder_ / *name, error)) {
      if (name == current_name()) return nullptr;
      continue;
    }
    try {
      auto db = std::make_unique<IndexDb>(folder_ / *name, IndexDb::Open::existing);
      if (is_current(*db)) return db;
    } catch (const gating::engine::StoreFailure&) {
      if (name == current_name()) throw;
    }
  }
  return nullptr;
}

std::unique_ptr<IndexDb> IndexFolder::open() const {
  constexpr int kTries = 5;
  for (int i = 0; i < kTries; ++i) {
    const std::string name = current_name().value_or("");
    try {
      if (auto db = open_existing()) return db;
    } catch (const gating::engine::StoreFailure& failure) {
      const std::string& code = failure.error().code;
      if (code != "damaged" && code != "not_a_database") throw;
      base::log_warning("the search index is of no use and is made anew",
                        {{"why", failure.error().message}});
    }
    abandon(name);
  }
  throw gating::engine::StoreFailure(
      {"busy", "the search index is being replaced again and again", "try again in a moment", ""});
}

bool IndexFolder::is_current(const IndexDb& db) const {
  return current_name() == db.name();
}

fs::path IndexFolder::make_file(std::string_view prefix) const {
  if (const auto network = state::network_file_system_of(folder_)) {
    throw gating::engine::StoreFailure(state::network_refusal(*network));
  }
  state::make_private_folder(folder_);
  fs::path made = folder_ / (std::string(prefix) + base::SystemIdSource().new_id() + ".db");
  state::create_private_file(made);
  return made;
}

std::unique_ptr<IndexDb> IndexFolder::make_beside() const {
  return std::make_unique<IndexDb>(make_file(build_prefix()), IndexDb::Open::create);
}

base::Descriptor IndexFolder::lock(int how) const {
  const fs::path file = folder_ / ("lock-" + std::to_string(kIndexFormat));
  base::Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.open()) state::throw_errno(errno, kDoing);
  // Not for ever: who holds it may have been stopped.
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(base::limits::kStoreBusyMs);
  while (::flock(lock.get(), how | LOCK_NB) != 0) {
    if (errno != EINTR && errno != EWOULDBLOCK) state::throw_errno(errno, kDoing);
    if (std::chrono::steady_clock::now() > until) {
      throw gating::engine::StoreFailure(
          {"busy", "the search index is in use by somebody else", "try again in a moment", ""});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return lock;
}

base::Descriptor IndexFolder::lock_for_writing() const {
  return lock(LOCK_SH);
}

void IndexFolder::set_current(const std::string& name) const {
  const fs::path pointer = folder_ / pointer_name();
  state::UnfinishedFile next(pointer);
  next.append(name);
  next.sync();
  std::error_code error;
  fs::rename(next.path(), pointer, error);
  if (error) state::throw_errno(error.value(), kDoing);
}

void IndexFolder::swap_in(std::unique_ptr<IndexDb> made) const {
  const fs::path built = folder_ / made->name();
  // Closed, it is one file, which may get another name; what is not in it would be lost.
  made.reset();
  std::error_code none;
  if (const auto left = fs::file_size(built.string() + "-wal", none); !none && left > 0) {
    state::throw_errno(ENOSPC, kDoing);
  }
  const std::string name = index_prefix() + made_part(built);
  const base::Descriptor alone = lock(LOCK_EX);
  std::error_code error;
  fs::rename(built, folder_ / name, error);
  if (error) state::throw_errno(error.value(), kDoing);
  set_current(name);
  remove_others(name);
}

void IndexFolder::abandon(const std::string& name) const {
  state::make_private_folder(folder_);
  const base::Descriptor alone = lock(LOCK_EX);
  if (current_name().value_or("") != name) return;
  const fs::path made = make_file(index_prefix());
  IndexDb(made, IndexDb::Open::create);
  set_current(made.filename().string());
  remove_others(made.filename().string());
}

void IndexFolder::remove_others(const std::string& kept) const noexcept {
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool other = name.starts_with(index_prefix()) && !name.starts_with(kept);
    // Another process may be filling one; it writes into the log beside it.
    const bool left =
        (name.starts_with(build_prefix()) || name.starts_with(pointer_name() + ".")) &&
        is_old(at->path()) && is_old(at->path().string() + "-wal");
    std::error_code ignored;
    if (other || left) fs::remove(at->path(), ignored);
  }
}

std::uint64_t IndexFolder::bytes() const {
  const auto name = current_name();
  if (!name) return 0;
  std::uint64_t sum = 0;
  for (const char* part : {"", "-wal"}) {
    std::error_code error;
    const auto size = fs::file_size(folder_ / (*name + part), error);
    if (!error) sum += size;
  }
  return sum;
}

}  // namespace phasegate::rag
