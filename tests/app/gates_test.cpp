#include <doctest/doctest.h>

#include "tests/app/project.h"

namespace fs = std::filesystem;
using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::phasegate_binary;
using phasegate::test::run_program;
using phasegate::test::TempFolder;
using phasegate::test::ToRun;

namespace {

constexpr const char* kDocument =
    "# Baking\n\n"
    "## Phase 1: Dough\n\nMix it.\n\n### Validation Gate\n\n- [ ] Dough rose twice\n\n"
    "## Phase 2: Oven\n\nHeat it.\n\n### Validation Gate\n\n- [ ] Oven is hot\n";

Ended run_in(const fs::path& folder, std::vector<std::string> arguments, std::string input = "") {
  ToRun to_run;
  to_run.arguments = std::move(arguments);
  to_run.folder = folder;
  to_run.input = std::move(input);
  return run_program(phasegate_binary(), to_run);
}

}  // namespace

TEST_CASE("gates: each phase of a document with what it asks for, outside of any project") {
  const TempFolder place;
  place.write("baking.md", kDocument);
  const Ended ended = run_in(place.path(), {"gates", "baking.md"});
  CAPTURE(ended.out);
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "baking.md  Baking\n"));
  CHECK(contains(ended.out, "  Phase 1  Dough  (lines 3 to 10)\n"));
  CHECK(contains(ended.out, "      dough_rose_twice  boolean, must be true  (line 9"));
}

TEST_CASE("gates --json: one object for each file, with the rule in one short form") {
  const TempFolder place;
  place.write("baking.md", kDocument);
  const Ended ended = run_in(place.path(), {"gates", "baking.md", "-", "--json"}, kDocument);
  CHECK(ended.code == 0);
  const Json documents = phasegate::test::Project::parsed(ended.out);
  REQUIRE(documents.size() == 2);
  CHECK(documents[0]["doc"] == "baking.md");
  CHECK(documents[1]["doc"] == "-");
  CHECK(documents[0]["phases"] == documents[1]["phases"]);
  for (const char* key : {"phases", "requirements", "entry", "findings"}) {
    CHECK(documents[0][key].is_array());
  }
  REQUIRE(documents[0]["phases"].size() == 2);
  const Json& phase = documents[0]["phases"][1];
  CHECK(phase["number"] == "2");
  CHECK(phase["title"] == "Oven");
  CHECK(phase["start_line"] == 11);
  REQUIRE(phase["requirements"].size() == 1);
  const Json& requirement = phase["requirements"][0];
  CHECK(requirement["name"] == "oven_is_hot");
  CHECK(requirement["type"] == "boolean");
  CHECK(requirement["required"] == true);
  CHECK(requirement["constraint"] == "== true");
  CHECK(requirement["line"] == 17);
  CHECK(requirement["kind"] == "exit");
  CHECK(requirement["source"] == "checkbox");
  CHECK(requirement["description"] == "Oven is hot");
  CHECK(requirement.contains("confidence"));
}

TEST_CASE("gates: a document that asks for a person says what they are asked") {
  const TempFolder place;
  place.write("baking.md", std::string(kDocument) + "- [ ] Human approval obtained\n");
  const Ended ended = run_in(place.path(), {"gates", "baking.md"});
  CHECK_MESSAGE(contains(ended.out,
                         "    a person decides (line 18; any approver): Is phase 2 (Oven) "
                         "done"),
                ended.out);
  const Json documents =
      phasegate::test::Project::parsed(run_in(place.path(), {"gates", "baking.md", "--json"}).out);
  CHECK(documents[0]["phases"][0]["decision"].is_null());
  const Json& decision = documents[0]["phases"][1]["decision"];
  CHECK(decision["line"] == 18);
  REQUIRE(decision["options"].size() == 3);
  CHECK(decision["options"][1]["effect"] == "goto");
  CHECK(decision["options"][1]["phase"] == "2");
}

TEST_CASE("gates: what cannot be read is reported, and the rest is still printed") {
  const TempFolder place;
  place.write("baking.md", kDocument);
  fs::create_directories(place.path() / "docs");
  const Ended ended = run_in(place.path(), {"gates", "missing.md", "docs", "baking.md", "--json"});
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "\"missing.md\" cannot be read"));
  CHECK(contains(ended.err, "\"docs\" is a folder; `gates` reads documents."));
  CHECK(contains(ended.err, "docs/*.md"));
  CHECK_FALSE(contains(ended.err, place.path().string()));
  CHECK(phasegate::test::Project::parsed(ended.out).size() == 1);
  CHECK(run_in(place.path(), {"gates"}).code == 2);
  CHECK(run_in(place.path(), {"gates", ""}).code == 2);
}

TEST_CASE("gates: empty, huge and binary documents are read as what they are") {
  const TempFolder place;
  place.write("empty.md", "");
  place.write("binary.md", std::string("\x00\xFF\xFE\x01", 4));
  place.write("huge.md", std::string(5U << 20U, 'x'));
  const Ended ended = run_in(place.path(), {"gates", "empty.md", "binary.md", "huge.md", "--json"});
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "huge.md"));
  CHECK(phasegate::test::Project::parsed(ended.out).size() == 2);
}
