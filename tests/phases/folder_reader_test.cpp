#include "phases/folder_reader.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "tests/phases/folder_fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::findings_of;
using phasegate::test::has;
using phasegate::test::kGate;
using phasegate::test::loaded;
using phasegate::test::metadata;
using phasegate::test::read_folder;
using phasegate::test::TempFolder;
namespace fs = std::filesystem;

namespace {

const Document& document(const LoadedWorkflow& workflow, const std::string& path) {
  const auto found = workflow.workflow.documents.find(path);
  REQUIRE_MESSAGE(found != workflow.workflow.documents.end(), path);
  return found->second;
}

using Links = std::vector<std::string>;

}  // namespace

TEST_CASE("004-11: a folder becomes a workflow") {
  const LoadedWorkflow got = read_folder(phasegate::test::fixture("small_workflow"));
  CHECK(got.startable());
  const Workflow& w = got.workflow;
  CHECK(w.id == "small_workflow");
  CHECK(w.aliases == std::vector<std::string>{"small"});
  CHECK(w.title == "Small workflow");
  CHECK(w.version == "1.2.0");
  CHECK(w.dynamic_reason.empty());
  CHECK(w.complete_message.find("Small workflow") != std::string::npos);
  REQUIRE(w.phases.size() == 2);
  CHECK(w.phases[0].id == "0");
  CHECK(w.phases[0].title == "Look around");
  CHECK(w.phases[0].file == "phases/0/phase.md");
  CHECK(w.phases[0].source == Source{"metadata.json", 11, 0});
  REQUIRE(w.phases[0].tasks.size() == 2);
  CHECK(w.phases[0].tasks[0].number == "0");
  CHECK(w.phases[0].tasks[0].file == "phases/0/task-0-open.md");
  CHECK(w.phases[1].file == "phases/1/phase.md");
  CHECK(w.phases[0].gate.requirements.size() == 3);
  const Gate& gate = w.phases[1].gate;
  REQUIRE(gate.requirements.size() == 3);
  CHECK(gate.source.file == "phases/1/gate-definition.yaml");
  CHECK_FALSE(gate.weak);
  CHECK_FALSE(gate.human_approval);
  // The gate file fixes names and types, the table adds its rules for the same names.
  CHECK(gate.requirements[2].kind == RequirementSource::gate_file);
  CHECK(gate.requirements[2].minimum == 3.0);
  CHECK(gate.requirements[1].format == kProjectPath);
}

TEST_CASE("invariant 1: documents know their owner, their links and what is withheld") {
  const LoadedWorkflow got = read_folder(phasegate::test::fixture("small_workflow"));
  CHECK(got.workflow.documents.size() == 9);
  CHECK(document(got, "phases/0/phase.md").phase == "0");
  CHECK(document(got, "phases/0/phase.md").links ==
        Links{"phases/0/task-0-open.md", "phases/1/phase.md"});
  CHECK(document(got, "phases/0/task-0-open.md").links ==
        Links{"core/words.md", "phases/0/task-1-list.md"});
  CHECK(document(got, "phases/1/task-1-write.md").links == Links{"core/words.md"});
  CHECK(document(got, "core/words.md").phase.empty());
  CHECK(document(got, "core/words.md").links == Links{"core/more words.md"});
  CHECK_FALSE(document(got, "core/words.md").withheld);
  CHECK(document(got, "metadata.json").withheld);
  CHECK(document(got, "phases/1/gate-definition.yaml").withheld);
  for (const auto& [path, doc] : got.workflow.documents) {
    REQUIRE(got.blobs.contains(doc.hash));
    CHECK(phasegate::base::sha256_hex(got.blobs.at(doc.hash)) == doc.hash);
    CHECK(got.blobs.at(doc.hash).size() == doc.bytes);
  }
}

