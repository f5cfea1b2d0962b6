#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "state/seal/seal.h"

/// The file beside the keys that tells how far the database has been: whoever puts an older copy of
/// it back does not put back this one. Two slots, written in turn, so that a torn write leaves the
/// one before. Each holds the database's id, the counter of its StoreMark and what the file holds
/// without its log, and their mark.
namespace phasegate::state {

inline constexpr std::string_view kAnchorFileName = "seal-anchor";
/// Bytes of a slot: no more than what a disk writes at once.
inline constexpr std::size_t kAnchorSlotBytes = 512;

struct Anchor {
  std::int64_t counter = 0;  ///< of a StoreMark that was committed
  /// The counter that the database's file itself has reached at least, without its log: it never
  /// holds less again.
  std::int64_t held = 0;
  /// The log that was there after that commit (Db::log_name); nullopt: nobody could tell, or the
  /// slot is from before this was written down.
  std::optional<std::string> log;

  friend bool operator==(const Anchor&, const Anchor&) = default;
};

/// The slot with the highest counter that vouches for this database; nullopt: there is no such
/// file, it is not a private regular file of ours, or no slot is whole. Never throws for the file's
/// sake; throws as Seal::holds. O(1).
[[nodiscard]] std::optional<Anchor> read_anchor(Seal& seal);
/// The same, its counter alone.
[[nodiscard]] std::optional<std::int64_t> anchored_counter(Seal& seal);

/// For who finds no database beside it: the highest counter that a slot names, of whatever database
/// and under whatever key; 0: there is no such file, or nothing was committed yet. O(1).
[[nodiscard]] std::int64_t counter_of_any(const std::filesystem::path& folder);

/// Raises it to `counter`; nothing is written if it is there already or higher. `log`: the
/// database's log_name, asked after the commit; if it is not the log that the slot before names,
/// that one was copied into the file as a whole, with all that was committed until that slot.
/// `sync`: waits for the disk. Makes the file (0600) if it is missing. False if it cannot be
/// written, which leaves it behind the database until the next write. Throws as Seal::mark.
///
/// The file is locked for the moment between looking and writing. Where that fails (a file system
/// without such locks, a holder that is stopped), a higher counter may be written over: then, too,
/// it is behind until the next write, never ahead of what was committed.
[[nodiscard]] bool raise_anchor(Seal& seal, std::int64_t counter,
                                const std::optional<std::string>& log, bool sync);

/// Puts a new file with this counter alone, and `log` as raise_anchor, in the place of whatever is
/// there, and syncs it; nothing is said of what the file holds. For who may say that the database
/// is to be used as it is. Throws StoreFailure if it cannot be written.
void renew_anchor(Seal& seal, std::int64_t counter, const std::optional<std::string>& log);

}  // namespace phasegate::state
