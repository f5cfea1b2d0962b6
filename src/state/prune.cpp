#include "state/prune.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/limits.h"
#include "base/log.h"
#include "gating/engine/ports.h"
#include "state/run_rows.h"
#include "state/seal/audit.h"
#include "state/unused.h"

namespace phasegate::state {
using gating::engine::StoreFailure;
namespace {

/// A session whose every row verifies; nullopt: it is gone. Throws StoreFailure (`damaged`) if one
/// does not.
std::optional<RunRow> read_whole(Db& db, Seal& seal, const std::string& id) {
  VerifiedRuns none;
  auto row = read_run(db, &seal, id, none);
  if (!row) return std::nullopt;
  AuditReport report;
  audit_session(db, seal, id, report);
  if (report.findings.empty()) return row;
  throw StoreFailure(base::Error{"damaged",
                                 "session " + id + ": " + report.findings.front().message,
                                 "`phasegate audit` says more; the session stays", ""});
}

Tombstone tombstone_of(const RunRow& row, const PruneWish& wish) {
  Tombstone one;
  one.number = row.number;
  one.id = row.run.id;
  one.workflow = row.run.workflow;
  one.status = gating::to_text(row.run.status);
  one.partial = row.run.partial;
  one.target = row.run.target;
  one.created_at = row.run.created_at;
  one.ended_at = row.run.updated_at;
  one.journal_head = row.journal_head;
  one.chain_head = row.chain_head;
  one.pruned_at = wish.now;
  one.pruned_by = wish.who;
  return one;
}

bool has_effects(Db& db, std::int64_t run) {
  Statement row = db.prepare("SELECT 1 FROM outbox WHERE run = ? LIMIT 1");
  return row.bind_all(run).step();
}

void remove_rows(Db& db, std::int64_t run) {
  for (const char* sql :
       {"DELETE FROM journal WHERE run = ?", "DELETE FROM artifact WHERE run = ?",
        "DELETE FROM decision WHERE run = ?", "DELETE FROM run WHERE number = ?"}) {
    db.prepare(sql).bind_all(run).run();
  }
}

/// What is to go: ids, oldest change first.
std::vector<std::string> choose(Db& db, const PruneWish& wish, const std::set<std::string>& skipped,
                                Pruned& done) {
  std::vector<std::string> ids;
  const std::int64_t ended =
      db.query_integer("SELECT count(*) FROM run WHERE open = 0").value_or(0);
  const std::int64_t surplus = ended - static_cast<std::int64_t>(wish.keep);
  if (surplus <= 0) return ids;
  Statement rows = db.prepare(
      "SELECT id, EXISTS (SELECT 1 FROM outbox WHERE outbox.run = run.number) FROM run"
      " WHERE open = 0 ORDER BY updated_at, id LIMIT ?");
  rows.bind_all(surplus);
  while (rows.step()) {
    if (rows.integer(1) != 0) {
      ++done.waiting;
    } else if (ids.size() == wish.at_most) {
      done.more = true;
      break;
    } else if (!skipped.contains(rows.text(0))) {
      ids.push_back(rows.text(0));
    }
  }
  return ids;
}

}  // namespace

Pruner::Pruner(const std::filesystem::path& folder, std::int64_t busy_ms)
    : file_(folder, {.busy_ms = busy_ms}) {}

bool Pruner::is_due() {
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return false;
  Statement row = db->prepare("SELECT 1 FROM run WHERE open = 0 LIMIT 1 OFFSET ?");
  return row.bind_all(static_cast<std::int64_t>(kEndedKept + kEndedSlack)).step();
}

void Pruner::prune_batch(Db& db, const PruneWish& wish, const std::vector<std::string>& ids,
                         Pruned& done) {
  Seal& seal = *file_.seal();
  std::vector<Tombstone> removed;
  std::optional<StoreTransaction> transaction;
  if (!wish.dry_run) transaction.emplace(file_, db);
  for (const std::string& id : ids) {
    std::optional<RunRow> row;
    try {
      row = read_whole(db, seal, id);
    } catch (const StoreFailure& failure) {
      if (failure.error().code != "damaged") throw;
      if (!wish.dry_run) skipped_.insert(id);
      done.damaged.push_back({id, failure.error().message});
      continue;
    }
    // Between the choice and the lock somebody may have gone on with it, or pruned it.
    if (!row || gating::is_open(row->run.status) || has_effects(db, row->number)) continue;
    Tombstone one = tombstone_of(*row, wish);
    if (transaction) {
      put_tombstone(db, seal, one);
      remove_rows(db, row->number);
      transaction->guard().buried(row->mac);
    }
    removed.push_back(std::move(one));
  }
  if (transaction && !removed.empty()) transaction->commit(StoreTransaction::Anchor::synced);
  std::move(removed.begin(), removed.end(), std::back_inserter(done.sessions));
}

Pruned Pruner::prune(const PruneWish& wish) {
  Pruned done;
  const CloseOnFailure closing(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return done;
  // Somebody who only looks hears of all of them, and so does who removes afterwards.
  static const std::set<std::string> kNone;
  const std::vector<std::string> ids = choose(*db, wish, wish.dry_run ? kNone : skipped_, done);
  for (std::size_t at = 0; at < ids.size(); at += kPrunedAtOnce) {
    const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end =
        ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), at + kPrunedAtOnce));
    prune_batch(*db, wish, {begin, end}, done);
  }
  if (wish.dry_run || done.sessions.empty()) return done;
  if (!done.more) {
    const Unused unused = remove_unused(file_, *db);
    done.definitions = unused.definitions;
    done.documents = unused.documents;
  }
  base::log_info("state.pruned",
                 {{"sessions", std::to_string(done.sessions.size())}, {"by", wish.who}});
  return done;
}

}  // namespace phasegate::state
