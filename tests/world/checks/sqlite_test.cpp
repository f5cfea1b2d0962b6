#include <algorithm>

#include <sqlite3.h>

#include "tests/world/checks/bench.h"
#include "world/checks/query_values.h"
#include "world/checks/resting_database.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;
using base::Json;
using gating::CheckOutcome;
using phases::CheckKind;
constexpr auto passed = CheckOutcome::passed;
constexpr auto failed = CheckOutcome::failed;
constexpr auto errored = CheckOutcome::errored;

struct Database {
  sqlite3* connection = nullptr;
  explicit Database(const fs::path& path) {
    REQUIRE(sqlite3_open(path.c_str(), &connection) == SQLITE_OK);
  }
  ~Database() { sqlite3_close(connection); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  void run(const char* sql) const {
    char* message = nullptr;
    const int code = sqlite3_exec(connection, sql, nullptr, nullptr, &message);
    CAPTURE(sql);
    REQUIRE_MESSAGE(code == SQLITE_OK, (message == nullptr ? "" : message));
  }
};

constexpr const char* kTables =
    "CREATE TABLE plans(id INTEGER PRIMARY KEY, run TEXT, title TEXT, score REAL, raw BLOB);"
    "INSERT INTO plans VALUES (1, 'run-1', 'first', 0.5, x'00ff'), (2, 'run-1', NULL, 2, NULL),"
    "(3, 'other', 'third', 1, NULL);"
    "CREATE VIRTUAL TABLE notes USING fts5(body); INSERT INTO notes VALUES ('some words');"
    "CREATE VIEW titles AS SELECT title FROM plans;";

TEST_CASE("sqlite check: what a query finds (ARCHITECTURE §5, 003)") {
  Bench bench;
  bench.write("data/empty.db", "");
  bench.write("data/text.db",
              "not a database, but long enough to have a header of a hundred bytes"
              "..............................................................");
  {
    const Database db(bench.root / "data/p.db");
    db.run(kTables);
  }
  bench.scope["evidence"] = {
      {"id", 3}, {"text", "3"}, {"title", "first' OR '1'='1"}, {"half", 0.5}};
  run_rows(
      bench, CheckKind::sqlite,
      {
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans WHERE run = :run"})x", passed},
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans WHERE run = :run", "rows": 2})x",
           passed},
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans WHERE run = :run", "rows": 1})x",
           failed, "more than 1 rows"},
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans", "rows": 4})x", failed,
           "finds 3 rows, wanted 4"},
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans WHERE id = 9"})x", failed,
           "finds no row, wanted one"},
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans WHERE id = 9", "expect": "none"})x",
           passed},
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans", "expect": "none"})x", failed,
           "finds a row, wanted none"},
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans WHERE id = @id AND typeof(@id) = 'integer'",
               "parameters": {"id": "{{evidence.id}}"}})x",
           passed},
          {R"x({"db": "data/p.db", "query": "SELECT 1 WHERE typeof(:a) = 'real' AND typeof(:b) = 'text' AND typeof(:c) = 'text'",
               "parameters": {"a": "{{ evidence.half }}", "b": "{{evidence.text}}", "c": "x{{evidence.id}}"}})x",
           passed},
          {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans WHERE title = $title",
               "parameters": {"title": "{{evidence.title}}"}})x",
           failed, "finds no row"},
          {R"x({"db": "data/p.db", "query": "SELECT body FROM notes WHERE notes MATCH 'words'"})x",
           passed},
          {R"x({"db": "data/p.db", "query": "SELECT count(*), max(length(upper(title))) FROM titles; -- end\n"})x",
           passed},
          {R"x({"db": "data/p.db", "query": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5) SELECT i FROM n", "rows": 5})x",
           passed},
          {R"x({"db": "data/p.db", "query": "SELECT 1 WHERE :idd", "parameters": {"id": "1"}})x",
           errored, ":idd"},
          {R"x({"db": "data/p.db", "query": "SELECT 1", "parameters": {"id": "1"}})x", errored,
           "does not have the parameter \":id\""},
          {R"x({"db": "data/p.db", "query": "SELECT 1 WHERE ?"})x", errored, "without a name"},
          {R"x({"db": "data/p.db", "query": "SELECT :arg"})x", errored, ":arg"},
          {R"x({"db": "data/p.db", "query": "SELECT :run", "parameters": {"run": "other"}})x",
           errored, "always the run's id"},
          {R"x({"db": "data/p.db", "query": "SELECT :id", "parameters": {"id": "{{evidence.none}}"}})x",
           errored},
          {R"x({"db": "data/p.db", "query": ""})x", errored, "not one statement"},
          {R"x({"db": "data/p.db", "query": "-- nothing"})x", errored, "not one statement"},
          {R"x({"db": "data/p.db", "query": "SELECT 1; SELECT 2"})x", errored, "not one statement"},
          {R"x({"db": "data/p.db", "query": "SELECT 1\u0000; DROP TABLE plans"})x", errored},
          {R"x({"db": "data/p.db", "query": "SELEC 1"})x", errored, "syntax error"},
          {R"x({"db": "data/p.db", "query": "SELECT * FROM absent"})x", errored, "no such table"},
          {R"x({"db": "data/p.db", "query": "SELECT \"title1\" FROM plans"})x", errored,
           "no such column"},
          {R"x({"db": "data/empty.db", "query": "SELECT 1 FROM plans"})x", errored,
           "no such table"},
          {R"x({"db": "data/text.db", "query": "SELECT 1 FROM plans"})x", errored,
           "no SQLite database"},
          {R"x({"db": "data/q.db", "query": "SELECT 1"})x", failed, "data/q.db does not exist"},
          {R"x({"db": "data", "query": "SELECT 1"})x", failed, "is a folder"},
          {R"x({"db": "../p.db", "query": "SELECT 1"})x", errored},
          {R"x({"db": "file:data/p.db?mode=rwc", "query": "SELECT 1"})x", failed, "does not exist"},
          {R"x({"db": "data/p.db?mode=rwc", "query": "SELECT 1"})x", failed, "does not exist"},
          {R"x({"db": "/dev/zero", "query": "SELECT 1"})x", failed, "not a regular file"},
      });
  CHECK_FALSE(fs::exists(bench.root / "data/q.db"));
  const auto row = bench.run(CheckKind::sqlite,
                             {{"db", "data/p.db"}, {"query", "SELECT * FROM plans WHERE id = 1"}});
  CHECK(Json::parse(row.value) == Json{{"id", 1},
                                       {"run", "run-1"},
                                       {"title", "first"},
                                       {"score", 0.5},
                                       {"raw", "blob of 2 bytes"}});
  CHECK(row.subject == "data/p.db");
  // One value of one row is found as it is, for `check:` of a field and for expressions.
  struct Found {
    const char* query;
    const char* value;
  };
  for (const Found& one :
       {Found{"SELECT COUNT(*) FROM plans WHERE id = 1", "1"},
        Found{"SELECT title FROM plans WHERE id = 1", "\"first\""},
        Found{"SELECT score FROM plans WHERE id = 1", "0.5"}, Found{"SELECT NULL", "null"},
        Found{"SELECT 1 AS a UNION ALL SELECT 2", "{\"a\":1}"},
        Found{"SELECT 1 AS a, 2 AS b", "{\"a\":1,\"b\":2}"},
        Found{"SELECT 1 FROM plans WHERE 0", "null"}}) {
    CAPTURE(one.query);
    CHECK(bench.run(CheckKind::sqlite, {{"db", "data/p.db"}, {"query", one.query}}).value ==
          one.value);
  }

  bench.scope["arg"] = 3;
  run_rows(bench, CheckKind::sqlite,
           {{R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans WHERE id = :arg"})x", passed},
            {R"x({"db": "data/p.db", "query": "SELECT 1 FROM plans"})x", passed}});
  bench.scope["arg"] = {{"id", 3}};
  run_rows(
      bench, CheckKind::sqlite,
      {{R"x({"db": "data/p.db", "query": "SELECT :arg"})x", errored, "the argument is object"}});
}

