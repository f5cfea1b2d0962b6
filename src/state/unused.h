#pragma once
#include <cstdint>

#include "state/db.h"
#include "state/store_file.h"

namespace phasegate::state {

struct Unused {
  std::int64_t definitions = 0;
  std::int64_t documents = 0;
};

/// Removes workflows that no session uses, and documents and observations that neither a workflow
/// that is used nor a session's state names. What is unused is found without a lock; if somebody
/// writes meanwhile it is looked for again, and after three times left for the next call. Nothing
/// is removed while a session's state cannot be read. Throws StoreFailure. O(everything).
Unused remove_unused(StoreFile& file, Db& db);

}  // namespace phasegate::state
