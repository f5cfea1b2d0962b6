#include "world/database/backups.h"

#include <csignal>

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "tests/world/database/support.h"

using namespace phasegate;
using test::code_of;
using test::Databases;
using test::has_text;
namespace database = world::database;
namespace fs = std::filesystem;

TEST_CASE("backup: a verified copy lies beside the database, and is listed (003-61, 003-69)") {
  Databases project;
  project.make();
  const auto copy = project.backed_up();
  CHECK(copy.path == "project-20270115T080001000Z.db");
  CHECK(copy.created_at == "2027-01-15T08:00:01.000Z");
  CHECK(copy.run_id == "run-1");
  CHECK(project.names("data/backups") == std::vector<std::string>{"backups.db", copy.path});
  CHECK(project.count("data/backups/" + copy.path) == 3);
  const fs::path file = project.root() / "data/backups" / copy.path;
  CHECK(static_cast<std::int64_t>(fs::file_size(file)) == copy.size_bytes);
  CHECK((fs::status(file).permissions() & fs::perms::others_all) == fs::perms::none);
  auto manifest = project.open("data/backups/backups.db");
  const auto rows =
      manifest.rows("SELECT id, path, workflow_run_id, size_bytes FROM database_backups");
  REQUIRE(rows.ok());
  REQUIRE(rows->size() == 1);
  CHECK(rows->front()[1] == database::Value(copy.path));
  CHECK(rows->front()[2] == database::Value("run-1"));
  const auto list = database::list_backups(project.root(), "data/project.db");
  REQUIRE(list.ok());
  CHECK(list->backups == std::vector{copy});
}

