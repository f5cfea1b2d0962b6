#include "state/seal/audit.h"

#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "state/inspect.h"
#include "state/seal/anchor.h"
#include "state/seal/open_seal.h"
#include "tests/state/seal/seal_support.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::all_rows;
using test::change;
using test::findings_of;
using test::is_sound;
using test::make_histories;
using test::run_id;

namespace {

/// The value of one column of one row, to be changed and put back.
struct Cell {
  std::string table;
  std::string column;
  std::string where;
};

/// Every column of every row of a table.
std::vector<Cell> cells_of(state::Db& db, const std::string& table, const std::string& key) {
  std::vector<std::string> columns;
  {
    state::Statement rows = db.prepare("SELECT name FROM pragma_table_info(?)");
    rows.bind_all(table);
    while (rows.step()) columns.push_back(rows.text(0));
  }
  std::vector<Cell> cells;
  state::Statement rows = db.prepare("SELECT " + key + " FROM " + table);
  while (rows.step()) {
    for (const std::string& column : columns) cells.push_back({table, column, rows.text(0)});
  }
  return cells;
}

/// Whether an audit finds something within the connection's open transaction.
bool noticed(state::Db& db, state::Seal& seal, const std::optional<std::int64_t>& anchor) {
  state::AuditReport report;
  try {
    state::audit_marks(db, seal, anchor, report);
    state::audit_shared(db, seal, report);
    std::vector<std::string> ids;
    {
      state::Statement rows = db.prepare("SELECT id FROM run");
      while (rows.step()) ids.push_back(rows.text(0));
    }
    for (const std::string& id : ids) state::audit_session(db, seal, id, report);
  } catch (const gating::engine::StoreFailure& failure) {
    if (failure.error().code != "damaged") throw;
    return true;
  }
  return !report.findings.empty();
}

/// The connection on which values are changed in transactions that never end well.
struct Workbench {
  explicit Workbench(const fs::path& folder)
      : db(folder / "state.db", {}), seal(*state::open_seal(db, folder)) {
    anchor = state::anchored_counter(seal);
    db.execute("PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON");
  }

  enum class Outcome { noticed, refused, unnoticed };

  /// What becomes of what `sql` changes; `refused`: by a constraint of the schema. Any other
  /// failure is a mistake in `sql`, and thrown.
  Outcome outcome_of(const std::string& sql) {
    db.execute("SAVEPOINT change");
    Outcome outcome = Outcome::refused;
    try {
      db.execute(sql);
      outcome = noticed(db, seal, anchor) ? Outcome::noticed : Outcome::unnoticed;
    } catch (const std::logic_error& problem) {
      if (!is_constraint(problem.what())) throw;
      ++refused;
    }
    db.execute("ROLLBACK TO change; RELEASE change");
    ++tried;
    return outcome;
  }

  /// Nothing is refused where constraints do not hold.
  bool notices(const std::string& sql) { return outcome_of(sql) == Outcome::noticed; }
  bool keeps_out(const std::string& sql) { return outcome_of(sql) != Outcome::unnoticed; }

  static bool is_constraint(const std::string& problem) {
    constexpr int kConstraint = 19;  // SQLITE_CONSTRAINT; the bytes above it say which
    const std::size_t at = problem.rfind("(code ");
    return at != std::string::npos && (std::stoi(problem.substr(at + 6)) & 0xFF) == kConstraint;
  }

  state::Db db;
  state::Seal seal;
  std::optional<std::int64_t> anchor;
  std::size_t tried = 0;
  std::size_t refused = 0;
};

/// With sanitizers, which are ten times slower here, each tenth change is tried.
constexpr std::size_t each_change() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return 10;
#endif
#endif
  return 1;
}

/// A table in which everything is sealed.
struct Table {
  const char* name;
  const char* key;  ///< an expression that gives a condition for the row
  const char*
      name_of_row;     ///< the column that tells neighbours apart; empty: nothing else is in it
  const char* copied;  ///< its columns, as another row would have them; `old`: the row
};
constexpr Table kTables[] = {
    {"run", "'number = ' || number", "number",
     "99, 'copied', workflow, definition, status, open, partial, current_phase, target, branch, "
     "phases_completed, NULL, created_at, updated_at, version, journal_head, state, state_digest, "
     "chain_head, mac, due_at"},
    {"journal", "'run = ' || run || ' AND seq = ' || seq", "seq",
     "run, (SELECT max(seq) + 1 FROM journal AS j WHERE j.run = old.run), kind, phase, visit, "
     "attempt, actor, data, at, chain"},
    {"artifact", "'number = ' || number", "number",
     "99, run, phase, visit + 1, evidence, digest, stored_digest, accepted_at, stale"},
    {"decision", "'id = ' || quote(id)", "id",
     "'copied', run, phase, visit, status, question, shown_digest, created_at, approver, channel, "
     "assurance, choice, input, decided_at, mac"},
    {"definition", "'hash = ' || quote(hash)", "hash",
     "'copied', model_version, model, model_digest"},
    {"definition_blob", "'definition = ' || quote(definition) || ' AND blob = ' || quote(blob)", "",
     "definition, 'copied'"},
    {"blob", "'hash = ' || quote(hash)", "hash", "'copied', bytes"},
    {"trust", "'digest = ' || quote(digest)", "digest",
     "'copied', workflow, shown, principal, at, environment"},
    {"acceptance", "'number = ' || number", "number",
     "99, at, principal, what, counter, anchor, mac"},
    {"tombstone", "'place = ' || place", "place",
     "99, 99, 'copied', workflow, status, partial, target, created_at, ended_at, journal_head, "
     "chain_head, pruned_at, pruned_by, mac"},
};

