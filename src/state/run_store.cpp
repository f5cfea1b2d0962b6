#include "state/run_store.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "state/decision_rows.h"
#include "state/definitions.h"
#include "state/outbox.h"
#include "state/project_root.h"
#include "state/records.h"
#include "state/run_list.h"
#include "state/run_rows.h"
#include "state/seal/seal_rows.h"
#include "state/used_once.h"

namespace phasegate::state {
using gating::RunState;
using gating::Transition;
using gating::engine::ArtifactRow;
using gating::engine::JournalRow;
using gating::engine::Once;
using gating::engine::OnceOutcome;
using gating::engine::RunPage;
using gating::engine::RunQuery;
using gating::engine::StartOutcome;
using gating::engine::StoredDefinition;
namespace {

/// A mistake of ours, not of whoever called the program.
void check_invariant(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("state: ") + what);
}

class StoreReading final : public gating::engine::Reading {
 public:
  explicit StoreReading(StoreFile& file) : file_(file) {}
  ~StoreReading() override { file_.end_reading(); }
  StoreReading(const StoreReading&) = delete;
  StoreReading& operator=(const StoreReading&) = delete;

 private:
  StoreFile& file_;
};

/// Whether what happened is worth a second wait for the disk: an anchor that is behind would not
/// tell that it was undone.
StoreTransaction::Anchor anchor_for(const Transition& transition) {
  const auto decided = [](const gating::JournalEntry& entry) {
    return entry.kind == "decision_answered";
  };
  const bool ended = transition.next && !gating::is_open(transition.next->status);
  if (ended || std::ranges::any_of(transition.journal, decided)) {
    return StoreTransaction::Anchor::synced;
  }
  return StoreTransaction::Anchor::raised;
}

/// Everything a transition leaves behind beside the run's row and its journal.
void write_records(Db& db, Seal& seal, std::int64_t run,
                   const std::optional<gating::OpenDecision>& asked_before,
                   const Transition& transition) {
  const RunState& next = *transition.next;
  keep_decisions(db, seal, run, asked_before, transition);
  append_effects(db, run, transition.effects);
  for (const auto& [hash, bytes] : transition.blobs) keep_bytes(db, hash, bytes);
  if (transition.artifact) {
    const gating::AcceptedPhase* accepted = next.find_accepted(transition.artifact->phase);
    keep_artifact(db, seal, run, *transition.artifact,
                  accepted != nullptr ? accepted->accepted_at : next.updated_at);
  }
}

/// Makes `row` the one after the transition; returns the chains of the new entries.
std::vector<std::string> advance(Seal& seal, RunRow& row, const Transition& transition) {
  auto chains = chains_of(seal, row.number, transition.next->id, row.journal_head, row.chain_head,
                          transition.journal);
  row.journal_head += static_cast<std::int64_t>(chains.size());
  if (!chains.empty()) row.chain_head = chains.back();
  row.run = *transition.next;
  return chains;
}

}  // namespace

StartOutcome SqliteRunStore::create_run(const StoredDefinition& definition, const Transition& first,
                                        bool resume) {
  check_invariant(!file_.is_reading(), "a run begins within a reading");
  check_invariant(first.next.has_value(), "a run begins without a state");
  const RunState& run = *first.next;
  check_invariant(run.definition_hash == definition.hash, "a run is pinned to another definition");
  const CloseOnFailure closing(file_);
  Db& db = file_.for_writing();
  StoreTransaction transaction(file_, db);
  if (resume && !run.resume_key.empty()) {
    if (auto open = find_open_run(db, run.resume_key)) return {*std::move(open), true};
  }
  StoreGuard& guard = transaction.guard();
  keep_definition(db, guard.seal(), definition);
  // The row comes first, because the records refer to it; what it says of them is known beforehand.
  RunRow row;
  row.number = guard.next_number();
  const auto chains = advance(guard.seal(), row, first);
  insert_run(db, guard, row);
  append_journal(db, row.number, 0, first.journal, chains);
  write_records(db, guard.seal(), row.number, std::nullopt, first);
  keep_project_root(db, project_root_);
  transaction.commit(anchor_for(first));
  return {run.id, false};
}

std::optional<Transition> SqliteRunStore::decide_and_write(Db& db, StoreGuard& guard,
                                                           std::string_view run_id,
                                                           const Decide& decide) {
  auto row = read_run(db, &guard.seal(), run_id, runs_);
  if (!row) return std::nullopt;
  Transition transition = decide(row->run);
  if (!transition.next) return transition;
  check_invariant(transition.next->id == row->run.id, "a transition changes a run's id");
  check_invariant(transition.next->version >= row->run.version, "a run's version goes back");
  check_invariant(transition.next->created_at == row->run.created_at &&
                      transition.next->resume_key == row->run.resume_key,
                  "a transition changes how a run began");
  const std::int64_t head = row->journal_head;
  const std::optional<gating::OpenDecision> asked_before = row->run.decision;
  const auto chains = advance(guard.seal(), *row, transition);
  append_journal(db, row->number, head, transition.journal, chains);
  write_records(db, guard.seal(), row->number, asked_before, transition);
  update_run(db, guard, *row);
  keep_project_root(db, project_root_);
  return transition;
}

