#include "state/tombstones.h"

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/migrations.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace {

constexpr std::string_view kColumns =
    "place, number, id, workflow, status, partial, target, created_at, ended_at, journal_head,"
    " chain_head, pruned_at, pruned_by, mac";
constexpr int kMacColumn = 13;
Tombstone tombstone_of(const Statement& row) {
  Tombstone one;
  one.place = row.integer(0);
  one.number = row.integer(1);
  one.id = row.text(2);
  one.workflow = row.text(3);
  one.status = row.text(4);
  one.partial = row.integer(5) != 0;
  one.target = row.text(6);
  one.created_at = {row.integer(7)};
  one.ended_at = {row.integer(8)};
  one.journal_head = row.integer(9);
  one.chain_head = row.text(10);
  one.pruned_at = {row.integer(11)};
  one.pruned_by = row.text(12);
  return one;
}

/// What the mark of a tombstone vouches for: all of it, and the one before.
SealText text_of(const Seal& seal, const Tombstone& one, std::string_view before) {
  SealText text = seal.text("tombstone");
  text.add(before).add(one.place).add(one.number).add(one.id).add(one.workflow).add(one.status);
  text.add(std::int64_t{one.partial ? 1 : 0}).add(one.target);
  text.add(one.created_at.ms).add(one.ended_at.ms).add(one.journal_head).add(one.chain_head);
  return text.add(one.pruned_at.ms).add(one.pruned_by);
}

base::Error damaged(const std::string& what) {
  return {"damaged", what, "put the newest copy back with `phasegate restore latest`", ""};
}

}  // namespace

void put_tombstone(Db& db, Seal& seal, Tombstone tombstone) {
  std::string before;
  tombstone.place = 1;
  {
    Statement last = db.prepare("SELECT place, mac FROM tombstone ORDER BY place DESC LIMIT 1");
    if (last.step()) {
      tombstone.place = last.integer(0) + 1;
      before = last.text(1);
    }
  }
  const std::string mac = seal.mark(text_of(seal, tombstone, before));
  Statement insert = db.prepare("INSERT INTO tombstone (" + std::string(kColumns) +
                                ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind_all(tombstone.place, tombstone.number, tombstone.id, tombstone.workflow,
                  tombstone.status, std::int64_t{tombstone.partial ? 1 : 0}, tombstone.target,
                  tombstone.created_at.ms, tombstone.ended_at.ms, tombstone.journal_head);
  insert.bind_blob(11, tombstone.chain_head);
  insert.bind(12, tombstone.pruned_at.ms).bind(13, tombstone.pruned_by).bind_blob(14, mac);
  insert.run();
}

void put_missing_tombstones(Db& db, Seal& seal, std::int64_t last, std::string_view who,
                            base::TimePoint now) {
  std::vector<std::pair<std::int64_t, std::int64_t>> missing;  // from, and up to but not with
  {
    std::int64_t expected = 1;
    const auto up_to = [&](std::int64_t end) {
      if (expected < end) missing.emplace_back(expected, end);
    };
    Statement rows = db.prepare(
        "SELECT number FROM run WHERE number <= ?1 UNION"
        " SELECT number FROM tombstone WHERE number <= ?1 ORDER BY number");
    rows.bind_all(last);
    while (rows.step()) {
      up_to(rows.integer(0));
      expected = rows.integer(0) + 1;
    }
    up_to(last + 1);
  }
  for (const auto& [from, end] : missing) {
    for (std::int64_t number = from; number < end; ++number) {
      Tombstone one;
      one.number = number;
      one.id = "lost-" + std::to_string(number);
      one.status = "lost";
      one.pruned_at = now;
      one.pruned_by = who;
      put_tombstone(db, seal, std::move(one));
    }
  }
}

std::vector<Tombstone> find_tombstones(Db& db, std::string_view prefix, std::size_t limit) {
  Statement rows = db.prepare("SELECT " + std::string(kColumns) +
                              " FROM tombstone WHERE id >= ? AND id < ? ORDER BY id LIMIT ?");
  // No sign of an id comes after a tilde.
  rows.bind_all(prefix, std::string(prefix) + '~', static_cast<std::int64_t>(limit));
  std::vector<Tombstone> found;
  while (rows.step()) found.push_back(tombstone_of(rows));
  return found;
}

base::Result<void> verify_tombstones(Db& db, Seal& seal, const StoreMark& mark) {
  Statement rows = db.prepare("SELECT " + std::string(kColumns) + " FROM tombstone ORDER BY place");
  std::string before;
  std::int64_t place = 0;
  while (rows.step()) {
    const Tombstone one = tombstone_of(rows);
    const std::string mac = rows.text(kMacColumn);
    if (one.place != ++place) {
      return damaged("the tombstone at place " + std::to_string(place) +
                     " in the list of pruned sessions is missing");
    }
    if (!seal.holds(mac, text_of(seal, one, before))) {
      return damaged("the tombstone of session " + one.id +
                     " is not what was written, or does not follow the one before it");
    }
    before = mac;
  }
  if (place == mark.tombstones) return {};
  return damaged("there are " + std::to_string(place) + " tombstones of pruned sessions; " +
                 std::to_string(mark.tombstones) + " were written");
}

std::optional<Tombstone> find_pruned(const std::filesystem::path& folder, std::string_view id) {
  try {
    std::error_code failed;
    if (!std::filesystem::exists(folder / kStoreFileName, failed)) return std::nullopt;
    Db db(folder / kStoreFileName, {.mode = DbOptions::Mode::read_only,
                                    .busy_ms = base::limits::kStoreBusyMs,
                                    .application_id = kApplicationId});
    if (db.query_integer("PRAGMA user_version").value_or(0) < kTombstonesSinceVersion)
      return std::nullopt;
    auto found = find_tombstones(db, id, 2);
    if (found.size() != 1) return std::nullopt;
    return std::move(found.front());
  } catch (const gating::engine::StoreFailure&) {
    return std::nullopt;
  }
}

}  // namespace phasegate::state
