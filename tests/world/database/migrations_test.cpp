#include "world/database/migrations.h"

#include <doctest/doctest.h>

#include "tests/world/database/support.h"

using namespace phasegate;
using test::code_of;
using test::Databases;
using test::has_text;
namespace database = world::database;
namespace fs = std::filesystem;

namespace {

struct Migrations {
  Databases project;

  void write(const std::string& name, const std::string& sql) const {
    project.folder.write("migrations/" + name, sql);
  }
  [[nodiscard]] base::Result<database::Migrated> run(bool dry = false) {
    project.clock.advance_ms(1000);
    return database::migrate(project.root(), {"data/project.db", "migrations", dry}, project.clock);
  }
  [[nodiscard]] std::size_t applied() {
    const auto done = run();
    REQUIRE_MESSAGE(done.ok(), base::to_text(done.error()));
    return done->migrations.size();
  }
};

constexpr const char* kFirst = "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);\n";

}  // namespace

TEST_CASE("migrations: each is run once, in order, noted, after a copy (003-67)") {
  Migrations migrations;
  fs::create_directories(migrations.project.root() / "data");
  migrations.write("0001-books.sql", kFirst);
  migrations.write("0002-more.sql",
                   "-- drop and alter are for migrations\nALTER TABLE book ADD COLUMN year;\n"
                   "INSERT INTO book(title) VALUES ('a;b');\nDROP TABLE IF EXISTS none;\n");
  migrations.write("README.md", "about");
  const auto dry = migrations.run(true);
  REQUIRE(dry.ok());
  CHECK(dry->migrations.size() == 2);
  CHECK_FALSE(fs::exists(migrations.project.root() / "data/project.db"));
  const auto first = migrations.run();
  REQUIRE_MESSAGE(first.ok(), base::to_text(first.error()));
  CHECK(first->migrations.size() == 2);
  CHECK_FALSE(first->backup.has_value());
  CHECK(migrations.project.count("data/project.db") == 1);
  CHECK(migrations.applied() == 0);
  migrations.write("0003-gone.sql", "DELETE FROM book; DROP TABLE book;");
  const auto third = migrations.run();
  REQUIRE_MESSAGE(third.ok(), base::to_text(third.error()));
  CHECK(third->before == 2);
  REQUIRE(third->backup.has_value());
  CHECK(migrations.project.count("data/backups/" + third->backup->path) == 1);
  auto connection = migrations.project.open("data/project.db");
  const auto rows = connection.rows("SELECT number, name, applied_at FROM phasegate_migrations");
  REQUIRE(rows.ok());
  REQUIRE(rows->size() == 3);
  CHECK((*rows)[2][1] == database::Value("0003-gone.sql"));
}

TEST_CASE("migrations: one that fails leaves nothing of it, and what came before") {
  Migrations migrations;
  fs::create_directories(migrations.project.root() / "data");
  SUBCASE("the first one: no file is left") {
    migrations.write("0001-books.sql", "CREATE TABLE book(id);\nCREATE TABL x;\n");
    const auto failed = migrations.run();
    CHECK(code_of(failed) == "migration_failed");
    CHECK(failed.error().where == "0001-books.sql:2");
    CHECK_FALSE(fs::exists(migrations.project.root() / "data/project.db"));
    return;
  }
  migrations.write("0001-books.sql", kFirst);
  struct Case {
    const char* sql;
    const char* says;
  };
  const std::vector<Case> cases = {
      {"INSERT INTO book VALUES (1, 'x'); SELECT * FROM none;", "none"},
      {"INSERT INTO book VALUES (1, 'x'); COMMIT;", "transaction"},
      {"BEGIN;", "transaction"},
      {"SAVEPOINT a;", "transaction"},
      {"INSERT INTO book VALUES (1, 'x'); ATTACH 'x.db' AS x;", "attaches"},
      {"SELECT load_extension('x');", "loads code"},
      {"PRAGMA writable_schema=ON;", "PRAGMA"},
      {"PRAGMA journal_mode=OFF;", "PRAGMA"},
      {"INSERT INTO book VALUES (1, 'x'); VACUUM;", "VACUUM"},
      {"VACUUM INTO 'copy.db';", "VACUUM"},
      {"DROP TABLE phasegate_migrations;", "list of applied"},
      {"DELETE FROM phasegate_migrations WHERE 1;", "list of applied"},
      {"ALTER TABLE phasegate_migrations RENAME TO x;", "list of applied"},
      {"CREATE TABLE leaf(b REFERENCES book(id)); INSERT INTO leaf VALUES (99);", "refer to rows"},
  };
  REQUIRE(migrations.applied() == 1);
  for (const Case& one : cases) {
    CAPTURE(one.sql);
    migrations.write("0002-bad.sql", one.sql);
    const auto failed = migrations.run();
    CHECK(code_of(failed) == "migration_failed");
    if (!failed.ok())
      CHECK_MESSAGE(has_text(failed.error().message, one.says), failed.error().message);
    CHECK(migrations.project.count("data/project.db") == 0);
    CHECK(migrations.project.count("data/project.db", "phasegate_migrations") == 1);
  }
  CHECK(migrations.project.names("data") == std::vector<std::string>{"backups", "project.db"});
  migrations.write("0002-bad.sql", "INSERT INTO book VALUES (1, 'x')");
  CHECK(migrations.applied() == 1);
}

