#include "state/seal/seal_rows.h"

#include <limits>
#include <utility>

#include "state/seal/row_marks.h"

namespace phasegate::state {

int to_int(std::int64_t number) {
  return std::in_range<int>(number) ? static_cast<int>(number) : std::numeric_limits<int>::min();
}

std::vector<ChainedEntry> read_chained(Db& db, std::int64_t run, std::int64_t after,
                                       std::int64_t limit) {
  Statement rows = db.prepare(
      "SELECT seq, kind, phase, visit, attempt, actor, data, at, chain FROM journal"
      " WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?");
  rows.bind_all(run, after, limit);
  std::vector<ChainedEntry> entries;
  while (rows.step()) {
    ChainedEntry& row = entries.emplace_back();
    row.seq = rows.integer(0);
    row.entry.kind = rows.text(1);
    row.entry.phase = rows.text(2);
    row.entry.visit = to_int(rows.integer(3));
    row.entry.attempt = to_int(rows.integer(4));
    row.entry.actor = rows.text(5);
    row.entry.data = rows.text(6);
    row.entry.at = {rows.integer(7)};
    row.chain = rows.text(8);
  }
  return entries;
}

std::optional<std::string> read_chain(Db& db, std::int64_t run, std::int64_t seq) {
  Statement row = db.prepare("SELECT chain FROM journal WHERE run = ? AND seq = ?");
  if (!row.bind_all(run, seq).step()) return std::nullopt;
  return row.text(0);
}

std::vector<std::string> chains_of(Seal& seal, std::int64_t run, std::string_view run_id,
                                   std::int64_t head, std::string_view before,
                                   std::span<const gating::JournalEntry> entries) {
  std::vector<std::string> chains;
  for (const gating::JournalEntry& entry : entries) {
    const std::string_view previous = chains.empty() ? before : std::string_view(chains.back());
    chains.push_back(seal.mark(journal_text(seal, run, run_id, previous, ++head, entry)));
  }
  return chains;
}

std::optional<StoredArtifactRow> read_artifact_row(Db& db, std::int64_t number) {
  Statement row = db.prepare(
      "SELECT phase, visit, evidence, digest, stored_digest, accepted_at, stale FROM artifact"
      " WHERE number = ?");
  if (!row.bind_all(number).step()) return std::nullopt;
  StoredArtifactRow stored;
  stored.number = number;
  stored.row.artifact = {row.text(0), to_int(row.integer(1)), row.text(2), row.text(3)};
  stored.digest = row.text(4);
  stored.row.accepted_at = {row.integer(5)};
  stored.row.stale = row.integer(6) != 0;
  return stored;
}

std::optional<StoredDefinitionRow> read_definition_row(Db& db, std::string_view hash) {
  Statement row =
      db.prepare("SELECT model_version, model, model_digest FROM definition WHERE hash = ?");
  if (!row.bind_all(hash).step()) return std::nullopt;
  StoredDefinitionRow stored{row.integer(0), row.text(1), row.text(2), ""};
  Statement blobs =
      db.prepare("SELECT blob FROM definition_blob WHERE definition = ? ORDER BY blob");
  blobs.bind_all(hash);
  while (blobs.step()) stored.blobs += blobs.text(0) + " ";
  return stored;
}

std::optional<DecisionMarks> read_decision_marks(Db& db, const Seal& seal, std::string_view id) {
  Statement row = db.prepare(
      "SELECT run, visit, created_at, phase, status, question, shown_digest, approver, channel,"
      " assurance, choice, input, decided_at, mac FROM decision WHERE id = ?");
  if (!row.bind_all(id).step()) return std::nullopt;
  SealText text = seal.text("decision");
  text.add(id).add(row.integer(0)).add(row.integer(1)).add(row.integer(2));
  constexpr int kFirstText = 3;
  constexpr int kDecidedAt = 12;
  for (int column = kFirstText; column < kDecidedAt; ++column) {
    text.add_optional(row.is_null(column) ? std::nullopt : std::optional(row.text(column)));
  }
  text.add_optional(row.is_null(kDecidedAt) ? std::nullopt
                                            : std::optional(row.integer(kDecidedAt)));
  return DecisionMarks{std::move(text), row.text(kDecidedAt + 1)};
}

void seal_decision(Db& db, Seal& seal, std::string_view id) {
  const auto marks = read_decision_marks(db, seal, id);
  if (!marks) return;
  const std::string mac = seal.mark(marks->text);
  Statement update = db.prepare("UPDATE decision SET mac = ? WHERE id = ?");
  update.bind_blob(1, mac).bind(2, id).run();
}

}  // namespace phasegate::state
