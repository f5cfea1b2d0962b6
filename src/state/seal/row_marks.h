#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gating/engine/ports.h"
#include "state/db.h"
#include "state/seal/seal.h"

/// What the marks of the tables run, journal, artifact and definition vouch for: every column of a
/// row, so that none can be changed by itself.
namespace phasegate::state {

/// Everything in a row of the table run but its mark and the state's text, for which its digest
/// stands.
struct RunColumns {
  std::int64_t number = 0;
  std::string id;
  std::string workflow;
  std::string definition;
  std::string status;
  std::int64_t open = 0;
  std::int64_t partial = 0;
  std::string current_phase;
  std::string target;
  std::string branch;
  std::int64_t phases_completed = 0;
  std::optional<std::string> resume_key;
  std::int64_t created_at = 0;
  std::int64_t updated_at = 0;
  std::int64_t version = 0;
  std::int64_t journal_head = 0;
  std::string state_digest;
  std::string chain_head;
  std::optional<std::int64_t> due_at;
};

/// The columns in the order in which read_run_columns reads them, for a SELECT.
inline constexpr std::string_view kRunColumns =
    "number, id, workflow, definition, status, open, partial, current_phase, target, branch,"
    " phases_completed, resume_key, created_at, updated_at, version, journal_head, state_digest,"
    " chain_head, due_at";
/// So many they are.
inline constexpr int kRunColumnCount = 19;

/// The first columns of a row that was selected with kRunColumns.
[[nodiscard]] RunColumns read_run_columns(const Statement& row);

/// What run.mac vouches for.
[[nodiscard]] SealText run_text(const Seal& seal, const RunColumns& run);

/// What journal.chain vouches for: the entry, whose it is, and through `before` (the chain of the
/// entry before it; empty for the first) everything that came earlier.
[[nodiscard]] SealText journal_text(const Seal& seal, std::int64_t run, std::string_view run_id,
                                    std::string_view before, std::int64_t seq,
                                    const gating::JournalEntry& entry);

/// What artifact.stored_digest vouches for; `number` is the row's own.
[[nodiscard]] SealText artifact_text(const Seal& seal, std::int64_t number, std::int64_t run,
                                     const gating::engine::ArtifactRow& row);

/// What definition.model_digest vouches for. `blobs`: the hashes of its documents in ascending
/// order, each followed by a space.
[[nodiscard]] SealText definition_text(const Seal& seal, std::string_view hash,
                                       std::int64_t model_version, std::string_view model,
                                       std::string_view blobs);

}  // namespace phasegate::state
