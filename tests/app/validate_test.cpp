#include <doctest/doctest.h>

#include "phases/builtin.h"
#include "tests/app/project.h"

namespace fs = std::filesystem;
using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::Project;
using phasegate::test::workflow_of;
using phasegate::test::write_file;

namespace {

constexpr const char* kNative =
    "workflow: tea\n"
    "title: Tea\n"
    "outline: titles\n"
    "input:\n"
    "  required: [guest]\n"
    "  properties:\n"
    "    guest: {type: string, min_length: 2}\n"
    "steps:\n"
    "  - id: boil\n"
    "    instructions: Boil water.\n"
    "    gate: none\n"
    "  - id: pour\n"
    "    title: Pour\n"
    "    instructions: Pour it.\n"
    "    evidence:\n"
    "      cups: {type: integer, minimum: 1}\n";

fs::path workflows(const Project& project) {
  return project.root() / ".phasegate" / "workflows";
}

/// The same under another name.
std::string native(const std::string& id) {
  return "workflow: " + id + std::string(kNative).substr(std::string("workflow: tea").size());
}

}  // namespace

TEST_CASE("validate: a native file is explained phase by phase, with lines") {
  const Project project;
  write_file(workflows(project) / "tea.yaml", kNative);
  const Ended ended = project.run({"validate", "tea"});
  CAPTURE(ended.out);
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "  (.phasegate/workflows/tea.yaml)\n"));
  CHECK(contains(ended.out, "To be given at the start:\n    guest  string, at least 2 characters"));
  CHECK(contains(ended.out, "(tea.yaml:7)\n"));
  CHECK(contains(ended.out, "outline: titles"));
  CHECK(contains(ended.out, "asks for nothing (gate: none)"));
  CHECK(contains(ended.out, "      cups  integer, at least 1  (tea.yaml:16)\n"));
  CHECK(contains(ended.out, "0 errors, 0 warnings, 0 notes: can be started\n"));
}

TEST_CASE("validate: an error shows its line with a caret, whichever way the file is named") {
  const Project project;
  std::string broken = kNative;
  broken.replace(broken.find("minimum"), 7, "minimun");
  write_file(workflows(project) / "tea.yaml", broken);
  for (const char* name : {"tea", ".phasegate/workflows/tea.yaml"}) {
    CAPTURE(name);
    const Ended ended = project.run({"validate", name});
    CAPTURE(ended.out);
    CHECK(ended.code == 1);
    CHECK(contains(ended.out, "error .phasegate/workflows/tea.yaml:16:"));
    CHECK(contains(ended.out,
                   "    16 |       cups: {type: integer, minimun: 1}\n"
                   "       |                             ^\n"));
  }
  // Seen from within its folder it has a shorter name.
  phasegate::test::ToRun inside = project.to_run({"validate", "tea.yaml"});
  inside.folder = workflows(project);
  const Ended ended = phasegate::test::run_program(phasegate::test::phasegate_binary(), inside);
  CHECK(contains(ended.out, "error tea.yaml:16:"));
}

TEST_CASE("validate: what lies in the project's places, a folder of them, or one") {
  const Project project;
  write_file(workflows(project) / "tea.yaml", kNative);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"validate", "--json"}, {"validate", ".phasegate/workflows/", "--json"}}) {
    CAPTURE(words);
    const Json all = project.run_json(words, 1);
    CHECK(all["ok"] == false);
    CHECK(all["workflows"].size() == 3);
    CHECK(workflow_of(all, "tea")["startable"] == true);
    CHECK(workflow_of(all, "tea")["path"] == ".phasegate/workflows/tea.yaml");
    CHECK(workflow_of(all, "broken")["startable"] == false);
    CHECK(workflow_of(all, "feature").is_null());  // the program's own are not the project's
  }
  fs::remove_all(workflows(project) / "broken");
  const Ended sound = project.run({"validate"});
  CHECK(sound.code == 0);
  CHECK(contains(sound.out, "2 workflows, all can be started\n"));
}

TEST_CASE("validate: the program's own workflows by their name") {
  const Project project;
  for (const auto& one : phasegate::phases::builtin_workflows()) {
    const Json json = project.run_json({"validate", std::string(one.id), "--strict", "--json"});
    CHECK(json["workflows"][0]["path"] == "built-in/" + std::string(one.id));
    CHECK(json["workflows"][0]["errors"] == 0);
  }
}

TEST_CASE("validate: a path wins over a name, and what is neither says what is near") {
  const Project project;
  write_file(project.root() / "feature/metadata.json", "{}");
  CHECK(project.run_json({"validate", "feature", "--json"}, 1)["workflows"][0]["path"] ==
        "feature");
  const Ended near = project.run({"validate", "two_stpes"});
  CHECK(near.code == 1);
  CHECK(contains(near.err, "Did you mean `two_steps`?"));
  CHECK(contains(project.run({"validate", "zzzzzzzz"}).err, "phasegate workflows"));
  CHECK(contains(project.run({"validate", "no/such/path"}).err, "does not exist"));
  CHECK(contains(project.run({"validate", ".phasegate"}).err, "holds no workflow"));
  CHECK(contains(project.run({"validate", "/dev/null"}).err, "neither a file nor a folder"));
  CHECK(project.run({"validate", "../x"}).code == 1);

  fs::remove_all(project.root() / ".phasegate");
  const Ended none = project.run({"validate"});
  CHECK(none.code == 1);
  CHECK(contains(none.err, "This project has no workflow of its own."));
  CHECK(contains(none.err, "phasegate new NAME"));
}

