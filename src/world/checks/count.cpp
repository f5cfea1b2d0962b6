#include <chrono>
#include <cstdint>
#include <optional>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/glob_walk.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/text_pattern.h"

namespace phasegate::world::checks {

using base::Error;
using base::Json;
using base::Result;
using gating::CheckResult;

namespace {

constexpr std::uint64_t kCountedBytesMax = 512U << 20U;  ///< of all files together
constexpr std::chrono::seconds kCountingMax{60};

struct Counted {
  std::int64_t number = 0;
  std::string found;  ///< what was counted, in words
};

Result<Counted> counted_files(const std::vector<std::string>& files) {
  return Counted{static_cast<std::int64_t>(files.size()),
                 "found " + base::counted(files.size(), "file")};
}

Result<Counted> counted_matches(const Ask& ask, const std::vector<std::string>& files,
                                const std::string& written) {
  const auto pattern = TextPattern::compile(written);
  if (!pattern) return pattern.error();
  const auto end = std::chrono::steady_clock::now() + kCountingMax;
  const auto go_on = [&, looks = 0]() mutable {
    if (++looks % 1024 != 0) return true;
    return std::chrono::steady_clock::now() < end && (!ask.scene.go_on || ask.scene.go_on());
  };
  Counted counted;
  std::uint64_t bytes_left = kCountedBytesMax;
  for (const std::string& path : files) {
    if (std::chrono::steady_clock::now() >= end || (ask.scene.go_on && !ask.scene.go_on())) {
      return Error{"timed_out", "counting took too long and was given up", "name fewer files", ""};
    }
    const auto file = OpenedFile::open(ask.place.root, path);
    if (!file) return file.error();
    const auto bytes = file->bytes(base::limits::kCheckedFileBytesMax);
    if (!bytes) return bytes.error();
    if (bytes->size() > bytes_left) {
      return Error{"too_large",
                   "the files hold more than " + std::to_string(kCountedBytesMax) + " bytes",
                   "name fewer files", ""};
    }
    bytes_left -= bytes->size();
    const auto number = pattern->count(searchable(*bytes), go_on);
    if (!number) {
      return Error{"timed_out", "counting took too long and was given up",
                   "write a pattern without .* or name fewer files", ""};
    }
    counted.number += *number;
  }
  counted.found = "found " +
                  base::counted(static_cast<std::size_t>(counted.number), "match", "matches") +
                  " of " + pattern->shown() + " in " + base::counted(files.size(), "file");
  return counted;
}

/// A comparison that is not so, in words; nullopt: it holds, or is not asked for.
Result<std::optional<std::string>> compared(const Parameters& parameters, std::int64_t number,
                                            const char* member, const char* words) {
  if (!parameters.has(member)) return std::optional<std::string>();
  const auto wanted = parameters.value(member, Json{{"value", number}});
  if (!wanted) return wanted.error();
  const auto written = parameters.text(member);
  if (!wanted->is_number()) {
    return Error{"expression_failed",
                 std::string(member) + " (" + written.value_or("") + ") is " +
                     std::string(base::json_type_name(*wanted)) + ", wanted a number",
                 "", ""};
  }
  const double bound = wanted->get<double>();
  const auto count = static_cast<double>(number);
  const std::string_view which = member;
  const bool holds = which == "equals"     ? count == bound
                     : which == "at_least" ? count >= bound
                                           : count <= bound;
  if (holds) return std::optional<std::string>();
  const bool from_evidence = written && written->starts_with("evidence.");
  return std::optional<std::string>((from_evidence ? "evidence says " : "wanted ") +
                                    std::string(words) + base::number_text(bound));
}

}  // namespace

CheckResult check_count(const Ask& ask) {
  const Parameters parameters(ask);
  const auto not_told = [&](const Error& error) { return unclear(ask, error.message, error.hint); };
  const auto globs = Globs::compile(parameters.texts("files"));
  if (!globs) return not_told(globs.error());
  const auto files = list_matching(ask.place.root, *globs, Entries::files);
  if (!files) return not_told(files.error());
  const auto pattern = parameters.text("pattern");
  const auto counted = pattern ? counted_matches(ask, *files, *pattern) : counted_files(*files);
  if (!counted) return not_told(counted.error());

  std::string unmet;
  for (const auto& [member, words] : {std::pair("equals", ""), std::pair("at_least", "at least "),
                                      std::pair("at_most", "at most ")}) {
    const auto one = compared(parameters, counted->number, member, words);
    if (!one) return not_told(one.error());
    if (one->has_value()) unmet += ", " + **one;
  }
  CheckResult result = unmet.empty()
                           ? passed(ask)
                           : failed(ask, counted->found + unmet,
                                    files->empty() ? "no file matches the patterns of paths" : "");
  result.value = std::to_string(counted->number);
  return result;
}

}  // namespace phasegate::world::checks