TEST_CASE("migrations: a table may be rebuilt without taking along what refers to it") {
  Migrations migrations;
  fs::create_directories(migrations.project.root() / "data");
  migrations.write("0001-a.sql",
                   "CREATE TABLE book(id INTEGER PRIMARY KEY); CREATE TABLE page(book REFERENCES "
                   "book(id) ON DELETE CASCADE); INSERT INTO book VALUES (1); INSERT INTO page "
                   "VALUES (1);");
  migrations.write(
      "0002-b.sql",
      "CREATE TABLE new(id INTEGER PRIMARY KEY, t TEXT); INSERT INTO new(id) SELECT id "
      "FROM book; DROP TABLE book; ALTER TABLE new RENAME TO book;");
  migrations.write("0003-c.sql", "CREATE VIRTUAL TABLE words USING fts5(w);");
  CHECK(migrations.applied() == 3);
  CHECK(migrations.project.count("data/project.db", "page") == 1);
}

TEST_CASE("migrations: applied files stay as they were, whatever ends their lines") {
  Migrations migrations;
  fs::create_directories(migrations.project.root() / "data");
  migrations.write("0001-books.sql", kFirst);
  migrations.write("0002-log.sql", "CREATE TABLE log(x);\n");
  REQUIRE(migrations.applied() == 2);
  SUBCASE("CRLF and a byte order mark") {
    migrations.write("0002-log.sql",
                     "\xEF\xBB\xBF"
                     "CREATE TABLE log(x);\r\n");
    CHECK(migrations.applied() == 0);
  }
  SUBCASE("changed") {
    migrations.write("0001-books.sql", "CREATE TABLE book(id);\n");
    CHECK(code_of(migrations.run()) == "migration_changed");
    CHECK(code_of(migrations.run(true)) == "migration_changed");
  }
  SUBCASE("renamed") {
    fs::rename(migrations.project.root() / "migrations/0002-log.sql",
               migrations.project.root() / "migrations/0002-logs.sql");
    CHECK(code_of(migrations.run()) == "migration_changed");
  }
  SUBCASE("missing") {
    fs::remove(migrations.project.root() / "migrations/0002-log.sql");
    CHECK(code_of(migrations.run()) == "migration_missing");
  }
}

TEST_CASE("migrations: names and files that are none") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"1-books.sql", kFirst},    {"0001_books.sql", kFirst},
      {"books.sql", kFirst},      {"0000-books.sql", kFirst},
      {"0002-books.sql", kFirst}, {"0001-.sql", kFirst},
      {"0001-a b.sql", kFirst},   {"00000000000001-a.sql", kFirst},
      {"0001-books.sql", ""},     {"0001-books.sql", " \n"},
      {"0001-books.sql", "\xFF"}, {"0001-books.sql", std::string("SELECT 1\0;", 10)},
  };
  for (const auto& [name, sql] : rows) {
    CAPTURE(name);
    Migrations migrations;
    migrations.write(name, sql);
    CHECK(code_of(migrations.run()) == "invalid_migration");
  }
  Migrations migrations;
  CHECK(code_of(migrations.run()) == "not_found");
  migrations.write("notes.txt", "x");
  CHECK(code_of(migrations.run()) == "not_found");
  migrations.write("0001-a.sql", kFirst);
  migrations.write("0001-b.sql", kFirst);
  CHECK(code_of(migrations.run()) == "invalid_migration");
  const test::TempFolder elsewhere;
  elsewhere.write("0001-a.sql", kFirst);
  fs::remove_all(migrations.project.root() / "migrations");
  fs::create_directory_symlink(elsewhere.path(), migrations.project.root() / "migrations");
  CHECK(code_of(migrations.run()) == "outside_root");
}
