#include "phases/library.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "phases/builtin.h"
#include "tests/phases/native/fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::TempFolder;
namespace fs = std::filesystem;

namespace {

void write_workflow(const TempFolder& place, const std::string& id, const std::string& type,
                    const std::string& box = "Done") {
  place.write(id + "/metadata.json", R"({"workflow_type":")" + type +
                                         R"(","phases":[{"phase_number":0,"phase_name":"P"}]})");
  place.write(id + "/phases/0/phase.md", "## Validation Gate\n- [ ] " + box + "\n");
}

/// A document of one phase with a gate.
constexpr const char* kOnePhase = "## Phase 1: Look\n\n### Validation Gate\n- [ ] Seen\n";

bool has(const std::vector<Finding>& findings, std::string_view code) {
  for (const Finding& finding : findings) {
    if (finding.code == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("library: workflows of several places, the nearest first") {
  const TempFolder near;
  const TempFolder far;
  write_workflow(near, "one", "one", "Near");
  write_workflow(far, "one", "one", "Far");
  write_workflow(far, "two", "second");
  near.write("README.md", "not a workflow");
  near.write("plain/x.md", "not a workflow");
  near.write(".hidden/metadata.json", "{}");
  near.write("broken/phases/notes.md", "no metadata");
  Library library({{near.path(), "near"}, {far.path(), "far"}, {far.path() / "none", "none"}});
  const auto entries = library.list();
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].id == "broken");
  CHECK_FALSE(entries[0].loaded->startable());
  CHECK(entries[1].id == "one");
  CHECK(entries[1].reference == "near/one");
  CHECK(entries[1].loaded->workflow.phases[0].gate.requirements[0].name == "near");
  CHECK(entries[2].place == "far");
  REQUIRE(library.findings().size() == 1);
  CHECK(library.findings()[0].code == "shadowed_workflow");
  CHECK(library.findings()[0].message.find("far/one") != std::string::npos);
}

TEST_CASE("library: finding by id and alias, and what is refused") {
  const TempFolder place;
  write_workflow(place, "write_notes_v1", "write_notes");
  write_workflow(place, "a", "shared");
  write_workflow(place, "b", "shared");
  Library library({{place.path(), "here"}});
  CHECK(library.find("write_notes_v1")->id == "write_notes_v1");
  CHECK(library.find("write_notes")->id == "write_notes_v1");
  CHECK(library.find("a")->id == "a");
  const auto unknown = library.find("write_note_v1");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().code == "unknown_workflow");
  CHECK(unknown.error().hint.find("write_notes_v1") != std::string::npos);
  CHECK(unknown.error().hint.find("list_workflows") != std::string::npos);
  CHECK(library.find("shared").error().code == "ambiguous_workflow");
  const std::vector<std::string> bad_names = {"",   "../a", "a/b",  "a\\b",
                                              ".a", "..",   "a\nb", std::string(1000, 'a')};
  for (const std::string& bad : bad_names) {
    CAPTURE(bad);
    const auto got = library.find(bad);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().code == "invalid_argument");
  }
}

TEST_CASE(
    "004-11, 004-12: a changed document, and only that, changes the gate of the next call without "
    "a restart") {
  const TempFolder place;
  write_workflow(place, "w", "w", "First");
  Library library({{place.path(), "here"}});
  const auto first = library.find("w");
  REQUIRE(first.ok());
  CHECK(library.find("w")->loaded == first->loaded);
  write_workflow(place, "w", "w", "Other");
  const auto second = library.find("w");
  REQUIRE(second.ok());
  CHECK(second->loaded->workflow.phases[0].gate.requirements[0].name == "other");
  CHECK(second->loaded->content_hash != first->loaded->content_hash);
  CHECK(first->loaded->workflow.phases[0].gate.requirements[0].name == "first");
  place.write("w/core/new.md", "x");
  CHECK(library.find("w")->loaded->workflow.documents.contains("core/new.md"));
  fs::rename(place.path() / "w/core/new.md", place.path() / "w/core/old.md");
  CHECK(library.find("w")->loaded->workflow.documents.contains("core/old.md"));
  fs::remove_all(place.path() / "w");
  CHECK(library.find("w").error().code == "unknown_workflow");
}

TEST_CASE("library: places that are no folder, and links to folders, are findings") {
  const TempFolder elsewhere;
  write_workflow(elsewhere, "w", "w");
  const TempFolder place;
  place.write("file", "x");
  fs::create_directory_symlink(elsewhere.path() / "w", place.path() / "w");
  Library library({{place.path() / "file", "a file"}, {place.path(), "here"}});
  const auto listed = library.list();
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].id == "w");
  CHECK(listed[0].loaded->findings.at(0).code == "linked_folder");
  CHECK_FALSE(listed[0].loaded->startable());
  CHECK(has(library.findings(), "unreadable_place"));
  for (const Finding& finding : library.findings()) {
    CHECK(finding.message.find(place.path().string()) == std::string::npos);
  }
}

