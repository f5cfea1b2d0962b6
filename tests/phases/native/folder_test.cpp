#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "phases/workflow_reader.h"
#include "tests/phases/native/fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::findings_of;
using phasegate::test::flow;
using phasegate::test::has;
using phasegate::test::TempFolder;
namespace fs = std::filesystem;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

std::string file_step(const std::string& id, const std::string& file) {
  return "  - id: " + id + "\n    instructions: {file: " + file + "}\n    evidence: {s: string}\n";
}

LoadedWorkflow read_files(const Files& files) {
  const TempFolder place;
  for (const auto& [path, bytes] : files) place.write("w/" + path, bytes);
  return read_workflow(place.path() / "w", PlainRequirementReader());
}

}  // namespace

TEST_CASE("native folder: steps own the files they name, the rest is shared") {
  const LoadedWorkflow got = read_files({
      {"workflow.yaml",
       flow("", file_step("a", "texts/a.md") +
                    "  - id: b\n    instructions: See texts/a.md, [more](notes%20b.md) and "
                    "`glossary.md`\n    evidence: {s: string}\n"
                    "    tasks: [{name: n, instructions: {file: ./texts/../task.md}}]\n")},
      {"texts/a.md", "First, see glossary.md\n"},
      {"task.md", "The task\n"},
      {"glossary.md", "Words\n"},
      {"notes b.md", "More\n"},
      {"phases/left.md", "Below phases, of no step\n"},
  });
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  CHECK(got.workflow.id == "w");
  const auto& documents = got.workflow.documents;
  CHECK(got.workflow.phases[0].file == "texts/a.md");
  CHECK(got.workflow.phases[1].tasks[0].file == "task.md");
  CHECK(documents.at("texts/a.md").phase == "a");
  CHECK(documents.at("texts/a.md").links == std::vector<std::string>{"glossary.md"});
  CHECK(documents.at("task.md").phase == "b");
  CHECK(documents.at("workflow.yaml").withheld);
  CHECK(documents.at("workflow.yaml").links.empty());
  CHECK(documents.at("glossary.md").phase.empty());
  CHECK_FALSE(documents.at("glossary.md").withheld);
  CHECK(documents.at("phases/left.md").withheld);
  const Document& inline_text = documents.at("workflow.yaml#b");
  CHECK(inline_text.phase == "b");
  CHECK(inline_text.links == std::vector<std::string>{"glossary.md", "notes b.md", "texts/a.md"});
  for (const auto& [path, document] : documents) CHECK(got.blobs.contains(document.hash));
}

TEST_CASE("native folder: files that a step may not name") {
  struct Case {
    std::string file;
    const char* code;
    const char* says;
  };
  const Case cases[] = {
      {"/etc/passwd", "invalid_path", "absolute"},
      {"../other/x.md", "invalid_path", "climbs above"},
      {"a/../../x.md", "invalid_path", "climbs above"},
      {"\"x\\ny.md\"", "invalid_path", "control character"},
      {"\"\"", "invalid_path", "empty"},
      {"texts", "missing_file", "not there"},
      {"texts/aa.md", "missing_file", "did you mean texts/a.md?"},
      {"texts/blank.md", "empty_text", "empty"},
      {"out.md", "unreadable_file", "link out of the folder"},
      {"workflow.yaml", "withheld_file", "never shown"},
      {"metadata.json", "missing_file", "not there"},
      {"phases/gate-definition.yaml", "withheld_file", "never shown"},
      {"phases/gates.txt", "withheld_file", "never shown"},
      {"[a]", "wrong_type", "must be a text"},
      {".hidden.md", "missing_file", "not there"},
  };
  const TempFolder elsewhere;
  elsewhere.write("secret.md", "secret");
  for (const Case& c : cases) {
    CAPTURE(c.file);
    const TempFolder place;
    place.write("w/workflow.yaml", flow("", file_step("a", c.file)));
    place.write("w/texts/a.md", "x");
    place.write("w/texts/blank.md", " \n");
    place.write("w/phases/gate-definition.yaml", "x");
    place.write("w/phases/gates.txt", "x");
    place.write("w/.hidden.md", "x");
    fs::create_symlink(elsewhere.path() / "secret.md", place.path() / "w/out.md");
    const LoadedWorkflow got = read_native_folder(place.path() / "w");
    CHECK_FALSE(got.startable());
    const auto found = findings_of(got, c.code);
    REQUIRE_MESSAGE(!found.empty(), all_findings(got));
    bool said = false;
    for (const Finding& finding : found) {
      said = said || (finding.message + finding.hint).find(c.says) != std::string::npos;
      CHECK(finding.message.find(place.path().string()) == std::string::npos);
    }
    CHECK_MESSAGE(said, all_findings(got));
    for (const auto& [hash, bytes] : got.blobs) CHECK(bytes != "secret");
  }
}

