#include <set>

#include <doctest/doctest.h>

#include "tests/world/database/support.h"
#include "world/database/guard_rules.h"
#include "world/database/guarded_database.h"

using namespace phasegate;
using test::code_of;
using test::Databases;
using test::has_text;
using world::database::Value;
namespace database = world::database;

namespace {

constexpr const char* kSchema =
    "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE);"
    "CREATE TABLE page(id INTEGER PRIMARY KEY, book REFERENCES book(id) ON DELETE CASCADE);"
    "CREATE TABLE log(x);"
    "CREATE TABLE unique_word(w TEXT UNIQUE ON CONFLICT REPLACE);"
    "CREATE TABLE swept(x);"
    "CREATE TRIGGER sweep AFTER INSERT ON swept BEGIN DELETE FROM log; END;"
    "CREATE TABLE filled(x);"
    "CREATE TRIGGER fill AFTER INSERT ON filled BEGIN INSERT OR REPLACE INTO book VALUES (1, "
    "'new'); END;"
    "CREATE VIEW titles AS SELECT title FROM book;"
    "CREATE TRIGGER untitle INSTEAD OF DELETE ON titles BEGIN DELETE FROM book WHERE title = "
    "old.title; END;"
    "CREATE VIRTUAL TABLE words USING fts5(w);"
    "INSERT INTO book VALUES (1, 'one'), (2, 'two'), (3, 'three');"
    "INSERT INTO page(book) VALUES (1), (1), (2); INSERT INTO log VALUES (1), (2);";

/// A database with triggers, keys and views, and a desk for tokens.
struct Guarded {
  Databases project;
  std::set<std::string> used;
  std::string key = std::string(32, 'k');

  Guarded() { project.run("data/project.db", kSchema); }

  [[nodiscard]] database::GuardedDatabase open(const std::string& path = "data/project.db") {
    auto opened = database::GuardedDatabase::open(
        project.root(), path,
        database::TokenDesk{key, project.clock, [this](const std::string& token, std::int64_t) {
                              return used.insert(token).second;
                            }});
    REQUIRE_MESSAGE(opened.ok(), base::to_text(opened.error()));
    return std::move(opened).value();
  }
  [[nodiscard]] base::Result<database::Change> run(const std::string& sql,
                                                   const std::string& token = "",
                                                   const std::vector<Value>& values = {}) {
    return open().execute(sql, values, token);
  }
  [[nodiscard]] database::Confirmation confirm(const std::string& sql,
                                               const std::vector<Value>& values = {}) {
    auto confirmed = open().confirm(sql, values);
    REQUIRE_MESSAGE(confirmed.ok(), base::to_text(confirmed.error()));
    return *confirmed;
  }
  [[nodiscard]] std::int64_t count(const std::string& table) const {
    return project.count("data/project.db", table);
  }
};

}  // namespace

TEST_CASE(
    "guard: what is blocked is blocked in the words of the design (003-62 … 003-65, 003-67)") {
  Guarded guarded;
  const std::string drop = "DROP TABLE blocked. Use migrations system.";
  const std::string deletion = "Database deletion blocked.";
  const std::string truncate = "TRUNCATE blocked. Use explicit DELETE with confirmation.";
  const std::string token = "DELETE requires confirmation token from db.getDeleteConfirmation()";
  const std::string schema = "Schema changes are blocked here. Use migrations system.";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"DROP TABLE book", drop},
      {"drop /* x */ table if exists book;", drop},
      {"-- SELECT 1\nDROP TABLE log", drop},
      {"\xEF\xBB\xBF"
       "DROP TABLE log",
       drop},
      {"EXPLAIN DROP TABLE log", drop},
      {"DROP DATABASE project", deletion},
      {"DROP SCHEMA main", deletion},
      {"TRUNCATE TABLE book", truncate},
      {"TRUNCATE book", truncate},
      {"DELETE FROM book", truncate},
      {"delete from book -- WHERE id = 1", truncate},
      {"DELETE FROM book /* WHERE 1", truncate},
      {"DELETE FROM book RETURNING (SELECT 1 WHERE 1)", truncate},
      {"DELETE FROM \"book\" RETURNING \"where\"", truncate},
      {"WITH x AS (SELECT 1 WHERE 1) DELETE FROM book", truncate},
      {"DELETE FROM book LIMIT 1", truncate},
      {"DELETE FROM book WHERE id = 1", token},
      {"DELETE FROM book WHERE 1", token},
      {"DELETE\nFROM\tbook\fWHERE true", token},
      {"WITH x AS (SELECT 1) DELETE FROM book WHERE id IN x", token},
      {"DELETE FROM titles WHERE title = 'one'", token},
      {"INSERT INTO swept VALUES (1)", token},
      {"DELETE FROM words WHERE rowid = 1", token},
      {"INSERT INTO words(words) VALUES ('delete-all')", token},
      {"INSERT INTO words(\"WORDS\", rowid, w) VALUES ('delete', 1, '')", token},
      {"DROP INDEX i", schema},
      {"DROP TRIGGER sweep", schema},
      {"DROP VIEW titles", schema},
      {"CREATE TABLE t(x)", schema},
      {"CREATE TEMP TABLE t(x)", schema},
      {"ALTER TABLE book ADD COLUMN x", schema},
      {"REINDEX", schema},
      {"ANALYZE", schema},
  };
  for (const auto& [sql, message] : rows) {
    CAPTURE(sql);
    const auto refused = guarded.run(sql);
    // A statement that opens a comment at its end, a statement within one: see the next test.
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message == message);
    CHECK_FALSE(guarded.open().query(sql, {}).ok());
  }
  CHECK(guarded.count("book") == 3);
  CHECK(guarded.count("log") == 2);
}

