// No question to the store may walk through a whole table: what a call costs must not grow with
// what has been kept for years.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "gating/engine/ports.h"
#include "state/db.h"
#include "state/prune.h"
#include "state/seal/audit.h"
#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using gating::engine::RunQuery;

namespace {

/// Tables that do not grow with the number of runs or with what happens in them: a few values,
/// what people trust, and SQLite's own.
constexpr std::array<std::string_view, 3> kSmall = {"meta", "trust", "sqlite_sequence"};

struct Exception {
  std::string_view beginning;  ///< of the statement
  std::string_view why;
};

constexpr std::array<Exception, 24> kExceptions{{
    {"SELECT count(*) FROM run", "a backup and a restore read everything"},
    {"SELECT id FROM run ORDER BY number", "a restore looks at everything"},
    {"SELECT id, workflow, status, journal_head FROM run ORDER BY updated_at", "a restore, too"},
    {"SELECT number FROM run UNION SELECT number FROM tombstone", "a person accepts what is lost"},
    {"SELECT 1 FROM run WHERE NOT json_valid(state)", "pruning, once sessions were removed"},
    {"SELECT hash FROM definition WHERE hash NOT IN", "pruning, once sessions were removed"},
    {"SELECT hash FROM blob WHERE hash NOT IN", "pruning, once sessions were removed"},
    {"SELECT status, count(*) FROM run", "doctor counts everything"},
    {"SELECT count(*) FROM outbox", "doctor counts everything"},
    {"SELECT id, number, journal_head FROM run ORDER BY number", "doctor reads everything"},
    {"SELECT hash FROM definition ORDER BY hash", "doctor reads everything"},
    {"SELECT DISTINCT blob FROM definition_blob ORDER BY blob", "doctor reads everything"},
    {"SELECT DISTINCT blob FROM definition_blob WHERE NOT EXISTS", "audit reads everything"},
    {"SELECT place, number, id, workflow, status, partial, target", "audit reads everything"},
    {"SELECT number, at, principal, what, counter, anchor, mac FROM acceptance",
     "audit reads everything"},
    {"SELECT place, mac FROM tombstone ORDER BY place DESC LIMIT 1", "one row, the last one"},
    {"SELECT number, mac FROM run ORDER BY number", "audit and its acceptance read everything"},
    {"SELECT number, mac, id, 0 FROM run", "audit reads everything"},
    {"SELECT id FROM run WHERE NOT EXISTS", "audit reads everything"},
    {"SELECT hash, bytes FROM blob ORDER BY hash", "audit reads everything"},
    {"SELECT count(*) FROM journal WHERE run NOT IN", "audit reads everything"},
    {"SELECT count(*) FROM artifact WHERE run NOT IN", "audit reads everything"},
    {"SELECT count(*) FROM decision WHERE run NOT IN", "audit reads everything"},
    {"SELECT id FROM outbox WHERE lease_until <= ?", "whoever claims in the program names a kind"},
}};

/// Every statement that a connection of this process carries out while it lives.
class Statements {
 public:
  Statements() {
    seen().clear();
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(attach));
  }
  ~Statements() { sqlite3_reset_auto_extension(); }
  Statements(const Statements&) = delete;
  Statements& operator=(const Statements&) = delete;

  static std::set<std::string>& seen() {
    static std::set<std::string> statements;
    return statements;
  }

 private:
  static int attach(sqlite3* db, const char** /*error*/, const sqlite3_api_routines* /*api*/) {
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, note, nullptr);
  }
  static int note(unsigned /*event*/, void* /*context*/, void* statement, void* /*text*/) {
    if (const char* sql = sqlite3_sql(static_cast<sqlite3_stmt*>(statement))) seen().insert(sql);
    return 0;
  }
};

bool is_about_rows(std::string_view sql) {
  constexpr std::array<std::string_view, 5> kVerbs = {"SELECT ", "INSERT ", "UPDATE ", "DELETE ",
                                                      "WITH "};
  return std::any_of(kVerbs.begin(), kVerbs.end(),
                     [&](std::string_view verb) { return sql.starts_with(verb); });
}

/// The string literals of a source text, neighbours joined as the compiler joins them. Raw strings
/// and character literals do not occur in what is looked for.
std::vector<std::string> literals_of(const std::string& source) {
  std::vector<std::string> found;
  bool joins = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.compare(i, 2, "//") == 0) {
      i = std::min(source.find('\n', i), source.size());
    } else if (source[i] == '"') {
      if (!joins) found.emplace_back();
      for (++i; i < source.size() && source[i] != '"'; ++i) {
        if (source[i] == '\\') ++i;
        found.back() += source[i];
      }
      joins = true;
    } else if (source[i] != ' ' && source[i] != '\n') {
      joins = false;
    }
  }
  return found;
}

/// What stands in the sources of the room. The approvers have a database of their own, of a few
/// rows.
std::set<std::string> statements_in_sources() {
  std::set<std::string> statements;
  const fs::path room = test::source_folder() / "src" / "state";
  for (const auto& entry : fs::recursive_directory_iterator(room)) {
    if (entry.path().extension() != ".cpp" || entry.path().filename() == "schema.cpp") continue;
    if (entry.path().parent_path().filename() == "approvers") continue;
    for (std::string& literal : literals_of(test::read_file(entry.path()))) {
      if (is_about_rows(literal)) statements.insert(std::move(literal));
    }
  }
  return statements;
}

