#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "world/checks/junit_report.h"
#include "world/checks/kinds.h"

/// What a run of tests leaves behind, and what may be demanded of it.
namespace phasegate::world::checks {

/// Where the reports lie, relative to the root; empty: there is none.
struct ReportPaths {
  std::string junit;
  std::string coverage;
};
/// From the check's parameters. Errors: those of Parameters::path; `invalid_check`, a path that is
/// absolute, for then nobody could say whose report it is.
[[nodiscard]] base::Result<ReportPaths> report_paths(const Ask& ask);

/// Removes earlier reports, so that what is there after a run was written by it. Links are not
/// followed. Errors (`report_in_the_way`): something that is no file, or cannot be removed.
[[nodiscard]] base::Result<void> remove_reports(const std::filesystem::path& root,
                                                const ReportPaths& paths);

struct Measured {
  std::optional<JunitReport> junit;
  std::optional<double> coverage;  ///< of lines, in percent

  /// `{"tests":3,"skipped":0,"coverage":81.5}` as far as known; empty: nothing is.
  [[nodiscard]] std::string to_json_text() const;
};
/// Errors: `no_report`, one is not there or is no file but a link; `invalid_report`; OpenedFile's.
[[nodiscard]] base::Result<Measured> read_reports(const std::filesystem::path& root,
                                                  const ReportPaths& paths);

/// What of the reports is not as the check wants it, a sentence each: failures at all, fewer tests
/// that ran than `min_tests`, more skipped than `max_skipped`, less coverage than `min_coverage`.
/// Errors (`invalid_check`): a demand without the report that it needs.
[[nodiscard]] base::Result<std::vector<std::string>> not_as_wanted(const Ask& ask,
                                                                   const Measured& now);

/// What has become worse since `start`: fewer tests that ran, more skipped, coverage lower by more
/// than 0.01 points. `start` is all zero where the project had no tests then, that is: no file that
/// the check's `files` match, or not the project's own program that runs them; a start that cannot
/// be measured for another reason is an error of the check. `names`: any of `tests`, `skipped`,
/// `coverage`. Errors (`invalid_check`): other names, or one without the report that it needs.
[[nodiscard]] base::Result<std::vector<std::string>> worse_than(
    const std::vector<std::string>& names, const Measured& now, const Measured& start);

}  // namespace phasegate::world::checks
