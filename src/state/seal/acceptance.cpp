#include "state/seal/acceptance.h"

#include <algorithm>
#include <string>

#include "gating/engine/ports.h"
#include "state/seal/anchor.h"
#include "state/seal/store_mark.h"
#include "state/tombstones.h"

namespace phasegate::state {
using gating::engine::StoreFailure;
namespace {

/// More sessions than anybody has; each missing one gets a tombstone.
constexpr std::int64_t kMissingMax = 10'000'000;

SealText text_of(const Seal& seal, const Acceptance& row) {
  SealText text = seal.text("acceptance");
  text.add(row.number).add(row.at.ms).add(row.principal).add(row.what).add(row.counter);
  text.add_optional(row.anchor);
  return text;
}

void insert(Db& db, Seal& seal, const Acceptance& row) {
  const std::string mac = seal.mark(text_of(seal, row));
  Statement statement = db.prepare(
      "INSERT INTO acceptance (number, at, principal, what, counter, anchor, mac)"
      " VALUES (?, ?, ?, ?, ?, ?, ?)");
  statement.bind_all(row.number, row.at.ms, row.principal, row.what, row.counter);
  constexpr int kAnchor = 6;
  if (row.anchor) {
    statement.bind(kAnchor, *row.anchor);
  } else {
    statement.bind_null(kAnchor);
  }
  statement.bind_blob(kAnchor + 1, mac).run();
}

/// Of a session that is there or was pruned.
std::int64_t highest_number(Db& db) {
  return std::max(db.query_integer("SELECT max(number) FROM run").value_or(0),
                  db.query_integer("SELECT max(number) FROM tombstone").value_or(0));
}

std::int64_t last_number(Db& db) {
  return db.query_integer("SELECT max(number) FROM acceptance").value_or(0);
}

}  // namespace

std::int64_t accept_state(Db& db, Seal& seal, std::string_view principal, std::string_view what,
                          base::TimePoint now) {
  const auto anchor = anchored_counter(seal);
  const auto found = read_store_mark(db, seal);
  StoreMark mark = found ? *found : StoreMark{};
  mark.sum = DigestSum();
  // A session beyond the last number was put in by somebody else, and stays a finding.
  if (!found) mark.last_number = highest_number(db);
  std::int64_t count = 0;
  Statement runs = db.prepare("SELECT mac FROM run WHERE number <= ? ORDER BY number");
  runs.bind_all(mark.last_number);
  while (runs.step()) {
    ++count;
    if (!runs.is_null(0)) mark.sum.add(runs.text(0));
  }
  if (mark.last_number - count > kMissingMax) {
    throw StoreFailure(base::Error{
        "damaged",
        "a session has the number " + std::to_string(mark.last_number) + ", and only " +
            std::to_string(count) + " are there: nobody can say what is missing",
        "put the newest copy back with `phasegate restore latest`; nothing was accepted", ""});
  }
  put_missing_tombstones(db, seal, mark.last_number, principal, now);
  mark.tombstones = mark.last_number - count;
  if (!found) {
    // Nobody can say any more what was there.
    mark.sealed_since = now.ms;
    mark.unsealed_until = mark.last_number;
    // Nor how far the counter was: no older copy may count as newer than this.
    if (!anchor) mark.counter = std::max(mark.counter, now.ms);
  }
  // Rows that were taken out stay missing.
  mark.acceptances = std::max(mark.acceptances, last_number(db)) + 1;
  insert(db, seal,
         {mark.acceptances, now, std::string(principal), std::string(what),
          found ? found->counter : -1, anchor, true});
  mark.counter = std::max(mark.counter, anchor.value_or(0)) + 1;
  write_store_mark(db, seal, mark);
  return mark.counter;
}

void carry_over(Db& db, Seal& seal, const std::vector<Acceptance>& others) {
  const auto here = read_acceptances(db, seal);
  std::int64_t number = last_number(db);
  for (Acceptance other : others) {
    if (!other.sound) continue;
    // Only its number says where it stands.
    const bool known = std::any_of(here.begin(), here.end(), [&](const Acceptance& one) {
      other.number = one.number;
      return other == one;
    });
    if (known) continue;
    other.number = ++number;
    insert(db, seal, other);
  }
}

std::vector<Acceptance> read_acceptances(Db& db, Seal& seal) {
  std::vector<Acceptance> list;
  Statement rows = db.prepare(
      "SELECT number, at, principal, what, counter, anchor, mac FROM acceptance ORDER BY number");
  while (rows.step()) {
    Acceptance row{rows.integer(0), {rows.integer(1)}, rows.text(2), rows.text(3),
                   rows.integer(4), std::nullopt,      true};
    if (!rows.is_null(5)) row.anchor = rows.integer(5);
    row.sound = seal.holds(rows.text(6), text_of(seal, row));
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace phasegate::state
