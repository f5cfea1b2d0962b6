#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/limits.h"
#include "state/inspect.h"
#include "state/store_file.h"
#include "state/tombstones.h"

/// Removes the oldest of the sessions that have ended; a tombstone of each stays.
namespace phasegate::state {

/// So many sessions that have ended are kept where nobody says otherwise.
inline constexpr std::size_t kEndedKept = 200;
/// So many more may gather before a server removes some, so that it does not do so at each end.
inline constexpr std::size_t kEndedSlack = 20;
/// Sessions that are removed in one transaction.
inline constexpr std::size_t kPrunedAtOnce = 10;

struct PruneWish {
  std::size_t keep = kEndedKept;
  std::size_t at_most = kPrunedAtOnce;  ///< sessions that this call removes
  std::string who;                      ///< kept with each tombstone
  base::TimePoint now;
  bool dry_run = false;  ///< says what would go, and changes nothing
};

struct Pruned {
  std::vector<Tombstone> sessions;   ///< that were, or would be, removed; oldest end first
  std::vector<DamagedItem> damaged;  ///< do not verify, and stay
  std::int64_t waiting = 0;          ///< stay until their effects are carried out
  std::int64_t definitions = 0;      ///< workflows and documents that no session used any more
  std::int64_t documents = 0;
  bool more = false;  ///< there are more to be removed
};

/// Prunes the store of one folder, on a connection of its own; opened by the first call that finds
/// a store. Not thread-safe.
class Pruner {
 public:
  /// `busy_ms`: how long each batch waits for other processes' writes before it fails with `busy`.
  explicit Pruner(const std::filesystem::path& folder,
                  std::int64_t busy_ms = base::limits::kStoreBusyMs);

  /// Removes sessions that have ended, the one that changed last longest ago first, until `keep`
  /// are left or `at_most` are gone; never an open one, one with effects that are still to be
  /// carried out, or one that does not verify. With each go its history, evidence and decisions,
  /// and once nothing is left to be removed also the workflows and documents that no session uses.
  /// Other processes wait for kPrunedAtOnce sessions at a time. Throws StoreFailure; whole sessions
  /// are removed, or nothing of them. O(sessions that have ended + what is removed).
  Pruned prune(const PruneWish& wish);

  /// Whether more than kEndedKept + kEndedSlack have ended. O(kEndedKept).
  [[nodiscard]] bool is_due();

 private:
  void prune_batch(Db& db, const PruneWish& wish, const std::vector<std::string>& ids,
                   Pruned& done);

  StoreFile file_;
  /// Do not verify. A process that prunes again and again looks at them, and tells of them, once;
  /// dry runs do not count.
  std::set<std::string> skipped_;
};

}  // namespace phasegate::state
