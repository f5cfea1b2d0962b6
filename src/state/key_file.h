#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace phasegate::state {

/// A key of this installation, in a file of its own in the state folder.
struct KeyFile {
  std::string_view name;
  std::string_view lost;  ///< what comes of its removal, in words: `… has to be asked again`
};

/// 32 random bytes, made (mode 0600) by the first call that needs them, the same for every process.
/// Throws gating::engine::StoreFailure: `unsafe_key` for a file that is a link or no regular file,
/// belongs to somebody else, may be read or written by others, or is not a key's length; and what
/// keeps a new one from being made. A file that is refused is left as it is.
[[nodiscard]] std::string key_in(const std::filesystem::path& folder, const KeyFile& kept);

/// Why key_in would refuse the file that is there; nullopt if it would not, or if there is none.
/// Makes and changes nothing.
[[nodiscard]] std::optional<base::Error> key_problem(const std::filesystem::path& folder,
                                                     const KeyFile& kept);

}  // namespace phasegate::state
