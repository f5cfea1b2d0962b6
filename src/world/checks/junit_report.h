#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::world::checks {

/// What a JUnit report says, counted from its test cases. Where a suite's own numbers are worse
/// than its cases (more failures, errors or skipped), the worse numbers count.
struct JunitReport {
  std::int64_t tests = 0;  ///< all of them, the skipped ones included
  std::int64_t failures = 0;
  std::int64_t errors = 0;
  std::int64_t skipped = 0;
  /// Names of the first that failed or erred, `suite: case` or `case`, at most 20; valid UTF-8.
  std::vector<std::string> failed;

  [[nodiscard]] std::int64_t not_passed() const { return failures + errors; }
  /// Those that ran: the skipped ones did not.
  [[nodiscard]] std::int64_t ran() const { return std::max<std::int64_t>(tests - skipped, 0); }
  friend bool operator==(const JunitReport&, const JunitReport&) = default;
};

/// Reads JUnit XML as surefire, pytest, jest-junit, GoogleTest, CTest and the like write it:
/// `testsuites` or `testsuite` with suites and cases nested in any depth up to the limit. Entities
/// that a DTD declares are not expanded. Errors (`invalid_report`): not XML, cut off, another
/// document, no test case and no numbers, deeper or larger than the limits
/// (limits::kReportBytesMax). Linear in the text.
[[nodiscard]] base::Result<JunitReport> parse_junit(std::string_view text);

}  // namespace phasegate::world::checks
