#include "state/db_watch.h"

#include <array>
#include <cstring>
#include <string_view>

#include <sqlite3.h>
#include <sys/stat.h>

#include "state/db_file.h"

namespace phasegate::state {

/// The beginning of SQLite's index of the log, shared by all processes ("The Write-Ahead Log File
/// Format", §2.1). Numbers stand in the byte order of the machine.
struct FileWatch::Index {
  std::uint32_t format;
  std::uint32_t unused;
  std::uint32_t change;
  std::uint8_t initialised;
  std::uint8_t big_endian_checksums;
  std::uint16_t page_bytes_code;
  std::uint32_t frames;          ///< in the log; 0: everything is in the database
  std::uint32_t database_pages;  ///< the database's size, log included
  std::array<std::uint32_t, 2> checksum;
  std::array<unsigned char, 8> salts;  ///< in the byte order of the log
  std::array<std::uint32_t, 2> index_checksum;

  /// 65536 does not fit and is written as 1.
  [[nodiscard]] std::int64_t page_bytes() const {
    return page_bytes_code == 1 ? 65'536 : page_bytes_code;
  }
  [[nodiscard]] bool operator==(const Index& other) const {
    return std::memcmp(this, &other, sizeof *this) == 0;
  }
};

/// What the database itself says at its beginning.
struct FileWatch::Header {
  std::uint32_t change_counter;
  std::int64_t size_bytes;
};

namespace {

constexpr int kHeaderBytes = 100;
constexpr std::int64_t kLogHeaderBytes = 32;
constexpr std::int64_t kFrameHeaderBytes = 24;
constexpr int kIndexRegionBytes = 32'768;
/// Behind two copies of the header: how many of the log's frames are in the database.
constexpr std::size_t kFramesCopiedWord = 24;

std::uint32_t number_at(const std::array<unsigned char, kHeaderBytes>& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = (number << 8U) | bytes[i];
  return number;
}

}  // namespace

FileWatch::FileWatch(sqlite3* handle)
    : handle_(handle),
      database_path_(sqlite3_db_filename(handle, "main")),
      log_path_(database_path_ + "-wal"),
      index_path_(database_path_ + "-shm"),
      database_(identity_of(database_path_)) {
  // Was it the connection's own file that stood there? If not, no later look finds it either.
  int moved = 0;
  sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved != 0 || !database_) database_ = Identity{};
  // Without a log of its own (a file that may only be read) there is nothing that could be lost.
  if (file_behind(handle_, SQLITE_FCNTL_JOURNAL_POINTER) == nullptr) return;
  log_ = identity_of(log_path_);
  index_ = identity_of(index_path_);
  // The log is open, so a name that is missing was taken away in this very moment.
  if (!log_) log_ = Identity{};
}

std::optional<FileWatch::Found> FileWatch::find(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Found{{status.st_dev, status.st_ino},
               status.st_size,
               status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec};
}

std::optional<FileWatch::Identity> FileWatch::identity_of(const std::string& path) {
  const auto found = find(path);
  if (!found) return std::nullopt;
  return found->identity;
}

FileWatch::Place FileWatch::place_of(const std::optional<Found>& now,
                                     const std::optional<Identity>& was) {
  if (!was) return Place::same;
  if (!now) return Place::gone;
  return now->identity == *was ? Place::same : Place::other;
}

FilesFound FileWatch::look() {
  const std::int64_t modified_before = modified_ns_;
  FilesFound found = look_once();
  // Another process may be writing the bytes that were read; then the second look finds them whole.
  if (found != FilesFound::as_opened) found = look_once();
  database_untouched_ = modified_ns_ == modified_before;
  return found;
}

bool FileWatch::index_is_cut() const {
  const auto index = find(index_path_);
  return index_ && place_of(index, index_) == Place::same && index->size_bytes < kIndexRegionBytes;
}

FilesFound FileWatch::look_once() {
  // What is mapped and no longer there ends the process when it is read.
  if (index_is_cut()) return FilesFound::log_lost;
  const auto index = log_ ? read_index() : std::nullopt;
  // The header comes before the size: a file that grows in between is no smaller than it says.
  const auto header = read_header();
  const auto database = find(database_path_);
  if (place_of(database, database_) != Place::same) return FilesFound::database_moved;
  const bool sound = database_is_sound(header, *database, index.value_or(Index{}));
  const auto log = find(log_path_);
  const bool whole = !index || (log && log_is_whole(*index, log->size_bytes));
  // Sizes and bytes were read one after the other: they tell something only if nobody has committed
  // meanwhile.
  const bool settled = !index || read_index() == index;
  if (!sound && settled) return FilesFound::database_overwritten;
  if (place_of(log, log_) != Place::same || place_of(find(index_path_), index_) != Place::same) {
    return FilesFound::log_lost;
  }
  return whole || !settled ? FilesFound::as_opened : FilesFound::log_lost;
}

