#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "gating/engine/ports.h"

/// Stores of any size, made through the store's own door, so that they hold whatever a store of the
/// program holds.
namespace phasegate::bench {

struct Size {
  std::int64_t runs = 0;
  std::int64_t entries = 0;  ///< in all journals together; at least one per run
};

/// Runs that are left open; the others have ended.
inline constexpr std::int64_t kOpenRuns = 20;
/// Every so many runs one has been decided by a person, and waits an effect that was deferred.
inline constexpr std::int64_t kDecidedEach = 10;
inline constexpr std::int64_t kDeferredEach = 100;
/// When those effects may be tried again: not while this is measured.
inline constexpr base::TimePoint kDeferredUntil{4'000'000'000'000};
/// The run whose journal is long is found by its target.
inline constexpr std::string_view kLongTarget = "long.cpp";

/// Makes a store in `folder`, which must not hold one. Nothing is synchronised: a power failure
/// means making it again. `say`: told how far it is, now and then.
void make_store(const std::filesystem::path& folder, const Size& size,
                const std::function<void(std::int64_t)>& say);

/// What an accepted complete_phase leaves behind: a new state, two entries, an artifact. The state
/// stays as long as it is, so that any number of them cost the same.
[[nodiscard]] gating::Transition completed(const gating::RunState& run);

/// A first state with its entry, and the definition that all runs have.
[[nodiscard]] gating::Transition started(const std::string& id, base::TimePoint at);
[[nodiscard]] const gating::engine::StoredDefinition& definition();

/// The decision that a decided run was asked for.
[[nodiscard]] inline std::string decision_of(const std::string& run) {
  return "d-" + run;
}

/// Whether fsync and fdatasync do anything in this process.
void set_synchronised(bool synchronised);

}  // namespace phasegate::bench
