#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

/// What people do about the seals of the state in a folder. All throw StoreFailure; `not_found` if
/// there is no state.
namespace phasegate::state {

/// Adds a key with which everything is sealed from now on; what the ones before have sealed
/// verifies as before, and is sealed anew when it is next written. Returns its number.
std::int64_t rotate_seal_key(const std::filesystem::path& folder);

/// What is found of the state as a whole, a sentence each.
struct Acceptable {
  std::vector<std::string> mended;  ///< by accepting the state as it is
  std::vector<std::string> stays;  ///< found afterwards as well: the lists of who accepted, of what
                                   ///< was pruned, of what people trust were changed

  friend bool operator==(const Acceptable&, const Acceptable&) = default;
};

/// Why nothing may be written, or why the sessions are not those of the newest state, as far as a
/// person can accept it. What is wrong with single sessions cannot be accepted, and is not among
/// it. Found by accepting the state in a transaction that is taken back.
[[nodiscard]] Acceptable to_be_accepted(const std::filesystem::path& folder);

struct Accepted {
  std::int64_t counter = 0;        ///< the new one
  std::vector<std::string> stays;  ///< see Acceptable
};

/// Accepts the state as it is (see acceptance.h), with `what` as what was found. `shown`: what the
/// person has said yes to; null: whatever there is. Throws StoreFailure (`changed_meanwhile`) if
/// something else is found now; nothing is accepted then.
Accepted accept_as_it_is(const std::filesystem::path& folder, std::string_view principal,
                         std::string_view what, base::TimePoint now,
                         const Acceptable* shown = nullptr);

/// Ids of sessions that begin with `prefix`, at most `limit`, in order; nothing is made or changed.
[[nodiscard]] std::vector<std::string> sessions_beginning(const std::filesystem::path& folder,
                                                          std::string_view prefix,
                                                          std::size_t limit);

}  // namespace phasegate::state