const volatile std::uint32_t* FileWatch::mapped_index() const {
  sqlite3_file* file = file_behind(handle_, SQLITE_FCNTL_FILE_POINTER);
  if (file == nullptr || file->pMethods->iVersion < 2) return nullptr;
  void volatile* mapped = nullptr;
  file->pMethods->xShmMap(file, 0, kIndexRegionBytes, 0, &mapped);
  return static_cast<const volatile std::uint32_t*>(mapped);
}

std::optional<FileWatch::Index> FileWatch::read_index() const {
  const volatile std::uint32_t* from = mapped_index();
  if (from == nullptr) return std::nullopt;
  Index index{};
  static_assert(sizeof(Index) == 48);
  std::array<std::uint32_t, sizeof(Index) / 4> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = from[i];
  std::memcpy(&index, words.data(), sizeof index);
  if (index.initialised == 0) return std::nullopt;
  return index;
}

std::optional<FileWatch::Header> FileWatch::read_header() const {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  constexpr std::size_t kChangeCounterAt = 24;
  constexpr std::size_t kPagesAt = 28;
  constexpr std::size_t kPageBytesAt = 16;
  sqlite3_file* file = file_behind(handle_, SQLITE_FCNTL_FILE_POINTER);
  if (file == nullptr) return std::nullopt;
  std::array<unsigned char, kHeaderBytes> bytes{};
  if (file->pMethods->xRead(file, bytes.data(), kHeaderBytes, 0) != SQLITE_OK) return std::nullopt;
  if (std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) return std::nullopt;
  const std::int64_t page_code = (bytes[kPageBytesAt] << 8) | bytes[kPageBytesAt + 1];
  return Header{number_at(bytes, kChangeCounterAt),
                number_at(bytes, kPagesAt) * (page_code == 1 ? 65'536 : page_code)};
}

bool FileWatch::database_is_sound(const std::optional<Header>& header, const Found& database,
                                  const Index& index) {
  if (!header) return false;
  // It only grows, so a smaller one is an older copy written over the file.
  if (header->change_counter < change_counter_) return false;
  const std::int64_t size = database.size_bytes;
  if (index.frames == 0) {
    if (size < header->size_bytes) return false;
  } else if (size < size_bytes_ && size < header->size_bytes &&
             size < index.database_pages * index.page_bytes()) {
    // Pages may still be in the log only, but what was in the file once does not leave it, unless a
    // smaller copy was put back: then the file is as long as it says itself.
    return false;
  }
  modified_ns_ = database.modified_ns;
  size_bytes_ = size;
  change_counter_ = header->change_counter;
  return true;
}

bool FileWatch::log_is_whole(const Index& index, std::int64_t size_bytes) const {
  constexpr std::size_t kSaltsAt = 16;
  if (index.frames == 0) return true;
  sqlite3_file* log = file_behind(handle_, SQLITE_FCNTL_JOURNAL_POINTER);
  if (log == nullptr) return false;
  std::array<unsigned char, kLogHeaderBytes> header{};
  if (log->pMethods->xRead(log, header.data(), kLogHeaderBytes, 0) != SQLITE_OK) return false;
  if (std::memcmp(&header[kSaltsAt], index.salts.data(), index.salts.size()) != 0) return false;
  return size_bytes >= kLogHeaderBytes + index.frames * (kFrameHeaderBytes + index.page_bytes());
}

bool FileWatch::save_log() {
  if (index_is_cut()) return false;
  const auto index = read_index();
  if (!index) return false;
  if (index->frames == 0 || mapped_index()[kFramesCopiedWord] >= index->frames) return true;
  // The name may be gone, so the size is asked of the open file.
  sqlite3_file* log = file_behind(handle_, SQLITE_FCNTL_JOURNAL_POINTER);
  sqlite3_int64 size = 0;
  if (log == nullptr || log->pMethods->xFileSize(log, &size) != SQLITE_OK) return false;
  if (!log_is_whole(*index, size)) return false;
  // Whoever opened the database after its index was removed has an index and locks of his own, and
  // pages of our log may be older than what he has written.
  const Place place = place_of(find(index_path_), index_);
  if (place == Place::other || (place == Place::gone && !database_untouched_)) return false;
  int frames = 0;
  int copied = 0;
  const int code =
      sqlite3_wal_checkpoint_v2(handle_, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &copied);
  return code == SQLITE_OK && frames == copied;
}

}  // namespace phasegate::state
