#include <algorithm>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/junit_report.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/step_files.h"

namespace phasegate::world::checks {

using base::Json;
using gating::CheckResult;

namespace {

constexpr std::size_t kNamesShownMax = 5;

std::string names(const JunitReport& report) {
  std::string text;
  for (std::size_t i = 0; i < std::min(report.failed.size(), kNamesShownMax); ++i) {
    text += (i == 0 ? ": " : ", ") + base::in_quotes(report.failed[i]);
  }
  if (report.failed.size() > kNamesShownMax) text += ", …";
  return text;
}

std::string number(std::int64_t n) {
  return std::to_string(n);
}

}  // namespace

CheckResult check_junit(const Ask& ask) {
  const Parameters parameters(ask);
  const auto file = read_report(ask, "report", base::limits::kReportBytesMax,
                                parameters.flag("written_in_step", true));
  if (!file) return without_file(ask, file.error());
  const std::string name = shown_path(file->path);
  const auto report = parse_junit(file->text);
  if (!report) {
    return about(unclear(ask, name + ": " + report.error().message, report.error().hint),
                 file->path);
  }
  // A report of nothing shows nothing.
  const std::int64_t least = parameters.whole("min_tests").value_or(1);
  const std::int64_t most_failures = parameters.whole("max_failures").value_or(0);
  const auto most_skipped = parameters.whole("max_skipped");
  std::vector<std::string> problems;
  if (report->ran() < least) {
    problems.push_back(name + " holds " +
                       base::counted(static_cast<std::size_t>(report->ran()), "test") +
                       " that ran, wanted at least " + number(least));
  }
  if (report->not_passed() > most_failures) {
    problems.push_back(number(report->not_passed()) + " of " + number(report->tests) +
                       " tests did not pass, wanted at most " + number(most_failures) +
                       names(*report));
  }
  if (most_skipped && report->skipped > *most_skipped) {
    problems.push_back(number(report->skipped) + " tests were skipped, wanted at most " +
                       number(*most_skipped));
  }
  CheckResult result = problems.empty() ? passed(ask) : failed(ask, base::joined(problems, "; "));
  result.value = base::dump(Json{
      {"tests", report->ran()}, {"failures", report->not_passed()}, {"skipped", report->skipped}});
  return about(std::move(result), file->path);
}

}  // namespace phasegate::world::checks