TEST_CASE("validate --strict: warnings are exit code 1, too, and only then") {
  const Project project;
  fs::remove_all(workflows(project) / "broken");
  write_file(workflows(project) / "two_steps/phases/0/task-9-old.md", "# Old\n");
  const Ended lenient = project.run({"validate", "two_steps"});
  CHECK(lenient.code == 0);
  CHECK(contains(lenient.out, "1 warning"));
  const Ended strict = project.run({"validate", "two_steps", "--strict"});
  CHECK(strict.code == 1);
  CHECK(contains(strict.out, "--fail-on warning: 1 warning counted as errors\n"));
  CHECK(project.run_json({"validate", "two_steps", "--strict", "--json"}, 1)["ok"] == false);
  CHECK(project.run({"validate", "two_steps", "--fail-on", "warning"}).out == strict.out);
  CHECK(project.run({"validate", "two_steps", "--fail-on=error"}).code == 0);
  CHECK(project.run({"validate", "two_steps", "--fail-on=error", "--strict"}).code == 2);
  CHECK(project.run({"validate", "two_steps", "--fail-on", "note"}).code == 2);
  CHECK(project.run_json({"validate", "two_steps", "--json"})["ok"] == true);
}

TEST_CASE("validate: a workflow that is hidden by another one is said") {
  const Project project;
  write_file(workflows(project) / "feature.yaml", native("feature"));
  const Ended ended = project.run({"workflows"});
  CHECK(contains(ended.out, "feature"));
  CHECK(contains(ended.out, "replaces the built-in"));
}

TEST_CASE("new: what it makes can be started as it is, under any name, and hides what it says") {
  const Project project;
  fs::remove_all(workflows(project));
  for (const char* name : {"mine", "123", "true", "a.b-c_d"}) {
    CAPTURE(name);
    CHECK(project.run({"new", name}).code == 0);
    const Json json = project.run_json({"validate", name, "--strict", "--json"});
    CHECK(json["workflows"][0]["id"] == name);
    CHECK(json["workflows"][0]["findings"].empty());
  }
  for (const auto& one : phasegate::phases::builtin_workflows()) {
    const std::string name = "my-" + std::string(one.id);
    CHECK(project.run({"new", name, "--from", std::string(one.id)}).code == 0);
    CHECK(project.run({"validate", name, "--strict"}).code == 0);
  }
  const Ended hiding = project.run({"new", "feature", "--from", "feature"});
  CHECK(contains(hiding.out, "It hides the program's own workflow feature"));
  CHECK(project.run_json({"new", "review", "--json"})["hides"] == "built-in");
}

TEST_CASE("new: a workflow that another place hides at once is said") {
  const Project project;
  write_file(project.root() / "flows/mine.yaml", native("mine"));
  const Ended ended = project.run({"new", "mine", "--workflows", "flows"});
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "It is not used as long as flows holds a workflow of this name"));
}

