#pragma once
#include <string>
#include <string_view>

namespace phasegate::state {

/// What scrypt (RFC 7914) is to cost: 128·r·2^n bytes of memory, p times the work. The default
/// takes 32 MiB and about a tenth of a second.
struct HashCost {
  int n_log2 = 15;
  int r = 8;
  int p = 1;

  friend bool operator==(const HashCost&, const HashCost&) = default;
};

/// A secret as it is kept: what it was hashed with is kept beside the hash, so that the cost can be
/// raised without losing what there is.
struct SecretHash {
  HashCost cost;
  std::string salt;  ///< 16 random bytes
  std::string hash;  ///< 32 bytes

  friend bool operator==(const SecretHash&, const SecretHash&) = default;
};

/// Whether such a hash is one that hash_secret could have made, at a cost that this program is
/// willing to pay: at most 256 MiB and 16 times the default's work. What comes from a file is asked
/// this before it is used.
[[nodiscard]] bool is_sound(const SecretHash& hash);

/// Hashes with a new random salt. Throws std::runtime_error if libcrypto refuses.
[[nodiscard]] SecretHash hash_secret(std::string_view secret, const HashCost& cost);

/// Whether it is the secret that was hashed; compared in constant time. Costs as much as hashing.
/// Throws std::runtime_error if libcrypto refuses.
[[nodiscard]] bool matches(std::string_view secret, const SecretHash& hash);

}  // namespace phasegate::state
