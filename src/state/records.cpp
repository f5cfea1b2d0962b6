#include "state/records.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "state/damage.h"
#include "state/seal/row_marks.h"
#include "state/seal/seal_rows.h"

namespace phasegate::state {
using gating::engine::ArtifactRow;
using gating::engine::JournalRow;
namespace {

/// The number of a run; nullopt if there is no such run.
std::optional<std::int64_t> number_of(Db& db, std::string_view run_id) {
  Statement row = db.prepare("SELECT number FROM run WHERE id = ?");
  if (!row.bind_all(run_id).step()) return std::nullopt;
  return row.integer(0);
}

}  // namespace

void append_journal(Db& db, std::int64_t run, std::int64_t head,
                    std::span<const gating::JournalEntry> entries,
                    std::span<const std::string> chains) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const gating::JournalEntry& entry = entries[i];
    Statement row = db.prepare(
        "INSERT INTO journal (run, seq, kind, phase, visit, attempt, actor, data, at, chain)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    row.bind_all(run, ++head, entry.kind, entry.phase, entry.visit, entry.attempt, entry.actor,
                 entry.data, entry.at.ms);
    row.bind_blob(10, chains[i]).run();
  }
}

std::vector<JournalRow> read_journal(Db& db, Seal* seal, std::string_view run_id,
                                     std::int64_t after, std::size_t limit) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  const auto run = number_of(db, run_id);
  if (!run) return {};
  std::string before;
  if (seal != nullptr && after > 0) before = read_chain(db, *run, after).value_or("");
  std::vector<JournalRow> journal;
  std::int64_t expected = std::max<std::int64_t>(after, 0);
  for (ChainedEntry& row :
       read_chained(db, *run, after, static_cast<std::int64_t>(std::min(limit, kMost)))) {
    if (seal != nullptr &&
        (row.seq != ++expected ||
         !seal->holds(row.chain, journal_text(*seal, *run, run_id, before, row.seq, row.entry)))) {
      throw_damaged("the history of session " + std::string(run_id) +
                    " is not what was written, from entry " + std::to_string(expected) + " on");
    }
    before = std::move(row.chain);
    journal.push_back({row.seq, std::move(row.entry)});
  }
  return journal;
}

void append_effects(Db& db, std::int64_t run, std::span<const gating::Effect> effects) {
  for (const gating::Effect& effect : effects) {
    db.prepare("INSERT INTO outbox (run, kind, phase, attempt, payload) VALUES (?, ?, ?, ?, ?)")
        .bind_all(run, effect.kind, effect.phase, effect.attempt, effect.payload)
        .run();
  }
}

void keep_artifact(Db& db, Seal& seal, std::int64_t run, const gating::NewArtifact& artifact,
                   base::TimePoint accepted_at) {
  const std::int64_t number =
      db.query_integer("SELECT coalesce(max(number), 0) FROM artifact").value_or(0) + 1;
  const std::string mark =
      to_hex(seal.mark(artifact_text(seal, number, run, {artifact, accepted_at, false})));
  db.prepare(
        "INSERT INTO artifact (number, run, phase, visit, evidence, digest, stored_digest,"
        " accepted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .bind_all(number, run, artifact.phase, artifact.visit, artifact.evidence, artifact.digest,
                mark, accepted_at.ms)
      .run();
}

std::vector<ArtifactRow> read_artifacts(Db& db, Seal* seal, std::string_view run_id) {
  Statement rows = db.prepare(
      "SELECT phase, visit, evidence, digest, stored_digest, accepted_at, stale, run, number"
      " FROM artifact"
      " WHERE run = (SELECT number FROM run WHERE id = ?) ORDER BY number");
  rows.bind_all(run_id);
  std::vector<ArtifactRow> artifacts;
  while (rows.step()) {
    ArtifactRow& row = artifacts.emplace_back();
    row.artifact = {rows.text(0), to_int(rows.integer(1)), rows.text(2), rows.text(3)};
    row.accepted_at = {rows.integer(5)};
    row.stale = rows.integer(6) != 0;
    if (seal == nullptr) continue;
    const auto mark = from_hex(rows.text(4));
    if (!mark || !seal->holds(*mark, artifact_text(*seal, rows.integer(8), rows.integer(7), row))) {
      throw_damaged("the stored evidence of phase " +
                    base::in_quotes(base::shortened(row.artifact.phase, 32)) + " of session " +
                    std::string(run_id) + " is not what was stored");
    }
  }
  return artifacts;
}

}  // namespace phasegate::state