TEST_CASE("invariant 1: a file belongs to one step, by whatever name it is reached") {
  const Files two_steps = {
      {"workflow.yaml", flow("", file_step("a", "x.md") + file_step("b", "./x.md"))},
      {"x.md", "text"}};
  const auto shared = findings_of(read_files(two_steps), "shared_phase_file");
  REQUIRE(shared.size() == 1);
  CHECK(shared[0].phase == "b");

  const TempFolder place;
  place.write("w/workflow.yaml", flow("", file_step("a", "x.md") + file_step("b", "y.md")));
  place.write("w/x.md", "text");
  fs::create_symlink("x.md", place.path() / "w/y.md");
  CHECK(has(read_native_folder(place.path() / "w"), "link_to_phase_file"));

  const LoadedWorkflow foreign =
      read_files({{"workflow.yaml",
                   flow("", file_step("a", "phases/a/x.md") + file_step("b", "phases/a/y.md"))},
                  {"phases/a/x.md", "x"},
                  {"phases/a/y.md", "y"}});
  CHECK(has(foreign, "foreign_phase_file"));

  const LoadedWorkflow taken =
      read_files({{"workflow.yaml", flow()}, {"workflow.yaml#a", "not the text of the step"}});
  CHECK(has(taken, "unusable_name"));
  CHECK_FALSE(taken.startable());
}

TEST_CASE("native folder: a link to the workflow's own file is refused") {
  const TempFolder place;
  place.write("w/workflow.yaml", flow("", file_step("a", "x.md")));
  fs::create_symlink("workflow.yaml", place.path() / "w/x.md");
  const LoadedWorkflow got = read_native_folder(place.path() / "w");
  CHECK(has(got, "link_to_phase_file"));
}

TEST_CASE("native folder: a template in a file is reported at its line there") {
  const LoadedWorkflow got = read_files(
      {{"workflow.yaml", flow("", file_step("a", "x.md"))}, {"x.md", "one\ntwo {{name}}\n"}});
  const auto found = findings_of(got, "template_not_expanded");
  REQUIRE(found.size() == 1);
  CHECK(found[0].source == Source{"x.md", 2, 0, 5});
}

TEST_CASE("reading by path: what lies there decides which reader reads it") {
  const std::string metadata =
      R"({"phases":[{"phase_number":0,"phase_name":"P"}],"workflow_type":"w"})";
  const std::string gate = "## Validation Gate\n- [ ] Done\n";
  const std::string json =
      R"({"workflow": "w", "steps": [{"id": "a", "instructions": "x", "gate": "none"}]})";
  CHECK(read_files({{"metadata.json", metadata}, {"phases/0/phase.md", gate}})
            .workflow.phases.at(0)
            .id == "0");
  CHECK(read_files({{"workflow.yaml", flow()}}).workflow.phases.at(0).file == "workflow.yaml#a");
  CHECK(read_files({{"workflow.yml", flow()}}).workflow.phases.at(0).file == "workflow.yml#a");
  CHECK(read_files({{"workflow.json", json}}).workflow.phases.at(0).file == "workflow.json#a");
  CHECK(read_files({{"phases/0/phase.md", gate}}).workflow.phases.at(0).id == "0");
  CHECK(has(read_files({{"phases/notes.md", gate}}), "missing_metadata"));

  const Files several[] = {
      {{"workflow.yaml", flow()}, {"metadata.json", metadata}, {"phases/0/phase.md", gate}},
      {{"workflow.yaml", flow()}, {"workflow.yml", flow()}},
      {{"workflow.yaml", flow()}, {"workflow.json", json}},
      {{"metadata.json", metadata}, {"workflow.json", json}},
  };
  for (const Files& files : several) {
    const LoadedWorkflow got = read_files(files);
    CHECK(errors_of(got) == std::vector<std::string>{"two_definitions 0:0"});
    CHECK(got.workflow.phases.empty());
    CHECK(findings_of(got, "two_definitions")[0].message.find(files[0].first) != std::string::npos);
  }

  const TempFolder place;
  place.write("x.yaml", flow());
  fs::create_directories(place.path() / "w/workflow.yaml");
  CHECK(read_workflow(place.path() / "x.yaml", PlainRequirementReader()).workflow.id == "x");
  const LoadedWorkflow folder = read_workflow(place.path() / "w", PlainRequirementReader());
  CHECK(findings_of(folder, "unreadable_file").at(0).message == "workflow.yaml is a folder");
  CHECK(read_workflow(place.path() / "w/.", PlainRequirementReader()).workflow.id == "w");
}

