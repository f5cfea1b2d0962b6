#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/phases/folder_fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::findings_of;
using phasegate::test::has;
using phasegate::test::read_folder;
using phasegate::test::TempFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* kText = "# P\n\n## Validation Gate\n- [ ] Done well\n";
constexpr const char* kGateFile = "evidence_schema: {a: {type: boolean}}\n";

using Files = std::vector<std::pair<std::string, std::string>>;

/// A folder of two phases; `first` and `second` are further members of theirs.
LoadedWorkflow loaded(const std::string& first, const std::string& second, const Files& more = {},
                      const Files& links = {}) {
  const TempFolder place;
  const auto phase = [](const std::string& number, const std::string& members) {
    return "{\"phase_number\":" + number + (members.empty() ? "" : ",\n" + members) + "}";
  };
  place.write("w/metadata.json",
              "{\"phases\":[\n" + phase("1", first) + ",\n" + phase("2", second) + "]}");
  place.write("w/phases/1/phase.md", kText);
  place.write("w/phases/2/phase.md", kText);
  for (const auto& [path, text] : more) place.write("w/" + path, text);
  for (const auto& [path, target] : links) {
    fs::create_directories((place.path() / "w" / path).parent_path());
    fs::create_symlink(target, place.path() / "w" / path);
  }
  return read_folder(place.path() / "w");
}

std::string task(const std::string& file, const std::string& number = "1") {
  return R"("tasks":[{"task_number":)" + number + R"(,"name":"n","file":")" + file + "\"}]";
}

}  // namespace

TEST_CASE("invariant 1: no phase can be given another phase's text as its own") {
  struct Case {
    const char* name;
    std::string first;
    std::string second;
    const char* code;
  };
  const Case cases[] = {
      {"one text for two", R"("file":"phases/1/phase.md")", R"("file":"phases/1/phase.md")",
       "shared_phase_file"},
      {"the next text as a task", task("../2/phase.md"), "", "shared_phase_file"},
      {"the next task as a task", task("phases/2/t.md"), task("t.md"), "shared_phase_file"},
      {"one shared text as a task of both", task("core/a.md"), task("core/a.md"),
       "shared_phase_file"},
      {"a note of the next folder", task("../2/note.md"), "", "foreign_phase_file"},
      {"a text in the next folder", R"("file":"phases/2/note.md")", "", "foreign_phase_file"},
      {"the next gate file", R"("file":"phases/2/gate-definition.yaml")", "", "withheld_file"},
      {"its own gate file", "", task("Gate-Definition.YML"), "withheld_file"},
      {"the metadata", R"("file":"metadata.json")", "", "withheld_file"},
      {"the metadata as a task", task("../../metadata.json"), "", "withheld_file"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const LoadedWorkflow got = loaded(c.first, c.second,
                                      {{"phases/2/t.md", "t"},
                                       {"phases/2/note.md", "n"},
                                       {"core/a.md", "a"},
                                       {"phases/2/gate-definition.yaml", kGateFile},
                                       {"phases/2/Gate-Definition.YML", kGateFile}});
    CHECK_FALSE(got.startable());
    const auto found = findings_of(got, c.code);
    REQUIRE_FALSE(found.empty());
    CHECK(found[0].severity == Severity::error);
    CHECK(found[0].source.file == "metadata.json");
    CHECK(found[0].source.line > 1);
  }
}

TEST_CASE("invariant 1: files that lie elsewhere may be named, as long as one phase does") {
  const LoadedWorkflow got =
      loaded(R"("file":"core/one.md",)" + task("core/a.md"), R"("file":"phases/two/phase.md")",
             {{"core/one.md", kText}, {"core/a.md", "a"}, {"phases/two/phase.md", kText}});
  CHECK(got.startable());
  CHECK(got.workflow.documents.at("core/a.md").phase == "1");
}

TEST_CASE("invariant 1: links within the folder show no other phase and nothing withheld") {
  struct Case {
    const char* link;
    const char* target;
    bool refused;
  };
  const Case cases[] = {
      {"phases/1/t.md", "../2/phase.md", true},
      {"phases/1/t.md", "../2/note.md", true},
      {"core/m.json", "../metadata.json", true},
      {"core/g.txt", "../phases/2/gate-definition.yaml", true},
      {"core/u.md", "../phases/unlisted/x.md", true},
      {"phases/1/t.md", "../../core/a.md", false},
      {"core/b.md", "a.md", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.link);
    CAPTURE(c.target);
    const LoadedWorkflow got = loaded("", "",
                                      {{"phases/2/note.md", "n"},
                                       {"core/a.md", "a"},
                                       {"phases/unlisted/x.md", "x"},
                                       {"phases/2/gate-definition.yaml", kGateFile}},
                                      {{c.link, c.target}});
    CHECK(has(got, "link_to_phase_file") == c.refused);
    CHECK(got.startable() != c.refused);
  }
}

TEST_CASE("invariant 1: the files of phases behind dynamic ones are never shown") {
  const TempFolder place;
  place.write("w/metadata.json",
              R"({"phases":[{"phase_number":0},{"phase_number":"1-N"},
{"phase_number":2,"file":"core/final.md","tasks":[{"task_number":1,"name":"t","file":"core/t.md"}]}]})");
  place.write("w/phases/0/phase.md", std::string(kText) + "core/final.md and core/t.md\n");
  place.write("w/core/final.md", "f");
  place.write("w/core/t.md", "t");
  const LoadedWorkflow got = read_folder(place.path() / "w");
  CHECK(got.startable());
  CHECK(got.workflow.documents.at("core/final.md").withheld);
  CHECK(got.workflow.documents.at("core/t.md").withheld);
}

