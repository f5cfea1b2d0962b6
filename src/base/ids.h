#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace phasegate::base {

/// The edge at which randomness enters.
class IdSource {
 public:
  virtual ~IdSource() = default;
  /// A random UUIDv4 in lower case (122 random bits).
  [[nodiscard]] virtual std::string new_id() = 0;
};

/// Reads the operating system's generator (getrandom).
class SystemIdSource final : public IdSource {
 public:
  [[nodiscard]] std::string new_id() override;
};

/// Repeatable ids for tests: the same seed gives the same sequence.
class SeededIdSource final : public IdSource {
 public:
  explicit SeededIdSource(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] std::string new_id() override;

 private:
  std::uint64_t state_;
};

/// `count` bytes of the operating system's generator, for keys.
[[nodiscard]] std::string random_bytes(std::size_t count);

/// True for a UUID as new_id writes it: 36 characters, lower-case hexadecimal, version 4.
[[nodiscard]] bool is_id(std::string_view text);

}  // namespace phasegate::base
