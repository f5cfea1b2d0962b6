#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "world/checks/coverage_report.h"

/// The formats of parse_coverage, one file each.
namespace phasegate::world::checks {

[[nodiscard]] base::Result<Coverage> parse_cobertura(std::string_view text, CoverageOf of);
[[nodiscard]] base::Result<Coverage> parse_lcov(std::string_view text, CoverageOf of);
[[nodiscard]] base::Result<Coverage> parse_coverage_json(std::string_view text, CoverageOf of);

/// A whole number from 0 to a bound that no sum of them exceeds; nullopt: it is none.
[[nodiscard]] std::optional<std::int64_t> coverage_number(std::string_view text);

/// Checks that a pair of numbers can be (`invalid_report`) and makes it a Coverage.
[[nodiscard]] base::Result<Coverage> coverage_of_numbers(std::int64_t covered, std::int64_t total);
/// A percentage from 0 to 100, or `invalid_report`.
[[nodiscard]] base::Result<Coverage> coverage_of_percent(double percent);

}  // namespace phasegate::world::checks
