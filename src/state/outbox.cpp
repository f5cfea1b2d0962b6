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
  out.owner = Owner{row.text(6), row.integer(7), row.integer(8)};
  out.lease_until = {row.integer(9)};
  out.deliveries = static_cast<int>(row.integer(10));
  return out;
}

}  // namespace

std::optional<OutboxRow> SqliteOutbox::claim(const Owner& owner, base::TimePoint now,
                                             std::int64_t lease_ms) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  // Asked again and again, mostly for nothing: that must not take the write lock.
  constexpr std::string_view kNext =
      "SELECT id FROM outbox WHERE boot_id IS NULL OR lease_until <= ? ORDER BY id LIMIT 1";
  if (!db->prepare(kNext).bind_all(now.ms).step()) return std::nullopt;
  StoreTransaction transaction(file_, *db);
  std::int64_t id = 0;
  {
    Statement next = db->prepare(kNext);
    if (!next.bind_all(now.ms).step()) return std::nullopt;
    id = next.integer(0);
  }
  db->prepare(
        "UPDATE outbox SET boot_id = ?, pid = ?, process_start = ?, lease_until = ?,"
        " heartbeat_at = ?, deliveries = deliveries + 1 WHERE id = ?")
      .bind_all(owner.boot_id, owner.pid, owner.process_start, lease_end(now, lease_ms), now.ms, id)
      .run();
  std::optional<OutboxRow> claimed;
  {
    Statement row = db->prepare(
        "SELECT outbox.id, run.id, kind, phase, attempt, payload, boot_id, pid, process_start,"
        " lease_until, deliveries FROM outbox JOIN run ON run.number = outbox.run"
        " WHERE outbox.id = ?");
    if (row.bind_all(id).step()) claimed = read_row(row);
  }
  transaction.commit();
  return claimed;
}

bool SqliteOutbox::heartbeat(std::int64_t id, const Owner& owner, base::TimePoint now,
                             std::int64_t lease_ms) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return false;
  StoreTransaction transaction(file_, *db);
  db->prepare(
        "UPDATE outbox SET lease_until = ?, heartbeat_at = ?"
        " WHERE id = ? AND boot_id = ? AND pid = ? AND process_start = ?")
      .bind_all(lease_end(now, lease_ms), now.ms, id, owner.boot_id, owner.pid, owner.process_start)
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
  db->prepare("DELETE FROM outbox WHERE id = ? AND boot_id = ? AND pid = ? AND process_start = ?")
      .bind_all(id, owner.boot_id, owner.pid, owner.process_start)
      .run();
  const bool held = db->changes() == 1;
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
