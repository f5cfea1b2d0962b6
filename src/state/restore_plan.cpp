#include "state/restore_plan.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/backup_copy.h"
#include "state/migrations.h"
#include "state/seal/acceptance.h"
#include "state/seal/anchor.h"
#include "state/seal/audit.h"
#include "state/seal/open_seal.h"
#include "state/seal/store_mark.h"
#include "state/seal/under_log.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;

namespace {

/// What of the state that a copy replaces goes on in it.
struct OfLive {
  std::int64_t counter = 0;  ///< 0: of another database, or nobody can tell
  std::vector<Acceptance> acceptances;
};

OfLive look_at_live(const fs::path& folder, const std::string& database_id) {
  OfLive found;
  try {
    Db live(folder / kStoreFileName, {.mode = DbOptions::Mode::read_only,
                                      .busy_ms = base::limits::kStoreBusyMs,
                                      .application_id = kApplicationId});
    auto seal = open_seal(live, folder);
    if (!seal) return found;
    found.acceptances = read_acceptances(live, *seal);
    const auto mark = read_store_mark(live, *seal);
    if (mark && seal->database_id() == database_id) found.counter = mark->counter;
  } catch (const StoreFailure&) {
    return found;
  }
  return found;
}

}  // namespace

void look_at_copy(const fs::path& folder, const fs::path& staged, const std::string& name,
                  RestorePlan& plan) {
  Db copy(staged, {.busy_ms = base::limits::kStoreBusyMs, .application_id = kApplicationId});
  require_version_at_most(copy, name, newest_version(all_migrations()));
  const CopyFacts facts = facts_of(copy);
  plan.schema_version = facts.schema_version;
  plan.unsealed = facts.schema_version < kSealedSinceVersion;
  plan.database_id = facts.database_id;
  plan.sessions = copy.query_integer("SELECT count(*) FROM run").value_or(0);
  if (const auto newest = copy.query_integer("SELECT max(updated_at) FROM run");
      plan.sessions > 0) {
    plan.last_change = base::TimePoint{newest.value_or(0)};
  }
  migrate_copy(copy, staged, all_migrations());
  Seal seal = open_seal(copy, folder).value();
  const auto mark = read_store_mark(copy, seal);
  if (!mark) {
    throw StoreFailure(base::Error{
        "damaged",
        name + " does not verify with the seal-keys of this state: it was sealed with others, or "
               "it was changed",
        "choose another copy, or first put the seal-keys that belong to this one in the place of "
        "those here, with which nothing of what is here now verifies any more; nothing was changed",
        ""});
  }
  plan.damaged = audit_copy(copy, seal, mark->counter);
}

void compare_with_live(const fs::path& folder, const fs::path& staged, RestorePlan& plan) {
  const fs::path file = folder / kStoreFileName;
  std::error_code failed;
  plan.unreadable = why_unusable(folder);
  plan.there = fs::exists(fs::symlink_status(file, failed)) ||
               (plan.unreadable && fs::exists(file.string() + "-wal", failed));
  if (!plan.there || plan.unreadable) return;
  Db live(file, {.mode = DbOptions::Mode::read_only,
                 .busy_ms = base::limits::kStoreBusyMs,
                 .application_id = kApplicationId});
  Db copy(staged, {.mode = DbOptions::Mode::read_only});
  const Snapshot snapshot(live);
  plan.same_database = live.query_text("SELECT value FROM meta WHERE key = 'database_id'") ==
                       std::optional(plan.database_id);
  Statement rows = live.prepare(
      "SELECT id, workflow, status, journal_head FROM run ORDER BY updated_at DESC, number DESC");
  while (rows.step()) {
    SetBack one{rows.text(0), rows.text(1), rows.text(2), rows.integer(3), false};
    Statement same = copy.prepare("SELECT journal_head FROM run WHERE id = ?");
    if (!same.bind_all(one.run_id).step()) {
      one.gone = true;
      ++plan.sessions_gone;
    } else {
      one.entries_lost -= same.integer(0);
      if (one.entries_lost <= 0) continue;
      ++plan.sessions_set_back;
    }
    plan.entries_lost += one.entries_lost;
    if (plan.set_back.size() < kSetBackShown) plan.set_back.push_back(std::move(one));
  }
  Statement theirs = copy.prepare("SELECT id FROM run");
  while (theirs.step()) {
    Statement pruned = live.prepare("SELECT 1 FROM tombstone WHERE id = ?");
    if (pruned.bind_all(theirs.text(0)).step()) ++plan.sessions_back;
  }
}

void prepare_copy(const fs::path& folder, Db& copy, const std::string& who, base::TimePoint now) {
  Seal seal = open_seal(copy, folder).value();
  const OfLive live = look_at_live(folder, seal.database_id());
  Transaction transaction(copy);
  carry_over(copy, seal, live.acceptances);
  static_cast<void>(accept_state(copy, seal, who, "a copy was put back", now));
  auto mark = read_store_mark(copy, seal);
  if (!mark) throw StoreFailure(mark.error());
  mark->counter = std::max(mark->counter, live.counter + 1);
  write_store_mark(copy, seal, *mark);
  transaction.commit();
  // With an anchor of an earlier counter the state is in use at once, even after a crash; without
  // one nothing could be written until somebody has accepted that.
  if (!read_anchor(seal)) static_cast<void>(raise_anchor(seal, mark->counter, std::nullopt, true));
}

void anchor_restored(const fs::path& folder) {
  Db live(folder / kStoreFileName, {.mode = DbOptions::Mode::read_only,
                                    .busy_ms = base::limits::kStoreBusyMs,
                                    .application_id = kApplicationId});
  Seal seal = open_seal(live, folder).value();
  const auto mark = read_store_mark(live, seal);
  if (!mark) throw StoreFailure(mark.error());
  // What keeps the state from being used now was about what was there before: an anchor that is a
  // link or open to others, or what it says that the file held under a log that has a copy of
  // everything now.
  if (!raise_anchor(seal, mark->counter, live.log_name(), true) ||
      !compare_under_log(live, seal, read_anchor(seal))) {
    renew_anchor(seal, mark->counter, live.log_name());
  }
}

}  // namespace phasegate::state
