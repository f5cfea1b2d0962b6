#include "state/records.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/hash.h"
#include "base/text.h"
#include "state/damage.h"

namespace phasegate::state {
using gating::engine::ArtifactRow;
using gating::engine::JournalRow;
namespace {

/// Over everything that the row holds: whoever changes a part of it must write this again.
std::string artifact_digest(std::int64_t run, const ArtifactRow& row) {
  return base::Digest()
      .add(std::to_string(run))
      .add(row.artifact.phase)
      .add(std::to_string(row.artifact.visit))
      .add(row.artifact.evidence)
      .add(row.artifact.digest)
      .add(std::to_string(row.accepted_at.ms))
      .add(row.stale ? "stale" : "")
      .hex();
}

}  // namespace

std::int64_t append_journal(Db& db, std::int64_t run, std::int64_t head,
                            std::span<const gating::JournalEntry> entries) {
  for (const gating::JournalEntry& entry : entries) {
    ++head;
    db.prepare(
          "INSERT INTO journal (run, seq, kind, phase, visit, attempt, actor, data, at)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind_all(run, head, entry.kind, entry.phase, entry.visit, entry.attempt, entry.actor,
                  entry.data, entry.at.ms)
        .run();
  }
  return head;
}

std::vector<JournalRow> read_journal(Db& db, std::string_view run_id, std::int64_t after,
                                     std::size_t limit) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  Statement rows = db.prepare(
      "SELECT seq, kind, phase, visit, attempt, actor, data, at FROM journal"
      " WHERE run = (SELECT number FROM run WHERE id = ?) AND seq > ? ORDER BY seq LIMIT ?");
  rows.bind_all(run_id, after, static_cast<std::int64_t>(std::min(limit, kMost)));
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

void append_effects(Db& db, std::int64_t run, std::span<const gating::Effect> effects) {
  for (const gating::Effect& effect : effects) {
    db.prepare("INSERT INTO outbox (run, kind, phase, attempt, payload) VALUES (?, ?, ?, ?, ?)")
        .bind_all(run, effect.kind, effect.phase, effect.attempt, effect.payload)
        .run();
  }
}

void keep_artifact(Db& db, std::int64_t run, const gating::NewArtifact& artifact,
                   base::TimePoint accepted_at) {
  db.prepare(
        "INSERT INTO artifact (run, phase, visit, evidence, digest, stored_digest, accepted_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)")
      .bind_all(run, artifact.phase, artifact.visit, artifact.evidence, artifact.digest,
                artifact_digest(run, {artifact, accepted_at, false}), accepted_at.ms)
      .run();
}

std::vector<ArtifactRow> read_artifacts(Db& db, std::string_view run_id) {
  Statement rows = db.prepare(
      "SELECT phase, visit, evidence, digest, stored_digest, accepted_at, stale, run FROM artifact"
      " WHERE run = (SELECT number FROM run WHERE id = ?) ORDER BY number");
  rows.bind_all(run_id);
  std::vector<ArtifactRow> artifacts;
  while (rows.step()) {
    ArtifactRow& row = artifacts.emplace_back();
    row.artifact = {rows.text(0), static_cast<int>(rows.integer(1)), rows.text(2), rows.text(3)};
    row.accepted_at = {rows.integer(5)};
    row.stale = rows.integer(6) != 0;
    if (artifact_digest(rows.integer(7), row) != rows.text(4)) {
      throw_damaged("the stored evidence of phase " +
                    base::in_quotes(base::shortened(row.artifact.phase, 32)) + " of session " +
                    std::string(run_id) + " is not what was stored");
    }
  }
  return artifacts;
}

}  // namespace phasegate::state
