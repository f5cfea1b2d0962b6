#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace phasegate::base {

/// SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

/// The same for bytes that come in parts, such as a file that is too large to hold.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  Sha256& add(std::string_view bytes);
  /// What sha256_hex gives for all bytes together; the object is spent afterwards.
  [[nodiscard]] std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// SHA-256 over several pieces, each preceded by its length, so that no two different lists of
/// pieces give the same digest.
class Digest {
 public:
  Digest& add(std::string_view piece);
  /// The digest as hexadecimal digits; the object is spent afterwards.
  [[nodiscard]] std::string hex();

 private:
  Sha256 whole_;
};

/// HMAC-SHA-256 of `bytes` under `key`: 32 bytes (RFC 2104).
[[nodiscard]] std::string hmac_sha256(std::string_view key, std::string_view bytes);

/// True if both are the same; the time it takes depends on the lengths only.
[[nodiscard]] bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace phasegate::base
