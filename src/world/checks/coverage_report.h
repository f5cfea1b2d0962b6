#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace phasegate::world::checks {

enum class CoverageFormat { cobertura, lcov, json };
enum class CoverageOf { lines, branches };
[[nodiscard]] std::optional<CoverageFormat> coverage_format_from(std::string_view word);
[[nodiscard]] std::optional<CoverageOf> coverage_of_from(std::string_view word);

/// How much of something is covered.
struct Coverage {
  std::int64_t covered = 0;
  std::int64_t total = 0;  ///< 0: there was nothing to cover
  /// Only where a report gives nothing but a percentage.
  std::optional<double> stated;

  /// Rounded down to two digits, so that 79.999 is not 80. Nothing to cover: nullopt.
  [[nodiscard]] std::optional<double> percent() const;
  friend bool operator==(const Coverage&, const Coverage&) = default;
};

/// Reads a coverage report: Cobertura XML, lcov tracefiles, and the JSON summaries of istanbul,
/// coverage.py, llvm-cov and gcovr. Counted from its lines and branches where it has them, from its
/// files' totals otherwise, from its own total only if there is nothing else. `format`: nullopt
/// means by content. Errors (`invalid_report`): another document, cut off, numbers that cannot be,
/// nothing about what was asked (`of`), larger or deeper than the limits
/// (limits::kReportBytesMax). O(n log n) in the text.
[[nodiscard]] base::Result<Coverage> parse_coverage(std::string_view text, CoverageOf of,
                                                    std::optional<CoverageFormat> format);

}  // namespace phasegate::world::checks
