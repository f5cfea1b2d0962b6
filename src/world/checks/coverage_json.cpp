#include "base/json.h"
#include "base/limits.h"
#include "world/checks/coverage_formats.h"
#include "world/checks/xml_report.h"

namespace phasegate::world::checks {

using base::Json;
using base::Result;

namespace {

const Json* member(const Json* value, std::string_view name) {
  return value == nullptr ? nullptr : base::find_member(*value, name);
}

/// Sums pairs of numbers; the first that cannot be is kept as the problem.
class Sum {
 public:
  void add(std::int64_t covered, std::int64_t total) {
    const auto one = coverage_of_numbers(covered, total);
    if (!one) {
      problem_ = one.error();
      return;
    }
    covered_ += covered;
    total_ += total;
    ++parts_;
  }
  /// From two members of an object that are whole numbers; nothing if it has neither.
  void add(const Json* object, std::string_view covered, std::string_view total) {
    const Json* of_covered = member(object, covered);
    const Json* of_total = member(object, total);
    if (of_covered == nullptr && of_total == nullptr) return;
    const auto first = object == nullptr ? std::nullopt : base::integer_member(*object, covered);
    const auto second = object == nullptr ? std::nullopt : base::integer_member(*object, total);
    if (!first || !second) {
      problem_ = invalid_report("the report holds " + std::string(covered) + " and " +
                                std::string(total) + " that are no whole numbers");
      return;
    }
    add(*first, *second);
  }

  [[nodiscard]] bool has() const { return parts_ > 0 || problem_.has_value(); }
  [[nodiscard]] Result<Coverage> result() const {
    if (problem_) return *problem_;
    return coverage_of_numbers(covered_, total_);
  }

 private:
  std::int64_t covered_ = 0;
  std::int64_t total_ = 0;
  std::int64_t parts_ = 0;
  std::optional<base::Error> problem_;
};

Result<Coverage> stated_percent(const Json* object, std::string_view name, CoverageOf of) {
  const Json* percent = member(object, name);
  if (percent != nullptr && percent->is_number()) {
    return coverage_of_percent(percent->get<double>());
  }
  return invalid_report(std::string("the report says nothing of ") +
                        (of == CoverageOf::lines ? "lines" : "branches"));
}

/// istanbul: `total` and one member per file, each with `lines` and `branches`.
Result<Coverage> istanbul(const Json& report, CoverageOf of) {
  const char* what = of == CoverageOf::lines ? "lines" : "branches";
  Sum files;
  for (const auto& [name, file] : report.items()) {
    if (name != "total") files.add(member(&file, what), "covered", "total");
  }
  if (files.has()) return files.result();
  Sum total;
  total.add(member(member(&report, "total"), what), "covered", "total");
  if (total.has()) return total.result();
  return stated_percent(member(member(&report, "total"), what), "pct", of);
}

void add_lists(Sum& sum, const Json& file, const char* executed, const char* missing) {
  const Json* covered = member(&file, executed);
  const Json* left = member(&file, missing);
  if (covered == nullptr || left == nullptr || !covered->is_array() || !left->is_array()) return;
  const auto count = static_cast<std::int64_t>(covered->size());
  sum.add(count, count + static_cast<std::int64_t>(left->size()));
}

/// coverage.py: `files` with lists of lines, `totals`.
Result<Coverage> coverage_py(const Json& report, CoverageOf of) {
  const bool lines = of == CoverageOf::lines;
  const char* covered = lines ? "covered_lines" : "covered_branches";
  const char* all = lines ? "num_statements" : "num_branches";
  Sum files;
  if (const Json* list = member(&report, "files"); list != nullptr && list->is_object()) {
    for (const auto& [name, file] : list->items()) {
      Sum counted;
      add_lists(counted, file, lines ? "executed_lines" : "executed_branches",
                lines ? "missing_lines" : "missing_branches");
      if (counted.has()) {
        const auto one = counted.result();
        if (!one) return one;
        files.add(one->covered, one->total);
      } else {
        files.add(member(&file, "summary"), covered, all);
      }
    }
  }
  if (files.has()) return files.result();
  Sum total;
  total.add(member(&report, "totals"), covered, all);
  if (total.has()) return total.result();
  if (!lines) return stated_percent(nullptr, "", of);
  return stated_percent(member(&report, "totals"), "percent_covered", of);
}

/// llvm-cov export: `data` with `files` and `totals`.
Result<Coverage> llvm(const Json& report, CoverageOf of) {
  const char* what = of == CoverageOf::lines ? "lines" : "branches";
  Sum sum;
  const Json* data = member(&report, "data");
  if (data == nullptr || !data->is_array()) return stated_percent(nullptr, "", of);
  for (const Json& part : *data) {
    Sum files;
    if (const Json* list = member(&part, "files"); list != nullptr && list->is_array()) {
      for (const Json& file : *list) {
        files.add(member(member(&file, "summary"), what), "covered", "count");
      }
    }
    if (!files.has()) files.add(member(member(&part, "totals"), what), "covered", "count");
    if (!files.has()) continue;
    const auto one = files.result();
    if (!one) return one;
    sum.add(one->covered, one->total);
  }
  return sum.has() ? sum.result() : stated_percent(nullptr, "", of);
}

/// gcovr's summary: `line_covered`, `line_total` of each file and of all.
Result<Coverage> gcovr(const Json& report, CoverageOf of) {
  const bool lines = of == CoverageOf::lines;
  const char* covered = lines ? "line_covered" : "branch_covered";
  const char* all = lines ? "line_total" : "branch_total";
  Sum files;
  if (const Json* list = member(&report, "files"); list != nullptr && list->is_array()) {
    for (const Json& file : *list) files.add(&file, covered, all);
  }
  if (files.has()) return files.result();
  Sum total;
  total.add(&report, covered, all);
  if (total.has()) return total.result();
  return stated_percent(&report, lines ? "line_percent" : "branch_percent", of);
}

}  // namespace

Result<Coverage> parse_coverage_json(std::string_view text, CoverageOf of) {
  const auto report =
      base::parse_json(text, {base::limits::kReportBytesMax, base::limits::kDocumentDepthMax});
  if (!report) return invalid_report("the report is no JSON: " + report.error().message);
  if (base::find_member(*report, "data") != nullptr) return llvm(*report, of);
  if (base::find_member(*report, "totals") != nullptr) return coverage_py(*report, of);
  if (base::find_member(*report, "total") != nullptr) return istanbul(*report, of);
  for (const char* name : {"line_percent", "line_total", "branch_percent", "branch_total"}) {
    if (base::find_member(*report, name) != nullptr) return gcovr(*report, of);
  }
  return invalid_report("the report is no summary of coverage that is known",
                        "known are those of istanbul, coverage.py, llvm-cov and gcovr");
}

}  // namespace phasegate::world::checks
