#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gating/engine/ports.h"
#include "state/db.h"
#include "state/seal/seal.h"

/// The tables journal, outbox and artifact: what is written beside a run's state. The writing
/// functions are part of the caller's transaction.
namespace phasegate::state {

/// Appends after `head`, the last number used. `chains`: one for each entry (see seal/).
void append_journal(Db& db, std::int64_t run, std::int64_t head,
                    std::span<const gating::JournalEntry> entries,
                    std::span<const std::string> chains);
/// Entries with seq > after, in order, at most `limit`. Throws StoreFailure (`damaged`) if one of
/// them does not follow from the one before as it was written. `seal`: null for a database from
/// before histories were sealed.
[[nodiscard]] std::vector<gating::engine::JournalRow> read_journal(Db& db, Seal* seal,
                                                                   std::string_view run_id,
                                                                   std::int64_t after,
                                                                   std::size_t limit);

void append_effects(Db& db, std::int64_t run, std::span<const gating::Effect> effects);

void keep_artifact(Db& db, Seal& seal, std::int64_t run, const gating::NewArtifact& artifact,
                   base::TimePoint accepted_at);
/// In the order of acceptance. Throws StoreFailure (`damaged`) if one is not what was stored.
/// `seal`: null for a database from before histories were sealed.
[[nodiscard]] std::vector<gating::engine::ArtifactRow> read_artifacts(Db& db, Seal* seal,
                                                                      std::string_view run_id);

}  // namespace phasegate::state