TEST_CASE("invariant 1: files of no phase are withheld, files of a phase stay its own") {
  const LoadedWorkflow got = loaded({{"metadata.json", metadata()},
                                     {"phases/0/phase.md", kGate},
                                     {"phases/0/sub/x.md", "x"},
                                     {"phases/dynamic/phase-template.md", "t"},
                                     {"phases/7/phase.md", kGate},
                                     {"phases/loose.md", "l"},
                                     {"README.md", "phases/7/phase.md"}});
  CHECK(document(got, "phases/0/sub/x.md").phase == "0");
  CHECK_FALSE(document(got, "phases/0/sub/x.md").withheld);
  CHECK(document(got, "phases/dynamic/phase-template.md").withheld);
  CHECK(document(got, "phases/7/phase.md").withheld);
  CHECK(document(got, "phases/loose.md").withheld);
  CHECK_FALSE(document(got, "README.md").withheld);
}

TEST_CASE("folders: a task that lies elsewhere belongs to the first phase that names it") {
  const LoadedWorkflow got =
      loaded({{"metadata.json",
               metadata("", R"("tasks":[{"task_number":1,"name":"a","file":"core/a.md"}])")},
              {"phases/0/phase.md", kGate},
              {"core/a.md", "a"}});
  CHECK(got.workflow.phases[0].tasks[0].file == "core/a.md");
  CHECK(document(got, "core/a.md").phase == "0");
}

TEST_CASE("folders: every finding of metadata.json, with its line") {
  struct Case {
    const char* name;
    std::string metadata;
    const char* code;
    Severity severity;
    int line;
  };
  using S = Severity;
  const std::string two = R"({"phases":[
{"phase_number":1,"phase_name":"A"},
{"phase_number":0,"phase_name":"B"}]})";
  const Case cases[] = {
      {"not JSON", "{\n\"a\":\n}", "invalid_metadata", S::error, 3},
      {"empty", "", "invalid_metadata", S::error, 1},
      {"no object", "[]", "invalid_metadata", S::error, 1},
      {"a key twice", "{\"a\":1,\"a\":2}", "invalid_metadata", S::error, 0},
      {"no phases", "{}", "invalid_metadata", S::error, 1},
      {"phases of another type", "{\n\"phases\":{}}", "invalid_metadata", S::error, 2},
      {"phases empty", "{\n\"phases\":[]}", "invalid_metadata", S::error, 2},
      {"a phase that is no object", "{\"phases\":[\n1]}", "invalid_metadata", S::error, 2},
      {"no number", "{\"phases\":[\n{}]}", "invalid_metadata", S::error, 2},
      {"2.5", "{\"phases\":[{\n\"phase_number\":2.5}]}", "invalid_metadata", S::error, 2},
      {"-1", "{\"phases\":[{\n\"phase_number\":-1}]}", "invalid_metadata", S::error, 2},
      {"true", "{\"phases\":[{\n\"phase_number\":true}]}", "invalid_metadata", S::error, 2},
      {"../0", "{\"phases\":[{\n\"phase_number\":\"../0\"}]}", "invalid_metadata", S::error, 2},
      {"a title that is no text", metadata("\"x\":\n1,", "\"tasks\":1"), "invalid_metadata",
       S::error, 5},
      {"a total that is no number", metadata("").replace(metadata("").find(":1,\n"), 4, ":[],\n"),
       "invalid_metadata", S::error, 1},
      {"a phase twice", R"({"phases":[{"phase_number":0},
{"phase_number":"0"}]})",
       "duplicate_phase", S::error, 2},
      {"a task twice", metadata("", R"("tasks":[{"task_number":1,"file":"a.md"},
{"task_number":1,"file":"b.md"}])"),
       "duplicate_task", S::error, 5},
      {"a task without a number", metadata("", R"("tasks":[
{"name":"x"}])"),
       "invalid_metadata", S::error, 5},
      {"a task without a file", metadata("", R"("tasks":[
{"task_number":1}])"),
       "missing_task_file", S::warning, 5},
      {"a task that is missing", metadata("", R"("tasks":[
{"task_number":1,"file":"task-1-x.md"}])"),
       "missing_task_file", S::warning, 5},
      {"a task out of the folder", metadata("", R"("tasks":[
{"task_number":1,"file":"../../../etc/passwd"}])"),
       "invalid_path", S::error, 5},
      {"an absolute task", metadata("", R"("tasks":[
{"task_number":1,"file":"/etc/passwd"}])"),
       "missing_task_file", S::warning, 5},
      {"a phase file that is missing", metadata("", "\"file\":\"phases/0/other.md\""),
       "missing_phase_file", S::error, 4},
      {"skippable", metadata("", "\"skippable\":true"), "skippable_ignored", S::info, 4},
      {"start_phase", metadata("\"start_phase\":3,\n"), "start_phase_ignored", S::warning, 3},
      {"total", metadata("").replace(metadata("").find(":1,\n"), 4, ":9,\n"), "wrong_total",
       S::warning, 1},
      {"order", two, "phase_order", S::warning, 3},
      {"missing members", two, "incomplete_metadata", S::info, 1},
      {"another name", metadata("").replace(metadata("").find("\"w\""), 3, "\"v\""), "name_differs",
       S::info, 1},
      {"evidence that the gate lacks",
       metadata("", "\"checkpoint\":{\"required_evidence\":\n[\"other\"]}"), "sources_disagree",
       S::info, 5},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const LoadedWorkflow got =
        loaded({{"metadata.json", c.metadata}, {"phases/0/phase.md", kGate}});
    CHECK(got.workflow.id == "w");
    const auto found = findings_of(got, c.code);
    REQUIRE_FALSE(found.empty());
    CHECK(found[0].severity == c.severity);
    CHECK(found[0].source.file == "metadata.json");
    CHECK(found[0].source.line == c.line);
    CHECK_FALSE(found[0].message.empty());
    if (c.severity == S::error) CHECK_FALSE(got.startable());
  }
}

