#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "state/db.h"
#include "state/seal/seal.h"

/// The mark of a whole store, a row of the table meta: what tells that no session was put back to
/// an older state, taken out or put in, beside the marks of the sessions themselves.
namespace phasegate::state {

/// A sum of digests modulo 2^256: the order does not matter, and one can be taken out again.
class DigestSum {
 public:
  /// Adds, or takes out, the SHA-256 of `mark`.
  void add(std::string_view mark);
  void take(std::string_view mark);

  [[nodiscard]] std::string hex() const;
  /// Zero for anything that hex does not write.
  [[nodiscard]] static DigestSum from_hex(std::string_view digits);

  friend bool operator==(const DigestSum&, const DigestSum&) = default;

 private:
  std::array<std::uint32_t, 8> words_{};  // the lowest first
};

struct StoreMark {
  std::int64_t counter = 0;      ///< transactions that have written a session
  std::int64_t last_number = 0;  ///< the highest number that a session was ever given
  /// Numbers whose sessions are gone and accounted for: removed on purpose, or lost and accepted.
  std::int64_t tombstones = 0;
  std::int64_t acceptances = 0;   ///< rows of the table acceptance
  std::int64_t sealed_since = 0;  ///< UTC milliseconds: nobody vouches for what was written before
  std::int64_t unsealed_until = 0;  ///< number of the last session that had begun by then; 0: none
  DigestSum sum;                    ///< of the marks (run.mac) of all sessions
  std::string trusted;              ///< trust_digest of what people trust

  friend bool operator==(const StoreMark&, const StoreMark&) = default;
};

/// The store's mark. Errors (`damaged`): it is missing, or not what was written under the keys
/// here. Throws StoreFailure if the keys are missing. O(1).
[[nodiscard]] base::Result<StoreMark> read_store_mark(Db& db, Seal& seal);

/// The newest mark that holds among those in the bytes of a page of the table meta, those that are
/// not in use any more included. Throws as Seal::holds. O(bytes).
[[nodiscard]] std::optional<StoreMark> newest_mark_in(std::string_view page, Seal& seal);
/// Whether one was ever in this page.
[[nodiscard]] bool names_a_mark(std::string_view page);

/// A digest of every row of the table trust; empty if there is none. O(rows), which are few.
[[nodiscard]] std::string trust_digest(Db& db);

/// Writes it anew, within the caller's transaction. Throws as Seal::mark.
void write_store_mark(Db& db, Seal& seal, const StoreMark& mark);

}  // namespace phasegate::state
