#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "gating/engine/ports.h"
#include "state/db.h"
#include "state/seal/seal.h"

/// Parts of a journal that are found without reading the rest of it. Each entry is verified as
/// read_journal does, and they throw as it does.
namespace phasegate::state {

/// The last entries, in order, at most `limit`. O(limit + log n).
[[nodiscard]] std::vector<gating::engine::JournalRow> read_journal_end(Db& db, Seal* seal,
                                                                       std::string_view run_id,
                                                                       std::size_t limit);

/// What people have said (`decision_answered`, `reopen_demanded`) with seq > after, in order, at
/// most `limit`. O(limit + log n).
[[nodiscard]] std::vector<gating::engine::JournalRow> read_journal_of_people(
    Db& db, Seal* seal, std::string_view run_id, std::int64_t after, std::size_t limit);

}  // namespace phasegate::state