TEST_CASE("folders: the metadata's three bases of paths") {
  for (const char* file : {"phases/0/text.md", "text.md", "0/text.md"}) {
    CAPTURE(file);
    const LoadedWorkflow got =
        loaded({{"metadata.json",
                 metadata("", "\"phase_file\":\"" + std::string(file) +
                                  "\",\"tasks\":[{\"task_number\":0,\"file\":\"" + file + "\"}]")},
                {"phases/0/text.md", kGate}});
    CHECK(got.startable());
    CHECK(got.workflow.phases[0].file == "phases/0/text.md");
    CHECK(got.workflow.phases[0].tasks[0].file == "phases/0/text.md");
  }
}

TEST_CASE("folders: ids as documents number their phases") {
  const LoadedWorkflow got = loaded(
      {{"metadata.json",
        R"({"phases":[{"phase_number":"0A","phase_name":"A"},{"phase_number":1.0,"phase_name":"B"}]})"},
       {"phases/0A/phase.md", kGate},
       {"phases/1/phase.md", kGate}});
  CHECK(got.startable());
  REQUIRE(got.workflow.phases.size() == 2);
  CHECK(got.workflow.phases[0].id == "0A");
  CHECK(got.workflow.phases[1].id == "1");
}

TEST_CASE("folders: phases that are not known in advance make the run wait, never complete") {
  for (const char* number : {"\"1-N\"", "\"N\"", "\"dynamic\""}) {
    const LoadedWorkflow got =
        loaded({{"metadata.json",
                 R"({"total_phases":"dynamic","phases":[{"phase_number":0,"phase_name":"A"},
{"phase_number":)" + std::string(number) +
                     R"(,"phase_name":"B"},{"phase_number":9,"phase_name":"C"}]})"},
                {"phases/0/phase.md", kGate},
                {"phases/9/phase.md", kGate}});
    CHECK(got.startable());
    CHECK(got.workflow.phases.size() == 1);
    CHECK(got.workflow.dynamic_reason.find("not complete") != std::string::npos);
    CHECK(has(got, "phase_after_dynamic"));
    CHECK(document(got, "phases/9/phase.md").withheld);
  }
  CHECK_FALSE(loaded({{"metadata.json", metadata("\"dynamic_phases\":true,")},
                      {"phases/0/phase.md", kGate}})
                  .workflow.dynamic_reason.empty());
}