TEST_CASE("guard: statements that are more than they say") {
  Guarded guarded;
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"REPLACE INTO book VALUES (1, 'x')", "blocked"},
      {"INSERT OR REPLACE INTO book VALUES (1, 'x')", "blocked"},
      {"INSERT OR/**/replace INTO book VALUES (1, 'x')", "blocked"},
      {"INSERT OR \xEF\xBB\xBFREPLACE INTO book VALUES (1, 'x')", "blocked"},
      {"UPDATE OR REPLACE book SET id = 1", "blocked"},
      {"WITH x AS (SELECT 1) REPLACE INTO book SELECT * FROM x", "blocked"},
      {"INSERT INTO unique_word VALUES ('a')", "blocked"},
      {"UPDATE unique_word SET w = 'a'", "blocked"},
      {"INSERT INTO filled VALUES (1)", "blocked"},
      {"SELECT load_extension('x')", "blocked"},
      {"INSERT INTO log SELECT load_extension('x')", "blocked"},
      {"ATTACH 'x.db' AS x", "blocked"},
      {"DETACH main", "blocked"},
      {"VACUUM", "blocked"},
      {"VACUUM INTO 'x.db'", "blocked"},
      {"BEGIN", "blocked"},
      {"COMMIT", "blocked"},
      {"SAVEPOINT x", "blocked"},
      {"PRAGMA writable_schema=ON", "blocked"},
      {"PRAGMA journal_mode=DELETE", "blocked"},
      {"PRAGMA user_version=7", "blocked"},
      {"PRAGMA database_list", "blocked"},
      {"SELECT * FROM pragma_database_list", "blocked"},
      {"UPDATE sqlite_master SET sql = ''", "invalid_sql"},
      {"DELETE FROM sqlite_schema WHERE 1", "invalid_sql"},
      {"SELECT 1; DELETE FROM book WHERE 1", "invalid_sql"},
      {"INSERT INTO log VALUES (1); DROP TABLE book", "invalid_sql"},
      {"CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM book; END", "invalid_sql"},
      {"", "invalid_sql"},
      {" ; ; -- nothing", "invalid_sql"},
      {"/* DROP TABLE book", "invalid_sql"},
      {std::string("SELECT 1\0; DROP TABLE book", 26), "invalid_sql"},
      {"SELECT '\xFF'", "invalid_sql"},
      {"SELECT 'open", "invalid_sql"},
      {"WITH x AS (SELECT $a(')) INSERT OR REPLACE INTO book VALUES (1, ')", "invalid_sql"},
      {"INSERT INTO nothing VALUES (1)", "invalid_sql"},
      {"SELECT \"no such column\" FROM book", "invalid_sql"},
      {"SELECT " + std::string(1U << 20U, '1'), "invalid_sql"},
      {"SELECT " + std::string(200'000, '(') + "1" + std::string(200'000, ')'), "invalid_sql"},
      {"INSERT INTO log VALUES (?)", "invalid_argument"},
      {"\xD0\xA1REATE TABLE t(x)", "blocked"},  // a Cyrillic letter
  };
  for (const auto& [sql, code] : rows) {
    CAPTURE(sql.substr(0, 100));
    const auto executed = guarded.run(sql);
    const auto queried = guarded.open().query(sql, {});
    CHECK_FALSE(executed.ok());
    CHECK_FALSE(queried.ok());
    const std::string first = code_of(executed);
    CHECK((first == code || (first == "is_query" && code_of(queried) == code)));
  }
  CHECK(guarded.count("book") == 3);
  CHECK(guarded.count("log") == 2);
  CHECK(guarded.project.names("data") == std::vector<std::string>{"project.db"});
}