/// The conditions for its rows, neighbours beside each other.
std::vector<std::string> rows_of(state::Db& db, const Table& table) {
  std::vector<std::string> rows;
  state::Statement found =
      db.prepare(std::string("SELECT ") + table.key + " FROM " + table.name + " ORDER BY 1");
  while (found.step()) rows.push_back(found.text(0));
  return rows;
}

/// Gives each of two rows the name of the other one.
std::string swap(state::Db& db, const Table& table, const std::string& one,
                 const std::string& other) {
  const std::string table_name = table.name;
  const std::string column = table.name_of_row;
  const auto name = [&](const std::string& row) {
    return db.query_text("SELECT quote(" + column + ") FROM " + table_name + " WHERE " + row)
        .value();
  };
  const std::string name_of_one = name(one);
  const std::string name_of_other = name(other);
  // Of either type, and of no row.
  const std::string between = name_of_one.front() == '\'' ? "'between'" : "777777";
  const auto rename = [&](const std::string& row, const std::string& to) {
    return "UPDATE " + table_name + " SET " + column + " = " + to + " WHERE " + row + ";";
  };
  std::string third = one;
  third.replace(third.rfind(name_of_one), name_of_one.size(), between);
  return rename(one, between) + rename(other, name_of_one) + rename(third, name_of_other);
}

std::string update(const Cell& cell, const std::string& value) {
  return "UPDATE " + cell.table + " SET " + cell.column + " = " + value + " WHERE " + cell.where;
}

/// How a value may be changed: each byte of it, its end, all of it.
std::vector<std::string> changes_of(state::Db& db, const Cell& cell) {
  state::Statement row = db.prepare("SELECT typeof(" + cell.column + "), " + cell.column +
                                    " FROM " + cell.table + " WHERE " + cell.where);
  REQUIRE(row.step());
  const std::string type = row.text(0);
  if (type == "null") return {"'x'", "1"};
  std::vector<std::string> values;
  if (type == "integer") {
    const auto number = static_cast<std::uint64_t>(row.integer(1));
    for (unsigned byte = 0; byte < 8; ++byte) {
      values.push_back(
          std::to_string(static_cast<std::int64_t>(number ^ (std::uint64_t{1} << (8 * byte)))));
    }
    return values;
  }
  const std::string bytes = row.text(1);
  const auto literal = [&](const std::string& value) {
    return type == "blob" ? "x'" + state::to_hex(value) + "'"
                          : "CAST(x'" + state::to_hex(value) + "' AS TEXT)";
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    values.push_back(literal(flipped));
  }
  if (!bytes.empty()) values.push_back(literal(bytes.substr(0, bytes.size() - 1)));
  values.push_back(literal(bytes + "x"));
  return values;
}

}  // namespace

TEST_CASE("audit: what was written is sound, whatever is asked and however often") {
  const test::TempFolder temp;
  make_histories(temp.path(), 3, 20);
  CHECK(findings_of(temp.path()) == "");
  const auto report = state::audit(temp.path());
  CHECK(report.sessions == 3);
  CHECK(report.entries == 60);
  CHECK(report.artifacts == 3);
  CHECK(report.decisions == 6);
  CHECK(report.workflows == 1);
  CHECK(report.documents == 2);
  REQUIRE(report.mark.has_value());
  CHECK(report.mark->last_number == 3);
  CHECK(report.mark->unsealed_until == 0);
  CHECK(report.anchor == report.mark->counter);
  CHECK(state::audit(temp.path(), run_id(2)).sound());
  CHECK(state::audit(temp.path(), run_id(2)).sessions == 1);
  CHECK_FALSE(state::audit(temp.path(), run_id(9)).sound());
}

