#include "state/journal_reading.h"

#include <algorithm>
#include <limits>

namespace phasegate::state {
using gating::engine::JournalRow;
namespace {

std::int64_t bounded(std::size_t limit) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(limit, kMost));
}

std::vector<JournalRow> read_rows(Statement& rows) {
  std::vector<JournalRow> journal;
  while (rows.step()) {
    JournalRow& row = journal.emplace_back();
    row.seq = rows.integer(0);
    row.entry.kind = rows.text(1);
    row.entry.phase = rows.text(2);
    row.entry.visit = static_cast<int>(rows.integer(3));
    row.entry.attempt = static_cast<int>(rows.integer(4));
    row.entry.actor = rows.text(5);
    row.entry.data = rows.text(6);
    row.entry.at = {rows.integer(7)};
  }
  return journal;
}

}  // namespace

std::vector<JournalRow> read_journal_end(Db& db, std::string_view run_id, std::size_t limit) {
  Statement rows = db.prepare(
      "SELECT seq, kind, phase, visit, attempt, actor, data, at FROM journal"
      " WHERE run = (SELECT number FROM run WHERE id = ?) ORDER BY seq DESC LIMIT ?");
  rows.bind_all(run_id, bounded(limit));
  std::vector<JournalRow> journal = read_rows(rows);
  std::reverse(journal.begin(), journal.end());
  return journal;
}

std::vector<JournalRow> read_journal_of_people(Db& db, std::string_view run_id, std::int64_t after,
                                               std::size_t limit) {
  // The kinds stand here as in the partial index journal_of_people, or it could not be used.
  Statement rows = db.prepare(
      "SELECT seq, kind, phase, visit, attempt, actor, data, at FROM journal"
      " WHERE run = (SELECT number FROM run WHERE id = ?) AND seq > ?"
      " AND kind IN ('decision_answered', 'reopen_demanded') ORDER BY seq LIMIT ?");
  rows.bind_all(run_id, after, bounded(limit));
  return read_rows(rows);
}

}  // namespace phasegate::state