TEST_CASE("folders: missing, orphaned and shifted task files") {
  const LoadedWorkflow got = loaded({{"metadata.json", R"({"total_phases":2,"phases":[
{"phase_number":0,"phase_name":"A","tasks":[{"task_number":1,"file":"task-1-a.md"}]},
{"phase_number":1,"phase_name":"B","tasks":[
{"task_number":1,"file":"task-1-b.md"},
{"task_number":2,"file":"task-2-b.md"}]}]})"},
                                     {"phases/0/phase.md", kGate},
                                     {"phases/0/task-1-b.md", ""},
                                     {"phases/0/task-2-b.md", ""},
                                     {"phases/0/notes.md", ""},
                                     {"phases/1/phase.md", kGate},
                                     {"phases/dynamic/task-template.md", ""}});
  CHECK(got.startable());
  CHECK(findings_of(got, "missing_task_file").size() == 3);
  CHECK(findings_of(got, "missing_task_file")[1].source == Source{"metadata.json", 4, 0});
  const auto orphaned = findings_of(got, "orphaned_task_file");
  REQUIRE(orphaned.size() == 2);
  CHECK(orphaned[0].source.file == "phases/0/task-1-b.md");
  const auto shifted = findings_of(got, "shifted_phases");
  REQUIRE(shifted.size() == 1);
  CHECK(shifted[0].source == Source{"metadata.json", 3, 0});
  CHECK(shifted[0].message.find("phase 1 lie in phases/0 (2 of 2)") != std::string::npos);
  CHECK(got.workflow.phases[1].tasks[0].file.empty());
}

TEST_CASE("folders: hostile content is findings, never a crash, and names no absolute path") {
  const TempFolder outside;
  outside.write("secret.md", "secret");
  const TempFolder place;
  place.write("w/metadata.json", metadata("", R"("tasks":[
{"task_number":1,"file":"out.md"},{"task_number":2,"file":"pipe.md"},{"task_number":3,"file":"loop.md"}])"));
  place.write("w/phases/0/phase.md", kGate);
  place.write("w/phases/0/a \"b\"\n\xC3\xBC.md", "odd [x](phase.md)");
  place.write("w/phases/0/bad.md", "caf\xe9");
  place.write("w/core/big.md", std::string((4U << 20U) + 1, 'x'));
  const fs::path phase = place.path() / "w/phases/0";
  fs::create_symlink(outside.path() / "secret.md", phase / "out.md");
  fs::create_symlink("loop.md", phase / "loop.md");
  fs::create_directory_symlink(place.path() / "w", phase / "again");
  REQUIRE(::mkfifo((phase / "pipe.md").c_str(), 0600) == 0);
  const LoadedWorkflow got = read_folder(place.path() / "w");
  CHECK(got.startable());
  CHECK(findings_of(got, "missing_task_file").size() == 3);
  CHECK(findings_of(got, "unreadable_file").size() == 6);
  CHECK(findings_of(got, "not_utf8").size() == 1);
  CHECK_FALSE(got.workflow.documents.contains("phases/0/out.md"));
  for (const auto& [hash, bytes] : got.blobs) CHECK(bytes != "secret");
  CHECK(got.blobs.at(document(got, "phases/0/bad.md").hash) == "caf\xe9");
  for (const Finding& finding : got.findings) {
    CHECK(finding.message.find(place.path().string()) == std::string::npos);
    CHECK(finding.message.find(outside.path().string()) == std::string::npos);
  }
}

