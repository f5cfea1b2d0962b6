#include "state/seal/open_seal.h"

#include "state/migrations.h"

namespace phasegate::state {

std::optional<Seal> open_seal(Db& db, const std::filesystem::path& folder) {
  if (db.query_integer("PRAGMA user_version").value_or(0) < kSealedSinceVersion) {
    return std::nullopt;
  }
  return Seal(folder, read_database_id(db));
}

}  // namespace phasegate::state