TEST_CASE("library: native files and folders stand beside each other") {
  const TempFolder place;
  write_workflow(place, "old", "old");
  place.write("file.yaml", phasegate::test::flow());
  place.write("short.yml", phasegate::test::flow());
  place.write("data.json", R"({"workflow": "data", "steps": [
    {"id": "a", "instructions": "x", "gate": "none"}]})");
  place.write("folder/workflow.yaml", phasegate::test::flow());
  place.write("empty.yaml", "");
  place.write("README.md", "no workflow");
  place.write("data.schema.json", "{}");
  place.write(".hidden.yaml", "x");
  place.write("nothing.yaml/x.md", "a folder");
  place.write("plain/x.md", "a folder");
  place.write("bad\nname.yaml", "x");
  fs::create_symlink(place.path() / "none", place.path() / "broken.yaml");
  Library library({{place.path(), "here"}});
  std::vector<std::string> ids;
  for (const LibraryEntry& entry : library.list()) {
    ids.push_back(entry.id + (entry.loaded->startable() ? "" : " (broken)"));
    CHECK(entry.reference == "here/" + entry.id);
    CHECK(entry.path.parent_path() == place.path());
  }
  CHECK(ids == std::vector<std::string>{"broken (broken)", "data", "empty (broken)", "file",
                                        "folder", "nothing (broken)", "old", "short"});
  CHECK(library.find("file")->path == place.path() / "file.yaml");
  // What the files call themselves is an alias, here of all of them.
  CHECK(library.find("w").error().code == "ambiguous_workflow");
  REQUIRE(library.findings().size() == 1);
  CHECK(has(library.findings(), "unusable_name"));
}

TEST_CASE("invariant 3: no farther workflow is taken for one that lies nearer and cannot be read") {
  const TempFolder near;
  fs::create_directories(near.path() / "feature.yaml");
  ::mkfifo((near.path() / "bugfix.yaml").c_str(), 0600);
  near.write("release.YAML", phasegate::test::flow());
  Library library({{near.path(), "near"}, phasegate::phases::built_in_place()});
  for (const char* id : {"feature", "bugfix"}) {
    CAPTURE(id);
    const auto found = library.find(id);
    REQUIRE(found.ok());
    CHECK(found->place == "near");
    CHECK_FALSE(found->loaded->startable());
  }
  CHECK(library.find("release")->place == "built-in");
  CHECK(has(library.findings(), "unusable_name"));

  // A place that cannot be read might hold anything.
  near.write("file", "x");
  Library doubtful({{near.path() / "file", "near"}, phasegate::phases::built_in_place()});
  const auto refused = doubtful.find("review");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "unreadable_place");
  const TempFolder far;
  far.write("other.yaml", phasegate::test::flow());
  Library by_alias({{near.path() / "file", "near"}, {far.path(), "far"}});
  CHECK(by_alias.find("w").error().code == "unreadable_place");
  Library absent({{near.path() / "none", "near"}, phasegate::phases::built_in_place()});
  CHECK(absent.find("review").ok());
}

TEST_CASE("library: an id that one place holds twice is listed and not startable") {
  struct Case {
    const char* one;
    const char* other;
  };
  for (const Case& c :
       {Case{"w.yaml", "w.json"}, Case{"w.yaml", "w.yml"}, Case{"w.yaml", "w/workflow.yaml"}}) {
    CAPTURE(c.other);
    const TempFolder place;
    place.write(c.one, phasegate::test::flow());
    place.write(c.other, phasegate::test::flow());
    Library library({{place.path(), "here"}});
    const auto entry = library.find("w");
    REQUIRE(entry.ok());
    CHECK_FALSE(entry->loaded->startable());
    REQUIRE(has(entry->loaded->findings, "two_definitions"));
    CHECK(entry->loaded->findings[0].message.find("w.yaml") != std::string::npos);
    fs::remove_all(place.path() / std::string(c.other).substr(0, std::string(c.other).find('/')));
    CHECK(library.find("w")->loaded->startable());
  }
}