TEST_CASE("guard: reading is free, and only reads") {
  Guarded guarded;
  const auto found = guarded.open().query(
      "SELECT id, title, NULL, 1.5, x'00' FROM book WHERE id = ?", {std::int64_t{2}});
  REQUIRE_MESSAGE(found.ok(), base::to_text(found.error()));
  CHECK(found->columns.size() == 5);
  REQUIRE(found->rows.size() == 1);
  CHECK(found->rows[0] == database::Row{std::int64_t{2}, std::string("two"), std::monostate{}, 1.5,
                                        database::Blob{std::string(1, '\0')}});
  for (const char* sql :
       {"VALUES (1), (2)", "WITH x AS (SELECT 1) SELECT * FROM x", "PRAGMA table_info(book)",
        "PRAGMA user_version", "EXPLAIN QUERY PLAN SELECT * FROM book",
        "SELECT replace('a','a','b')", "EXPLAIN INSERT INTO log VALUES (1)",
        "SELECT * FROM pragma_table_info('book')", "SELECT w FROM words WHERE words MATCH 'x'",
        "SELECT 'a; b -- c'; -- end", "PRAGMA integrity_check"}) {
    CAPTURE(sql);
    const auto rows = guarded.open().query(sql, {});
    CHECK_MESSAGE(rows.ok(), code_of(rows));
  }
  CHECK(code_of(guarded.open().query("INSERT INTO log VALUES (1)", {})) == "changes");
  CHECK(code_of(guarded.run("SELECT 1")) == "is_query");
  const auto many = guarded.open().query(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n", {});
  REQUIRE(many.ok());
  CHECK(many->rows.size() == 10'000);
  CHECK(many->cut);
  CHECK(guarded.count("log") == 2);
}

TEST_CASE("guard: rows may be inserted and updated, whole or not at all (003-68)") {
  Guarded guarded;
  const auto one = guarded.run("INSERT INTO book VALUES (?, ?) RETURNING id, title", "",
                               {std::int64_t{4}, std::string("four'; DROP TABLE book; --")});
  REQUIRE_MESSAGE(one.ok(), base::to_text(one.error()));
  CHECK(one->changed == 1);
  CHECK(one->deleted == 0);
  REQUIRE(one->returned.rows.size() == 1);
  CHECK(guarded.run("UPDATE book SET title = title || '!' WHERE id > 2").value().changed == 2);
  CHECK(guarded.run("INSERT INTO book VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET title = 'x'")
            .ok());
  // What a table or trigger says gives way to what the statement says.
  CHECK(guarded.run("INSERT OR ABORT INTO unique_word VALUES ('a')").ok());
  CHECK_FALSE(guarded.run("INSERT OR ABORT INTO unique_word VALUES ('a')").ok());
  CHECK_FALSE(guarded.run("INSERT OR ABORT INTO filled VALUES (1)").ok());
  CHECK(guarded.run("INSERT INTO words(w) VALUES ('x')").ok());
  // The second row is refused, so the first is not kept either.
  CHECK_FALSE(guarded.run("INSERT INTO book VALUES (8, 'eight'), (1, 'taken')").ok());
  CHECK(guarded.count("book") == 4);
  CHECK(guarded.run("INSERT INTO page(book) VALUES (99)").error().message.find("FOREIGN KEY") !=
        std::string::npos);
}

TEST_CASE("guard: a confirmed deletion deletes what was confirmed, once (003-65, 003-66)") {
  Guarded guarded;
  const std::string sql = "DELETE FROM book WHERE id = 1";
  const auto confirmed = guarded.confirm(sql);
  CHECK(guarded.count("book") == 3);
  CHECK(confirmed.loss.rows == 3);  // a book and its two pages
  REQUIRE(confirmed.tables.size() == 2);
  CHECK(confirmed.tables[0].name == "book");
  CHECK(confirmed.tables[0].before == 3);
  CHECK(confirmed.tables[0].after == 2);
  CHECK(confirmed.tables[1].name == "page");
  // Laid out otherwise it is the same statement.
  const auto done = guarded.run("DELETE  FROM book -- now\n WHERE id=1;", confirmed.token);
  REQUIRE_MESSAGE(done.ok(), base::to_text(done.error()));
  CHECK(done->changed == 1);
  CHECK(done->deleted == 3);
  CHECK(guarded.count("page") == 1);
  guarded.project.run("data/project.db",
                      "INSERT INTO book VALUES (1, 'one'); INSERT INTO page(book) VALUES (1), (1)");
  CHECK(code_of(guarded.run(sql, confirmed.token)) == "token_used");
  CHECK(guarded.count("book") == 3);
}

TEST_CASE("guard: a token for something else is none (003-66)") {
  Guarded guarded;
  const std::string sql = "DELETE FROM book WHERE id = ?";
  const std::vector<Value> values = {std::int64_t{3}};
  const std::string token = guarded.confirm(sql, values).token;
  SUBCASE("another statement, other values, another kind of value") {
    CHECK(code_of(guarded.run("DELETE FROM page WHERE id = ?", token, values)) == "invalid_token");
    CHECK(code_of(guarded.run(sql, token, {std::int64_t{2}})) == "invalid_token");
    CHECK(code_of(guarded.run(sql, token, {std::string("3")})) == "invalid_token");
    CHECK(code_of(guarded.run("DELETE FROM book WHERE id = 3", token)) == "invalid_token");
  }
  SUBCASE("forged") {
    std::string more = token;
    more[more.find('.') + 1] = '9';
    std::string later = token;
    later[0] = '9';
    std::string changed = token;
    changed.back() = changed.back() == 'A' ? 'E' : 'A';
    for (const std::string& forged :
         {more, later, changed, std::string("x"), std::string("1.1.1.x.y"), token + ".x",
          std::string(100'000, '.'), std::string("99999999999999999999.1.1.a.b")}) {
      CHECK(code_of(guarded.run(sql, forged, values)) == "invalid_token");
    }
    guarded.key = std::string(32, 'o');
    CHECK(code_of(guarded.run(sql, token, values)) == "invalid_token");
  }
  SUBCASE("expired") {
    guarded.project.clock.advance_ms(database::TokenDesk::kLifeMs);
    CHECK(code_of(guarded.run(sql, token, values)) == "token_expired");
  }
  SUBCASE("more rows than were confirmed") {
    guarded.project.run("data/project.db", "INSERT INTO page(book) VALUES (3)");
    const auto refused = guarded.run(sql, token, values);
    CHECK(code_of(refused) == "rows_changed");
    CHECK(has_text(refused.error().message, "1 row; now it would be 2"));
    CHECK(guarded.used.empty());
  }
  SUBCASE("another file in its place") {
    const auto path = guarded.project.root() / "data/project.db";
    std::filesystem::rename(path, guarded.project.root() / "data/old.db");
    guarded.project.run("data/project.db", kSchema);
    CHECK(code_of(guarded.run(sql, token, values)) == "invalid_token");
    CHECK(code_of(guarded.open("data/old.db").execute(sql, values, token)) == "invalid_token");
  }
  CHECK(guarded.count("book") == 3);
}

TEST_CASE("guard: triggers that delete, and deletions of nothing and of everything") {
  Guarded guarded;
  const auto swept = guarded.confirm("INSERT INTO swept VALUES (1)");
  CHECK(swept.loss.rows == 2);
  CHECK(guarded.run("INSERT INTO swept VALUES (1)", swept.token).value().deleted == 2);
  const auto view = guarded.confirm("DELETE FROM titles WHERE title = 'two'");
  CHECK(guarded.run("DELETE FROM titles WHERE title = 'two'", view.token).ok());
  CHECK(guarded.count("book") == 2);
  const auto nothing = guarded.confirm("DELETE FROM book WHERE id = 99");
  CHECK(nothing.loss.rows == 0);
  CHECK(guarded.run("DELETE FROM book WHERE id = 99", nothing.token).value().deleted == 0);
  const auto all = guarded.confirm("DELETE FROM book WHERE 1");
  CHECK(all.tables[0].after == 0);
  CHECK(guarded.run("DELETE FROM book WHERE 1", all.token).ok());
  CHECK(guarded.count("book") == 0);
  CHECK(code_of(guarded.open().confirm("UPDATE book SET title = ''", {})) == "needs_no_token");
  CHECK(code_of(guarded.open().confirm("SELECT 1", {})) == "is_query");
  CHECK(code_of(guarded.open().confirm("DELETE FROM book", {})) == "blocked");
}

TEST_CASE("guard: a missing database and one that is locked") {
  Guarded guarded;
  const database::TokenDesk desk{"k", guarded.project.clock, {}};
  CHECK(code_of(database::GuardedDatabase::open(guarded.project.root(), "data/no.db", desk)) ==
        "not_found");
  CHECK(guarded.project.names("data") == std::vector<std::string>{"project.db"});
}
