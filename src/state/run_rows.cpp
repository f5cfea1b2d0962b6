#include "state/run_rows.h"

#include <set>
#include <string>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "state/damage.h"

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

/// When time alone changes something for the run; binds null for never.
void bind_due(Statement& statement, int parameter, const RunState& run) {
  if (run.due_at) {
    statement.bind(parameter, run.due_at->ms);
  } else {
    statement.bind_null(parameter);
  }
}

/// The first parameters of both writing statements.
void bind_columns(Statement& statement, const RunState& run, const std::string& state) {
  statement.bind_all(run.workflow, run.definition_hash, gating::to_text(run.status),
                     gating::is_open(run.status) ? 1 : 0, run.partial ? 1 : 0, run.current_phase,
                     run.target, run.branch, phases_completed(run), run.updated_at.ms, run.version,
                     state, base::sha256_hex(state));
}

constexpr int kColumnsBound = 13;

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

}  // namespace

std::optional<RunRow> read_run(Db& db, std::string_view run_id, VerifiedRuns& verified) {
  Statement row = db.prepare(
      "SELECT number, journal_head, state, state_digest, version, status, definition,"
      " EXISTS (SELECT 1 FROM definition WHERE hash = run.definition) FROM run WHERE id = ?");
  if (!row.bind_all(run_id).step()) return std::nullopt;
  const std::string text = row.text(2);
  const std::string digest = row.text(3);
  const RunState* known = verified.find(digest, text);
  RunState run = known != nullptr ? *known : parse_state(run_id, text, digest);
  if (run.id != run_id || run.version != row.integer(4) ||
      gating::to_text(run.status) != row.text(5) || run.definition_hash != row.text(6)) {
    throw_damaged_run(run_id, "it contradicts its row");
  }
  if (row.integer(7) == 0) throw_damaged_run(run_id, "its workflow is missing");
  if (known == nullptr) verified.remember(digest, text, run);
  return RunRow{row.integer(0), row.integer(1), std::move(run)};
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

std::int64_t insert_run(Db& db, const RunState& run, std::int64_t journal_head) {
  const std::string state = base::dump(gating::to_json(run));
  Statement statement = db.prepare(
      "INSERT INTO run (workflow, definition, status, open, partial, current_phase, target, branch,"
      " phases_completed, updated_at, version, state, state_digest, id, created_at, resume_key,"
      " journal_head, due_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  bind_columns(statement, run, state);
  statement.bind(kColumnsBound + 1, run.id).bind(kColumnsBound + 2, run.created_at.ms);
  if (run.resume_key.empty()) {
    statement.bind_null(kColumnsBound + 3);
  } else {
    statement.bind(kColumnsBound + 3, run.resume_key);
  }
  statement.bind(kColumnsBound + 4, journal_head);
  bind_due(statement, kColumnsBound + 5, run);
  statement.run();
  return db.last_insert_id();
}

void update_run(Db& db, const RunRow& row) {
  const std::string state = base::dump(gating::to_json(row.run));
  Statement statement = db.prepare(
      "UPDATE run SET workflow = ?, definition = ?, status = ?, open = ?, partial = ?,"
      " current_phase = ?, target = ?, branch = ?, phases_completed = ?, updated_at = ?,"
      " version = ?, state = ?, state_digest = ?, journal_head = ?, due_at = ? WHERE number = ?");
  bind_columns(statement, row.run, state);
  statement.bind(kColumnsBound + 1, row.journal_head);
  bind_due(statement, kColumnsBound + 2, row.run);
  statement.bind(kColumnsBound + 3, row.number);
  statement.run();
}

}  // namespace phasegate::state
