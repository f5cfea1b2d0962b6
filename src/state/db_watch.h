#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <sys/types.h>

struct sqlite3;

namespace phasegate::state {

/// What somebody else has done to a database's files while a connection has them open.
enum class FilesFound {
  as_opened,             ///< nothing that can be seen from outside
  database_moved,        ///< another file, or none, stands where the database was
  database_overwritten,  ///< the same file was cut short or something was written over it
  log_lost,              ///< the log or its index was removed, replaced, cut short or overwritten
};

/// Remembers which files a connection in write-ahead mode has open and looks whether they are still
/// in place. SQLite does not look: it would go on writing into a log that has no name any more, and
/// acknowledge what is lost with the process.
class FileWatch {
 public:
  /// Begins to watch. The connection must have read the database once, so that its log is open;
  /// while it is open, no other process takes the log away in good faith. `handle` must outlive it.
  explicit FileWatch(sqlite3* handle);

  /// Compares. Costs three stats and two small reads (a few microseconds), takes no lock and waits
  /// for nobody. What was written over the middle of a file is not seen; SQLite or the digests of
  /// what is stored find that when it is read.
  [[nodiscard]] FilesFound look();

  /// After `log_lost`: copies what the log holds into the database through the connection's own
  /// files, which is safe as long as nobody has begun another log. True if everything that was
  /// acknowledged is in the database now. Not within a transaction.
  [[nodiscard]] bool save_log();

 private:
  struct Identity {
    dev_t device;
    ino_t inode;
    bool operator==(const Identity&) const = default;
  };
  /// What a path leads to.
  struct Found {
    Identity identity;
    std::int64_t size_bytes;
    std::int64_t modified_ns;
  };
  struct Header;
  struct Index;
  enum class Place { same, gone, other };

  [[nodiscard]] static std::optional<Found> find(const std::string& path);
  [[nodiscard]] static std::optional<Identity> identity_of(const std::string& path);
  [[nodiscard]] static Place place_of(const std::optional<Found>& now,
                                      const std::optional<Identity>& was);
  [[nodiscard]] FilesFound look_once();
  [[nodiscard]] bool index_is_cut() const;
  [[nodiscard]] const volatile std::uint32_t* mapped_index() const;
  [[nodiscard]] std::optional<Index> read_index() const;
  [[nodiscard]] std::optional<Header> read_header() const;
  [[nodiscard]] bool database_is_sound(const std::optional<Header>& header, const Found& database,
                                       const Index& index);
  [[nodiscard]] bool log_is_whole(const Index& index, std::int64_t size_bytes) const;

  sqlite3* handle_;
  std::string database_path_;
  std::string log_path_;
  std::string index_path_;
  std::optional<Identity> database_;
  std::optional<Identity> log_;
  std::optional<Identity> index_;
  std::int64_t size_bytes_ = 0;
  std::int64_t modified_ns_ = 0;
  bool database_untouched_ = false;  ///< between the last two looks nobody wrote into it
  std::uint32_t change_counter_ = 0;
};

}  // namespace phasegate::state
