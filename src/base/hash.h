#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace phasegate::base {

/// SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

/// SHA-256 over several pieces, each preceded by its length, so that no two different lists of
/// pieces give the same digest.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  Digest& add(std::string_view piece);
  /// A part of one text that comes in parts: without its length, so that it does not matter how the
  /// text was parted.
  Digest& add_part(std::string_view part);
  /// The digest as hexadecimal digits; the object is spent afterwards.
  [[nodiscard]] std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// HMAC-SHA-256 of `bytes` under `key`: 32 bytes (RFC 2104).
[[nodiscard]] std::string hmac_sha256(std::string_view key, std::string_view bytes);

/// True if both are the same; the time it takes depends on the lengths only.
[[nodiscard]] bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace phasegate::base