TEST_CASE(
    "audit: looking makes and changes nothing, and nothing is there to look at in an empty "
    "folder") {
  const test::TempFolder temp;
  CHECK(state::audit(temp.path()).problem->code == "not_found");
  CHECK(fs::is_empty(temp.path()));
  make_histories(temp.path(), 1, 6);
  const auto names = [&] {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(temp.path())) {
      list.push_back(entry.path().filename().string() + " " +
                     std::to_string(fs::file_size(entry.path())));
    }
    return list;
  };
  const auto before = names();
  CHECK(is_sound(temp.path()));
  CHECK(names() == before);
}

TEST_CASE("audit: every changed byte of every value is found, or is none that the schema allows") {
  const test::TempFolder temp;
  // `scripts/soak pages` asks for more of them.
  test::make_everything(temp.path(), std::getenv("PHASEGATE_EXHAUSTIVE") != nullptr ? 100 : 10);
  Workbench bench(temp.path());
  REQUIRE_FALSE(noticed(bench.db, bench.seal, bench.anchor));
  std::size_t changes = 0;
  for (const Table& table : kTables) {
    for (const Cell& cell : cells_of(bench.db, table.name, table.key)) {
      for (const std::string& value : changes_of(bench.db, cell)) {
        if (++changes % each_change() != 0) continue;
        const std::string sql = update(cell, value);
        if (!bench.keeps_out(sql)) FAIL_CHECK(sql);
      }
    }
  }
  const Cell mark{"meta", "value", "key = 'seal_mark'"};
  for (const std::string& value : changes_of(bench.db, mark)) {
    CHECK(bench.notices(update(mark, value)));
  }
  MESSAGE("changes tried: ", bench.tried, ", of them refused: ", bench.refused);
  CHECK(bench.tried > 10'000 / each_change());
  // Names that another row has, and texts that are numbers or the other way round.
  CHECK(bench.refused < bench.tried / 20);
}

TEST_CASE("audit: every row that is gone, copied or changed places with its neighbour is found") {
  const test::TempFolder temp;
  test::make_everything(temp.path(), 30);
  Workbench bench(temp.path());
  REQUIRE_FALSE(noticed(bench.db, bench.seal, bench.anchor));
  for (const Table& table : kTables) {
    const std::string name = table.name;
    CAPTURE(name);
    const auto rows = rows_of(bench.db, table);
    CHECK(rows.size() >= 2);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CAPTURE(rows[i]);
      CHECK(bench.notices("DELETE FROM " + name + " WHERE " + rows[i]));
      CHECK(bench.notices("INSERT INTO " + name + " SELECT " + table.copied + " FROM " + name +
                          " AS old WHERE " + rows[i]));
      if (i == 0 || *table.name_of_row == '\0') continue;
      // Entries of two sessions are exchanged as whole journals below.
      if (name == "journal" && rows[i].substr(0, 8) != rows[i - 1].substr(0, 8)) continue;
      CHECK(bench.notices(swap(bench.db, table, rows[i - 1], rows[i])));
    }
    CHECK(bench.notices("DELETE FROM " + name));
  }
  CHECK(bench.refused == 0);
  for (int run = 1; run <= 3; ++run) {
    const std::string mine = " WHERE run = " + std::to_string(run) + " AND seq = ";
    for (int seq = 1; seq < 30; ++seq) {
      CAPTURE(run);
      CAPTURE(seq);
      const std::string one = std::to_string(seq);
      CHECK(bench.notices("DELETE FROM journal" + mine + one +
                          "; UPDATE journal SET seq = seq - 1 WHERE run = " + std::to_string(run) +
                          " AND seq > " + one));
      CHECK(bench.notices("DELETE FROM journal WHERE run = " + std::to_string(run) + " AND seq > " +
                          one));
    }
  }
  // Between sessions: entries, evidence, checkpoints.
  CHECK(
      bench.notices("UPDATE journal SET run = 9 WHERE run = 1; UPDATE journal SET run = 1 WHERE "
                    "run = 2; UPDATE journal SET run = 2 WHERE run = 9"));
  CHECK(
      bench.notices("UPDATE artifact SET run = 9 WHERE run = 1; UPDATE artifact SET run = 1 WHERE "
                    "run = 2; UPDATE artifact SET run = 2 WHERE run = 9"));
  CHECK(bench.notices("UPDATE run SET number = 9 WHERE number = 3"));
  CHECK(
      bench.notices("INSERT INTO artifact (run, phase, visit, evidence, digest, stored_digest, "
                    "accepted_at) SELECT run, phase, 2, evidence, digest, stored_digest, "
                    "accepted_at FROM artifact WHERE run = 1"));
  CHECK(
      bench.notices("DELETE FROM run WHERE number = 3; DELETE FROM journal WHERE run = 3; DELETE "
                    "FROM artifact WHERE run = 3; DELETE FROM decision WHERE run = 3"));
}

