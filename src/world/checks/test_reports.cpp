#include "world/checks/test_reports.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/globs.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/coverage_report.h"
#include "world/checks/guarded_files.h"
#include "world/checks/opened_file.h"
#include "world/checks/parameters.h"
#include "world/checks/started.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world::checks {

using base::Error;
using base::Globs;
using base::Hidden;
using base::Result;

namespace {

constexpr double kCoverageTolerance = 0.01;
constexpr std::size_t kFailedNamedMax = 5;

Error needs(std::string_view name, std::string_view report) {
  return {"invalid_check",
          std::string(name) + " needs the check's " + std::string(report) + " report",
          "add " + std::string(report) + ": PATH to the check", std::string(name)};
}

Result<std::string> report_path(const Parameters& parameters, const char* name) {
  if (!parameters.has(name)) return std::string();
  auto path = parameters.path(name);
  if (path && path->starts_with('/')) {
    return Error{"invalid_check",
                 "the " + std::string(name) + " report must be a path within the project", "",
                 name};
  }
  return path;
}

Result<ReportStamp> stamp_of(const std::filesystem::path& root, const std::string& path) {
  if (path.empty()) return ReportStamp{};
  const base::Descriptor folder = open_folder_of(root, path);
  struct stat found{};
  if (!folder.open() ||
      ::fstatat(folder.get(), last_part(path).c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    return ReportStamp{};
  }
  if (!S_ISREG(found.st_mode)) {
    return Error{"report_in_the_way",
                 base::in_quotes(path) + " is in the way: it is " +
                     (S_ISLNK(found.st_mode) ? "a link" : "no file") +
                     ", where the run is to write its report",
                 "remove it, or see who put it there", path};
  }
  return ReportStamp{true,
                     {static_cast<std::int64_t>(found.st_dev),
                      static_cast<std::int64_t>(found.st_ino), std::int64_t{found.st_size},
                      std::int64_t{found.st_mtim.tv_sec}, std::int64_t{found.st_mtim.tv_nsec}}};
}

/// Times of files are those of a clock that goes in steps. A report of a moment ago could not be
/// told from one that is written within the same step.
void let_the_clock_go_on(const ReportStamp& stamp) {
  constexpr std::int64_t kNsOfSecond = 1'000'000'000;
  constexpr std::int64_t kStepNsMax = 50'000'000;
  constexpr timespec kPause{0, 1'000'000};
  for (std::int64_t waited = 0; stamp.there && waited < kStepNsMax; waited += kPause.tv_nsec) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    const std::int64_t ahead = (stamp.identity[3] - now.tv_sec) * kNsOfSecond +
                               (stamp.identity[4] - std::int64_t{now.tv_nsec});
    if (ahead < 0 || ahead > kStepNsMax) return;
    ::nanosleep(&kPause, nullptr);
  }
}

Result<std::string> read_report(const std::filesystem::path& root, const std::string& path,
                                const ReportStamp& before) {
  const auto now = stamp_of(root, path);
  if (!now || !now->there) {
    return Error{"no_report", "the run did not write the report " + base::in_quotes(path),
                 "see that the command writes it to that place, each time", path};
  }
  if (*now == before) {
    return Error{"no_report",
                 "the run did not write the report " + base::in_quotes(path) +
                     ": what lies there is from before it",
                 "see that the command writes it to that place, each time", path};
  }
  const auto file = OpenedFile::open(root, path);
  if (!file) return file.error();
  return file->bytes(base::limits::kReportBytesMax);
}

Result<void> is_apart(const std::vector<std::string>& globs, const ReportPaths& paths,
                      const char* what) {
  if (globs.empty()) return {};
  const auto compiled = Globs::compile(globs, Hidden::included);
  if (!compiled) return compiled.error();
  for (const std::string& path : {paths.junit, paths.coverage}) {
    if (path.empty() || !compiled->matches(path)) continue;
    return Error{"invalid_check",
                 "the report " + base::in_quotes(path) + " is one of the " + what +
                     ", and a run writes its report",
                 "the workflow's author lets it be written elsewhere, e.g. to build/", path};
  }
  return {};
}

Error of_report(const std::string& path, const Error& error) {
  return {error.code, base::in_quotes(path) + ": " + error.message, error.hint, path};
}

std::string percent(double value) {
  return base::number_text(value) + " %";
}

}  // namespace

Result<ReportPaths> report_paths(const Ask& ask) {
  const Parameters parameters(ask);
  auto junit = report_path(parameters, "junit");
  if (!junit) return junit.error();
  auto coverage = report_path(parameters, "coverage");
  if (!coverage) return coverage.error();
  return ReportPaths{*std::move(junit), *std::move(coverage)};
}

Result<void> are_apart(const Ask& ask, const ReportPaths& paths) {
  if (auto apart = is_apart(Parameters(ask).texts("files"), paths, "files of the tests"); !apart) {
    return apart;
  }
  // Where nothing was observed, there is nothing that a report could change.
  const auto started = read_started(ask.scene.started);
  if (!started) return {};
  for (const auto& [key, files] : started->guarded) {
    if (auto apart = is_apart(guarded_globs(key), paths, "protected files"); !apart) return apart;
  }
  return {};
}

