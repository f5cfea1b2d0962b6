#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gating/engine/ports.h"
#include "state/db.h"
#include "state/seal/seal.h"

/// Sealed rows as they lie in the database, with their marks, whether those hold or not: for who
/// verifies, audits or seals them.
namespace phasegate::state {

/// A number of the database as an int. One that no int holds was never written by this program; the
/// lowest int stands for it, which no mark vouches for.
[[nodiscard]] int to_int(std::int64_t number);

/// A row of the table journal.
struct ChainedEntry {
  std::int64_t seq = 0;
  gating::JournalEntry entry;
  std::string chain;
};

/// A row of the table artifact.
struct StoredArtifactRow {
  std::int64_t number = 0;  ///< in the order of acceptance
  gating::engine::ArtifactRow row;
  std::string digest;  ///< stored_digest
};

/// A row of the table definition.
struct StoredDefinitionRow {
  std::int64_t version = 0;
  std::string model;
  std::string digest;  ///< model_digest
  std::string blobs;   ///< the hashes of its documents, ascending, each followed by a space
};

/// Entries of run number `run` with seq > after, in order, at most `limit`.
[[nodiscard]] std::vector<ChainedEntry> read_chained(Db& db, std::int64_t run, std::int64_t after,
                                                     std::int64_t limit);
/// The chain of one entry; nullopt if there is none.
[[nodiscard]] std::optional<std::string> read_chain(Db& db, std::int64_t run, std::int64_t seq);
/// The chains of `entries`, which follow the entry `head` with the chain `before`.
[[nodiscard]] std::vector<std::string> chains_of(Seal& seal, std::int64_t run,
                                                 std::string_view run_id, std::int64_t head,
                                                 std::string_view before,
                                                 std::span<const gating::JournalEntry> entries);

/// The artifact with this number; nullopt if there is none.
[[nodiscard]] std::optional<StoredArtifactRow> read_artifact_row(Db& db, std::int64_t number);

/// The definition with this hash; nullopt if there is none.
[[nodiscard]] std::optional<StoredDefinitionRow> read_definition_row(Db& db, std::string_view hash);

/// The mark that a decision's row should have, as the row is now, and the one it has; nullopt if
/// there is no such row.
struct DecisionMarks {
  SealText text;
  std::string mac;  ///< empty: none
};
[[nodiscard]] std::optional<DecisionMarks> read_decision_marks(Db& db, const Seal& seal,
                                                               std::string_view id);
/// Gives a decision's row the mark of what it holds now, within the caller's transaction.
void seal_decision(Db& db, Seal& seal, std::string_view id);

}  // namespace phasegate::state
