#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "gating/engine/ports.h"
#include "gating/run.h"
#include "state/decision_rows.h"

/// A session as one document, which another machine takes in. Its digest finds what was damaged on
/// the way, and not what somebody has written anew: who takes it in takes its word for it.
namespace phasegate::state {

inline constexpr std::size_t kBundleBytesMax = 256U << 20U;

struct Bundle {
  std::string database_id;  ///< where it comes from
  std::string exported_by;
  base::TimePoint exported_at;
  gating::RunState run;
  gating::engine::StoredDefinition definition;
  std::map<std::string, std::string> observations;  ///< by hash: what the run saw of the project
  std::vector<gating::engine::JournalRow> journal;
  std::vector<gating::engine::ArtifactRow> artifacts;
  std::vector<DecisionRecord> decisions;
};

/// Reads a session whole, verifying everything, from the store of `folder`, which is not changed.
/// Errors: `unknown_session`; `effects_pending` while checks or notices of it are to be carried
/// out. Throws StoreFailure. O(session).
[[nodiscard]] base::Result<Bundle> read_bundle(const std::filesystem::path& folder,
                                               std::string_view run_id, const std::string& who,
                                               base::TimePoint now);

/// The document: JSON text with a digest of all the rest.
[[nodiscard]] std::string to_text(const Bundle& bundle);

/// Reads what to_text writes. Errors (`not_a_bundle`, `damaged`, `newer_version`): another
/// document, one whose digest or whose documents' digests are others, parts that do not go
/// together.
[[nodiscard]] base::Result<Bundle> parse_bundle(std::string_view text);

/// That a document is not what was exported, and in what.
[[nodiscard]] base::Error damaged_bundle(const std::string& what);

/// Whether import_bundle would find a session, tombstone or decision in the way, as things stand
/// now. Errors: `exists`. Throws StoreFailure.
[[nodiscard]] base::Result<void> can_be_imported(const std::filesystem::path& folder,
                                                 const Bundle& bundle);

/// Takes a session in, in one transaction: its history sealed anew with the keys here, and at its
/// end an entry `imported` that says who did so, when, and where it came from. Nothing in it counts
/// as said here (bundle_claims.h): a person trusts what its checks run, or pins it to the workflow
/// here, before they run. Errors: those of without_claims; `exists` (a session, or the tombstone of
/// one, has its id, or a session one of its decisions). Throws StoreFailure. O(session).
[[nodiscard]] base::Result<void> import_bundle(const std::filesystem::path& folder,
                                               const Bundle& bundle, const std::string& who,
                                               base::TimePoint now);

}  // namespace phasegate::state