TEST_CASE(
    "audit: a session that was put back to an older state is found, with all that belongs to it") {
  const test::TempFolder temp;
  make_histories(temp.path(), 3, 10);
  change(temp.path(),
         "CREATE TABLE old_run AS SELECT * FROM run WHERE number = 2;"
         "CREATE TABLE old_journal AS SELECT * FROM journal WHERE run = 2");
  test::go_on(temp.path(), 2);
  test::go_on(temp.path(), 3);
  REQUIRE(is_sound(temp.path()));
  change(temp.path(),
         "DELETE FROM journal WHERE run = 2; DELETE FROM decision WHERE run = 9;"
         "INSERT INTO journal SELECT * FROM old_journal;"
         "UPDATE run SET (updated_at, version, journal_head, state, state_digest, chain_head, mac)"
         " = (SELECT updated_at, version, journal_head, state, state_digest, chain_head, mac"
         " FROM old_run) WHERE number = 2");
  // By itself it verifies: only all sessions together tell.
  CHECK(state::open_store(temp.path())->runs().load(run_id(2)).has_value());
  CHECK(findings_of(temp.path()).find("put back to an earlier state") != std::string::npos);
}

TEST_CASE("audit: doctor as well sees that one session was put back by itself") {
  const test::TempFolder temp;
  make_histories(temp.path(), 2, 10);
  CHECK(state::inspect(temp.path(), {.thorough = true}).damaged.empty());
  test::change(temp.path(),
               "CREATE TABLE r AS SELECT * FROM run WHERE number = 1;"
               "CREATE TABLE j AS SELECT * FROM journal WHERE run = 1");
  test::go_on(temp.path(), 1);
  test::change(temp.path(),
               "DELETE FROM journal WHERE run = 1; INSERT INTO journal SELECT * FROM j;"
               "DELETE FROM run WHERE number = 1; INSERT INTO run SELECT * FROM r;"
               "DROP TABLE r; DROP TABLE j");
  // By itself it is as it was once.
  CHECK(state::audit(temp.path(), run_id(1)).sound());
  CHECK_FALSE(is_sound(temp.path()));
  const auto damaged = state::inspect(temp.path(), {.thorough = true}).damaged;
  REQUIRE(damaged.size() == 1);
  CHECK(damaged[0].message.find("put back") != std::string::npos);
}

TEST_CASE("audit: a finding names session and entry, and the others are looked at as well") {
  const test::TempFolder temp;
  make_histories(temp.path(), 3, 20);
  change(temp.path(),
         "UPDATE journal SET actor = 'eve' WHERE run = 1 AND seq = 7;"
         "UPDATE artifact SET evidence = '{}' WHERE run = 3");
  const auto report = state::audit(temp.path());
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0].session == run_id(1));
  CHECK(report.findings[0].seq == 7);
  CHECK(report.findings[0].code == "journal");
  CHECK(report.findings[1].session == run_id(3));
  CHECK(report.findings[1].code == "evidence");
  CHECK(report.sessions == 3);
  CHECK(state::audit(temp.path(), run_id(2)).sound());
}

TEST_CASE(
    "audit: of one session its workflow and documents are looked at as well, and no other's") {
  const test::TempFolder temp;
  make_histories(temp.path(), 2, 6);
  state::open_store(temp.path())
      ->runs()
      .create_run(test::a_definition("other"), test::first_of(run_id(3), "", "other"), false);
  const auto whole = state::audit(temp.path(), run_id(1));
  CHECK(whole.sound());
  CHECK(whole.workflows == 1);
  CHECK(whole.documents == 2);
  const std::string mine = test::a_definition().hash;
  struct Change {
    const char* sql;
    const char* code;
    bool of_all;  ///< the other workflow has the same documents
  };
  for (const auto& [sql, code, of_all] : {
           Change{"UPDATE definition SET model = model || ' ' WHERE hash = ?", "workflow", false},
           Change{"DELETE FROM definition_blob WHERE definition = ?", "workflow", false},
           Change{"DELETE FROM definition WHERE hash = ?", "workflow", false},
           Change{"UPDATE blob SET bytes = x'00' WHERE hash IN"
                  " (SELECT blob FROM definition_blob WHERE definition = ?)",
                  "document", true},
       }) {
    CAPTURE(sql);
    const test::TempFolder changed;
    test::copy_files(temp.path(), changed.path());
    {
      state::Db db(changed.path() / "state.db", {});
      db.execute("PRAGMA foreign_keys=OFF");
      db.prepare(sql).bind_all(mine).run();
    }
    const auto report = state::audit(changed.path(), run_id(1));
    REQUIRE_FALSE(report.findings.empty());
    CHECK(report.findings.front().code == code);
    CHECK(report.findings.front().session == run_id(1));
    CHECK(state::audit(changed.path(), run_id(3)).sound() != of_all);
  }
}
