#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "state/db.h"
#include "state/seal/seal.h"
#include "state/seal/store_mark.h"

namespace phasegate::state {

/// The store's mark, if it holds and the database is not older than its anchor says. Errors
/// (`damaged`, with both counters and what to do): the mark does not hold, the anchor is ahead, it
/// is lost although something was written, or the database's file is older than its log. Outside a
/// transaction it may be asked at any moment. Throws StoreFailure if the keys are missing. O(1).
[[nodiscard]] base::Result<StoreMark> check_store(Db& db, Seal& seal);

/// `what` is wrong with the state as a whole, so that nothing is written into it any more.
[[nodiscard]] base::Error frozen(const std::string& what);

/// The same for a mark that was read after the anchor, without a look at the log.
[[nodiscard]] base::Result<void> compare_with_anchor(const StoreMark& mark,
                                                     const std::optional<std::int64_t>& anchor);

/// Keeps the store's mark true through a write transaction of the caller's: whatever writes a row
/// of the tables run and trust says so here, in the same transaction.
class StoreGuard {
 public:
  /// Within the transaction, before anything is written. Throws StoreFailure (`damaged`) if
  /// check_store finds something.
  StoreGuard(Db& db, Seal& seal);

  [[nodiscard]] Seal& seal() { return seal_; }
  [[nodiscard]] const StoreMark& mark() const { return mark_; }
  /// The number for the next session; no number is ever given twice.
  [[nodiscard]] std::int64_t next_number() const { return mark_.last_number + 1; }
  void added(std::int64_t number, std::string_view mac);
  void replaced(std::string_view old_mac, std::string_view new_mac);
  /// A session that is removed on purpose; its tombstone is the caller's.
  void buried(std::string_view mac);

  /// What people trust is this now; a trust_digest.
  void trusted(std::string digest);

  /// The mark is to be written anew, with the newest key.
  void renewed() { changed_ = true; }

  /// Writes the mark if something has changed. Throws StoreFailure if the first anchor cannot be
  /// made.
  void before_commit();
  /// Raises the anchor if something has changed. What is committed stays so if that fails: the
  /// anchor is behind then, which the next write makes good. `sync`: waits for the disk.
  void after_commit(bool sync) noexcept;

 private:
  Db& db_;
  Seal& seal_;
  StoreMark mark_;
  bool changed_ = false;
};

}  // namespace phasegate::state
