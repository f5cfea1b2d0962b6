#pragma once
#include <filesystem>
#include <optional>

#include "state/db.h"
#include "state/seal/seal.h"

namespace phasegate::state {

/// Since this version of the schema histories are sealed.
inline constexpr int kSealedSinceVersion = 5;

/// What verifies the database that `db` has open in `folder`; nullopt for one from before histories
/// were sealed, which is only read as it is until it is migrated. Throws StoreFailure.
[[nodiscard]] std::optional<Seal> open_seal(Db& db, const std::filesystem::path& folder);

}  // namespace phasegate::state