std::optional<Transition> SqliteRunStore::transact(std::string_view run_id, const Decide& decide) {
  check_invariant(!file_.is_reading(), "a run changes within a reading");
  const CloseOnFailure closing(file_);
  // A run that does not exist is no reason to make a database.
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  StoreTransaction transaction(file_, *db);
  auto done = decide_and_write(*db, transaction.guard(), run_id, decide);
  if (done && done->next) transaction.commit(anchor_for(*done));
  return done;
}

OnceOutcome SqliteRunStore::transact_once(std::string_view run_id, const Once& once,
                                          base::TimePoint now, const Decide& decide) {
  check_invariant(!file_.is_reading(), "a run changes within a reading");
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return {};
  StoreTransaction transaction(file_, *db);
  if (!keep_used_once(*db, once, now)) return {true, std::nullopt};
  auto done = decide_and_write(*db, transaction.guard(), run_id, decide);
  if (done) transaction.commit(anchor_for(*done));
  return {false, std::move(done)};
}

std::optional<Transition> SqliteRunStore::transact_effect(std::string_view run_id,
                                                          std::int64_t effect,
                                                          const gating::engine::Owner& owner,
                                                          const Decide& decide) {
  check_invariant(!file_.is_reading(), "a run changes within a reading");
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  StoreTransaction transaction(file_, *db);
  if (!remove_effect(*db, effect, owner)) return std::nullopt;
  auto done = decide_and_write(*db, transaction.guard(), run_id, decide);
  if (done) transaction.commit(anchor_for(*done));
  return done;
}

std::optional<Transition> SqliteRunStore::transact_pinning(std::string_view run_id,
                                                           const StoredDefinition& definition,
                                                           const Decide& decide) {
  check_invariant(!file_.is_reading(), "a run changes within a reading");
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  StoreTransaction transaction(file_, *db);
  // Kept first, since the run's row refers to it; without a commit nothing of it stays.
  keep_definition(*db, transaction.guard().seal(), definition);
  auto done = decide_and_write(*db, transaction.guard(), run_id, decide);
  if (done && done->next) transaction.commit(anchor_for(*done));
  return done;
}

bool SqliteRunStore::use_once(const Once& once, base::TimePoint now) {
  check_invariant(!file_.is_reading(), "a token is used up within a reading");
  const CloseOnFailure closing(file_);
  Db& db = file_.for_writing();
  StoreTransaction transaction(file_, db);
  if (!keep_used_once(db, once, now)) return false;
  transaction.commit();
  return true;
}

std::unique_ptr<gating::engine::Reading> SqliteRunStore::begin_reading() {
  const CloseOnFailure closing(file_);
  if (!file_.begin_reading()) return nullptr;
  return std::make_unique<StoreReading>(file_);
}

std::optional<RunState> SqliteRunStore::load(std::string_view run_id) {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  auto row = read_run(*db, file_.seal(), run_id, runs_);
  if (!row) return std::nullopt;
  return std::move(row->run);
}

base::Result<RunPage> SqliteRunStore::list(const RunQuery& query) {
  const CloseOnFailure closing(file_);
  if (Db* db = file_.for_reading()) return list_runs(*db, query);
  if (const auto cursor = check_cursor(query); !cursor) return cursor.error();
  return RunPage{};
}

std::optional<std::string> SqliteRunStore::find_decision(std::string_view decision) {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  return db == nullptr ? std::nullopt : state::find_decision(*db, decision);
}

std::vector<std::string> SqliteRunStore::due(base::TimePoint now, std::size_t limit) {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  return db == nullptr ? std::vector<std::string>() : due_runs(*db, now, limit);
}

std::optional<base::TimePoint> SqliteRunStore::next_due(base::TimePoint after) {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  return db == nullptr ? std::nullopt : next_due_run(*db, after);
}

std::vector<JournalRow> SqliteRunStore::journal(std::string_view run_id, std::int64_t after,
                                                std::size_t limit) {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  return db == nullptr ? std::vector<JournalRow>()
                       : read_journal(*db, file_.seal(), run_id, after, limit);
}

std::vector<ArtifactRow> SqliteRunStore::artifacts(std::string_view run_id) {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  return db == nullptr ? std::vector<ArtifactRow>() : read_artifacts(*db, file_.seal(), run_id);
}

std::optional<StoredDefinition> SqliteRunStore::definition(std::string_view hash) {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  return db == nullptr ? std::nullopt : read_definition(*db, file_.seal(), hash);
}

std::optional<std::string> SqliteRunStore::blob(std::string_view hash) {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  return db == nullptr ? std::nullopt : read_blob(*db, hash, blobs_);
}

}  // namespace phasegate::state
