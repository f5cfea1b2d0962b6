#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace phasegate::bench {

/// How long one operation took, sorted.
struct Times {
  std::string what;
  std::vector<std::int64_t> ns;

  /// `share` of them took no longer: 0.5 for the median.
  [[nodiscard]] double us(double share) const;
};

/// Measures all operations on the store in each folder: a block here and a block there in turn,
/// each operation `repetitions` times on each. One list of times per folder, in the same order.
[[nodiscard]] std::vector<std::vector<Times>> measure(
    const std::vector<std::filesystem::path>& folders, int repetitions);

}  // namespace phasegate::bench
