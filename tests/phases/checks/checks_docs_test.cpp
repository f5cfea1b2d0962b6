// docs/checks.md names every kind and member, and its examples can be used.
#include <doctest/doctest.h>

#include "phases/check.h"
#include "phases/project_config.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::flow;
using phasegate::test::native;
using phasegate::test::step;

namespace {

std::string page() {
  return phasegate::test::read_file(phasegate::test::source_folder() / "docs/checks.md");
}

/// What stands below `### kind`, up to the next heading.
std::string section(const std::string& text, const std::string& kind) {
  const auto from = text.find("\n### " + kind + "\n");
  REQUIRE_MESSAGE(from != std::string::npos, kind);
  return text.substr(from, text.find("\n#", from + 5) - from);
}

std::string fence_in(const std::string& text) {
  const auto from = text.find("```yaml\n") + 8;
  return text.substr(from, text.find("```", from) - from);
}

std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    out += "    " + text.substr(at, end - at + 1);
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE(
    "checks.md: every member of every kind stands there, with an example and what is unseen") {
  const std::string text = page();
  for (int i = 0; i <= static_cast<int>(CheckKind::guard); ++i) {
    const auto kind = static_cast<CheckKind>(i);
    const std::string word(to_text(kind));
    const std::string part = section(text, word);
    CAPTURE(word);
    for (const CheckMember& member : check_members(kind)) {
      CAPTURE(member.name);
      CHECK(part.find("\n| `" + std::string(member.name) + "` |") != std::string::npos);
      for (const std::string_view one : member.words) {
        CHECK(part.find(one) != std::string::npos);
      }
    }
    CHECK(part.find("What it cannot see") != std::string::npos);
    const LoadedWorkflow got = native(flow("", step("a", indented(fence_in(part)))));
    CHECK_MESSAGE(got.startable(), all_findings(got));
    CHECK(got.workflow.phases.at(0).gate.checks.size() >= 1);
  }
}

TEST_CASE("checks.md: the example of project.yaml is sound, and every key is named") {
  const std::string text = page();
  const auto from = text.find("\n## .phasegate/project.yaml");
  REQUIRE(from != std::string::npos);
  const ProjectConfig config = read_project_config(fence_in(text.substr(from)));
  CHECK(config.findings.empty());
  CHECK(config.commands.size() >= 3);
  for (const auto* keys : {&project_config_keys(), &project_command_keys()}) {
    for (const std::string& key : *keys) {
      CHECK_MESSAGE(text.find("`" + key + "`", from) != std::string::npos, key);
    }
  }
}
