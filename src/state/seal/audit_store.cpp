#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"
#include "state/seal/audit.h"
#include "state/seal/row_marks.h"
#include "state/seal/seal_rows.h"
#include "state/seal/store_guard.h"
#include "state/tombstones.h"

namespace phasegate::state {
namespace {

bool has_tombstones(Db& db) {
  return db.query_integer("PRAGMA user_version").value_or(0) >= kTombstonesSinceVersion;
}

void check_numbers(Db& db, const StoreMark& mark, AuditReport& report) {
  DigestSum sum;
  std::int64_t there = 0;
  std::int64_t last = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> gaps;
  const auto note_gap = [&](std::int64_t next) {
    if (next > last + 1 && gaps.size() < kAuditFindingsMax) gaps.emplace_back(last + 1, next - 1);
  };
  // Those that were pruned stand between the others.
  Statement runs = db.prepare(
      has_tombstones(db)
          ? "SELECT number, mac, id, 0 FROM run UNION ALL SELECT number, NULL, id, 1 FROM tombstone"
            " ORDER BY number"
          : "SELECT number, mac, id, 0 FROM run ORDER BY number");
  while (runs.step()) {
    const std::int64_t number = runs.integer(0);
    note_gap(number);
    last = std::max(last, number);
    if (runs.integer(3) != 0) continue;
    if (number <= mark.last_number) ++there;
    // One that was not sealed when the others were is not in the sum.
    if (!runs.is_null(1)) sum.add(runs.text(1));
    if (number > mark.last_number) {
      report.add({runs.text(2), 0, "store", "no phasegate has begun this session"});
    }
  }
  note_gap(mark.last_number + 1);
  const std::int64_t missing = mark.last_number - there;
  if (missing != mark.tombstones) {
    for (const auto& [from, to] : gaps) {
      const std::string which = from == to ? "session number " + std::to_string(from) + " is"
                                           : "sessions number " + std::to_string(from) + " to " +
                                                 std::to_string(to) + " are";
      report.add({"", 0, "missing", which + " gone without having been removed on purpose"});
    }
    if (gaps.empty()) {
      report.add({"", 0, "missing",
                  missing < mark.tombstones
                      ? "sessions that were removed on purpose are there again"
                      : "more sessions are gone than were removed on purpose"});
    }
  }
  if (sum != mark.sum) {
    report.add({"", 0, "store",
                "the sessions are not those of the newest state: one of them was put back to an "
                "earlier state, taken out, put in or changed"});
  }
}

/// What stays of pruned sessions: their chain, and that each number that is gone has one.
void check_tombstones(Db& db, Seal& seal, const StoreMark& mark, AuditReport& report) {
  if (!has_tombstones(db)) return;
  if (const auto verified = verify_tombstones(db, seal, mark); !verified) {
    report.add({"", 0, "missing", verified.error().message});
  }
  Statement both = db.prepare(
      "SELECT id FROM tombstone WHERE number IN (SELECT number FROM run) ORDER BY number LIMIT 1");
  if (both.step()) {
    report.add({both.text(0), 0, "missing", "it was pruned, and its number is in use"});
  }
}

void check_acceptances(Db& db, Seal& seal, AuditReport& report) {
  report.acceptances = read_acceptances(db, seal);
  std::int64_t number = 0;
  for (const Acceptance& row : report.acceptances) {
    if (!row.sound || row.number != ++number) {
      report.add({"", 0, "store", "the list of who accepted the state was changed"});
      return;
    }
  }
  if (report.mark && report.mark->acceptances != number) {
    report.add({"", 0, "store", "the list of who accepted the state was changed"});
  }
}

/// `session`: whose finding it is; empty: everybody's.
void check_definition(Db& db, Seal& seal, const std::string& session, const std::string& hash,
                      AuditReport& report) {
  ++report.workflows;
  const auto row = read_definition_row(db, hash);
  const auto mark = row ? from_hex(row->digest) : std::nullopt;
  if (!mark ||
      !seal.holds(*mark, definition_text(seal, hash, row->version, row->model, row->blobs))) {
    report.add({session, 0, "workflow", "the stored workflow " + hash + " is not what was stored"});
  }
}

/// As check_definition.
void check_blob(Db& db, const std::string& session, const std::string& hash, AuditReport& report) {
  ++report.documents;
  Statement row = db.prepare("SELECT bytes FROM blob WHERE hash = ?");
  if (!row.bind_all(hash).step()) {
    report.add({session, 0, "document", "the stored document " + hash + " is missing"});
  } else if (base::sha256_hex(row.text(0)) != hash) {
    report.add({session, 0, "document", "the stored document " + hash + " is not what was stored"});
  }
}

void check_definitions(Db& db, Seal& seal, AuditReport& report) {
  Statement rows = db.prepare("SELECT hash FROM definition ORDER BY hash");
  while (rows.step()) check_definition(db, seal, "", rows.text(0), report);
  Statement used = db.prepare(
      "SELECT id FROM run WHERE NOT EXISTS"
      " (SELECT 1 FROM definition WHERE hash = run.definition) ORDER BY number");
  while (used.step()) {
    report.add({used.text(0), 0, "workflow", "the workflow that it is pinned to is missing"});
  }
}

void check_blobs(Db& db, AuditReport& report) {
  Statement rows = db.prepare("SELECT hash, bytes FROM blob ORDER BY hash");
  while (rows.step()) {
    ++report.documents;
    if (base::sha256_hex(rows.text(1)) != rows.text(0)) {
      report.add(
          {"", 0, "document", "the stored document " + rows.text(0) + " is not what was stored"});
    }
  }
  Statement wanted = db.prepare(
      "SELECT DISTINCT blob FROM definition_blob WHERE NOT EXISTS"
      " (SELECT 1 FROM blob WHERE hash = definition_blob.blob) ORDER BY blob");
  while (wanted.step()) {
    report.add({"", 0, "document", "the stored document " + wanted.text(0) + " is missing"});
  }
}

/// Rows of sessions that are not there: nobody would come upon them.
void check_orphans(Db& db, AuditReport& report) {
  for (const std::string table : {"journal", "artifact", "decision"}) {
    const auto rows = db.query_integer("SELECT count(*) FROM " + table +
                                       " WHERE run NOT IN (SELECT number FROM run)");
    if (rows.value_or(0) == 0) continue;
    report.add({"", 0, "missing",
                std::to_string(*rows) + " rows of the table " + table +
                    " belong to a session that is gone"});
  }
}

}  // namespace

void audit_marks(Db& db, Seal& seal, const std::optional<std::int64_t>& anchor,
                 AuditReport& report) {
  report.anchor = anchor;
  const auto mark = read_store_mark(db, seal);
  if (!mark) {
    report.add({"", 0, "store", mark.error().message});
  } else {
    report.mark = *mark;
    if (const auto compared = compare_with_anchor(*mark, anchor); !compared) {
      report.add({"", 0, "anchor", compared.error().message});
    }
    check_numbers(db, *mark, report);
    check_tombstones(db, seal, *mark, report);
    if (trust_digest(db) != mark->trusted) {
      report.add({"", 0, "trust",
                  "what people trust was changed by something else than `phasegate trust`; none of "
                  "it counts until a person trusts a workflow again"});
    }
  }
  check_acceptances(db, seal, report);
}

void audit_pinned(Db& db, Seal& seal, const std::string& session, AuditReport& report) {
  Statement run = db.prepare("SELECT definition FROM run WHERE id = ?");
  if (!run.bind_all(session).step()) return;
  const std::string definition = run.text(0);
  Statement there = db.prepare("SELECT 1 FROM definition WHERE hash = ?");
  if (!there.bind_all(definition).step()) {
    report.add({session, 0, "workflow", "the workflow that it is pinned to is missing"});
    return;
  }
  check_definition(db, seal, session, definition, report);
  Statement documents =
      db.prepare("SELECT blob FROM definition_blob WHERE definition = ? ORDER BY blob");
  documents.bind_all(definition);
  while (documents.step()) check_blob(db, session, documents.text(0), report);
}

void audit_shared(Db& db, Seal& seal, AuditReport& report) {
  check_definitions(db, seal, report);
  check_blobs(db, report);
  check_orphans(db, report);
}

}  // namespace phasegate::state