TEST_CASE("library: a folder that stops being a workflow leaves its name to the file beside it") {
  const TempFolder place;
  place.write("w/workflow.yaml", phasegate::test::flow());
  Library library({{place.path(), "here"}});
  CHECK(library.find("w")->path == place.path() / "w");
  fs::remove(place.path() / "w/workflow.yaml");
  place.write("w.yaml", phasegate::test::flow());
  CHECK(library.find("w")->loaded->startable());
  CHECK(library.find("w")->path == place.path() / "w.yaml");
  fs::remove(place.path() / "w.yaml");
  CHECK(library.list().empty());
}

TEST_CASE(
    "004-12: a changed native file is seen by the next call, an unchanged one is not reread") {
  const TempFolder place;
  place.write("w.yaml", phasegate::test::flow("title: One\n"));
  Library library({{place.path(), "here"}});
  const auto first = library.find("w");
  CHECK(library.find("w")->loaded == first->loaded);
  place.write("w.yaml", phasegate::test::flow("title: Two\n"));
  CHECK(library.find("w")->loaded->workflow.title == "Two");
  CHECK(first->loaded->workflow.title == "One");
  fs::remove(place.path() / "w.yaml");
  CHECK(library.find("w").error().code == "unknown_workflow");
}

TEST_CASE("library: built-in workflows come last, are read once, and may be replaced") {
  const std::string id(builtin_workflows()[0].id);
  const TempFolder place;
  Library library({{place.path(), "here"}, built_in_place()});
  CHECK(library.list().size() == builtin_workflows().size());
  CHECK(library.findings().empty());
  const auto built_in = library.find(id);
  REQUIRE(built_in.ok());
  CHECK(built_in->place == "built-in");
  CHECK(built_in->path.empty());
  CHECK(built_in->loaded->startable());
  CHECK(library.find(id)->loaded == built_in->loaded);

  place.write(id + ".yaml", phasegate::test::flow());
  CHECK(library.find(id)->place == "here");
  REQUIRE(library.findings().size() == 1);
  CHECK(library.findings()[0].code == "shadowed_workflow");
  CHECK(library.findings()[0].message ==
        "\"here/" + id + "\" replaces the built-in workflow \"" + id + "\"");
}

TEST_CASE("library: documents count if they name phases or have a gate") {
  const TempFolder place;
  place.write("choose.md", "## Phase 1: Look\n\nx\n\n## Phase 2: Take\n\ny\n");
  place.write("notes.md", "# Notes\n\nOnly words.\n");
  place.write("README.md", "## Phase 1: Read this\n\nx\n");
  place.write("steps/01-a.md", "a");
  place.write("steps/02-b.md", "b");
  place.write("lone/01-a.md", "a");
  Library library({{place.path(), "here"}});
  const auto entries = library.list();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].id == "choose");
  CHECK(entries[0].reference == "here/choose");
  CHECK(entries[0].loaded->workflow.phases.size() == 2);
  CHECK(entries[1].id == "steps");
  CHECK(library.findings().empty());
  CHECK(library.find("notes").error().code == "unknown_workflow");
}

TEST_CASE("library: a document that is changed, made a workflow, or gone is noticed") {
  const TempFolder place;
  place.write("a.md", "# Notes\n");
  Library library({{place.path(), "here"}});
  CHECK(library.list().empty());
  place.write("a.md", kOnePhase);
  const auto first = library.find("a");
  REQUIRE(first.ok());
  CHECK(library.find("a")->loaded == first->loaded);
  place.write("a.md", "## Phase 1: Look\n\nx\n\n## Phase 2: Take\n\ny\n");
  CHECK(library.find("a")->loaded->workflow.phases.size() == 2);
  place.write("a.md", "# Notes again\n");
  CHECK_FALSE(library.find("a").ok());
  place.write("a.md", kOnePhase);
  CHECK(library.find("a").ok());
  fs::remove(place.path() / "a.md");
  CHECK_FALSE(library.find("a").ok());
  place.write("b/01-a.md", "a");
  CHECK_FALSE(library.find("b").ok());
  place.write("b/02-b.md", "b");
  CHECK(library.find("b")->loaded->workflow.phases.size() == 2);
  place.write("b/03-c.md", "c");
  CHECK(library.find("b")->loaded->workflow.phases.size() == 3);
}

TEST_CASE("library: a document and a file of one name are one workflow too many, notes are none") {
  const TempFolder place;
  place.write("w.yaml", "workflow: w\nsteps:\n  - id: a\n    instructions: x\n    gate: none\n");
  place.write("w.md", "# What w is for\n");
  Library library({{place.path(), "here"}});
  CHECK(library.find("w")->loaded->startable());
  place.write("w.md", kOnePhase);
  CHECK(library.find("w")->loaded->findings.at(0).code == "two_definitions");
}
