#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/text.h"
#include "world/checks/coverage_formats.h"
#include "world/checks/xml_report.h"

namespace phasegate::world::checks {

using base::Error;
using base::Result;

namespace {

struct Line {
  bool hit = false;
  std::int64_t branches_covered = 0;
  std::int64_t branches = 0;
};

/// `50% (1/2)`
std::optional<std::pair<std::int64_t, std::int64_t>> conditions(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t slash = text.find('/', open == std::string_view::npos ? 0 : open);
  const std::size_t close = text.find(')', slash == std::string_view::npos ? 0 : slash);
  if (open == std::string_view::npos || slash == std::string_view::npos ||
      close == std::string_view::npos) {
    return std::nullopt;
  }
  const auto covered = coverage_number(text.substr(open + 1, slash - open - 1));
  const auto total = coverage_number(text.substr(slash + 1, close - slash - 1));
  if (!covered || !total || *covered > *total) return std::nullopt;
  return std::pair(*covered, *total);
}

/// The lines of all source files, each once: classes of one file and methods repeat them.
class Lines {
 public:
  bool enter(const pugi::xml_node& node) {
    const std::string_view name = local_name(node);
    if (name == "class") file_ = node.attribute("filename").value();
    if (name != "line") return true;
    const auto number = coverage_number(node.attribute("number").value());
    const auto hits = coverage_number(node.attribute("hits").value());
    if (!number || !hits) {
      problem_ = "a line has no number or no hits";
      return false;
    }
    Line& line = lines_[{file_, *number}];
    line.hit = line.hit || *hits > 0;
    const std::string_view covered = node.attribute("condition-coverage").value();
    if (covered.empty()) return false;
    const auto both = conditions(covered);
    if (!both) {
      problem_ = "a line's condition-coverage cannot be read";
      return false;
    }
    line.branches_covered = std::max(line.branches_covered, both->first);
    line.branches = std::max(line.branches, both->second);
    return false;
  }

  [[nodiscard]] bool empty() const { return lines_.empty(); }

  Result<Coverage> result(CoverageOf of) const {
    if (!problem_.empty()) return invalid_report("the report cannot be counted: " + problem_);
    std::int64_t covered = 0;
    std::int64_t total = 0;
    for (const auto& [place, line] : lines_) {
      covered += of == CoverageOf::lines ? std::int64_t{line.hit} : line.branches_covered;
      total += of == CoverageOf::lines ? 1 : line.branches;
    }
    return coverage_of_numbers(covered, total);
  }

 private:
  std::string file_;
  std::map<std::pair<std::string, std::int64_t>, Line> lines_;
  std::string problem_;
};

Result<Coverage> stated(const pugi::xml_node& root, CoverageOf of) {
  const bool lines = of == CoverageOf::lines;
  const auto covered =
      coverage_number(root.attribute(lines ? "lines-covered" : "branches-covered").value());
  const auto total =
      coverage_number(root.attribute(lines ? "lines-valid" : "branches-valid").value());
  if (covered && total) return coverage_of_numbers(*covered, *total);
  const std::string rate = root.attribute(lines ? "line-rate" : "branch-rate").value();
  char* end = nullptr;
  const double number = std::strtod(rate.c_str(), &end);
  if (rate.empty() || end == nullptr || *end != '\0') {
    return invalid_report(std::string("the report says nothing of ") +
                          (lines ? "lines" : "branches"));
  }
  return coverage_of_percent(number * 100);
}

}  // namespace

Result<Coverage> parse_cobertura(std::string_view text, CoverageOf of) {
  pugi::xml_document document;
  const auto root = parse_xml(text, document);
  if (!root) return root.error();
  if (local_name(*root) != "coverage") {
    return invalid_report("the report is no Cobertura XML: its root is " +
                              base::in_quotes(base::shortened(local_name(*root), 60)),
                          "write the report as Cobertura XML, lcov or a JSON summary");
  }
  Lines lines;
  auto walked = walk(*root, [&](const pugi::xml_node& node) { return lines.enter(node); });
  if (!walked) return walked.error();
  const auto counted = lines.result(of);
  return counted && lines.empty() ? stated(*root, of) : counted;
}

}  // namespace phasegate::world::checks
