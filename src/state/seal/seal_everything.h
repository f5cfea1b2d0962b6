#pragma once
#include <filesystem>

#include "state/db.h"

namespace phasegate::state {

/// Seals every definition, session, journal entry, artifact and decision, and the store as a whole,
/// within the caller's transaction: what version 5 of the schema begins with. `folder`
/// is where the database lies; its keys are made if there are none. What contradicts the plain
/// digests of earlier versions stays without a mark, and so never verifies. Nobody vouches for what
/// was there before; the store's mark says since when somebody does. Memory does not grow with the
/// number of sessions; O(everything). Throws StoreFailure.
void seal_everything(Db& db, const std::filesystem::path& folder);

}  // namespace phasegate::state