TEST_CASE("folders: a phase text that cannot be read is an error") {
  const TempFolder place;
  place.write("w/metadata.json", metadata());
  fs::create_directories(place.path() / "w/phases/0/phase.md");
  const LoadedWorkflow got = read_folder(place.path() / "w");
  CHECK_FALSE(got.startable());
  CHECK(has(got, "missing_phase_file"));
}

TEST_CASE("folders: nothing, a file and a missing folder are findings") {
  const TempFolder place;
  place.write("file", "x");
  fs::create_directories(place.path() / "empty");
  for (const char* name : {"file", "empty", "none"}) {
    CAPTURE(name);
    const LoadedWorkflow got = read_folder(place.path() / name);
    CHECK(got.workflow.id == name);
    CHECK_FALSE(got.startable());
    CHECK(has(got, "missing_metadata"));
  }
}

TEST_CASE("folders: too many files are refused as a whole") {
  const TempFolder place;
  place.write("w/metadata.json", metadata());
  place.write("w/phases/0/phase.md", kGate);
  for (int i = 0; i < 4100; ++i) place.write("w/core/" + std::to_string(i), "");
  const LoadedWorkflow got = read_folder(place.path() / "w");
  CHECK_FALSE(got.startable());
  CHECK(has(got, "unreadable_folder"));
}

TEST_CASE("invariant 6: the content hash tells any change of model or bytes") {
  const auto hash = [](const std::string& gate, const std::string& extra) {
    return loaded({{"metadata.json", metadata()}, {"phases/0/phase.md", gate}, {"core/x", extra}})
        .content_hash;
  };
  const std::string same = hash(kGate, "1");
  CHECK(same.size() == 64);
  CHECK(same == hash(kGate, "1"));
  CHECK(same != hash(kGate, "2"));
  CHECK(same != hash(std::string(kGate) + " ", "1"));
}

TEST_CASE("folders: what lies too deep to be read is reported") {
  const LoadedWorkflow got = loaded({{"metadata.json", metadata()},
                                     {"phases/0/phase.md", kGate},
                                     {"core/2/3/4/5/6/7/x.md", "read"},
                                     {"core/2/3/4/5/6/7/8/x.md", "not read"},
                                     {"core/2/3/4/5/6/7/8/9/x.md", "not read"}});
  CHECK(got.startable());
  CHECK(got.workflow.documents.contains("core/2/3/4/5/6/7/x.md"));
  CHECK_FALSE(got.workflow.documents.contains("core/2/3/4/5/6/7/8/x.md"));
  REQUIRE(findings_of(got, "folder_too_deep").size() == 1);
  CHECK(findings_of(got, "folder_too_deep")[0].source.file == "core/2/3/4/5/6/7/8");
}

TEST_CASE("folders: texts of metadata.json that stand in every answer are bounded") {
  const std::string longest(300, 'x');
  const LoadedWorkflow fine = loaded({{"metadata.json", metadata("", R"("tasks":[
{"task_number":1,"file":"phase.md","name":")" + longest + "\"}]")},
                                      {"phases/0/phase.md", kGate}});
  CHECK_FALSE(has(fine, "text_shortened"));
  CHECK(fine.workflow.phases[0].tasks[0].name == longest);
  const LoadedWorkflow got = loaded({{"metadata.json",
                                      R"({"phases":[{"phase_number":0,
"phase_name":")" + longest + "y\",\n\"purpose\":\"" +
                                          std::string(100'000, 'x') +
                                          R"(","tasks":[
{"task_number":1,"file":"phase.md","name":")" +
                                          longest + longest + "\"}]}]}"},
                                     {"phases/0/phase.md", kGate}});
  CHECK(got.startable());
  const auto found = findings_of(got, "text_shortened");
  REQUIRE(found.size() == 3);
  CHECK(found[0].severity == Severity::info);
  CHECK(found[0].source.line == 2);
  CHECK(got.workflow.phases[0].title.size() <= 300);
  CHECK(got.workflow.phases[0].purpose.size() <= 300);
  CHECK(got.workflow.phases[0].tasks[0].name.size() <= 300);
}
