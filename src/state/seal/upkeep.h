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

/// What a person would accept: why nothing may be written, or why the sessions are not those of the
/// newest state, a sentence each. Empty: nothing. What is wrong with single sessions cannot be
/// accepted, and is not among it.
[[nodiscard]] std::vector<std::string> to_be_accepted(const std::filesystem::path& folder);

/// Accepts the state as it is (see acceptance.h), with `what` as what was found. Returns the new
/// counter.
std::int64_t accept_as_it_is(const std::filesystem::path& folder, std::string_view principal,
                             std::string_view what, base::TimePoint now);

/// Ids of sessions that begin with `prefix`, at most `limit`, in order; nothing is made or changed.
[[nodiscard]] std::vector<std::string> sessions_beginning(const std::filesystem::path& folder,
                                                          std::string_view prefix,
                                                          std::size_t limit);

}  // namespace phasegate::state
