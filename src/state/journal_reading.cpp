#include "state/journal_reading.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "state/records.h"

namespace phasegate::state {
using gating::engine::JournalRow;
namespace {

std::int64_t bounded(std::size_t limit) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(limit, kMost));
}

}  // namespace

std::vector<JournalRow> read_journal_end(Db& db, Seal* seal, std::string_view run_id,
                                         std::size_t limit) {
  Statement last =
      db.prepare("SELECT max(seq) FROM journal WHERE run = (SELECT number FROM run WHERE id = ?)");
  if (!last.bind_all(run_id).step() || last.is_null(0)) return {};
  const std::int64_t wanted = bounded(limit);
  const std::int64_t head = last.integer(0);
  return read_journal(db, seal, run_id, head > wanted ? head - wanted : 0, limit);
}

std::vector<JournalRow> read_journal_of_people(Db& db, Seal* seal, std::string_view run_id,
                                               std::int64_t after, std::size_t limit) {
  // The kinds stand here as in the partial index journal_of_people, or it could not be used.
  Statement rows = db.prepare(
      "SELECT seq FROM journal WHERE run = (SELECT number FROM run WHERE id = ?) AND seq > ?"
      " AND kind IN ('decision_answered', 'reopen_demanded') ORDER BY seq LIMIT ?");
  rows.bind_all(run_id, after, bounded(limit));
  std::vector<JournalRow> journal;
  while (rows.step()) {
    auto one = read_journal(db, seal, run_id, rows.integer(0) - 1, 1);
    journal.insert(journal.end(), std::make_move_iterator(one.begin()),
                   std::make_move_iterator(one.end()));
  }
  return journal;
}

}  // namespace phasegate::state
