#include "state/approvers/secret_hash.h"

#include <cstdint>
#include <stdexcept>

#include <openssl/evp.h>

#include "base/hash.h"
#include "base/ids.h"
#include "state/approvers/secret.h"

namespace phasegate::state {
namespace {

constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kHashBytes = 32;
constexpr std::uint64_t kMemoryMax = 256U << 20U;
constexpr std::uint64_t kWorkMax = 16ULL * 8U << 15U;
constexpr int kLog2Max = 20;
constexpr int kFactorMax = 32;

std::uint64_t memory_of(const HashCost& cost) {
  return 128ULL * static_cast<std::uint64_t>(cost.r) << static_cast<unsigned>(cost.n_log2);
}

bool is_affordable(const HashCost& cost) {
  if (cost.n_log2 < 1 || cost.n_log2 > kLog2Max) return false;
  if (cost.r < 1 || cost.r > kFactorMax || cost.p < 1 || cost.p > kFactorMax) return false;
  const std::uint64_t work = static_cast<std::uint64_t>(cost.r) * static_cast<std::uint64_t>(cost.p)
                             << static_cast<unsigned>(cost.n_log2);
  return memory_of(cost) <= kMemoryMax && work <= kWorkMax;
}

std::string derived(std::string_view secret, const HashCost& cost, std::string_view salt) {
  constexpr std::uint64_t kBeside = 1U << 20U;  // blocks beside the table
  std::string out(kHashBytes, '\0');
  const char* bytes = secret.data() == nullptr ? "" : secret.data();
  const int done = EVP_PBE_scrypt(
      bytes, secret.size(), reinterpret_cast<const unsigned char*>(salt.data()), salt.size(),
      1ULL << static_cast<unsigned>(cost.n_log2), static_cast<std::uint64_t>(cost.r),
      static_cast<std::uint64_t>(cost.p), memory_of(cost) + kBeside,
      reinterpret_cast<unsigned char*>(out.data()), out.size());
  if (done != 1) throw std::runtime_error("scrypt failed in libcrypto");
  return out;
}

}  // namespace

bool is_sound(const SecretHash& hash) {
  return hash.salt.size() == kSaltBytes && hash.hash.size() == kHashBytes &&
         is_affordable(hash.cost);
}

SecretHash hash_secret(std::string_view secret, const HashCost& cost) {
  SecretHash made{cost, base::random_bytes(kSaltBytes), ""};
  made.hash = derived(secret, cost, made.salt);
  return made;
}

bool matches(std::string_view secret, const SecretHash& hash) {
  std::string computed = derived(secret, hash.cost, hash.salt);
  const bool same = base::equal_in_constant_time(computed, hash.hash);
  wipe(computed.data(), computed.size());
  return same;
}

}  // namespace phasegate::state
