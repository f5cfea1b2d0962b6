#include "phases/document_workflow.h"

#include <doctest/doctest.h>

#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::findings_of;
using phasegate::test::has;
using phasegate::test::TempFolder;

namespace {

/// A phase with one box in its gate.
std::string phase(const std::string& number, const std::string& title, const std::string& box) {
  return "## Phase " + number + ": " + title + "\n\nDo it.\n\n### Validation Gate\n- [ ] " + box +
         "\n\n";
}

LoadedWorkflow read(const std::string& text, std::string_view name = "choose.md") {
  return read_document_text(name, text);
}

std::string text_of(const LoadedWorkflow& loaded, const std::string& path) {
  const auto found = loaded.workflow.documents.find(path);
  REQUIRE(found != loaded.workflow.documents.end());
  return loaded.blobs.at(found->second.hash);
}

std::vector<std::string> ids_of(const LoadedWorkflow& loaded) {
  std::vector<std::string> ids;
  for (const Phase& one : loaded.workflow.phases) ids.push_back(one.id);
  return ids;
}

using Ids = std::vector<std::string>;

const std::string kTwo = "# Choosing well\n\nTake your time.\n\n" +
                         phase("1", "Gather facts", "Facts gathered") +
                         phase("2", "Weigh the options", "Options weighed");

}  // namespace

TEST_CASE(
    "documents: phases, gates and texts, each with its own bytes and lines (004-11, 004-12)") {
  const LoadedWorkflow got = read(kTwo);
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  CHECK_FALSE(got.plain);
  CHECK(got.workflow.id == "choose");
  CHECK(got.workflow.title == "Choosing well");
  CHECK(got.workflow.description == "Take your time.");
  REQUIRE(ids_of(got) == Ids{"1", "2"});
  const Phase& first = got.workflow.phases[0];
  CHECK(first.title == "Gather facts");
  CHECK(first.file == "choose.md#1");
  CHECK(first.source.line == 5);
  REQUIRE(first.gate.requirements.size() == 1);
  CHECK(first.gate.requirements[0].name == "facts_gathered");
  CHECK(to_text(first.gate.requirements[0].source) == "choose.md:10");
  CHECK(text_of(got, "choose.md#1") ==
        "# Choosing well\n\nTake your time.\n\n" + phase("1", "Gather facts", "Facts gathered"));
  CHECK(text_of(got, "choose.md#2") == phase("2", "Weigh the options", "Options weighed"));
  CHECK(got.workflow.documents.at("choose.md#2").phase == "2");
  CHECK(got.workflow.documents.at("choose.md").withheld);
}

TEST_CASE("invariant 1: every byte behind the preamble belongs to one phase, in order") {
  const LoadedWorkflow got = read(kTwo + "## Afterwards\n\nRest.\n");
  std::string joined;
  for (const Phase& one : got.workflow.phases) joined += text_of(got, one.file);
  CHECK(joined == kTwo + "## Afterwards\n\nRest.\n");
  CHECK(text_of(got, "choose.md#1").find("Afterwards") == std::string::npos);
}

TEST_CASE("invariant 1: an outline before the first phase is not shown, and that is said") {
  const LoadedWorkflow got = read("# Choosing\n\n- Gather facts\n- Weigh the options\n\n" + kTwo);
  CHECK(text_of(got, "choose.md#1").find("Weigh") == std::string::npos);
  CHECK(text_of(got, "choose.md#1").find("- Gather facts") != std::string::npos);
  const auto said = findings_of(got, "outline_withheld");
  REQUIRE(said.size() == 1);
  CHECK(said[0].severity == Severity::info);
  CHECK(said[0].source.line == 4);
  const LoadedWorkflow prose = read("Soon we weigh the options.\n\n" + kTwo);
  const auto warned = findings_of(prose, "outline_in_prose");
  REQUIRE(warned.size() == 1);
  CHECK(warned[0].severity == Severity::warning);
}

TEST_CASE("invariant 1: title and description in a list name no phase") {
  const LoadedWorkflow got = read(phase("1", "Gather facts", "a") + phase("2", "Decide", "b"));
  CHECK(got.workflow.title == "choose");
  CHECK(got.workflow.description.empty());
  CHECK(read("# Guide\n\nFirst phase 1, then phase 2.\n\n" + kTwo).workflow.description.empty());
}

