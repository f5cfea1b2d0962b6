#include "state/trust_book.h"

namespace phasegate::state {
using gating::engine::TrustRecord;

bool SqliteTrustBook::is_trusted(std::string_view digest) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  return db != nullptr &&
         db->prepare("SELECT 1 FROM trust WHERE digest = ?").bind_all(digest).step();
}

void SqliteTrustBook::trust(const TrustRecord& record) {
  const CloseOnFailure guard(file_);
  Db& db = file_.for_writing();
  StoreTransaction transaction(file_, db);
  db.prepare("INSERT OR REPLACE INTO trust VALUES (?, ?, ?, ?, ?)")
      .bind_all(record.digest, record.workflow, record.shown, record.principal, record.at.ms)
      .run();
  transaction.commit();
}

int SqliteTrustBook::revoke(std::string_view workflow) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return 0;
  StoreTransaction transaction(file_, *db);
  db->prepare("DELETE FROM trust WHERE workflow = ?").bind_all(workflow).run();
  const auto removed = static_cast<int>(db->changes());
  transaction.commit();
  return removed;
}

std::vector<TrustRecord> SqliteTrustBook::trusted() {
  const CloseOnFailure guard(file_);
  std::vector<TrustRecord> records;
  Db* db = file_.for_reading();
  if (db == nullptr) return records;
  Statement rows = db->prepare(
      "SELECT digest, workflow, shown, principal, at FROM trust ORDER BY at DESC, digest");
  while (rows.step()) {
    records.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3), {rows.integer(4)}});
  }
  return records;
}

}  // namespace phasegate::state
