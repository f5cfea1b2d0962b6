#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "state/backups.h"

/// Puts a copy of a store's database in the place of what the store holds now.
namespace phasegate::state {

/// A session of which less, or nothing, would be left.
struct SetBack {
  std::string run_id;
  std::string workflow;
  std::string status;
  std::int64_t entries_lost = 0;  ///< of its history
  bool gone = false;              ///< the copy does not have it at all
};

/// What a copy holds and what putting it back would undo.
struct RestorePlan {
  std::int64_t schema_version = 0;
  std::string database_id;
  std::int64_t sessions = 0;
  bool unsealed = false;                       ///< the copy is from before histories were sealed
  std::optional<base::TimePoint> last_change;  ///< of a session in it
  bool there = false;                          ///< something lies where state.db or its log belongs
  bool same_database = false;                  ///< the copy is an earlier state of it
  /// Why what is there cannot be read, or that what was there is gone; see why_unusable.
  std::optional<base::Error> unreadable;
  std::int64_t sessions_gone = 0;
  std::int64_t sessions_set_back = 0;  ///< that are in the copy with fewer entries
  std::int64_t entries_lost = 0;
  std::int64_t sessions_back = 0;  ///< that were pruned here, and come back with the copy
  /// What in the copy is not as it was written, a sentence each, at most limits::kDamagedShownMax:
  /// it comes back as it is, and nothing is done on it.
  std::vector<std::string> damaged;
  std::vector<SetBack> set_back;  ///< of both kinds, newest change first, at most kSetBackShown
};

inline constexpr std::size_t kSetBackShown = 20;

/// What a restore did.
struct Restored {
  std::optional<StateBackup> before;  ///< the copy of what was there
  std::vector<std::string>
      set_aside;  ///< names of files that could not be read, where they lie now
};

/// One restore: prepared, shown to a person, carried out. The copy is copied again when it is
/// prepared, so that what is put back is what was verified and shown.
class Restore {
 public:
  /// Reads the copy at `copy` (with its `-wal`, if one lies beside it) and verifies it: a database
  /// of ours, whole, of a version that this program reads, sealed with the keys in `folder` if it
  /// was sealed at all. Brings what it holds up to this program's version. Changes nothing but for
  /// an unfinished file in the state folder. Errors: `not_found`. Throws StoreFailure
  /// (`not_a_database`, `damaged`, `newer_version`, …), naming the copy.
  [[nodiscard]] static base::Result<std::unique_ptr<Restore>> prepare(
      const std::filesystem::path& folder, const std::filesystem::path& copy);
  ~Restore();
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;

  [[nodiscard]] const RestorePlan& plan() const;

  /// Copies what is there now first (Kind::before_restore of backups.h), or sets it aside if it
  /// cannot be read; then the copy replaces it in one transaction, which running processes see with
  /// their next call. Between the two nobody else writes: each change is in what was there, or
  /// comes to what is now. Killed at any moment it leaves the old state or the new one, or, where
  /// the old one could not be used, none, which is told until a restore is repeated. Once. Throws
  /// StoreFailure: the state is then as it was.
  [[nodiscard]] Restored carry_out(const std::string& who, base::TimePoint now);

 private:
  struct Parts;
  explicit Restore(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// Gives state.db, its log and its anchor new names, `state.db.set-aside-TIME`, `…-wal` and
/// `seal-anchor.set-aside-TIME`, so that the next session begins with an empty state. For what
/// cannot be used: a foreign, damaged or newer file, a log or an anchor without its database.
/// Nothing is lost; the names are the result, empty if nothing was there. Killed in between, it may
/// be repeated. Throws StoreFailure.
[[nodiscard]] std::vector<std::string> set_aside(const std::filesystem::path& folder,
                                                 base::TimePoint now);

/// Why what lies in `folder` cannot be used as a state, or that a state is gone from it
/// (lost_store.h); nullopt: it can, or nothing is there and never was.
[[nodiscard]] std::optional<base::Error> why_unusable(const std::filesystem::path& folder);

}  // namespace phasegate::state
