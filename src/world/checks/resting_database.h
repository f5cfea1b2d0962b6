#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace phasegate::world::checks {

/// An SQLite database that keeps a log (WAL mode) and has nothing in it: all that is committed
/// stands in its own file. SQLite makes a log and an index (`-wal`, `-shm`) beside such a database
/// even for a connection that only reads, and such a connection cannot take them away again. Opened
/// as one that nobody changes, it needs neither.
class RestingDatabase {
 public:
  /// nullopt for any other database, which is opened in the usual way: one without WAL mode leaves
  /// nothing behind, and one with something in its log cannot be read without it. O(1).
  [[nodiscard]] static std::optional<RestingDatabase> at(const std::filesystem::path& path);

  /// What SQLite opens, with SQLITE_OPEN_URI.
  [[nodiscard]] std::string uri() const;
  /// True if nobody has written since: otherwise nothing that was read counts, also no error.
  [[nodiscard]] bool still() const;

 private:
  using Stamp = std::array<std::int64_t, 7>;

  RestingDatabase(std::filesystem::path path, const Stamp& stamp)
      : path_(std::move(path)), stamp_(stamp) {}
  [[nodiscard]] static std::optional<Stamp> stamp_of(const std::filesystem::path& path);

  std::filesystem::path path_;
  Stamp stamp_;
};

}  // namespace phasegate::world::checks