TEST_CASE("backup: the newest are kept, and the one just made always (003-61)") {
  Databases project;
  project.make();
  const auto first = project.backed_up("data/project.db", 2);
  const auto second = project.backed_up("data/project.db", 2);
  // The clock goes back: the newest by its making stays, whatever its name says.
  project.clock.advance_ms(-60'000);
  const auto third = project.backed_up("data/project.db", 2);
  CHECK(project.names("data/backups") ==
        std::vector<std::string>{"backups.db", third.path, second.path});
  const auto fourth = project.backed_up("data/project.db", 1);
  CHECK(project.names("data/backups") == std::vector<std::string>{"backups.db", fourth.path});
  // What the list does not know is nobody's to remove, and is listed first.
  project.folder.write("data/backups/project-20200101T000000000Z.db", "mine");
  const auto fifth = project.backed_up("data/project.db", 1);
  const auto list = database::list_backups(project.root(), "data/project.db");
  REQUIRE(list.ok());
  REQUIRE(list->backups.size() == 2);
  CHECK(list->backups[0].path == "project-20200101T000000000Z.db");
  CHECK(list->backups[0].id.empty());
  CHECK(list->backups[1] == fifth);
}

TEST_CASE("backup: a list that was forged removes nothing but copies") {
  Databases project;
  project.make();
  static_cast<void>(project.backed_up());
  project.folder.write("data/keep.txt", "x");
  project.run("data/backups/backups.db",
              "INSERT INTO database_backups(rowid, id, database, created_at, path, size_bytes, "
              "sha256) VALUES (-1, 'a', 'project.db', '', '../keep.txt', 1, ''),"
              "(-2, 'b', 'project.db', '', '../project.db', 1, '')");
  static_cast<void>(project.backed_up("data/project.db", 1));
  CHECK(fs::exists(project.root() / "data/keep.txt"));
  CHECK(project.count("data/project.db") == 3);
}

TEST_CASE("backup: copies of one moment have names of their own") {
  Databases project;
  project.make();
  const auto first = project.backed_up();
  project.clock.advance_ms(-1000);
  const auto second = project.backed_up();
  CHECK(second.path == "project-20270115T080001000Z-2.db");
  CHECK(first.path != second.path);
  for (const char* name : {"project-20270115T080001000Z-2.db", "project-20270115T080001000Z.db"}) {
    CHECK(database::is_backup_name("project.db", name));
  }
  for (const char* name :
       {"project.db", "project-.db", "project-20270115T080001000Z-.db", "project-x.db",
        "project-20270115T080001000Zx.db", "other-20270115T080001000Z.db", "backups.db", ""}) {
    CHECK_FALSE(database::is_backup_name("project.db", name));
  }
  CHECK(database::backup_name("noending", {0}, 1) == "noending-19700101T000000000Z.db");
  CHECK(database::backup_name("a.sqlite", {0}, 2) == "a-19700101T000000000Z-2.sqlite");
}

TEST_CASE("backup: the write-ahead log counts, and a copy is one file") {
  Databases project;
  project.make();
  auto writer = project.open("data/project.db");
  REQUIRE(writer.run("PRAGMA journal_mode=WAL; INSERT INTO book VALUES (4, 'four')").ok());
  CHECK(fs::exists(project.root() / "data/project.db-wal"));
  // A writer is in the middle of a transaction: what it has not committed is not copied.
  REQUIRE(writer.run("BEGIN IMMEDIATE; INSERT INTO book VALUES (5, 'five')").ok());
  const auto copy = project.backed_up();
  REQUIRE(writer.run("COMMIT").ok());
  CHECK(project.count("data/backups/" + copy.path) == 4);
  CHECK(project.count("data/project.db") == 5);
  CHECK(project.names("data/backups") == std::vector<std::string>{"backups.db", copy.path});
}

TEST_CASE("backup: a reader of the database hinders nothing, a writer's lock is waited for") {
  Databases project;
  project.make();
  auto other = project.open("data/project.db");
  REQUIRE(other.run("BEGIN; SELECT * FROM book").ok());
  static_cast<void>(project.backed_up());
  REQUIRE(other.run("ROLLBACK").ok());
}

TEST_CASE("backup: what an interrupted process left is no copy, and is cleaned away") {
  Databases project;
  project.make();
  project.folder.write("data/backups/.unfinished-1234", "half");
  project.folder.write("data/backups/.unfinished-1234-journal", "half");
  const auto list = database::list_backups(project.root(), "data/project.db");
  REQUIRE(list.ok());
  CHECK(list->backups.empty());
  const auto copy = project.backed_up();
  CHECK(project.names("data/backups") == std::vector<std::string>{"backups.db", copy.path});
}

TEST_CASE("backup: no database yet is nothing to copy, one that is gone is an error") {
  Databases project;
  const auto nothing = project.back_up();
  REQUIRE(nothing.ok());
  CHECK_FALSE(nothing->has_value());
  CHECK_FALSE(fs::exists(project.root() / "data"));
  project.make();
  static_cast<void>(project.backed_up());
  fs::remove(project.root() / "data/project.db");
  const auto gone = project.back_up();
  CHECK(code_of(gone) == "not_found");
  CHECK(has_text(gone.error().hint, "db restore"));
}

TEST_CASE("backup: what is no sound database is refused, and nothing half is left") {
  Databases project;
  project.make();
  const auto whole = test::read_file(project.root() / "data/project.db");
  struct Case {
    const char* what;
    std::string bytes;
    const char* code;
  };
  std::string torn = whole;
  torn.replace(4096, 64, std::string(64, '\x5A'));
  const std::vector<Case> cases = {
      {"text", std::string(5000, 'x'), "not_a_database"},
      {"a page overwritten", torn, "damaged"},
      {"cut short", whole.substr(0, 5000), "damaged"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    project.folder.write("data/project.db", one.bytes);
    CHECK(code_of(project.back_up()) == one.code);
    CHECK(project.names("data/backups") == std::vector<std::string>{"backups.db"});
    CHECK(test::read_file(project.root() / "data/project.db") == one.bytes);
  }
}

TEST_CASE("backup: links and other things in the way") {
  Databases project;
  const test::TempFolder elsewhere;
  project.make();
  SUBCASE("a database that is a link out of the project") {
    fs::rename(project.root() / "data/project.db", elsewhere.path() / "project.db");
    fs::create_symlink(elsewhere.path() / "project.db", project.root() / "data/project.db");
    CHECK(code_of(project.back_up()) == "outside_root");
    CHECK_FALSE(fs::exists(elsewhere.path() / "backups"));
  }
  SUBCASE("a folder that is one") {
    fs::create_directory_symlink(elsewhere.path(), project.root() / "out");
    CHECK(code_of(project.back_up("out/project.db")) == "outside_root");
  }
  SUBCASE("copies that would go out of the project") {
    fs::create_directory_symlink(elsewhere.path(), project.root() / "data/backups");
    CHECK(code_of(project.back_up()) == "outside_root");
    CHECK(fs::is_empty(elsewhere.path()));
  }
  SUBCASE("a list of copies that is a link") {
    fs::create_directories(project.root() / "data/backups");
    fs::create_symlink(elsewhere.path() / "list.db", project.root() / "data/backups/backups.db");
    CHECK_FALSE(project.back_up().ok());
    CHECK(fs::is_empty(elsewhere.path()));
  }
  SUBCASE("a link within the project is followed") {
    fs::create_symlink("data/project.db", project.root() / "link.db");
    CHECK(project.backed_up("link.db").database == "project.db");
    CHECK(fs::exists(project.root() / "data/backups"));
  }
  SUBCASE("a link that leads nowhere") {
    fs::create_symlink("nothing.db", project.root() / "link.db");
    CHECK(code_of(project.back_up("link.db")) == "unreadable");
  }
  SUBCASE("a folder, a pipe, a path that climbs") {
    fs::create_directory(project.root() / "data/folder.db");
    CHECK(code_of(project.back_up("data/folder.db")) == "not_a_file");
    REQUIRE(::mkfifo((project.root() / "data/pipe.db").c_str(), 0600) == 0);
    CHECK(code_of(project.back_up("data/pipe.db")) == "not_a_file");
    CHECK(code_of(project.back_up("../x.db")) == "invalid_path");
    CHECK(code_of(project.back_up(std::string("a\0b", 3))) == "invalid_path");
    CHECK(code_of(project.back_up("")) == "invalid_path");
  }
}

TEST_CASE("backup: a database that becomes a link while it is opened is not copied") {
  Databases project;
  project.make();
  const auto place = database::find_database(project.root(), "data/project.db");
  REQUIRE(place.ok());
  project.make("data/other.db");
  fs::remove(project.root() / "data/project.db");
  SUBCASE("a link") {
    fs::create_symlink("other.db", project.root() / "data/project.db");
    CHECK_FALSE(database::open_at(*place, database::Connection::Mode::existing, 0).ok());
  }
  SUBCASE("another file") {
    fs::rename(project.root() / "data/other.db", project.root() / "data/project.db");
    CHECK(code_of(database::open_at(*place, database::Connection::Mode::existing, 0)) == "changed");
  }
}

TEST_CASE("backup: a list of copies that is damaged is left as it is, and the copies stay") {
  Databases project;
  project.make();
  const auto copy = project.backed_up();
  project.folder.write("data/backups/backups.db", std::string(3000, 'x'));
  const auto refused = project.back_up();
  CHECK(code_of(refused) == "list_damaged");
  CHECK(has_text(refused.error().hint, "move it away"));
  const auto list = database::list_backups(project.root(), "data/project.db");
  REQUIRE(list.ok());
  CHECK_FALSE(list->problem.empty());
  REQUIRE(list->backups.size() == 1);
  CHECK(list->backups[0].path == copy.path);
}

TEST_CASE("backup: a full disk leaves nothing half") {
  Databases project;
  if (::mount("none", project.root().c_str(), "tmpfs", 0, "size=1m") != 0) {
    MESSAGE("skipped: no right to mount");
    return;
  }
  project.run("project.db", "CREATE TABLE t(x); INSERT INTO t VALUES (randomblob(600000))");
  const auto full = project.back_up("project.db");
  CHECK(code_of(full) == "disk_full");
  CHECK(project.names("backups") == std::vector<std::string>{"backups.db"});
  CHECK(::mount("none", project.root().c_str(), "tmpfs", MS_REMOUNT, "size=8m") == 0);
  static_cast<void>(project.backed_up("project.db"));
  CHECK(::umount(project.root().c_str()) == 0);
}

TEST_CASE("backup: an empty file is a database with nothing in it") {
  Databases project;
  project.folder.write("data/project.db", "");
  static_cast<void>(project.backed_up());
}
