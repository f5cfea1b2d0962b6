#include "world/checks/test_reports.h"

#include <algorithm>

#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/coverage_report.h"
#include "world/checks/opened_file.h"
#include "world/checks/parameters.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world::checks {

using base::Error;
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

Result<void> remove_report(const std::filesystem::path& root, const std::string& path) {
  const TreeEntry entry = path.empty() ? TreeEntry() : look_at(root, path);
  if (entry.kind == TreeEntry::Kind::absent) return {};
  const base::Descriptor folder = open_folder_of(root, path);
  if (entry.kind == TreeEntry::Kind::other || !folder.open() ||
      ::unlinkat(folder.get(), last_part(path).c_str(), 0) != 0) {
    return Error{"report_in_the_way",
                 base::in_quotes(path) + " is in the way: it is no report that can be removed", "",
                 path};
  }
  return {};
}

Result<std::string> read_report(const std::filesystem::path& root, const std::string& path) {
  if (look_at(root, path).kind != TreeEntry::Kind::file) {
    return Error{"no_report", "the run did not write the report " + base::in_quotes(path),
                 "see that the command writes it to that place, each time", path};
  }
  const auto file = OpenedFile::open(root, path);
  if (!file) return file.error();
  return file->bytes(base::limits::kReportBytesMax);
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

Result<void> remove_reports(const std::filesystem::path& root, const ReportPaths& paths) {
  if (auto removed = remove_report(root, paths.junit); !removed) return removed;
  return remove_report(root, paths.coverage);
}

std::string Measured::to_json_text() const {
  base::Json json = base::Json::object();
  if (junit) {
    json["tests"] = junit->tests;
    json["skipped"] = junit->skipped;
  }
  if (coverage) json["coverage"] = base::number_json(*coverage);
  return json.empty() ? "" : base::dump(json);
}

Result<Measured> read_reports(const std::filesystem::path& root, const ReportPaths& paths) {
  Measured measured;
  if (!paths.junit.empty()) {
    const auto text = read_report(root, paths.junit);
    if (!text) return text.error();
    auto report = parse_junit(*text);
    if (!report) return of_report(paths.junit, report.error());
    measured.junit = *std::move(report);
  }
  if (!paths.coverage.empty()) {
    const auto text = read_report(root, paths.coverage);
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