TEST_CASE("sqlite check: nothing but reading is carried out") {
  Bench bench;
  {
    const Database db(bench.root / "p.db");
    db.run(kTables);
  }
  const std::string before = test::read_file(bench.root / "p.db");
  for (const char* sql : {"INSERT INTO plans(id) VALUES (9)",
                          "UPDATE plans SET title = 1",
                          "DELETE FROM plans",
                          "DELETE FROM plans RETURNING id",
                          "INSERT INTO plans(id) VALUES (9) RETURNING 1",
                          "DROP TABLE plans",
                          "CREATE TABLE t(a)",
                          "CREATE TEMP TABLE t(a)",
                          "UPDATE sqlite_master SET sql = ''",

                          "ATTACH 'other.db' AS o",
                          "DETACH main",
                          "PRAGMA journal_mode",
                          "PRAGMA journal_mode = WAL",
                          "PRAGMA writable_schema = 1",
                          "SELECT * FROM pragma_database_list",
                          "VACUUM",
                          "VACUUM INTO 'copy.db'",
                          "BEGIN",
                          "SAVEPOINT a",
                          "REINDEX",
                          "ANALYZE",
                          "EXPLAIN SELECT 1",
                          "EXPLAIN QUERY PLAN SELECT 1",
                          "SELECT load_extension('x')",
                          "SELECT fts3_tokenizer('simple')",
                          "SELECT readfile('/etc/passwd')",
                          "SELECT writefile('x', 'y')",
                          "SELECT randomblob(100000000)",
                          "SELECT sqlite_compileoption_get(1)"}) {
    CAPTURE(sql);
    const auto result = bench.run(CheckKind::sqlite, {{"db", "p.db"}, {"query", sql}});
    CAPTURE(result.reason);
    CHECK(result.outcome == errored);
  }
  CHECK(test::read_file(bench.root / "p.db") == before);
  CHECK_FALSE(fs::exists(bench.root / "other.db"));
  CHECK_FALSE(fs::exists(bench.root / "copy.db"));
  CHECK_FALSE(is_harmless_function("load_extension"));
  CHECK_FALSE(is_harmless_function("LOAD_EXTENSION"));
  for (const char* name : {"COUNT", "json_extract", "->", "upper", "unixepoch", "abs"}) {
    CHECK(is_harmless_function(name));
  }
}

