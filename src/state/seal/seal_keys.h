#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::state {

/// The file in a state folder that holds the keys with which histories are sealed: one line per
/// key, its number and 64 hexadecimal digits. The one with the highest number seals; those before
/// it tell that what they sealed is unchanged.
inline constexpr std::string_view kSealKeysFileName = "seal-keys";

/// So many keys may be in the file: as often may be rotated.
inline constexpr std::size_t kSealKeysMax = 1000;

struct SealKey {
  std::int64_t number = 0;  ///< 1, 2, 3, …
  std::string bytes;        ///< 32 random bytes
};

/// What tells whether the file is still the one that was read. All 0 if there is none.
struct SealKeysLook {
  std::uint64_t inode = 0;
  std::int64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< its content, owner or mode
  friend bool operator==(const SealKeysLook&, const SealKeysLook&) = default;
};
[[nodiscard]] SealKeysLook look_at_seal_keys(const std::filesystem::path& folder);

/// The keys by number, oldest first; empty if there is no file. Makes nothing. Throws StoreFailure
/// (`damaged`, naming the file and what to do) for a file that is a link or no regular file,
/// belongs to somebody else, may be read or written by others, or holds anything but such lines;
/// and what keeps it from being read.
[[nodiscard]] std::vector<SealKey> read_seal_keys(const std::filesystem::path& folder);

/// The same, after making file (0600) and first key if there is none. Of processes that make one at
/// the same moment all get the same.
[[nodiscard]] std::vector<SealKey> make_seal_keys(const std::filesystem::path& folder);

/// Adds a key with the next number; the file is replaced as a whole and synced. For whoever holds
/// the write lock of the database beside it. Throws as read_seal_keys, `damaged` if there is none
/// or it is full.
void add_seal_key(const std::filesystem::path& folder);

/// What is said where the keys are needed and not there, or others than those that sealed.
[[nodiscard]] base::Error seal_keys_error(const std::string& what);

/// Why read_seal_keys would refuse the file that is there; nullopt if it would not, or if there is
/// none.
[[nodiscard]] std::optional<base::Error> seal_keys_problem(const std::filesystem::path& folder);

}  // namespace phasegate::state
