#pragma once
#include <optional>

#include "base/result.h"
#include "state/db.h"
#include "state/seal/anchor.h"
#include "state/seal/seal.h"

/// SQLite takes any log for the log of the database beside it. Where a log was left, by a process
/// that was killed or by one that still runs, and somebody puts an older file under it, what is
/// read is a mixture of both whose newest row, the store's mark, is the right one.
namespace phasegate::state {

/// Compares the store's mark in the database's file itself, without the log, with what `anchor`
/// says that the file held when that log began. Errors (`damaged`): it is an earlier one, or there
/// is none; the connection then leaves the files as they are when it is closed.
///
/// `anchor` was read before, so that it is never ahead; nullopt: nothing is compared. Reads one
/// page of the file, and that only if its log was begun anew or something was written into it since
/// the last time. Throws StoreFailure where the file cannot be read or the keys are missing.
[[nodiscard]] base::Result<void> compare_under_log(Db& db, Seal& seal,
                                                   const std::optional<Anchor>& anchor);

}  // namespace phasegate::state
