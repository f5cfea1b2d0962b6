#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "gating/engine/ports.h"
#include "state/db.h"
#include "state/seal/seal.h"
#include "state/verified.h"

/// The tables definition, blob and definition_blob: workflows as they were when runs started.
namespace phasegate::state {

/// Keeps bytes under their SHA-256, which is `hash`; std::logic_error if it is not. Part of the
/// caller's transaction.
void keep_bytes(Db& db, const std::string& hash, const std::string& bytes);

/// Keeps the definition and its blobs unless it is known. Part of the caller's transaction. Throws
/// StoreFailure (`damaged`) if another one is known under its hash; std::logic_error for a blob
/// whose key is not the SHA-256 of its bytes.
void keep_definition(Db& db, Seal& seal, const gating::engine::StoredDefinition& definition);

/// The model without blobs; nullopt if the hash is unknown. Throws StoreFailure (`damaged`) if the
/// stored text, or the list of its documents, is not what was stored. `seal`: null for a database
/// from before histories were sealed.
[[nodiscard]] std::optional<gating::engine::StoredDefinition> read_definition(
    Db& db, Seal* seal, std::string_view hash);

/// Blobs by their hash; nothing is made of them.
using VerifiedBlobs = Verified<std::monostate>;

/// The bytes; nullopt if no definition has such a blob. Throws StoreFailure (`damaged`) if a
/// definition has it and the bytes are missing or not what was stored.
[[nodiscard]] std::optional<std::string> read_blob(Db& db, std::string_view hash,
                                                   VerifiedBlobs& verified);

}  // namespace phasegate::state