TEST_CASE("gates: gate files are found wherever a phase's may lie, in any case") {
  struct Case {
    const char* file;  ///< of phase 1
    const char* gate;
  };
  const Case cases[] = {
      {"phases/1/phase.md", "phases/1/gate-definition.yaml"},
      {"phases/1/phase.md", "phases/1/Gate-Definition.YAML"},
      {"phases/p1.md", "phases/1/gate-definition.yml"},
      {"phases/1/sub/p1.md", "phases/1/gate-definition.yaml"},
      {"phases/1/sub/p1.md", "phases/1/sub/gate-definition.yaml"},
      {"phases/one/sub/p1.md", "phases/one/gate-definition.yaml"},
      {"core/p1.md", "phases/1/gate-definition.yaml"},
      {"core/p1.md", "core/gate-definition.yaml"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.file);
    CAPTURE(c.gate);
    const LoadedWorkflow got = loaded("\"file\":\"" + std::string(c.file) + "\"", "",
                                      {{c.file, kText}, {c.gate, kGateFile}});
    CHECK(got.startable());
    CHECK(got.workflow.phases[0].gate.source.file == c.gate);
    CHECK(got.workflow.documents.at(c.gate).withheld);
    CHECK(got.workflow.phases[1].gate.source.file == "phases/2/phase.md");
  }
}

