#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "world/checks/coverage_formats.h"
#include "world/checks/xml_report.h"

namespace phasegate::world::checks {

using base::Error;
using base::Result;

namespace {

/// What a tracefile may hold besides what is counted.
constexpr std::array<std::string_view, 11> kOthers{"TN",  "VER", "FN",   "FNL", "FNA", "FNDA",
                                                   "FNF", "FNH", "MCDC", "MCF", "MCH"};

/// Whether each line or branch of one source file was reached, by its place. A file may come
/// several times, once for each test.
using Reached = std::map<std::string, bool, std::less<>>;

struct Totals {
  std::int64_t covered = 0;
  std::int64_t total = 0;
};

struct Source {
  Reached reached;
  Totals stated;
};

class Tracefile {
 public:
  explicit Tracefile(CoverageOf of) : lines_(of == CoverageOf::lines) {}

  /// False: the line is none of a tracefile.
  bool read(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return true;
    if (line == "end_of_record") {
      const bool open = source_ != nullptr;
      source_ = nullptr;
      return open;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = line.substr(colon + 1);
    if (key == "SF") {
      if (source_ != nullptr || value.empty()) return false;
      source_ = &sources_[std::string(value)];
      return true;
    }
    if (std::find(kOthers.begin(), kOthers.end(), key) != kOthers.end()) return true;
    if (source_ == nullptr) return false;
    if (key == "DA") return data(value);
    if (key == "BRDA") return branch(value);
    if (key == "LF" || key == "BRF") return total(value, key == "LF", source_->stated.total);
    if (key == "LH" || key == "BRH") return total(value, key == "LH", source_->stated.covered);
    return false;
  }

  Result<Coverage> result() const {
    if (source_ != nullptr) return invalid_report("the report is cut off: a record does not end");
    if (sources_.empty()) return invalid_report("the report is no lcov tracefile: it has no files");
    Totals sum;
    for (const auto& [name, source] : sources_) {
      if (source.reached.empty()) {
        auto one = coverage_of_numbers(source.stated.covered, source.stated.total);
        if (!one) return one;
        sum.covered += one->covered;
        sum.total += one->total;
        continue;
      }
      sum.total += static_cast<std::int64_t>(source.reached.size());
      sum.covered += std::count_if(source.reached.begin(), source.reached.end(),
                                   [](const auto& place) { return place.second; });
    }
    return coverage_of_numbers(sum.covered, sum.total);
  }

 private:
  void reach(std::string_view place, bool reached) {
    auto [at, added] = source_->reached.try_emplace(std::string(place), false);
    at->second = at->second || reached;
  }

  bool data(std::string_view value) {
    const auto parts = base::split(value, ',');
    if (parts.size() < 2 || !coverage_number(parts[0])) return false;
    const auto hits = coverage_number(parts[1]);
    if (hits && lines_) reach(parts[0], *hits > 0);
    return hits.has_value();
  }

  bool branch(std::string_view value) {
    const std::size_t comma = value.rfind(',');
    if (comma == std::string_view::npos) return false;
    const std::string_view place = value.substr(0, comma);
    const std::string_view taken = value.substr(comma + 1);
    const auto times = taken == "-" ? std::optional<std::int64_t>(0) : coverage_number(taken);
    if (times && !lines_) reach(place, *times > 0);
    return times.has_value() && std::count(place.begin(), place.end(), ',') >= 2;
  }

  bool total(std::string_view value, bool of_lines, std::int64_t& into) const {
    const auto number = coverage_number(value);
    if (!number) return false;
    if (of_lines == lines_) into = std::max(into, *number);
    return true;
  }

  const bool lines_;
  std::map<std::string, Source, std::less<>> sources_;
  Source* source_ = nullptr;
};

}  // namespace

Result<Coverage> parse_lcov(std::string_view text, CoverageOf of) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Tracefile file(of);
  std::size_t number = 0;
  for (const std::string_view line : base::split(text, '\n')) {
    ++number;
    if (!file.read(base::trimmed(line))) {
      return invalid_report("the report is no lcov tracefile: line " + std::to_string(number) +
                            " is " + base::in_quotes(base::shortened(base::trimmed(line), 60)));
    }
  }
  return file.result();
}

}  // namespace phasegate::world::checks
