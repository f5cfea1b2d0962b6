#include "world/checks/junit_report.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "world/checks/xml_report.h"

namespace phasegate::world::checks {

using base::Error;
using base::Result;

namespace {

constexpr std::size_t kFailedMax = 20;
constexpr std::size_t kNameBytesMax = 200;
constexpr std::int64_t kNumberMax = 1'000'000'000;

bool is_suite(std::string_view name) {
  return name == "testsuite" || name == "testsuites";
}

/// The sum of a suite's attributes of these names.
Result<std::int64_t> stated(const pugi::xml_node& suite, std::initializer_list<const char*> names) {
  std::int64_t sum = 0;
  for (const char* name : names) {
    const std::string_view text = base::trimmed(suite.attribute(name).value());
    if (text.empty()) continue;
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size() || number < 0 ||
        number > kNumberMax) {
      return invalid_report("a suite's " + std::string(name) + " is " +
                            base::in_quotes(base::shortened(text, 40)) + ", which is no number");
    }
    sum += number;
  }
  return sum;
}

enum class Came { passed, failure, error, skipped };

/// What dialects write beside, or in place of, an element for it.
std::optional<Came> came_by_word(std::string_view word) {
  const std::string text = base::lowered(word);
  if (text == "fail" || text == "failed" || text == "failure") return Came::failure;
  if (text == "error" || text == "errored") return Came::error;
  if (text == "notrun" || text == "disabled" || text == "skipped" || text == "suppressed" ||
      text == "ignored") {
    return Came::skipped;
  }
  return std::nullopt;
}

Came came_of(const pugi::xml_node& test_case) {
  bool error = false;
  bool skipped = false;
  for (const pugi::xml_node& child : test_case.children()) {
    const std::string_view name = local_name(child);
    if (name == "failure") return Came::failure;
    error = error || name == "error";
    skipped = skipped || name == "skipped" || name == "disabled";
  }
  for (const char* attribute : {"status", "result"}) {
    const auto came = came_by_word(test_case.attribute(attribute).value());
    if (came == Came::failure) return Came::failure;
    error = error || came == Came::error;
    skipped = skipped || came == Came::skipped;
  }
  return error ? Came::error : skipped ? Came::skipped : Came::passed;
}

std::string name_of(const pugi::xml_node& test_case) {
  std::string_view group = test_case.attribute("classname").value();
  if (group.empty()) group = test_case.parent().attribute("name").value();
  std::string name = base::to_utf8(test_case.attribute("name").value());
  if (!group.empty()) name = base::to_utf8(group) + ": " + name;
  return base::shortened(name, kNameBytesMax);
}

/// Counts while the document is walked: the numbers of a suite are those of what it holds, or its
/// own where they are worse.
class Counter {
 public:
  bool enter(const pugi::xml_node& node) {
    const std::string_view name = local_name(node);
    if (is_suite(name)) {
      open_.emplace_back();
      return true;
    }
    if (name == "testcase" && !open_.empty()) count(node);
    return false;
  }

  void leave(const pugi::xml_node& node) {
    if (!is_suite(local_name(node))) return;
    JunitReport suite = std::move(open_.back());
    open_.pop_back();
    take_worse(node, suite);
    JunitReport& outer = open_.empty() ? whole_ : open_.back();
    outer.tests += suite.tests;
    outer.failures += suite.failures;
    outer.errors += suite.errors;
    outer.skipped += suite.skipped;
  }

  Result<JunitReport> result() && {
    if (problem_) return *std::move(problem_);
    whole_.failed = std::move(failed_);
    return std::move(whole_);
  }

 private:
  void count(const pugi::xml_node& test_case) {
    JunitReport& suite = open_.back();
    ++suite.tests;
    const Came came = came_of(test_case);
    if (came == Came::skipped) ++suite.skipped;
    if (came == Came::failure) ++suite.failures;
    if (came == Came::error) ++suite.errors;
    const bool bad = came == Came::failure || came == Came::error;
    if (bad && failed_.size() < kFailedMax) failed_.push_back(name_of(test_case));
  }

  void take_worse(const pugi::xml_node& node, JunitReport& suite) {
    const auto failures = stated(node, {"failures"});
    const auto errors = stated(node, {"errors"});
    const auto skipped = stated(node, {"skipped", "disabled", "skips", "ignored"});
    for (const auto* number : {&failures, &errors, &skipped}) {
      if (!*number && !problem_) problem_ = number->error();
    }
    if (!failures || !errors || !skipped) return;
    // Dialects do not agree on which of the two a case is: only their sum tells more.
    if (*failures + *errors > suite.not_passed()) {
      suite.failures = std::max(suite.failures, *failures);
      suite.errors = std::max(suite.errors, *errors);
    }
    suite.skipped = std::max(suite.skipped, *skipped);
  }

  std::vector<JunitReport> open_;
  JunitReport whole_;
  std::vector<std::string> failed_;
  std::optional<Error> problem_;
};

}  // namespace

Result<JunitReport> parse_junit(std::string_view text) {
  pugi::xml_document document;
  const auto root = parse_xml(text, document);
  if (!root) return root.error();
  if (!is_suite(local_name(*root))) {
    return invalid_report("the report is no JUnit XML: its root is " +
                              base::in_quotes(base::shortened(local_name(*root), 60)),
                          "its root must be testsuites or testsuite");
  }
  Counter counter;
  auto walked = walk(
      *root, [&](const pugi::xml_node& node) { return counter.enter(node); },
      [&](const pugi::xml_node& node) { counter.leave(node); });
  if (!walked) return walked.error();
  return std::move(counter).result();
}

}  // namespace phasegate::world::checks