TEST_CASE("hostile: words of 900 KB end soon, shortened, whatever shows them") {
  const Project project;
  const std::string word(900'000, 'w');
  const std::string begin = "workflow: tea\n";
  const std::string step = "steps:\n  - id: boil\n    instructions: Boil.\n";
  const std::string field = "    evidence:\n      cups: {type: string, ";
  struct Row {
    const char* name;
    std::string text;
  };
  for (const Row& row : std::vector<Row>{
           {"tea.yaml", begin + "complete_message: " + word + "\n" + step + "    gate: none\n"},
           {"tea.yaml", begin + "version: " + word + "\n" + step + "    gate: none\n"},
           {"tea.yaml", begin + "title: " + word + "\n" + step + "    gate: none\n"},
           {"tea.yaml", begin + word + ": 1\n" + step + "    gate: none\n"},
           {"tea.yaml", begin + step + field + "const: " + word + "}\n"},
           {"tea.yaml", begin + step + field + "enum: [a, " + word + "]}\n"},
           {"tea.yaml", begin + "title: {\"" + word + "\": [1, 2\n" + step},
           {"tea.json", "{\"workflow\": \"tea\", \"title\": \"" + word + "\x01\"}"},
           {"tea.json", "{\"workflow\": \"tea\", " + word + "}"},
       }) {
    CAPTURE(row.text.substr(0, 40));
    write_file(workflows(project) / row.name, row.text);
    for (const char* command : {"validate", "workflows", "doctor"}) {
      CAPTURE(std::string(command));
      const Ended ended = project.run({command});
      CHECK(contains(ended.out, std::string_view(command) == "doctor" ? "built-in" : "tea"));
      CHECK(ended.out.size() < 60'000);
    }
    fs::remove(workflows(project) / row.name);
  }
}

namespace {

std::string with_check(const std::string& check) {
  return "workflow: mine\nsteps:\n  - id: a\n    instructions: Do it.\n    checks:\n      - " +
         check + "\n";
}

}  // namespace

TEST_CASE("validate: the project's own file is read with the workflows, and its errors shown") {
  const Project project;
  project.be_sound();
  const fs::path file = project.root() / ".phasegate" / "project.yaml";
  write_file(workflows(project) / "mine.yaml", with_check("command: {project: test}"));
  write_file(workflows(project) / "tea.yaml", kNative);
  write_file(file,
             "commands:\n"
             "  test: python3 -m unittest\n"
             "  lint: {argv: [make], timout: 3s}\n"
             "  build: {cmd: [make]}\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"validate"}, {"validate", "mine"}}) {
    const Ended ended = project.run(words);
    CAPTURE(ended.out);
    CHECK(ended.code == 1);
    CHECK(contains(ended.out, "error .phasegate/project.yaml:2:"));
    CHECK(contains(ended.out, "write [python3, -m, unittest], or for a shell {shell: true,"));
    CHECK(contains(ended.out, "error .phasegate/project.yaml:3:"));
    CHECK(contains(ended.out, "did you mean timeout?"));
    CHECK(contains(ended.out, "did you mean argv?"));
    CHECK(contains(ended.out, "    2 |   test: python3 -m unittest\n"));
    CHECK(contains(ended.out, "its checks take from .phasegate/project.yaml, which has errors"));
  }
  // A workflow that takes nothing from it has nothing to do with it.
  CHECK(project.run({"validate", "tea"}).code == 0);
  const Json all = project.run_json({"validate", "--json"}, 1);
  CHECK(all["ok"] == false);
  bool told = false;
  for (const Json& finding : all["findings"]) told = told || finding["code"] == "wrong_type";
  CHECK(told);

  write_file(file, "commands: [\n");
  CHECK(project.run({"validate"}).code == 1);
  const Ended doctor = project.run({"doctor"});
  CAPTURE(doctor.out);
  CHECK(doctor.code == 1);
  CHECK(contains(doctor.out, "problem  project"));
  CHECK(contains(doctor.out, ".phasegate/project.yaml:"));

  write_file(file, "commands: {test: [make, test]}\n");
  const Ended sound = project.run({"validate"});
  CAPTURE(sound.out);
  CHECK(sound.code == 0);
  CHECK_FALSE(contains(sound.out, "project.yaml"));
  CHECK(contains(project.run({"doctor"}).out, ".phasegate/project.yaml: 1 command (test)"));
}

TEST_CASE("validate: a file that is nearly the project's is not ignored silently") {
  const Project project;
  project.be_sound();
  write_file(project.root() / ".phasegate" / "project.yml", "commands: {test: [make]}\n");
  const Ended ended = project.run({"validate"});
  CAPTURE(ended.out);
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "\".phasegate/project.yml\" is not read"));
  CHECK(project.run({"validate", "--fail-on", "warning"}).code == 1);
  CHECK(contains(project.run({"doctor"}).out, "is not read"));
}

TEST_CASE("validate: a check that cannot pass in this project is an error") {
  const Project project;
  project.be_sound();
  write_file(workflows(project) / "mine.yaml", with_check("command: {project: tset}"));
  const Ended without = project.run({"validate", "mine"});
  CAPTURE(without.out);
  CHECK(without.code == 0);
  CHECK(contains(without.out, "warning .phasegate/workflows/mine.yaml:6 unknown_command"));
  write_file(project.root() / ".phasegate" / "project.yaml", "commands: {test: [make]}\n");
  const Ended ended = project.run({"validate", "mine"});
  CAPTURE(ended.out);
  CHECK(ended.code == 1);
  CHECK(contains(ended.out, "error .phasegate/workflows/mine.yaml:6 unknown_command"));
  CHECK(contains(ended.out, "did you mean test?"));
  // And nobody starts or trusts it; a person is told what a person can do.
  const auto answers =
      project.call({{"start_workflow", Json{{"workflow_type", "mine"}, {"target_file", "x"}}}});
  REQUIRE(answers.size() == 1);
  const std::string answer = phasegate::base::dump(answers[0]);
  CAPTURE(answer);
  CHECK(contains(answer, "missing_command"));
  CHECK(contains(answer, "nothing was started; the project has no command"));
  const Ended trust = project.run({"trust", "mine"});
  CAPTURE(trust.err);
  CHECK(trust.code == 1);
  CHECK(contains(trust.err, "the nearest is \"test\""));
  CHECK_FALSE(contains(trust.err, "ask the person"));
  CHECK_FALSE(contains(trust.err, "nothing was started"));
  write_file(project.root() / ".phasegate" / "project.yaml", "commands: {test: make, b: c}\n");
  const Ended broken = project.run({"trust", "mine"});
  CAPTURE(broken.err);
  CHECK(broken.code == 1);
  CHECK(contains(broken.err, "write [make]"));
  CHECK(contains(broken.err, "write [c]"));
  CHECK_FALSE(contains(broken.err, "ask the person"));
}
