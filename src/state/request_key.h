#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace phasegate::state {

/// The name of the file in a state folder that holds the installation's secret key.
inline constexpr std::string_view kRequestKeyFileName = "request-key";

/// The key with which this installation seals what passes through clients: 32 random bytes beside
/// the database, made (mode 0600) by the first call that needs it, the same for every process.
/// Throws gating::engine::StoreFailure: `unsafe_key` for a file that is a link or no regular file,
/// belongs to somebody else, may be read or written by others, or is not a key's length; and what
/// keeps a new one from being made. A file that is refused is left as it is.
[[nodiscard]] std::string request_key(const std::filesystem::path& folder);

/// Why request_key would refuse the file that is there; nullopt if it would not, or if there is
/// none. Makes and changes nothing.
[[nodiscard]] std::optional<base::Error> request_key_problem(const std::filesystem::path& folder);

}  // namespace phasegate::state
