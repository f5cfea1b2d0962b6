#include "state/trust_book.h"

#include "base/json.h"
#include "base/log.h"
#include "state/seal/store_mark.h"

namespace phasegate::state {
using gating::engine::TrustRecord;

namespace {

constexpr std::size_t kEnvironmentBytesMax = 1U << 20U;

std::string to_text(const std::vector<std::string>& environment) {
  return base::dump(base::Json(environment));
}

/// Nullopt for a damaged record: programs must not be given something else than what was agreed to.
std::optional<TrustRecord> record_of(const Statement& row) {
  TrustRecord record{row.text(0), row.text(1), row.text(2), row.text(3), {row.integer(4)}, {}};
  const auto list = base::parse_json(row.text(5), {kEnvironmentBytesMax, 2});
  if (!list || !list->is_array()) return std::nullopt;
  for (const base::Json& variable : *list) {
    if (!variable.is_string()) return std::nullopt;
    record.environment.push_back(variable.get<std::string>());
  }
  return record;
}

}  // namespace

bool SqliteTrustBook::is_sound(Db& db) {
  Seal* const seal = file_.seal();
  // Before histories were sealed nobody vouched for anything.
  if (seal == nullptr) return true;
  const auto mark = read_store_mark(db, *seal);
  if (mark && mark->trusted == trust_digest(db)) return true;
  base::log_warning("state.trust_changed");
  return false;
}

template <typename Change>
void SqliteTrustBook::change(Db& db, Change change) {
  StoreTransaction transaction(file_, db);
  if (!is_sound(db)) db.execute("DELETE FROM trust");
  change();
  transaction.guard().trusted(trust_digest(db));
  transaction.commit(StoreTransaction::Anchor::synced);
}

std::optional<TrustRecord> SqliteTrustBook::find(std::string_view digest) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return std::nullopt;
  Statement row = db->prepare(
      "SELECT digest, workflow, shown, principal, at, environment FROM trust WHERE digest = ?");
  if (!row.bind_all(digest).step() || !is_sound(*db)) return std::nullopt;
  return record_of(row);
}

void SqliteTrustBook::trust(const TrustRecord& record) {
  const CloseOnFailure guard(file_);
  Db& db = file_.for_writing();
  change(db, [&] {
    db.prepare("INSERT OR REPLACE INTO trust VALUES (?, ?, ?, ?, ?, ?)")
        .bind_all(record.digest, record.workflow, record.shown, record.principal, record.at.ms,
                  to_text(record.environment))
        .run();
  });
}

int SqliteTrustBook::revoke(std::string_view workflow) {
  const CloseOnFailure guard(file_);
  Db* db = file_.for_reading();
  if (db == nullptr) return 0;
  int removed = 0;
  change(*db, [&] {
    db->prepare("DELETE FROM trust WHERE workflow = ?").bind_all(workflow).run();
    removed = static_cast<int>(db->changes());
  });
  return removed;
}

std::vector<TrustRecord> SqliteTrustBook::trusted() {
  const CloseOnFailure guard(file_);
  std::vector<TrustRecord> records;
  Db* db = file_.for_reading();
  if (db == nullptr || !is_sound(*db)) return records;
  Statement rows = db->prepare(
      "SELECT digest, workflow, shown, principal, at, environment FROM trust "
      "ORDER BY at DESC, digest");
  while (rows.step()) {
    if (auto record = record_of(rows)) records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace phasegate::state