/// Uses what puts its statements together while it runs.
void use_the_store(const fs::path& folder) {
  const auto store = state::open_store(folder);
  gating::Transition first = test::first_of(test::run_id(1), "key");
  first.effects = {{"check", "1", 1, "{}"}, {"notify", "1", 1, "{}"}};
  store->runs().create_run(test::a_definition(), first, true);
  const auto never = [](const gating::engine::Owner&) { return false; };
  const gating::engine::Owner owner{"boot", 1, 1};
  for (const std::string& run : {std::string(), test::run_id(1)}) {
    for (const char* kind : {"", "check", "notify", "other"}) {
      // The second time somebody holds it.
      for (int i = 0; i < 2; ++i) {
        static_cast<void>(store->outbox().claim(owner, {1'000}, 500, {run, kind, never}));
      }
      static_cast<void>(store->outbox().find(test::run_id(1), kind));
    }
  }
  gating::Transition ended = test::first_of(test::run_id(2), "", "other");
  ended.next->status = gating::RunStatus::completed;
  store->runs().create_run(test::a_definition("other"), ended, false);
  REQUIRE(state::audit(folder).sound());
  state::Pruner pruner(folder);
  REQUIRE(pruner.prune({0, 10, "ada", {1'000}, false}).sessions.size() == 1);
  for (const auto which : {RunQuery::Which::open, RunQuery::Which::ended, RunQuery::Which::all}) {
    for (const std::string workflow : {"", "spec"}) {
      for (const auto& branch :
           {std::optional<std::string>(), std::optional<std::string>("main")}) {
        for (const std::string prefix : {"", "0000"}) {
          static_cast<void>(store->runs().list({which, workflow, 20, "", branch, prefix}));
        }
      }
    }
  }
}

std::string plan_of(state::Db& db, const std::string& sql) {
  state::Statement plan = db.prepare("EXPLAIN QUERY PLAN " + sql);
  std::string text;
  while (plan.step()) text += plan.text(3) + "\n";
  return text;
}

std::vector<std::string> tables_of(state::Db& db) {
  std::vector<std::string> tables;
  state::Statement rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'");
  while (rows.step()) tables.push_back(rows.text(0));
  return tables;
}

/// All but the small ones: a new table grows until somebody says otherwise.
std::vector<std::string> growing_tables(state::Db& db) {
  std::vector<std::string> tables = tables_of(db);
  std::erase_if(tables, [](const std::string& table) {
    return std::find(kSmall.begin(), kSmall.end(), table) != kSmall.end();
  });
  return tables;
}

bool scans_one_of(const std::vector<std::string>& tables, std::string_view plan) {
  return std::any_of(tables.begin(), tables.end(), [&](const std::string& table) {
    const std::string scan = "SCAN " + table;
    return plan.find(scan + "\n") != std::string_view::npos ||
           plan.find(scan + " ") != std::string_view::npos;
  });
}

/// From the first id that fits to the end of the index: what only the rest of the statement knows
/// to be too far is read.
bool walks_to_the_last_id(std::string_view plan) {
  return plan.find("(id>?)") != std::string_view::npos ||
         plan.find("(id<?)") != std::string_view::npos;
}

bool is_excepted(std::string_view sql) {
  return std::any_of(kExceptions.begin(), kExceptions.end(), [&](const Exception& exception) {
    return sql.starts_with(exception.beginning);
  });
}

}  // namespace

TEST_CASE("query plans: no statement walks through a table that grows") {
  const test::TempFolder temp;
  std::set<std::string> statements;
  {
    const Statements watched;
    use_the_store(temp.path());
    for (const std::string& sql : Statements::seen()) {
      if (is_about_rows(sql)) statements.insert(sql);
    }
  }
  REQUIRE(statements.size() > 30);
  for (const std::string& sql : statements_in_sources()) {
    // The beginning of one that was carried out is looked at with its end.
    const auto whole = statements.lower_bound(sql);
    if (whole == statements.end() || !whole->starts_with(sql)) statements.insert(sql);
  }
  CHECK(statements.size() > 60);
  state::Db db(temp.path() / "state.db", {});
  const auto growing = growing_tables(db);
  CHECK(growing.size() >= 11);
  for (const std::string& sql : statements) {
    CAPTURE(sql);
    std::string plan;
    // What does not compile is the beginning of a statement that use_the_store() should carry out.
    CHECK_NOTHROW(plan = plan_of(db, sql));
    CAPTURE(plan);
    CHECK((is_excepted(sql) || !scans_one_of(growing, plan)));
    CHECK_FALSE(walks_to_the_last_id(plan));
    CHECK(plan.find("AUTOMATIC") == std::string::npos);
  }
}

TEST_CASE("query plans: a beginning of an id has two ends") {
  const test::TempFolder temp;
  test::add_run(temp.path());
  state::Db db(temp.path() / "state.db", {});
  CHECK(walks_to_the_last_id(
      plan_of(db, "SELECT id FROM run WHERE id >= ?1 AND substr(id, 1, ?2) = ?1 ORDER BY id")));
  CHECK_FALSE(
      walks_to_the_last_id(plan_of(db, "SELECT id FROM run WHERE id >= ? AND id < ? ORDER BY id")));
}

TEST_CASE("query plans: what refers to a row that is deleted is found by an index") {
  const test::TempFolder temp;
  test::add_run(temp.path());
  state::Db db(temp.path() / "state.db", {});
  int references = 0;
  for (const std::string& table : tables_of(db)) {
    state::Statement keys = db.prepare("PRAGMA foreign_key_list(" + table + ")");
    while (keys.step()) {
      ++references;
      const std::string sql = "SELECT 1 FROM " + table + " WHERE " + keys.text(3) + " = ?";
      CAPTURE(sql);
      CHECK(plan_of(db, sql).find("SCAN") == std::string::npos);
    }
  }
  CHECK(references >= 6);
}
