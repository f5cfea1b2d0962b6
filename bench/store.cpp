// What the figures need of a store, on a database that phasegate itself has made:
//
//   bench_store runs DB N      adds runs like the newest one until there are N
//   bench_store journal DB N   adds to the journal of the newest run until it has N entries
//   bench_store commit DB      the floor under an accepted complete_phase: for each line of input,
//                              one bare transaction that writes the rows which the first accepted
//                              phase in DB has left behind; answers with its nanoseconds
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sqlite3.h>

#include "base/ids.h"
#include "base/json.h"
#include "bench/scale_store.h"
#include "phases/workflow_json.h"
#include "state/state.h"

namespace {

namespace fs = std::filesystem;
namespace gating = phasegate::gating;

constexpr std::size_t kJournalOfModel = 1000;
constexpr std::int64_t kEntriesAtOnce = 1000;

class Query {
 public:
  Query(sqlite3* db, std::string_view sql) : db_(db) {
    require(sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()),
                               SQLITE_PREPARE_PERSISTENT, &handle_, nullptr));
  }
  ~Query() { sqlite3_finalize(handle_); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  Query& bind(int index, std::string_view text) {
    require(sqlite3_bind_text64(handle_, index, text.data(), text.size(), SQLITE_TRANSIENT,
                                SQLITE_UTF8));
    return *this;
  }
  Query& bind(int index, std::int64_t value) {
    require(sqlite3_bind_int64(handle_, index, value));
    return *this;
  }
  bool step() {
    const int code = sqlite3_step(handle_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) require(code);
    return code == SQLITE_ROW;
  }
  void run() {
    while (step()) {
    }
    sqlite3_reset(handle_);
  }
  std::string text(int column) {
    const unsigned char* bytes = sqlite3_column_text(handle_, column);
    return bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes);
  }
  std::int64_t integer(int column) { return sqlite3_column_int64(handle_, column); }

 private:
  void require(int code) const {
    if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db_));
  }
  sqlite3* db_;
  sqlite3_stmt* handle_ = nullptr;
};