Result<ReportStamps> reports_before(const std::filesystem::path& root, const ReportPaths& paths) {
  const auto junit = stamp_of(root, paths.junit);
  if (!junit) return junit.error();
  const auto coverage = stamp_of(root, paths.coverage);
  if (!coverage) return coverage.error();
  let_the_clock_go_on(*junit);
  let_the_clock_go_on(*coverage);
  return ReportStamps{*junit, *coverage};
}

ReportPaths reports_of(const std::vector<std::string>& ratchet, const ReportPaths& paths) {
  ReportPaths needed;
  for (const std::string& name : ratchet) {
    (name == "coverage" ? needed.coverage : needed.junit) =
        name == "coverage" ? paths.coverage : paths.junit;
  }
  return needed;
}

std::string Measured::to_json_text() const {
  base::Json json = base::Json::object();
  if (junit) {
    json["tests"] = junit->ran();
    json["failures"] = junit->not_passed();
    json["skipped"] = junit->skipped;
  }
  if (coverage) json["coverage"] = base::number_json(*coverage);
  return json.empty() ? "" : base::dump(json);
}

Result<Measured> read_reports(const std::filesystem::path& root, const ReportPaths& paths,
                              const ReportStamps& before) {
  Measured measured;
  if (!paths.junit.empty()) {
    const auto text = read_report(root, paths.junit, before.junit);
    if (!text) return text.error();
    auto report = parse_junit(*text);
    if (!report) return of_report(paths.junit, report.error());
    measured.junit = *std::move(report);
  }
  if (!paths.coverage.empty()) {
    const auto text = read_report(root, paths.coverage, before.coverage);
    if (!text) return text.error();
    const auto report = parse_coverage(*text, CoverageOf::lines, std::nullopt);
    if (!report) return of_report(paths.coverage, report.error());
    measured.coverage = report->percent();
    if (!measured.coverage) {
      return Error{"invalid_report", base::in_quotes(paths.coverage) + " has no line to cover", "",
                   paths.coverage};
    }
  }
  return measured;
}

Result<std::vector<std::string>> not_as_wanted(const Ask& ask, const Measured& now) {
  const Parameters parameters(ask);
  const auto min_tests = parameters.whole("min_tests");
  const auto max_skipped = parameters.whole("max_skipped");
  const auto min_coverage = parameters.number("min_coverage");
  if (min_tests && !now.junit) return needs("min_tests", "junit");
  if (max_skipped && !now.junit) return needs("max_skipped", "junit");
  if (min_coverage && !now.coverage) return needs("min_coverage", "coverage");
  std::vector<std::string> wrong;
  if (now.junit && now.junit->not_passed() > 0) {
    std::vector<std::string> names = now.junit->failed;
    names.resize(std::min(names.size(), kFailedNamedMax));
    const auto count = static_cast<std::size_t>(now.junit->not_passed());
    wrong.push_back("the report names " + base::counted(count, "test") + " that did not pass" +
                    (names.empty() ? "" : ": " + base::joined(names, ", ")));
  }
  if (min_tests && now.junit->ran() < *min_tests) {
    wrong.push_back(std::to_string(now.junit->ran()) + " tests ran, wanted at least " +
                    std::to_string(*min_tests));
  }
  if (max_skipped && now.junit->skipped > *max_skipped) {
    wrong.push_back(std::to_string(now.junit->skipped) + " tests were skipped, wanted at most " +
                    std::to_string(*max_skipped));
  }
  if (min_coverage && *now.coverage < *min_coverage) {
    wrong.push_back("coverage is " + percent(*now.coverage) + ", wanted at least " +
                    percent(*min_coverage));
  }
  return wrong;
}

Result<std::vector<std::string>> worse_than(const std::vector<std::string>& names,
                                            const Measured& now, const Measured& start) {
  std::vector<std::string> worse;
  for (const std::string& name : names) {
    if (name == "tests" || name == "skipped") {
      if (!now.junit || !start.junit) return needs("ratchet", "junit");
    } else if (name != "coverage") {
      return Error{"invalid_check",
                   "ratchet knows tests, skipped and coverage, not " + base::in_quotes(name), "",
                   "ratchet"};
    } else if (!now.coverage || !start.coverage) {
      return needs("ratchet", "coverage");
    }
    if (name == "tests" && now.junit->ran() < start.junit->ran()) {
      worse.push_back(std::to_string(now.junit->ran()) + " tests ran, at the start it were " +
                      std::to_string(start.junit->ran()));
    } else if (name == "skipped" && now.junit->skipped > start.junit->skipped) {
      worse.push_back(std::to_string(now.junit->skipped) +
                      " tests were skipped, at the start it were " +
                      std::to_string(start.junit->skipped));
    } else if (name == "coverage" && *now.coverage + kCoverageTolerance < *start.coverage) {
      worse.push_back("coverage is " + percent(*now.coverage) + ", at the start it was " +
                      percent(*start.coverage));
    }
  }
  return worse;
}

}  // namespace phasegate::world::checks
