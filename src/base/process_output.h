#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "base/process.h"

namespace phasegate::base {

/// Takes what a program prints, as it comes: keeps the beginning and the end, digests all of it.
/// O(bytes) in time, at most about twice what is kept in memory.
class OutputKeeper {
 public:
  explicit OutputKeeper(std::size_t kept_max)
      : head_max_(kept_max / 2), tail_max_(kept_max - kept_max / 2) {}

  void add(std::string_view bytes);
  /// What was kept; the keeper is spent afterwards.
  [[nodiscard]] ProcessOutput output();
  /// SHA-256 of everything that was added; once.
  [[nodiscard]] std::string digest() { return digest_.hex(); }

 private:
  std::size_t head_max_;
  std::size_t tail_max_;
  std::string head_;
  std::string tail_;  // what came after the head; its beginning is dropped now and then
  std::uint64_t bytes_ = 0;
  Sha256 digest_;
};

}  // namespace phasegate::base