class Database {
 public:
  explicit Database(const char* path) {
    if (sqlite3_open_v2(path, &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr) !=
        SQLITE_OK) {
      throw std::runtime_error(std::string("cannot open ") + path);
    }
    Query(handle_, "PRAGMA journal_mode=WAL").run();
    Query(handle_, "PRAGMA synchronous=FULL").run();
    Query(handle_, "PRAGMA foreign_keys=ON").run();
  }
  ~Database() { sqlite3_close_v2(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] sqlite3* handle() const { return handle_; }
  std::int64_t number(std::string_view sql) {
    Query query(handle_, sql);
    if (!query.step()) throw std::runtime_error("the database holds nothing to work with");
    return query.integer(0);
  }

 private:
  sqlite3* handle_ = nullptr;
};

/// The run that was started last, which the others are made like.
gating::RunState model_run(gating::engine::RunStore& runs) {
  const auto page = runs.list({gating::engine::RunQuery::Which::open, "", 1, ""});
  if (!page || page->runs.empty()) throw std::runtime_error("the database has no open run");
  return runs.load(page->runs.front().id).value();
}

/// With its documents, as a start hands it over.
gating::engine::StoredDefinition whole_definition(gating::engine::RunStore& runs,
                                                  const std::string& hash) {
  auto definition = runs.definition(hash).value();
  const auto json = phasegate::base::parse_json(definition.model, {16U << 20U, 64});
  const auto workflow = phasegate::phases::workflow_from_json(json.value());
  for (const auto& [path, document] : workflow.value().documents) {
    definition.blobs[document.hash] = runs.blob(document.hash).value();
  }
  return definition;
}

void add_runs(const fs::path& database, std::int64_t wanted) {
  const std::int64_t there = Database(database.c_str()).number("SELECT count(*) FROM run");
  const auto store = phasegate::state::open_store(database.parent_path());
  auto& runs = store->runs();
  const gating::RunState model = model_run(runs);
  const auto definition = whole_definition(runs, model.definition_hash);
  gating::Transition first;
  for (auto& row : runs.journal(model.id, 0, kJournalOfModel)) {
    first.journal.push_back(std::move(row.entry));
  }
  phasegate::base::SystemIdSource ids;
  for (std::int64_t i = there; i < wanted; ++i) {
    first.next = model;
    first.next->id = ids.new_id();
    first.next->resume_key = first.next->id;
    first.next->updated_at.ms -= i;
    runs.create_run(definition, first, false);
  }
}

void add_journal(const fs::path& database, std::int64_t wanted) {
  const auto store = phasegate::state::open_store(database.parent_path());
  auto& runs = store->runs();
  const std::string id = model_run(runs).id;
  const auto last = runs.journal_end(id, 1).at(0);
  for (std::int64_t left = wanted - last.seq; left > 0; left -= kEntriesAtOnce) {
    runs.transact(id, [&](const gating::RunState& run) {
      gating::Transition next;
      next.next = run;
      const auto count = static_cast<std::size_t>(std::min(left, kEntriesAtOnce));
      next.journal.assign(count, last.entry);
      return next;
    });
  }
}

void commit_per_line(Database& db) {
  // The model is the run whose first phase was accepted; the others are still in theirs.
  const std::int64_t model = db.number("SELECT min(run) FROM artifact");
  std::int64_t run = 0;
  Query next(db.handle(), "SELECT min(number) FROM run WHERE number > ?1 AND phases_completed = 0");
  Query begin(db.handle(), "BEGIN IMMEDIATE");
  Query update(
      db.handle(),
      "UPDATE run SET (workflow, definition, status, open, partial, current_phase, target, branch,"
      " phases_completed, updated_at, version, state, state_digest, journal_head,"
      " chain_head, mac) = (SELECT "
      "workflow,"
      " definition, status, open, partial, current_phase, target, branch, phases_completed,"
      " updated_at + ?3, version, state, state_digest, journal_head, chain_head, mac"
      " FROM run WHERE number = ?1)"
      " WHERE number = ?2");
  Query artifact(
      db.handle(),
      "INSERT INTO artifact (run, phase, visit, evidence, digest, stored_digest, accepted_at)"
      " SELECT ?2, phase, visit, evidence, digest, stored_digest, accepted_at FROM artifact"
      " WHERE run = ?1");
  Query journal(
      db.handle(),
      "INSERT INTO journal (run, seq, kind, phase, visit, attempt, actor, data, at, chain)"
      " SELECT ?2, seq, kind, phase, visit, attempt, actor, data, at, chain FROM journal"
      " WHERE run = ?1"
      " AND seq > (SELECT max(seq) FROM journal WHERE run = ?2)");
  Query mark(db.handle(), "UPDATE meta SET value = value || '' WHERE key = 'seal_mark'");
  Query commit(db.handle(), "COMMIT");
  std::string line;
  while (std::getline(std::cin, line)) {
    next.bind(1, run).step();
    run = next.integer(0);
    next.run();
    if (run == 0) throw std::runtime_error("no run is left in its first phase");
    const auto before = std::chrono::steady_clock::now();
    begin.run();
    update.bind(1, model).bind(2, run).bind(3, run).run();
    artifact.bind(1, model).bind(2, run).run();
    journal.bind(1, model).bind(2, run).run();
    mark.run();
    commit.run();
    const auto after = std::chrono::steady_clock::now();
    std::cout << std::chrono::nanoseconds(after - before).count() << std::endl;
  }
}

std::int64_t count_from(const char* text) {
  std::int64_t count = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, failed] = std::from_chars(text, end, count);
  if (failed != std::errc() || stopped != end) throw std::runtime_error("a number is missing");
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string_view mode = argc > 2 ? argv[1] : "";
    if (mode == "commit" && argc == 3) {
      Database db(argv[2]);
      commit_per_line(db);
      return 0;
    }
    if ((mode == "runs" || mode == "journal") && argc == 4) {
      // It is made for a measurement and may be made again.
      phasegate::bench::set_synchronised(false);
      (mode == "runs" ? add_runs : add_journal)(argv[2], count_from(argv[3]));
      return 0;
    }
    std::cerr << "bench_store: runs DB N | journal DB N | commit DB\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "bench_store: " << error.what() << '\n';
    return 1;
  }
}