TEST_CASE("gates: gate files that would be passed over are errors") {
  struct Case {
    const char* first;
    Files files;
    const char* code;
  };
  const std::string other = "evidence_schema: {b: {type: boolean}}\n";
  const Case cases[] = {
      {"",
       {{"phases/1/gate-definition.yaml", kGateFile}, {"phases/1/gate-definition.yml", other}},
       "two_gate_files"},
      {R"("file":"phases/1/sub/p.md")",
       {{"phases/1/sub/p.md", kText},
        {"phases/1/gate-definition.yaml", kGateFile},
        {"phases/1/sub/gate-definition.yaml", other}},
       "two_gate_files"},
      {"", {{"phases/1/gate.yaml", kGateFile}}, "unread_gate_file"},
      {"", {{"phases/1/gates.yml", kGateFile}}, "unread_gate_file"},
      {"", {{"phases/1/gate_definition.yaml", kGateFile}}, "unread_gate_file"},
      {"", {{"phases/1/gate-definition.json", "{}"}}, "unread_gate_file"},
      {"", {{"phases/1/gate-definition.yaml.md", kGateFile}}, "unread_gate_file"},
      {"", {{"phases/1/validationGate.toml", ""}}, "unread_gate_file"},
      {"", {{"phases/gate.yaml", kGateFile}}, "unread_gate_file"},
      {"", {{"phases/1/sub/gate-definition.yaml", kGateFile}}, "unread_gate_file"},
      {"", {{"phases/1/gate-definition.yaml/x", ""}}, "unreadable_gate_file"},
      {R"("file":"phases/a.md")",
       {{"phases/a.md", kText}, {"phases/1/gate-definition.yaml/x", ""}},
       "unreadable_gate_file"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.files.back().first);
    const LoadedWorkflow got = loaded(c.first, "", c.files);
    CHECK_FALSE(got.startable());
    const auto found = findings_of(got, c.code);
    REQUIRE_FALSE(found.empty());
    CHECK(found[0].severity == Severity::error);
  }
  const LoadedWorkflow shared = loaded(
      R"("file":"core/1.md")", R"("file":"core/2.md")",
      {{"core/1.md", kText}, {"core/2.md", kText}, {"core/gate-definition.yaml", kGateFile}});
  CHECK(has(shared, "shared_phase_file"));
  CHECK_FALSE(shared.startable());
}

TEST_CASE("gates: files that only sound like gates are left alone") {
  const LoadedWorkflow got = loaded("", "",
                                    {{"phases/1/aggregate.yaml", ""},
                                     {"phases/1/task-1-gates.md", ""},
                                     {"phases/1/gate.png", ""},
                                     {"phases/1/gateway.yaml", ""},
                                     {"phases/1/api-gateway.json", ""},
                                     {"phases/1/gatekeeper.rego", ""},
                                     {"phases/1/gate.cpp", ""},
                                     {"core/gates.yaml", ""},
                                     {"phases/7/gate-definition.yaml", kGateFile}});
  CHECK(got.startable());
  CHECK_FALSE(has(got, "unread_gate_file"));
  REQUIRE(findings_of(got, "orphaned_gate_file").size() == 1);
  CHECK(findings_of(got, "orphaned_gate_file")[0].source.file == "phases/7/gate-definition.yaml");
}

TEST_CASE("gates: the same gate file in both places is one") {
  const LoadedWorkflow got = loaded(R"("file":"phases/1/sub/p.md")", "",
                                    {{"phases/1/sub/p.md", kText},
                                     {"phases/1/gate-definition.yaml", kGateFile},
                                     {"phases/1/sub/gate-definition.yaml", kGateFile}});
  CHECK(got.startable());
  CHECK(got.workflow.phases[0].gate.requirements[0].name == "a");
}

TEST_CASE("gates: a phase folder that is a link to a folder keeps the workflow from starting") {
  const LoadedWorkflow got = loaded(R"("file":"core/one.md")", R"("file":"phases/two/phase.md")",
                                    {{"core/one.md", kText},
                                     {"phases/two/phase.md", kText},
                                     {"elsewhere/gate-definition.yaml", kGateFile}},
                                    {{"phases/3", "../elsewhere"}});
  CHECK(got.startable());
  const TempFolder place;
  place.write("w/metadata.json", R"({"phases":[{"phase_number":1,"file":"core/one.md"}]})");
  place.write("w/core/one.md", kText);
  place.write("w/elsewhere/gate-definition.yaml", kGateFile);
  fs::create_directories(place.path() / "w/phases");
  fs::create_directory_symlink("../elsewhere", place.path() / "w/phases/1");
  const LoadedWorkflow linked = read_folder(place.path() / "w");
  CHECK_FALSE(linked.startable());
  CHECK(has(linked, "unreadable_folder"));
}
