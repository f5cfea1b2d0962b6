#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "state/db.h"
#include "state/seal/seal.h"

/// The table acceptance: who said that the state is to be used as it is, after it was found to be
/// older than it was, or after a copy was put in its place on purpose.
namespace phasegate::state {

struct Acceptance {
  std::int64_t number = 0;  ///< 1, 2, 3, …
  base::TimePoint at;
  std::string principal;               ///< `approver:ada`, or the operating system's user
  std::string what;                    ///< in words: what was found, or which copy was put back
  std::int64_t counter = 0;            ///< of the database, as it was found; -1: not known
  std::optional<std::int64_t> anchor;  ///< what the anchor said; nullopt: none
  bool sound = true;                   ///< the row is what was written

  friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

/// Accepts the state as it is, within the caller's write transaction (not a StoreTransaction, which
/// refuses such a state): the store's mark is made anew over the sessions that are there, with a
/// counter beyond both that of the database and that of the anchor, and a row says who accepted
/// what. No session's own mark is touched: what does not verify stays frozen. Returns the counter,
/// with which the caller calls renew_anchor after the commit. O(number of sessions).
[[nodiscard]] std::int64_t accept_state(Db& db, Seal& seal, std::string_view principal,
                                        std::string_view what, base::TimePoint now);

/// Adds those acceptances of another state that are sound and not in this one yet, within the
/// caller's write transaction; accept_state must follow, which counts them.
void carry_over(Db& db, Seal& seal, const std::vector<Acceptance>& others);

/// All of them, oldest first.
[[nodiscard]] std::vector<Acceptance> read_acceptances(Db& db, Seal& seal);

}  // namespace phasegate::state
