#pragma once
#include <array>
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

/// Errors (`invalid_check`): a report is one of the files that the check's `files` or the run's
/// protected patterns name. Those say what was tested and how; a run writes its report.
[[nodiscard]] base::Result<void> are_apart(const Ask& ask, const ReportPaths& paths);

/// What lay at a report's place before a run, so that what the run wrote is told from it. Nothing
/// is moved or removed: nothing is lost however the run ends.
struct ReportStamp {
  bool there = false;
  std::array<std::int64_t, 5> identity{};  ///< device, inode, size, time of writing

  friend bool operator==(const ReportStamp&, const ReportStamp&) = default;
};
struct ReportStamps {
  ReportStamp junit;
  ReportStamp coverage;
};
/// Links are not followed. Returns once a file that is written from now on has another time of
/// writing, which is a few milliseconds after the last write at most. Errors
/// (`report_in_the_way`): something that is no file.
[[nodiscard]] base::Result<ReportStamps> reports_before(const std::filesystem::path& root,
                                                        const ReportPaths& paths);

struct Measured {
  std::optional<JunitReport> junit;
  std::optional<double> coverage;  ///< of lines, in percent

  /// `{"tests":3,"failures":0,"skipped":0,"coverage":81.5}` as far as known, where `tests` are
  /// those that ran and `failures` those that failed or erred; empty: nothing is.
  [[nodiscard]] std::string to_json_text() const;
};
/// Errors: `no_report`, one is not there, is no file but a link, or is what lay there before;
/// `invalid_report`; OpenedFile's.
[[nodiscard]] base::Result<Measured> read_reports(const std::filesystem::path& root,
                                                  const ReportPaths& paths,
                                                  const ReportStamps& before);

/// What of the reports is not as the check wants it, a sentence each: failures at all, fewer tests
/// that ran than `min_tests`, more skipped than `max_skipped`, less coverage than `min_coverage`.
/// Errors (`invalid_check`): a demand without the report that it needs.
[[nodiscard]] base::Result<std::vector<std::string>> not_as_wanted(const Ask& ask,
                                                                   const Measured& now);

/// Those of the reports that a ratchet of these names compares.
[[nodiscard]] ReportPaths reports_of(const std::vector<std::string>& ratchet,
                                     const ReportPaths& paths);

/// What has become worse since `start`: fewer tests that ran, more skipped, coverage lower by more
/// than 0.01 points. `start` is all zero where the project had no tests then, that is: no file that
/// the check's `files` match, or not the project's own program that runs them; a start that cannot
/// be measured for another reason is an error of the check. `names`: any of `tests`, `skipped`,
/// `coverage`. Errors (`invalid_check`): other names, or one without the report that it needs.
[[nodiscard]] base::Result<std::vector<std::string>> worse_than(
    const std::vector<std::string>& names, const Measured& now, const Measured& start);

}  // namespace phasegate::world::checks
