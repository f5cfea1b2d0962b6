#include "world/checks/coverage_report.h"

#include <charconv>
#include <cmath>

#include "base/limits.h"
#include "base/text.h"
#include "world/checks/coverage_formats.h"
#include "world/checks/xml_report.h"

namespace phasegate::world::checks {

using base::Result;

namespace {

/// No project has so many lines; sums and products of such numbers stay far within 64 bits.
constexpr std::int64_t kNumberMax = 1'000'000'000'000;

}  // namespace

std::optional<CoverageFormat> coverage_format_from(std::string_view word) {
  if (word == "cobertura") return CoverageFormat::cobertura;
  if (word == "lcov") return CoverageFormat::lcov;
  if (word == "json") return CoverageFormat::json;
  return std::nullopt;
}

std::optional<CoverageOf> coverage_of_from(std::string_view word) {
  if (word == "lines") return CoverageOf::lines;
  if (word == "branches") return CoverageOf::branches;
  return std::nullopt;
}

std::optional<double> Coverage::percent() const {
  // What a double cannot hold exactly must not cost a hundredth.
  constexpr double kTolerance = 1e-7;
  if (stated) return std::floor(*stated * 100 + kTolerance) / 100;
  if (total <= 0) return std::nullopt;
  return static_cast<double>(covered * 10'000 / total) / 100;
}

std::optional<std::int64_t> coverage_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

Result<Coverage> coverage_of_numbers(std::int64_t covered, std::int64_t total) {
  if (covered < 0 || covered > total || total > kNumberMax) {
    return invalid_report("the report says that " + std::to_string(covered) + " of " +
                          std::to_string(total) + " are covered, which cannot be");
  }
  return Coverage{covered, total, std::nullopt};
}

Result<Coverage> coverage_of_percent(double percent) {
  if (!(percent >= 0 && percent <= 100)) {
    return invalid_report("the report gives a percentage that is none");
  }
  return Coverage{0, 0, percent};
}

Result<Coverage> parse_coverage(std::string_view text, CoverageOf of,
                                std::optional<CoverageFormat> format) {
  if (text.size() > base::limits::kReportBytesMax) {
    return invalid_report("the report has more than " +
                          std::to_string(base::limits::kReportBytesMax) + " bytes");
  }
  std::string_view start = text;
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  start = base::trimmed(start);
  if (start.empty()) return invalid_report("the report is empty");
  if (!format) {
    const bool wide = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
    format = wide || start.front() == '<' ? CoverageFormat::cobertura
             : start.front() == '{'       ? CoverageFormat::json
                                          : CoverageFormat::lcov;
  }
  switch (*format) {
    case CoverageFormat::cobertura:
      return parse_cobertura(text, of);
    case CoverageFormat::lcov:
      return parse_lcov(text, of);
    case CoverageFormat::json:
      return parse_coverage_json(text, of);
  }
  return invalid_report("the report has an unknown format");
}

}  // namespace phasegate::world::checks
