#include "state/restore_plan.h"

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/backup_copy.h"
#include "state/migrations.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;

void look_at_copy(Db& copy, RestorePlan& plan) {
  const CopyFacts facts = facts_of(copy);
  plan.schema_version = facts.schema_version;
  plan.database_id = facts.database_id;
  plan.sessions = copy.query_integer("SELECT count(*) FROM run").value_or(0);
  if (const auto newest = copy.query_integer("SELECT max(updated_at) FROM run");
      plan.sessions > 0) {
    plan.last_change = base::TimePoint{newest.value_or(0)};
  }
}

void compare_with_live(const fs::path& folder, const fs::path& staged, RestorePlan& plan) {
  const fs::path file = folder / kStoreFileName;
  std::error_code failed;
  plan.unreadable = why_unusable(folder);
  plan.there = fs::exists(fs::symlink_status(file, failed)) || plan.unreadable.has_value();
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
}

void prepare_copy(const fs::path&, const fs::path& staged, const std::string&, base::TimePoint) {
  Db db(staged, {.busy_ms = base::limits::kStoreBusyMs, .application_id = kApplicationId});
  migrate_copy(db, staged, all_migrations());
}

void anchor_restored(const fs::path&) {}

}  // namespace phasegate::state
