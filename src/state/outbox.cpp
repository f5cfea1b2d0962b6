#include "state/outbox.h"

#include <limits>

namespace phasegate::state {
using gating::engine::OutboxRow;
using gating::engine::Owner;
namespace {

/// When a lease that begins now ends; a lease too long for the clock never ends.
std::int64_t lease_end(base::TimePoint now, std::int64_t lease_ms) {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  if (lease_ms > 0 && now.ms > kLast - lease_ms) return kLast;
  return now.ms + lease_ms;
}

OutboxRow read_row(const Statement& row) {
  OutboxRow out;
  out.id = row.integer(0);
  out.run_id = row.text(1);
  out.effect = {row.text(2), row.text(3), static_cast<int>(row.integer(4)), row.text(5)};
  if (!row.is_null(6)) out.owner = Owner{row.text(6), row.integer(7), row.integer(8)};
  out.lease_until = {row.integer(9)};
  out.deliveries = static_cast<int>(row.integer(10));
  out.progress = row.text(11);
  return out;
}

constexpr std::string_view kRow =
    "SELECT outbox.id, run.id, kind, phase, attempt, payload, boot_id, pid, process_start,"
    " lease_until, deliveries, progress FROM outbox JOIN run ON run.number = outbox.run";

/// Looked through for an owner that is gone; of one run there are never so many.
constexpr std::string_view kOwnersLookedAt = " LIMIT 1000";

/// One that nobody holds. What was never held or given back has the lease 0, so that the oldest
/// comes first; the rest follows in the order in which their time came.
std::int64_t next_free(Db& db, base::TimePoint now, const std::string& kind) {
  if (kind.empty()) {
    Statement next =
        db.prepare("SELECT id FROM outbox WHERE lease_until <= ? ORDER BY lease_until, id LIMIT 1");
    return next.bind_all(now.ms).step() ? next.integer(0) : 0;
  }
  Statement next = db.prepare(
      "SELECT id FROM outbox WHERE kind = ? AND lease_until <= ? ORDER BY lease_until, id LIMIT 1");
  return next.bind_all(kind, now.ms).step() ? next.integer(0) : 0;
}

/// The rows among which an owner may be gone: those of one run, whoever holds them, or those that
/// somebody holds. What was deferred is held by nobody and may be much more.
Statement rows_to_look_at(Db& db, base::TimePoint now, const gating::engine::ClaimWish& wish) {
  std::string sql(kRow);
  if (!wish.run_id.empty()) {
    sql += " WHERE outbox.run = (SELECT number FROM run WHERE id = ?3)";
    if (!wish.kind.empty()) sql += " AND kind = ?2";
    sql += " ORDER BY outbox.id";
  } else {
    sql += " WHERE boot_id IS NOT NULL";
    if (!wish.kind.empty()) sql += " AND kind = ?2";
    sql += " AND lease_until > ?1 ORDER BY lease_until, outbox.id";
  }
  Statement rows = db.prepare(sql.append(kOwnersLookedAt));
  if (wish.run_id.empty()) rows.bind(1, now.ms);
  if (!wish.kind.empty()) rows.bind(2, wish.kind);
  if (!wish.run_id.empty()) rows.bind(3, wish.run_id);
  return rows;
}

/// The effect to be taken next, or 0.
std::int64_t next_to_claim(Db& db, base::TimePoint now, const gating::engine::ClaimWish& wish) {
  if (wish.run_id.empty()) {
    if (const std::int64_t id = next_free(db, now, wish.kind); id != 0) return id;
    if (!wish.gone) return 0;
  }
  Statement rows = rows_to_look_at(db, now, wish);
  while (rows.step()) {
    const OutboxRow row = read_row(rows);
    if (row.lease_until.ms <= now.ms) return row.id;
    if (row.owner && wish.gone && wish.gone(*row.owner)) return row.id;
  }
  return 0;
}

}  // namespace

bool remove_effect(Db& db, std::int64_t id, const Owner& owner) {
  db.prepare("DELETE FROM outbox WHERE id = ? AND boot_id = ? AND pid = ? AND process_start = ?")
      .bind_all(id, owner.boot_id, owner.pid, owner.process_start)
      .run();
  return db.changes() == 1;
}

std::optional<OutboxRow> SqliteOutbox::claim(const Owner& owner, base::TimePoint now,
                                             std::int64_t lease_ms,
                                             const gating::engine::ClaimWish& wish) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  // Asked again and again, mostly for nothing: that must not take the write lock.
  if (next_to_claim(*db, now, wish) == 0) return std::nullopt;
  StoreTransaction transaction(file_, *db);
  const std::int64_t id = next_to_claim(*db, now, wish);
  if (id == 0) return std::nullopt;
  db->prepare(
        "UPDATE outbox SET boot_id = ?, pid = ?, process_start = ?, lease_until = ?,"
        " heartbeat_at = ?, deliveries = deliveries + 1, progress = '' WHERE id = ?")
      .bind_all(owner.boot_id, owner.pid, owner.process_start, lease_end(now, lease_ms), now.ms, id)
      .run();
  std::optional<OutboxRow> claimed;
  {
    Statement row = db->prepare(std::string(kRow) + " WHERE outbox.id = ?");
    if (row.bind_all(id).step()) claimed = read_row(row);
  }
  transaction.commit();
  return claimed;
}

