#include "state/run_rows.h"

#include <set>
#include <string>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "state/damage.h"
#include "state/seal/row_marks.h"

namespace phasegate::state {
namespace {

using gating::RunState;

constexpr base::JsonLimits kStateLimits{base::limits::kMessageBytesMax,
                                        base::limits::kMessageDepthMax};

[[noreturn]] void throw_damaged_run(std::string_view run_id, const std::string& why) {
  throw_damaged("the stored state of session " + std::string(run_id) + " is damaged: " + why);
}

/// A phase that was entered again counts once.
std::int64_t phases_completed(const RunState& run) {
  std::set<std::string_view> phases;
  for (const gating::AcceptedPhase* accepted : run.completed()) phases.insert(accepted->phase);
  return static_cast<std::int64_t>(phases.size());
}

/// A new row's columns, or those of a row that is written again.
RunColumns columns_of(const RunRow& row, const std::string& state) {
  const RunState& run = row.run;
  RunColumns columns;
  columns.number = row.number;
  columns.id = run.id;
  columns.workflow = run.workflow;
  columns.definition = run.definition_hash;
  columns.status = gating::to_text(run.status);
  columns.open = gating::is_open(run.status) ? 1 : 0;
  columns.partial = run.partial ? 1 : 0;
  columns.current_phase = run.current_phase;
  columns.target = run.target;
  columns.branch = run.branch;
  columns.phases_completed = phases_completed(run);
  if (!run.resume_key.empty()) columns.resume_key = run.resume_key;
  columns.created_at = run.created_at.ms;
  columns.updated_at = run.updated_at.ms;
  columns.version = run.version;
  columns.journal_head = row.journal_head;
  columns.state_digest = base::sha256_hex(state);
  columns.chain_head = row.chain_head;
  if (run.due_at) columns.due_at = run.due_at->ms;
  return columns;
}

void bind_optional(Statement& statement, int parameter, const std::optional<std::int64_t>& value) {
  if (value) {
    statement.bind(parameter, *value);
  } else {
    statement.bind_null(parameter);
  }
}

/// The first parameters of both writing statements: what a transition may change. `columns` and
/// `mac` must live until the statement is destroyed. Returns how many they are.
int bind_changing(Statement& statement, const RunColumns& columns, const std::string& state,
                  const std::string& mac) {
  statement.bind_all(columns.workflow, columns.definition, columns.status, columns.open,
                     columns.partial, columns.current_phase, columns.target, columns.branch,
                     columns.phases_completed, columns.updated_at, columns.version,
                     columns.journal_head, columns.state_digest, state);
  constexpr int kBound = 14;
  statement.bind_blob(kBound + 1, columns.chain_head).bind_blob(kBound + 2, mac);
  bind_optional(statement, kBound + 3, columns.due_at);
  return kBound + 3;
}

/// The state in a row's text, if the text is what was stored.
RunState parse_state(std::string_view run_id, const std::string& text, const std::string& digest) {
  if (base::sha256_hex(text) != digest)
    throw_damaged_run(run_id, "its text is not what was stored");
  const auto json = base::parse_json(text, kStateLimits);
  if (!json) throw_damaged_run(run_id, json.error().message);
  auto run = gating::run_state_from_json(*json);
  if (!run) throw_damaged_run(run_id, run.error().message);
  return *std::move(run);
}

/// A row's state, verified and parsed, unless these bytes were before.
RunState state_of(std::string_view run_id, const std::string& text, const std::string& digest,
                  VerifiedRuns& verified) {
  if (const RunState* known = verified.find(digest, text)) return *known;
  RunState run = parse_state(run_id, text, digest);
  verified.remember(digest, text, run);
  return run;
}

void require_consistent(std::string_view run_id, const RunColumns& columns, const RunState& run,
                        bool has_definition) {
  if (columns.id != run_id || run.id != run_id || run.version != columns.version ||
      gating::to_text(run.status) != columns.status || run.definition_hash != columns.definition) {
    throw_damaged_run(run_id, "it contradicts its row");
  }
  if (!has_definition) throw_damaged_run(run_id, "its workflow is missing");
}

/// Of a database from before histories were sealed, whatever its schema.
std::optional<RunRow> read_unsealed_run(Db& db, std::string_view run_id, VerifiedRuns& verified) {
  Statement row = db.prepare(
      "SELECT number, journal_head, state, state_digest, version, status, definition,"
      " EXISTS (SELECT 1 FROM definition WHERE hash = run.definition) FROM run WHERE id = ?");
  if (!row.bind_all(run_id).step()) return std::nullopt;
  RunColumns columns;
  columns.id = run_id;
  columns.version = row.integer(4);
  columns.status = row.text(5);
  columns.definition = row.text(6);
  RunState run = state_of(run_id, row.text(2), row.text(3), verified);
  require_consistent(run_id, columns, run, row.integer(7) != 0);
  return RunRow{row.integer(0), row.integer(1), "", "", std::move(run)};
}

const std::string& read_sql() {
  static const std::string kSql =
      "SELECT " + std::string(kRunColumns) +
      ", mac, state, EXISTS (SELECT 1 FROM definition WHERE hash = run.definition),"
      " (SELECT max(seq) FROM journal WHERE run = run.number),"
      " (SELECT chain FROM journal WHERE run = run.number AND seq = run.journal_head)"
      " FROM run WHERE id = ?";
  return kSql;
}

}  // namespace

std::optional<RunRow> read_run(Db& db, Seal* seal, std::string_view run_id,
                               VerifiedRuns& verified) {
  if (seal == nullptr) return read_unsealed_run(db, run_id, verified);
  Statement row = db.prepare(read_sql());
  if (!row.bind_all(run_id).step()) return std::nullopt;
  RunColumns columns = read_run_columns(row);
  std::string mac = row.text(kRunColumnCount);
  if (!seal->holds(mac, run_text(*seal, columns))) {
    throw_damaged_run(run_id, "its checkpoint does not verify");
  }
  if (row.integer(kRunColumnCount + 3) != columns.journal_head ||
      row.text(kRunColumnCount + 4) != columns.chain_head) {
    throw_damaged_run(run_id, "its journal does not end as it was written");
  }
  RunState run = state_of(run_id, row.text(kRunColumnCount + 1), columns.state_digest, verified);
  require_consistent(run_id, columns, run, row.integer(kRunColumnCount + 2) != 0);
  return RunRow{columns.number, columns.journal_head, std::move(columns.chain_head), std::move(mac),
                std::move(run)};
}

std::optional<std::string> find_open_run(Db& db, std::string_view resume_key) {
  Statement row = db.prepare(
      "SELECT id FROM run WHERE resume_key = ? AND open = 1"
      " ORDER BY created_at DESC, number DESC LIMIT 1");
  if (!row.bind_all(resume_key).step()) return std::nullopt;
  return row.text(0);
}

std::vector<std::string> due_runs(Db& db, base::TimePoint now, std::size_t limit) {
  Statement row = db.prepare(
      "SELECT id FROM run WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?");
  row.bind_all(now.ms, static_cast<std::int64_t>(limit));
  std::vector<std::string> ids;
  while (row.step()) ids.push_back(row.text(0));
  return ids;
}

std::optional<base::TimePoint> next_due_run(Db& db, base::TimePoint after) {
  Statement row = db.prepare("SELECT min(due_at) FROM run WHERE due_at IS NOT NULL AND due_at > ?");
  if (!row.bind_all(after.ms).step() || row.is_null(0)) return std::nullopt;
  return base::TimePoint{row.integer(0)};
}

void insert_run(Db& db, StoreGuard& guard, const RunRow& row) {
  const std::string state = base::dump(gating::to_json(row.run));
  const RunColumns columns = columns_of(row, state);
  const std::string mac = guard.seal().mark(run_text(guard.seal(), columns));
  Statement statement = db.prepare(
      "INSERT INTO run (workflow, definition, status, open, partial, current_phase, target, branch,"
      " phases_completed, updated_at, version, journal_head, state_digest, state, chain_head, mac,"
      " due_at, number, id, created_at, resume_key)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
      " ON CONFLICT (number) DO NOTHING");
  const int bound = bind_changing(statement, columns, state, mac);
  statement.bind(bound + 1, columns.number).bind(bound + 2, columns.id);
  statement.bind(bound + 3, columns.created_at);
  if (columns.resume_key) {
    statement.bind(bound + 4, *columns.resume_key);
  } else {
    statement.bind_null(bound + 4);
  }
  statement.run();
  if (db.changes() != 1) {
    throw_damaged("state.db holds a session that no phasegate has begun (number " +
                  std::to_string(row.number) + ")");
  }
  guard.added(row.number, mac);
}

void update_run(Db& db, StoreGuard& guard, const RunRow& row) {
  const std::string state = base::dump(gating::to_json(row.run));
  const RunColumns columns = columns_of(row, state);
  const std::string mac = guard.seal().mark(run_text(guard.seal(), columns));
  Statement statement = db.prepare(
      "UPDATE run SET workflow = ?, definition = ?, status = ?, open = ?, partial = ?,"
      " current_phase = ?, target = ?, branch = ?, phases_completed = ?, updated_at = ?,"
      " version = ?, journal_head = ?, state_digest = ?, state = ?, chain_head = ?, mac = ?,"
      " due_at = ? WHERE number = ?");
  const int bound = bind_changing(statement, columns, state, mac);
  statement.bind(bound + 1, columns.number).run();
  guard.replaced(row.mac, mac);
}

}  // namespace phasegate::state
