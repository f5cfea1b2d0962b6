#include <atomic>
#include <thread>

#include <doctest/doctest.h>

#include "tests/world/database/support.h"

using namespace phasegate;
using test::Databases;
namespace database = world::database;

TEST_CASE("backup: others write meanwhile, and every copy holds whole transactions (003-61)") {
  for (const char* mode : {"DELETE", "WAL"}) {
    CAPTURE(mode);
    Databases project;
    project.run("data/project.db",
                std::string("PRAGMA journal_mode=") + mode +
                    "; CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);"
                    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000) "
                    "INSERT INTO book(title) SELECT printf('%0200d', x) FROM n");
    std::atomic<bool> stop = false;
    std::atomic<int> written = 0;
    std::atomic<int> failed = 0;
    std::thread writer([&] {
      auto connection = database::Connection::open(project.root() / "data/project.db", "project.db",
                                                   database::Connection::Mode::existing, 60'000);
      while (connection.ok() && !stop) {
        // Two rows at a time: an odd number would be half a transaction.
        const auto done = connection->run(
            "BEGIN IMMEDIATE; INSERT INTO book(title) VALUES ('a'); INSERT INTO book(title) VALUES "
            "('b'); COMMIT");
        if (done.ok()) {
          ++written;
        } else {
          ++failed;
          static_cast<void>(connection->run("ROLLBACK"));
        }
      }
    });
    while (written < 3 && failed == 0) std::this_thread::yield();
    std::vector<std::string> copies;
    for (int i = 0; i < 4; ++i) {
      const auto made = project.back_up();
      CHECK_MESSAGE(made.ok(), test::code_of(made));
      if (made.ok() && made->has_value()) copies.push_back((*made)->path);
    }
    stop = true;
    writer.join();
    CHECK(failed == 0);
    REQUIRE(copies.size() == 4);
    for (const std::string& copy : copies) {
      const auto rows = project.count("data/backups/" + copy);
      CHECK(rows % 2 == 0);
      CHECK(rows > 20'000);
    }
  }
}

TEST_CASE("backup: several at once wait for each other") {
  Databases project;
  project.make();
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  const base::ManualClock clock;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto made = database::back_up(project.root(),
                                          database::BackupRequest{"data/project.db", "", 0}, clock);
      if (made.ok() && made->has_value()) ++good;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 4);
  const auto list = database::list_backups(project.root(), "data/project.db");
  REQUIRE(list.ok());
  CHECK(list->backups.size() == 4);
  CHECK(list->problem.empty());
}