bool SqliteOutbox::defer(std::int64_t id, const Owner& owner, base::TimePoint until) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return false;
  StoreTransaction transaction(file_, *db);
  db->prepare(
        "UPDATE outbox SET boot_id = NULL, pid = NULL, process_start = NULL, lease_until = ?,"
        " heartbeat_at = NULL WHERE id = ? AND boot_id = ? AND pid = ? AND process_start = ?")
      .bind_all(until.ms, id, owner.boot_id, owner.pid, owner.process_start)
      .run();
  const bool held = db->changes() == 1;
  transaction.commit();
  return held;
}

std::optional<base::TimePoint> SqliteOutbox::next_due(std::string_view kind) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  Statement row = db->prepare("SELECT min(lease_until) FROM outbox WHERE kind = ?");
  if (!row.bind_all(kind).step() || row.is_null(0)) return std::nullopt;
  return base::TimePoint{row.integer(0)};
}

std::optional<OutboxRow> SqliteOutbox::find(std::string_view run_id, std::string_view kind) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  Statement row =
      db->prepare(std::string(kRow) + " WHERE run.id = ? AND kind = ? ORDER BY outbox.id LIMIT 1");
  if (!row.bind_all(run_id, kind).step()) return std::nullopt;
  return read_row(row);
}

bool SqliteOutbox::heartbeat(std::int64_t id, const Owner& owner, base::TimePoint now,
                             std::int64_t lease_ms, std::string_view progress) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return false;
  StoreTransaction transaction(file_, *db);
  db->prepare(
        "UPDATE outbox SET lease_until = ?, heartbeat_at = ?, progress = ?"
        " WHERE id = ? AND boot_id = ? AND pid = ? AND process_start = ?")
      .bind_all(lease_end(now, lease_ms), now.ms, progress, id, owner.boot_id, owner.pid,
                owner.process_start)
      .run();
  const bool held = db->changes() == 1;
  transaction.commit();
  return held;
}

bool SqliteOutbox::finish(std::int64_t id, const Owner& owner) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return false;
  StoreTransaction transaction(file_, *db);
  const bool held = remove_effect(*db, id, owner);
  transaction.commit();
  return held;
}

void SqliteOutbox::release_all(const Owner& owner) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return;
  StoreTransaction transaction(file_, *db);
  db->prepare(
        "UPDATE outbox SET boot_id = NULL, pid = NULL, process_start = NULL, lease_until = 0,"
        " heartbeat_at = NULL WHERE boot_id = ? AND pid = ? AND process_start = ?")
      .bind_all(owner.boot_id, owner.pid, owner.process_start)
      .run();
  transaction.commit();
}

}  // namespace phasegate::state