TEST_CASE("sqlite check: a query without end is given up, a value without end is refused") {
  Bench bench;
  {
    const Database db(bench.root / "p.db");
    db.run(kTables);
  }
  const Json endless = {
      {"db", "p.db"},
      {"query",
       "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) "
       "FROM n"},
      {"timeout", 50}};
  const auto late = bench.run(CheckKind::sqlite, endless);
  CHECK(late.outcome == errored);
  CHECK(late.reason == "the query took too long and was given up");
  Json stopped = endless;
  stopped.erase("timeout");
  bench.go_on = [] { return false; };
  CHECK(bench.run(CheckKind::sqlite, stopped).outcome == errored);
  bench.go_on = {};
  const auto big = bench.run(
      CheckKind::sqlite,
      {{"db", "p.db"},
       {"query", "SELECT length(replace(printf('%.1000000c', 'x'), 'x', printf('%.100c', 'y')))"},
       {"timeout", 5000}});
  CHECK(big.outcome == errored);
}

TEST_CASE("sqlite check: databases in use, with a log, behind links") {
  Bench bench;
  test::write_file(bench.folder.path() / "out" / "x", "");
  const Database writer(bench.root / "p.db");
  writer.run("PRAGMA journal_mode = WAL");
  writer.run(kTables);
  writer.run("BEGIN IMMEDIATE; INSERT INTO plans(id) VALUES (50)");
  fs::create_symlink("p.db", bench.root / "inside.db");
  {
    const Database outside(bench.folder.path() / "out" / "o.db");
    outside.run(kTables);
  }
  fs::create_symlink(bench.folder.path() / "out" / "o.db", bench.root / "outside.db");
  run_rows(bench, CheckKind::sqlite,
           {{R"x({"db": "p.db", "query": "SELECT 1 FROM plans", "rows": 3})x", passed},
            {R"x({"db": "inside.db", "query": "SELECT 1 FROM plans", "rows": 3})x", passed},
            {R"x({"db": "outside.db", "query": "SELECT 1 FROM plans"})x", errored, "leads out"}});
  writer.run("COMMIT");
  const Database locked(bench.root / "l.db");
  locked.run(kTables);
  locked.run("BEGIN EXCLUSIVE");
  run_rows(bench, CheckKind::sqlite,
           {{R"x({"db": "l.db", "query": "SELECT 1 FROM plans", "timeout": 20})x", errored,
             "l.db is locked by another program"}});
}

TEST_CASE("sqlite check: nothing is left beside a database that keeps a log (ARCHITECTURE §5)") {
  Bench bench;
  const std::string name = "odd ?#%25 näme.db";
  const auto beside = [&] {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(bench.root)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  {
    const Database db(bench.root / name);
    db.run("PRAGMA journal_mode = WAL");
    db.run(kTables);
  }
  const auto before = beside();
  const Json query{{"db", name}, {"query", "SELECT 1 FROM plans"}, {"rows", 3}};
  CHECK(bench.run(CheckKind::sqlite, query).outcome == passed);
  CHECK(beside() == before);
  // What stands in the log only is read as well.
  const Database writer(bench.root / name);
  writer.run("INSERT INTO plans(id) VALUES (50)");
  CHECK(bench.run(CheckKind::sqlite, query).outcome == failed);
}

TEST_CASE("sqlite check: one that is written to meanwhile is not judged") {
  const test::TempFolder folder;
  const fs::path path = folder.path() / "p.db";
  {
    const Database db(path);
    db.run(kTables);
  }
  CHECK_FALSE(RestingDatabase::at(path).has_value());
  CHECK_FALSE(RestingDatabase::at(folder.path() / "none.db").has_value());
  {
    const Database db(path);
    db.run("PRAGMA journal_mode = WAL");
  }
  const auto resting = RestingDatabase::at(path);
  REQUIRE(resting.has_value());
  CHECK(resting->still());
  {
    const Database writer(path);
    writer.run("INSERT INTO plans(id) VALUES (50)");
    CHECK_FALSE(resting->still());
    CHECK_FALSE(RestingDatabase::at(path).has_value());
  }
  CHECK_FALSE(resting->still());
  CHECK(RestingDatabase::at(path).has_value());
}

TEST_CASE("sqlite check: a database that lacks a page is never taken for whole") {
  Bench bench;
  {
    const Database db(bench.root / "p.db");
    db.run("PRAGMA page_size = 4096");
    db.run(kTables);
  }
  const std::string whole = test::read_file(bench.root / "p.db");
  for (std::size_t n = 0; n <= whole.size() - 4096; n += 512) {
    CAPTURE(n);
    bench.write("cut.db", whole.substr(0, n));
    const auto result =
        bench.run(CheckKind::sqlite, {{"db", "cut.db"}, {"query", "SELECT * FROM plans"}});
    CHECK(result.outcome == errored);
  }
}

}  // namespace
}  // namespace phasegate::world::checks
