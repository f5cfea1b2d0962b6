#include <string>

#include <doctest/doctest.h>

#include "phases/document_links.h"
#include "phases/finding_list.h"
#include "phases/gate_file_reader.h"
#include "phases/metadata_reader.h"
#include "phases/requirement_reader.h"
#include "tests/phases/folder_fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;

namespace {

/// The text cut at every byte, and with every byte replaced by ones that mean something.
template <typename Read>
void damaged(const std::string& text, const Read& read) {
  for (std::size_t at = 0; at <= text.size(); ++at) read(text.substr(0, at));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char c : {'\0', '\xff', '|', '\n'}) {
      std::string changed = text;
      changed[at] = c;
      read(changed);
    }
  }
}

std::string fixture_text(const char* path) {
  return phasegate::test::read_file(phasegate::test::fixture("small_workflow") / path);
}

}  // namespace

TEST_CASE("bad input: a phase's text damaged anywhere gives a gate with sound lines") {
  for (const char* path : {"phases/0/phase.md", "phases/1/phase.md"}) {
    damaged(fixture_text(path), [&](const std::string& text) {
      const ReadGate gate = PlainRequirementReader().read(text, path, "0");
      for (const Requirement& requirement : gate.requirements) {
        if (requirement.name.empty() || requirement.source.line < 1) FAIL_CHECK(text);
      }
    });
  }
}

TEST_CASE("bad input: a gate file damaged anywhere is read or refused") {
  std::size_t refused = 0;
  damaged(fixture_text("phases/1/gate-definition.yaml"), [&](const std::string& text) {
    const ReadGateFile gate = read_gate_file(text, "gate-definition.yaml", "1");
    refused += gate.findings.empty() ? 0 : 1;
  });
  CHECK(refused > 500);
}

TEST_CASE("bad input: metadata damaged anywhere is read or refused") {
  const std::string whole = fixture_text("metadata.json");
  for (std::size_t at = 0; at < whole.find_last_of('}'); ++at) {
    FindingList findings;
    CHECK_FALSE(read_metadata(whole.substr(0, at), findings).has_value());
    CHECK(findings.has_error());
  }
  damaged(whole, [](const std::string& text) {
    FindingList findings;
    const auto metadata = read_metadata(text, findings);
    if (!metadata && !findings.has_error()) FAIL_CHECK(text);
  });
}

TEST_CASE("bad input: a cut metadata.json leaves a workflow that is listed and not startable") {
  const phasegate::test::TempFolder place;
  const std::string whole = fixture_text("metadata.json");
  for (const std::size_t part : {std::size_t{0}, whole.size() / 3, whole.size() / 2}) {
    place.write("w/metadata.json", whole.substr(0, part));
    const LoadedWorkflow got = phasegate::test::read_folder(place.path() / "w");
    CHECK(got.workflow.id == "w");
    CHECK_FALSE(got.startable());
  }
}

TEST_CASE("findings: the first error is never among those left out") {
  FindingList list;
  for (int i = 0; i < 5000; ++i) list.info("many", std::to_string(i), "", {"f", i, 0});
  list.error("late", "the one that counts", "", {"z", 1, 0});
  const auto kept = list.take_sorted();
  CHECK(kept.size() == 1001);
  CHECK(kept.front().code == "late");
  CHECK(kept.back().code == "too_many_findings");
}

TEST_CASE("links: mentions are resolved from the file, the workflow and phases/") {
  const LinkFinder finder({"core/a.md", "phases/0/phase.md", "phases/0/t.md", "phases/1/phase.md",
                           "phases/dynamic/d.md", "x y.md", "core/\xC3\xBC.md"},
                          "flow");
  struct Case {
    const char* text;
    std::vector<std::string> wanted;
  };
  const Case cases[] = {
      {"see t.md.", {"phases/0/t.md"}},
      {"see `t.md`, (t.md) and t.md", {"phases/0/t.md"}},
      {"core/a.md", {"core/a.md"}},
      {"../../core/a.md", {"core/a.md"}},
      {"./t.md", {"phases/0/t.md"}},
      {"dynamic/d.md", {"phases/dynamic/d.md"}},
      {"../1/phase.md", {"phases/1/phase.md"}},
      {"phases/1/phase.md", {"phases/1/phase.md"}},
      {"workflows/flow/core/a.md", {"core/a.md"}},
      {"overflow/core/a.md", {}},
      {"[x](../../x%20y.md#part)", {"x y.md"}},
      {"[x](<../../x y.md>)", {"x y.md"}},
      {"`x y.md`", {"x y.md"}},
      {"core/\xC3\xBC.md", {"core/\xC3\xBC.md"}},
      {"```\ncat core/a.md > z\n```", {"core/a.md"}},
      {"phase.md", {}},
      {"../../../etc/a.md", {}},
      {"/core/a.md", {}},
      {"https://example.org/core/a.md", {}},
      {"nothing here", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(finder.links_of("phases/0/phase.md", c.text) == c.wanted);
  }
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "../../core/a.md t.md ";
  CHECK(finder.links_of("phases/0/phase.md", many).size() == 2);
}