TEST_CASE("documents: numbers as written, made unique, without one the position") {
  CHECK(ids_of(read(phase("0", "a", "x") + phase("0B", "b", "x") + phase("A", "c", "x") +
                    phase("23.1.2", "d", "x"))) == Ids{"0", "0B", "A", "23.1.2"});
  CHECK(has(read(phase("1", "a", "x") + phase("4", "b", "x")), "phase_numbers_jump"));
}

TEST_CASE("documents: line ends, a byte order mark and front matter") {
  std::string crlf;
  for (const char c : kTwo) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const LoadedWorkflow got = read("\xEF\xBB\xBF" + crlf);
  CAPTURE(all_findings(got));
  CHECK(ids_of(got) == Ids{"1", "2"});
  CHECK(got.workflow.phases[1].title == "Weigh the options");
  CHECK(text_of(got, "choose.md#1").starts_with("# Choosing well\r\n"));
  const LoadedWorkflow front = read("---\nname: x\n---\n" + kTwo);
  CHECK(text_of(front, "choose.md#1").starts_with("# Choosing well\n"));
  CHECK(front.workflow.phases[0].source.line == 8);
}

TEST_CASE("invariant 3: a phase in which nothing is required is weak") {
  const LoadedWorkflow got = read("## Phase 1: a\n\nx\n\n" + phase("2", "b", "Done"));
  CHECK(got.startable());
  CHECK(got.workflow.phases[0].gate.weak);
  CHECK(got.workflow.phases[0].gate.requirements.at(0).name == "summary");
  CHECK(got.workflow.phases[0].gate.requirements.at(0).source.line == 1);
  CHECK(has(got, "weak_gate"));
  CHECK_FALSE(got.workflow.phases[1].gate.weak);
}

TEST_CASE("documents: what names no phases and asks for nothing is no workflow") {
  for (const char* text : {"", "\n\n", "\xEF\xBB\xBF", "# Notes\n\nOnly words.\n",
                           "---\nname: x\n---\n", "caf\xe9\n"}) {
    CAPTURE(text);
    const LoadedWorkflow got = read(text);
    CHECK(got.plain);
    CHECK_FALSE(got.startable());
    CHECK(has(got, "plain_document"));
    CHECK(ids_of(got) == Ids{"1"});
  }
  CHECK(has(read("caf\xe9\n"), "not_utf8"));
  CHECK(read(kTwo, "README.md").plain);
  CHECK_FALSE(read(kTwo, "README.md").startable());
}

TEST_CASE("documents: huge and hostile ones give a result") {
  std::string many;
  for (int i = 0; i < 1200; ++i) many += "## Phase " + std::to_string(i) + ": t\n\nx\n\n";
  const LoadedWorkflow got = read(many);
  CHECK(got.workflow.phases.size() == 1000);
  CHECK(has(got, "too_many_phases"));
  CHECK_FALSE(got.startable());
  const LoadedWorkflow same = read(std::string(300'000, '#') + "\n" + kTwo);
  CHECK(ids_of(same) == Ids{"1", "2"});
  const LoadedWorkflow long_title = read("## Phase 1: " + std::string(5000, 'x') + "\n\n- [ ] a\n");
  CHECK(long_title.workflow.phases.at(0).title.size() <= 300);
}

TEST_CASE("documents: a file is named by its path, and what cannot be read is told") {
  const TempFolder place;
  const auto file = place.write("flows/Choose Well.MD", kTwo);
  CHECK(read_document_file(file).workflow.id == "Choose Well");
  CHECK(read_document_file(file).startable());
  const TempFolder elsewhere;
  std::filesystem::create_symlink(elsewhere.write("x.md", kTwo), place.path() / "out.md");
  for (const char* name : {"none.md", "flows.md", "out.md"}) {
    CAPTURE(name);
    const LoadedWorkflow got = read_document_file(place.path() / name);
    CHECK_FALSE(got.startable());
    CHECK_FALSE(got.plain);
    REQUIRE(has(got, "unreadable_file"));
    CHECK(got.findings[0].message.find(place.path().string()) == std::string::npos);
  }
  CHECK(is_document_name("a.md"));
  CHECK(is_document_name("a.markdown"));
  CHECK(is_document_name("a.MD"));
  for (const char* name : {".md", ".a.md", "a.mdx", "md", "a.yaml"}) {
    CAPTURE(name);
    CHECK_FALSE(is_document_name(name));
  }
  CHECK(is_about_its_folder("ReadMe.md"));
  CHECK_FALSE(is_about_its_folder("readme-first.md"));
}