TEST_CASE("invariant 1: a copy of a step's text, or of the workflow's file, is that text") {
  const std::string steps = file_step("a", "a.md") + file_step("b", "b.md");
  const std::string whole = flow("", steps);
  const LoadedWorkflow got = read_files({{"workflow.yaml", whole},
                                         {"a.md", "See copy.md, backup.yaml, empty.md, own.md"},
                                         {"b.md", "The later text"},
                                         {"copy.md", "The later text"},
                                         {"backup.yaml", whole},
                                         {"empty.md", ""},
                                         {"own.md", "Something else"}});
  CHECK(got.startable());
  const auto& documents = got.workflow.documents;
  CHECK(documents.at("copy.md").phase == "b");
  CHECK(documents.at("backup.yaml").withheld);
  CHECK(documents.at("own.md").phase.empty());
  CHECK_FALSE(documents.at("empty.md").withheld);
}

TEST_CASE("native files: texts that stand in every answer have a limit") {
  const std::string top = "version: " + std::string(5000, 'v') +
                          "\ndescription: " + std::string(5000, 'd') +
                          "\ncomplete_message: " + std::string(5000, 'c') + "\n";
  const LoadedWorkflow got = phasegate::test::native(flow(top));
  CHECK(got.startable());
  CHECK(got.workflow.version.size() <= 100);
  CHECK(got.workflow.description.size() <= 2000);
  CHECK(got.workflow.complete_message.size() <= 2000);
  CHECK(findings_of(got, "text_shortened").size() == 3);
}

TEST_CASE(
    "native files: what one program takes for the end of a line and another does not is refused") {
  for (const char* mark : {"\u0085", "\u2028", "\u2029"}) {
    const LoadedWorkflow got = phasegate::test::native(
        flow("", "  - id: a\n    instructions: x\n    evidence:\n      a: string # c" +
                     std::string(mark) + "      b: string\n"));
    CHECK_FALSE(got.startable());
    CHECK(errors_of(got).size() == 1);
  }
}

TEST_CASE("native files: everything that is wrong with a step is said, whatever its id") {
  const LoadedWorkflow got =
      phasegate::test::native(flow("", "  - id: a b\n    instructions: 5\n    evidence: [x]\n"));
  CHECK(errors_of(got).size() == 3);
}

TEST_CASE("native files: words of other formats lead to ours") {
  struct Case {
    const char* field;
    const char* hint;
  };
  const Case cases[] = {
      {"{type: integer, min: 3}", "did you mean minimum?"},
      {"{type: integer, max: 3}", "did you mean maximum?"},
      {"{type: string, regex: x}", "did you mean pattern?"},
      {"{type: string, choices: [a]}", "did you mean enum?"},
      {"{type: string, optional: true}", "did you mean required: false?"},
  };
  for (const Case& c : cases) {
    const LoadedWorkflow got = phasegate::test::native(
        phasegate::test::with_evidence("      f: " + std::string(c.field) + "\n"));
    const auto found = findings_of(got, "unknown_key");
    REQUIRE(found.size() == 1);
    CHECK(found[0].hint == c.hint);
  }
  const LoadedWorkflow schema = phasegate::test::native(phasegate::test::with_evidence(
      "      type: object\n      properties:\n        f: {type: string}\n"));
  CHECK(errors_of(schema).size() == 1);
  CHECK(all_findings(schema).find("directly below evidence") != std::string::npos);
}
