#include "phases/library.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

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
  near.write("broken/phases/0/phase.md", "no metadata");
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
  CHECK(library.list().empty());
  CHECK(has(library.findings(), "unreadable_place"));
  CHECK(has(library.findings(), "linked_folder"));
  for (const Finding& finding : library.findings()) {
    CHECK(finding.message.find(place.path().string()) == std::string::npos);
  }
}
