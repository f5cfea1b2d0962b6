#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/coverage_report.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/step_files.h"

namespace phasegate::world::checks {

using gating::CheckResult;

CheckResult check_coverage(const Ask& ask) {
  const Parameters parameters(ask);
  const auto least = parameters.number("min");
  const auto of = coverage_of_from(parameters.text("of").value_or("lines"));
  const auto written = parameters.text("format");
  const auto format = written ? coverage_format_from(*written) : std::nullopt;
  if (!least || !of || (written && !format)) {
    return unclear(ask, "min, of or format is not what it must be");
  }
  const auto file = read_report(ask, "report", base::limits::kReportBytesMax,
                                parameters.flag("written_in_step", true));
  if (!file) return without_file(ask, file.error());
  const std::string name = shown_path(file->path);
  const auto coverage = parse_coverage(file->text, *of, format);
  if (!coverage) {
    return about(unclear(ask, name + ": " + coverage.error().message, coverage.error().hint),
                 file->path);
  }
  const std::string what = *of == CoverageOf::lines ? "lines" : "branches";
  const auto percent = coverage->percent();
  if (!percent) {
    return about(failed(ask, name + " holds no " + what + " that could be covered, wanted " +
                                 base::number_text(*least) + " % of them"),
                 file->path);
  }
  CheckResult result =
      *percent >= *least
          ? passed(ask)
          : failed(ask, "coverage of " + what + " is " + base::number_text(*percent) +
                            " %, wanted at least " + base::number_text(*least) + " %");
  result.value = base::dump(base::number_json(*percent));
  return about(std::move(result), file->path);
}

}  // namespace phasegate::world::checks
