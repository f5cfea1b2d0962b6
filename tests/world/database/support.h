#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/clock.h"
#include "base/text.h"
#include "tests/support/files.h"
#include "world/database/backups.h"
#include "world/database/connection.h"

namespace phasegate::test {

namespace database = world::database;
namespace fs = std::filesystem;

inline bool has_text(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A project's folder with databases in it.
struct Databases {
  TempFolder folder;
  base::ManualClock clock;

  [[nodiscard]] fs::path root() const { return fs::canonical(folder.path()); }

  /// A connection as any program has one.
  [[nodiscard]] database::Connection open(const std::string& path) const {
    fs::create_directories((root() / path).parent_path());
    auto connection =
        database::Connection::open(root() / path, path, database::Connection::Mode::create, 0);
    REQUIRE_MESSAGE(connection.ok(), base::to_text(connection.error()));
    return std::move(connection).value();
  }

  void run(const std::string& path, const std::string& sql) const {
    auto connection = open(path);
    const auto done = connection.run(sql);
    REQUIRE_MESSAGE(done.ok(), base::to_text(done.error()));
  }

  /// Three books.
  void make(const std::string& path = "data/project.db") const {
    run(path,
        "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL);"
        "INSERT INTO book VALUES (1, 'one'), (2, 'two'), (3, 'three')");
  }

  [[nodiscard]] std::int64_t count(const std::string& path,
                                   const std::string& table = "book") const {
    auto connection = open(path);
    const auto found = connection.whole("SELECT count(*) FROM " + table);
    REQUIRE_MESSAGE(found.ok(), base::to_text(found.error()));
    return *found;
  }

  [[nodiscard]] base::Result<std::optional<database::Backup>> back_up(
      const std::string& path = "data/project.db", std::size_t keep = 0) {
    clock.advance_ms(1000);
    return database::back_up(root(), database::BackupRequest{path, "run-1", keep}, clock);
  }

  /// The copy that was made.
  [[nodiscard]] database::Backup backed_up(const std::string& path = "data/project.db",
                                           std::size_t keep = 0) {
    auto made = back_up(path, keep);
    REQUIRE_MESSAGE(made.ok(), base::to_text(made.error()));
    REQUIRE(made->has_value());
    return **made;
  }

  /// Names of a folder below the root, in order.
  [[nodiscard]] std::vector<std::string> names(const std::string& below) const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(root() / below)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

/// The code of what must have been refused; "" if it was not.
template <typename T>
std::string code_of(const base::Result<T>& result) {
  if (!result.ok()) INFO(base::to_text(result.error()));
  return result.ok() ? "" : result.error().code;
}

}  // namespace phasegate::test
