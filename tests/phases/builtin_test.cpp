#include "phases/builtin.h"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "phases/project_commands.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;

namespace {

bool has_field(const Phase& phase, const std::string& name) {
  const auto& all = phase.gate.requirements;
  return std::any_of(all.begin(), all.end(),
                     [&](const Requirement& one) { return one.name == name; });
}

std::string name_at(const std::string& text, std::size_t at) {
  const auto end =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at);
  return text.substr(at, end == std::string::npos ? end : end - at);
}

}  // namespace

TEST_CASE("built-in workflows: their checks speak of evidence that is asked for by then") {
  const std::string own = "evidence.";
  const std::string earlier = "steps.";
  std::size_t checks = 0;
  for (const BuiltinWorkflow& workflow : builtin_workflows()) {
    const LoadedWorkflow got = read_native_text(std::string(workflow.id) + ".yaml", workflow.text);
    for (std::size_t i = 0; i < got.workflow.phases.size(); ++i) {
      const Phase& phase = got.workflow.phases[i];
      for (const Check& check : phase.gate.checks) {
        CAPTURE(workflow.id);
        CAPTURE(check.parameters);
        CHECK_FALSE(check.error.empty());
        ++checks;
        const std::string& text = check.parameters;
        for (auto at = text.find(own); at != std::string::npos; at = text.find(own, at + 1)) {
          const Phase* whose = &phase;
          if (at > 0 && text[at - 1] == '.') {
            const auto from = text.rfind(earlier, at) + earlier.size();
            const auto index = got.workflow.phase_index(name_at(text, from));
            REQUIRE(index.has_value());
            CHECK(*index < i);
            whose = &got.workflow.phases[*index];
          }
          CHECK(has_field(*whose, name_at(text, at + own.size())));
        }
      }
    }
  }
  CHECK(checks >= 15);
}

TEST_CASE(
    "built-in workflows: in a project that says nothing, nothing is run and trust is not asked") {
  for (const BuiltinWorkflow& workflow : builtin_workflows()) {
    const LoadedWorkflow got = read_native_text(std::string(workflow.id) + ".yaml", workflow.text);
    CAPTURE(workflow.id);
    CHECK_FALSE(needs_trust(with_project(got, std::nullopt).workflow));
  }
}

TEST_CASE("built-in workflows: each is read without a word to its author") {
  REQUIRE(builtin_workflows().size() >= 5);
  for (const BuiltinWorkflow& workflow : builtin_workflows()) {
    const LoadedWorkflow got = read_native_text(std::string(workflow.id) + ".yaml", workflow.text);
    CAPTURE(workflow.id);
    CAPTURE(all_findings(got));
    CHECK(got.startable());
    CHECK(got.findings.empty());
    CHECK(got.workflow.id == workflow.id);
    CHECK(got.workflow.phases.size() >= 2);
    for (const Phase& phase : got.workflow.phases) {
      CHECK(got.workflow.documents.at(phase.file).phase == phase.id);
      CHECK_FALSE(phase.gate.weak);
    }
  }
}
