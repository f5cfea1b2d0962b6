#include "bench/bare_transactions.h"

#include <stdexcept>
#include <string_view>

#include <sqlite3.h>

#include "base/limits.h"
#include "bench/scale_store.h"
#include "state/db_busy.h"

namespace phasegate::bench {
namespace {

struct Connection {
  sqlite3* handle = nullptr;
  ~Connection() { sqlite3_close_v2(handle); }
};

class Query {
 public:
  Query(sqlite3* db, const char* sql) : db_(db) {
    require(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle_, nullptr));
  }
  ~Query() { sqlite3_finalize(handle_); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  Query& bind(int index, const std::string& text) {
    require(
        sqlite3_bind_text64(handle_, index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
  }
  Query& bind(int index, std::int64_t value) {
    require(sqlite3_bind_int64(handle_, index, value));
    return *this;
  }
  /// The first column of the first row.
  std::int64_t run() {
    std::int64_t value = 0;
    int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) {
      value = sqlite3_column_int64(handle_, 0);
      code = sqlite3_step(handle_);
    }
    if (code != SQLITE_DONE) require(code);
    sqlite3_reset(handle_);
    return value;
  }

 private:
  void require(int code) const {
    if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db_));
  }
  sqlite3* db_;
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace

struct BareTransactions::State {
  state::BusyWait busy{base::limits::kStoreBusyMs};
  Connection connection;
  std::string id;
  std::unique_ptr<Query> begin, read, update, journal, artifact, mark, commit;
  std::string evidence = completed(*started("x", {0}).next).artifact.value().evidence;
  std::string data = R"({"evidence":)" + evidence + "}";
};

BareTransactions::BareTransactions(const std::filesystem::path& database, const std::string& id,
                                   Waiting waiting)
    : state_(std::make_unique<State>()) {
  state_->id = id;
  sqlite3*& db = state_->connection.handle;
  if (sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK) {
    throw std::runtime_error("cannot open the database");
  }
  if (waiting == Waiting::ours) {
    state_->busy.attach(db);
  } else {
    sqlite3_busy_timeout(db, static_cast<int>(base::limits::kStoreBusyMs));
  }
  for (const char* pragma : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                             "PRAGMA foreign_keys=ON", "PRAGMA cell_size_check=ON"}) {
    Query(db, pragma).run();
  }
  const auto query = [db](const char* sql) { return std::make_unique<Query>(db, sql); };
  state_->begin = query("BEGIN IMMEDIATE");
  state_->read = query("SELECT number, state, state_digest FROM run WHERE id = ?");
  state_->update = query(
      "UPDATE run SET workflow = workflow, definition = definition, status = status, open = open,"
      " partial = partial, current_phase = current_phase, target = target, branch = branch,"
      " phases_completed = phases_completed, updated_at = updated_at + 1, version = version + 1,"
      " state = state || '', state_digest = state_digest || '', journal_head = journal_head + 2,"
      " due_at = due_at, chain_head = randomblob(40), mac = randomblob(40) WHERE number = ?");
  state_->journal = query(
      "INSERT INTO journal (run, seq, kind, phase, visit, attempt, actor, data, at, chain) SELECT"
      " number, journal_head - ?3, 'phase_completed', current_phase, 1, 1, 'ada', ?2, updated_at,"
      " randomblob(40) FROM run WHERE number = ?1");
  state_->artifact = query(
      "INSERT INTO artifact (run, phase, visit, evidence, digest, stored_digest, accepted_at)"
      " SELECT number, current_phase, version, ?2, state_digest, hex(randomblob(40)), updated_at"
      " FROM run WHERE number = ?1");
  // The mark over the whole store, as long as it is.
  state_->mark = query("UPDATE meta SET value = value || '' WHERE key = 'seal_mark'");
  state_->commit = query("COMMIT");
}

BareTransactions::~BareTransactions() = default;

void BareTransactions::run() {
  state_->begin->run();
  const std::int64_t number = state_->read->bind(1, state_->id).run();
  state_->update->bind(1, number).run();
  for (const std::int64_t before_last : {1, 0}) {
    state_->journal->bind(1, number).bind(2, state_->data).bind(3, before_last).run();
  }
  state_->artifact->bind(1, number).bind(2, state_->evidence).run();
  state_->mark->run();
  state_->commit->run();
}

}  // namespace phasegate::bench
