#include "phases/native/reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/phases/native/fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::findings_of;
using phasegate::test::flow;
using phasegate::test::has;
using phasegate::test::native;
using phasegate::test::step;
using phasegate::test::TempFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* kWhole = R"(workflow: tidy
version: 1.10
title: Tidy up
description: Leave it cleaner
outline: titles
passages: on_refusal
complete_message: Clean.
dialect: native
defaults: {by: assistant}
start: look
input:
  type: object
  required: [room]
  additionalProperties: false
  properties:
    room: {type: string, minLength: 2, description: Which room}
    quick: boolean
steps:
  - id: look
    title: Look around
    purpose: Know the mess
    kind: task
    by: assistant
    instructions: |
      See what lies about.
      - List it.
    tasks:
      - {name: Floor, instructions: Look at the floor}
      - {name: Shelf, instructions: Look at the shelf}
    evidence:
      things: {type: array, min_items: 1, items: {type: string, minLength: 3}, example: [a sock]}
      count: {type: integer, minimum: 1}
    next: put-away
  - id: put-away
    instructions: Put it away
    gate: none
    evidence:
      note: {type: string, required: false}
    next: null
)";

std::string message_of(const LoadedWorkflow& loaded, std::string_view code) {
  const auto found = findings_of(loaded, code);
  return found.empty() ? "" : found.front().message + " – " + found.front().hint;
}

}  // namespace

TEST_CASE("native file: everything that it says is in the model") {
  const LoadedWorkflow got = native(kWhole, "tidy.yaml");
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  CHECK(got.findings.empty());
  const Workflow& workflow = got.workflow;
  CHECK(workflow.id == "tidy");
  CHECK(workflow.aliases.empty());
  CHECK(workflow.version == "1.10");
  CHECK(workflow.title == "Tidy up");
  CHECK(workflow.description == "Leave it cleaner");
  CHECK(workflow.outline);
  CHECK(workflow.passages_on_refusal);
  CHECK(workflow.complete_message == "Clean.");
  CHECK(workflow.input_closed);
  REQUIRE(workflow.input.size() == 2);
  CHECK(workflow.input[0].required);
  CHECK(workflow.input[0].min_length == 2);
  CHECK_FALSE(workflow.input[1].required);
  CHECK(workflow.input[1].false_allowed);

  REQUIRE(workflow.phases.size() == 2);
  const Phase& look = workflow.phases[0];
  CHECK(look.title == "Look around");
  CHECK(look.purpose == "Know the mess");
  CHECK(look.file == "tidy.yaml#look");
  CHECK(look.source == Source{"tidy.yaml", 19, 0, 0});
  REQUIRE(look.tasks.size() == 2);
  CHECK(look.tasks[1].number == "2");
  CHECK(look.tasks[1].name == "Shelf");
  CHECK(look.tasks[1].file == "tidy.yaml#look/2");
  const Requirement& things = look.gate.requirements[0];
  CHECK(things.kind == RequirementSource::native);
  CHECK(things.source == Source{"tidy.yaml", 31, 0, 0});
  CHECK(things.items->min_length == 3);
  CHECK(things.example == "[\"a sock\"]");
  CHECK_FALSE(look.gate.none);
  const Phase& put_away = workflow.phases[1];
  CHECK(put_away.title == "put-away");
  CHECK(put_away.gate.none);
  CHECK_FALSE(put_away.gate.requirements[0].required);
}

TEST_CASE("native file: the same in JSON is the same workflow") {
  const std::string json = R"({"workflow": "w", "version": 2, "steps": [
  {"id": "a", "instructions": "smile \ud83d\ude00", "evidence": {"s": {"type": "string"}}}]})";
  const std::string yaml =
      "workflow: w\nversion: 2\nsteps:\n  - id: a\n    instructions: \"smile \xF0\x9F\x98\x80\"\n"
      "    evidence: {s: {type: string}}\n";
  const LoadedWorkflow from_json = native(json, "w.json");
  const LoadedWorkflow from_yaml = native(yaml);
  REQUIRE_MESSAGE(from_json.startable(), all_findings(from_json));
  const Document& one = from_json.workflow.documents.at("w.json#a");
  CHECK(one.hash == from_yaml.workflow.documents.at("w.yaml#a").hash);
  CHECK(from_json.workflow.version == from_yaml.workflow.version);
  CHECK(from_json.workflow.phases[0].source.line == 2);
  CHECK(from_json.content_hash != from_yaml.content_hash);
}

TEST_CASE("native file: defaults for what is not said") {
  const LoadedWorkflow got = native(flow());
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  CHECK(got.workflow.title == "w");
  CHECK(got.workflow.version.empty());
  CHECK_FALSE(got.workflow.outline);
  CHECK_FALSE(got.workflow.input_closed);
  CHECK(got.workflow.complete_message ==
        "The workflow \"w\" is complete: its only phase has passed the gate.");
  CHECK(got.workflow.phases[0].title == "a");
}

TEST_CASE("native file: another name is an alias") {
  const LoadedWorkflow got = native(flow(), "other.yaml");
  CHECK(got.startable());
  CHECK(got.workflow.id == "other");
  CHECK(got.workflow.aliases == std::vector<std::string>{"w"});
  CHECK(message_of(got, "name_differs").find("\"other\"") != std::string::npos);
}

TEST_CASE("native file: yes, no, on and off are texts, and ids may be numbers") {
  const LoadedWorkflow got = native(
      "workflow: w\ntitle: yes\nsteps:\n  - {id: 1, title: off, instructions: on, gate: none}\n"
      "  - {id: \"2\", instructions: no, gate: none}\n");
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  CHECK(got.workflow.title == "yes");
  CHECK(got.workflow.phases[0].id == "1");
  CHECK(got.workflow.phases[0].title == "off");
  CHECK(got.workflow.phases[1].id == "2");
}

TEST_CASE("native file: every problem is an error where it stands") {
  struct Case {
    std::string text;
    std::vector<std::string> wanted;
  };
  const std::string evidence = "    evidence: {s: string}\n";
  const Case cases[] = {
      {"", {"empty_file 1:1"}},
      {"# only a comment\n", {"empty_file 1:1"}},
      {"just a text\n", {"wrong_type 1:1"}},
      {"- a\n", {"wrong_type 1:1"}},
      {"workflow: w\n", {"missing_key 1:1"}},
      {"steps:\n" + step("a"), {"missing_key 1:1"}},
      {"workflow: 5\nsteps:\n" + step("a"), {"wrong_type 1:11"}},
      {"workflow: a/b\nsteps:\n" + step("a"), {"unusable_name 1:11"}},
      {"workflow: w\nsteps: {a: 1}\n", {"wrong_type 2:8"}},
      {"workflow: w\nsteps: []\n", {"wrong_type 2:8"}},
      {"workflow: w\nsteps:\n", {"wrong_type 2:1"}},
      {flow("title: [a]\nversion: true\ndescription: 3\ncomplete_message: {a: 1}\n"),
       {"wrong_type 2:8", "wrong_type 3:10", "wrong_type 4:14", "wrong_type 5:19"}},
      {flow("outline: Titles\n"), {"unknown_value 2:10"}},
      {flow("passages: always\n"), {"unknown_value 2:11"}},
      {flow("dialect: openclaw\n"), {"unknown_value 2:10"}},
      {flow("defaults: {bye: assistant}\n"), {"unknown_key 2:12"}},
      {flow("defaults: assistant\n"), {"wrong_type 2:11"}},
      {flow("start: b\n"), {"unknown_step 2:8"}},
      {flow("titel: x\nstpes: []\nzzzz: 1\n"),
       {"unknown_key 2:1", "unknown_key 3:1", "unknown_key 4:1"}},
      {flow("", "  - text\n"), {"wrong_type 3:5"}},
      {flow("", "  - instructions: x\n" + evidence), {"missing_key 3:5"}},
      {flow("", "  - id: a b\n    instructions: x\n" + evidence), {"invalid_id 3:9"}},
      {flow("", "  - id: a/b\n    instructions: x\n" + evidence), {"invalid_id 3:9"}},
      {flow("", "  - id: 1.5e3\n    instructions: x\n" + evidence), {"invalid_id 3:9"}},
      {flow("", "  - id: true\n    instructions: x\n" + evidence), {"invalid_id 3:9"}},
      {flow("", "  - id: " + std::string(65, 'a') + "\n    instructions: x\n" + evidence),
       {"invalid_id 3:9"}},
      {flow("", step("a") + step("b") + step("a")), {"duplicate_step 9:9"}},
      {flow("", "  - id: a\n" + evidence), {"missing_key 3:5"}},
      {flow("", "  - id: a\n    instructions: \"  \\n\"\n" + evidence), {"empty_text 4:19"}},
      {flow("", "  - id: a\n    instructions:\n" + evidence), {"wrong_type 4:5"}},
      {flow("", "  - id: a\n    instructions: 3\n" + evidence), {"wrong_type 4:19"}},
      {flow("", "  - id: a\n    instructions: {file: x.md}\n" + evidence),
       {"file_needs_folder 4:26"}},
      {flow("", "  - id: a\n    instructions: {fiel: x.md}\n" + evidence),
       {"wrong_type 4:19", "unknown_key 4:20"}},
      {flow("", step("a", evidence + "    tasks: x\n")), {"wrong_type 6:12"}},
      {flow("", step("a", evidence + "    tasks: [x, {}, {name: n, instructions: i, nmae: 1}]\n")),
       {"wrong_type 6:13", "missing_key 6:16", "missing_key 6:16", "unknown_key 6:47"}},
      {flow("", step("a", "    gate: open\n")), {"unknown_value 5:11"}},
      {flow("", step("a", "    gate: [none]\n")), {"wrong_type 5:11"}},
      {flow("", step("a", evidence + "    gate: none\n")), {"contradicting_gate 6:11"}},
      {flow("", step("a", "    title: x\n")), {"gate_requires_nothing 3:5"}},
      {flow("", step("a", "    evidence: {}\n")), {"gate_requires_nothing 3:5"}},
      {flow("", step("a", "    evidence: {s: {type: string, required: false}}\n")),
       {"gate_requires_nothing 3:5"}},
      {flow("", step("a", evidence + "    kind: tsak\n")), {"unknown_value 6:11"}},
      {flow("", step("a", evidence + "    next: c\n") + step("b")), {"unknown_step 6:11"}},
      {flow("", step("a", evidence + "    next: {goto: b}\n") + step("b")), {"wrong_type 6:11"}},
      {flow("", step("a", evidence + "    evidense: 1\n")), {"unknown_key 6:5"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const LoadedWorkflow got = native(c.text);
    CHECK_FALSE(got.startable());
    CHECK_MESSAGE(errors_of(got) == c.wanted, all_findings(got));
  }
}

TEST_CASE("native file: messages name what came, where it was first, and the nearest right key") {
  struct Case {
    std::string text;
    const char* code;
    const char* says;
  };
  const Case cases[] = {
      {flow("titel: x\n"), "unknown_key", "did you mean title?"},
      {flow("", step("a", "    evidense: {}\n")), "unknown_key", "did you mean evidence?"},
      {flow("", step("a") + step("a")), "duplicate_step", "first in line 3"},
      {flow("", step("create") + step("b", "    gate: none\n    next: craete\n")), "unknown_step",
       "did you mean create?"},
      {flow("title: 5\n"), "wrong_type", "title must be a text, got the number 5 – write it in "},
      {flow("outline: Titles\n"), "unknown_value", "did you mean titles?"},
      {flow("", step("a", "    gate: none\n    evidence: {s: string}\n")), "contradicting_gate",
       "requires \"s\" at w.yaml:6"},
      {flow("", "  - id: a\n    instructions: {file: x.md}\n    gate: none\n"), "file_needs_folder",
       "make it a folder w that holds workflow.yaml"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const LoadedWorkflow got = native(c.text);
    CHECK_MESSAGE(message_of(got, c.code).find(c.says) != std::string::npos, all_findings(got));
  }
}

TEST_CASE("native file: many unknown keys in one map are counted, not all listed") {
  std::string top;
  for (int i = 0; i < 500; ++i) top += "key" + std::to_string(i) + ": 1\n";
  const LoadedWorkflow got = native(flow(top));
  const auto found = findings_of(got, "unknown_key");
  CHECK(found.size() == 21);
  CHECK(found.front().message.find("500 keys") != std::string::npos);
}

TEST_CASE("native file: limits on steps, tasks, inputs and evidence are errors that name them") {
  const auto many = [](std::size_t count, const auto& one) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += one(std::to_string(i));
    return all;
  };
  const auto steps = [&](std::size_t count) {
    return flow("", many(count, [](const std::string& i) {
                  return "  - {id: s" + i + ", instructions: x, gate: none}\n";
                }));
  };
  CHECK(native(steps(1000)).startable());
  CHECK(native(steps(1000)).workflow.phases.size() == 1000);
  CHECK(message_of(native(steps(1001)), "too_many_steps").find("1000") != std::string::npos);
  CHECK(has(native(steps(10'000)), "too_many_steps"));
  const auto fields = [&](std::size_t count) {
    return flow("", step("a", "    evidence:\n" + many(count, [](const std::string& i) {
                                return "      f" + i + ": string\n";
                              })));
  };
  CHECK(native(fields(64)).startable());
  CHECK(message_of(native(fields(65)), "too_many_requirements").find("64") != std::string::npos);
  const auto inputs = [&](std::size_t count) {
    return flow("input:\n  properties:\n" +
                many(count, [](const std::string& i) { return "    f" + i + ": string\n"; }));
  };
  CHECK(native(inputs(64)).startable());
  CHECK(message_of(native(inputs(65)), "too_many_inputs").find("64") != std::string::npos);
  const auto tasks = [&](std::size_t count) {
    return flow("", step("a", "    gate: none\n    tasks:\n" + many(count, [](const std::string&) {
                                return "      - {name: n, instructions: i}\n";
                              })));
  };
  CHECK(native(tasks(1000)).startable());
  CHECK(message_of(native(tasks(1001)), "too_many_tasks").find("1000") != std::string::npos);
}

TEST_CASE("native file: long titles are shortened, templates are handed out as written") {
  const std::string evidence = "    evidence: {s: string}\n";
  const LoadedWorkflow got =
      native(flow("", step("a", evidence + "    title: " + std::string(400, 't') + "\n") +
                          "  - id: b\n    instructions: See {{input.text}}\n" + evidence +
                          "    tasks: [{name: n, instructions: \"{{x}}\"}]\n"));
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  CHECK(got.workflow.phases[0].title.size() <= 300);
  CHECK(has(got, "text_shortened"));
  const auto found = findings_of(got, "template_not_expanded");
  REQUIRE(found.size() == 2);
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].source == Source{"w.yaml", 8, 0, 19});
  CHECK(found[0].message.find("{{input.text}}") != std::string::npos);
  CHECK(found[1].phase == "b");
}

TEST_CASE("invariant 1: every text of the file belongs to its step, and the file is never shown") {
  const LoadedWorkflow got = native(kWhole, "tidy.yaml");
  const auto& documents = got.workflow.documents;
  CHECK(documents.size() == 5);
  CHECK(documents.at("tidy.yaml").withheld);
  CHECK(documents.at("tidy.yaml#look").phase == "look");
  CHECK(documents.at("tidy.yaml#look/1").phase == "look");
  CHECK(documents.at("tidy.yaml#look/2").phase == "look");
  CHECK(documents.at("tidy.yaml#put-away").phase == "put-away");
  for (const auto& [path, document] : documents) {
    CAPTURE(path);
    CHECK(document.path == path);
    CHECK(got.blobs.at(document.hash).size() == document.bytes);
    CHECK(document.withheld == (path == "tidy.yaml"));
  }
  CHECK(got.blobs.at(documents.at("tidy.yaml#look").hash) == "See what lies about.\n- List it.\n");
}

TEST_CASE("native file: a step that rests on booleans alone is advised to ask for more") {
  const auto advised = [](const std::string& evidence) {
    return has(native(flow("", step("a", "    evidence: " + evidence + "\n"))), "only_booleans");
  };
  CHECK(advised("{done: boolean}"));
  CHECK(advised("{done: boolean, sure: {type: boolean, required: false}}"));
  CHECK_FALSE(advised("{done: boolean, where: string}"));
  CHECK_FALSE(advised("{done: boolean, where: {type: string, required: false}}"));
  CHECK_FALSE(advised("{done: {type: boolean, required: false}}"));
}

TEST_CASE("native file: the content hash follows the content") {
  const auto hash = [](const std::string& text) { return native(text).content_hash; };
  CHECK(hash(flow()) == hash(flow()));
  CHECK(hash(flow()) != hash(flow("title: x\n")));
  CHECK(hash(flow("", step("a"))) != hash(flow("", step("b"))));
}

TEST_CASE("native file: reading from disk") {
  const TempFolder place;
  place.write("w.yaml", flow());
  place.write("w.schema.json", "{}");
  place.write("folder.yaml/x", "");
  place.write("big.yaml", std::string(5'000'000, '#'));
  place.write("other/secret.yaml", flow());
  fs::create_symlink(place.path() / "other/secret.yaml", place.path() / "inner.yaml");
  fs::create_directory(place.path() / "below");
  fs::create_symlink(place.path() / "w.yaml", place.path() / "below/outer.yaml");
  fs::create_symlink(place.path() / "nothing", place.path() / "broken.yaml");

  CHECK(read_native_file(place.path() / "w.yaml").startable());
  CHECK(read_native_file(place.path() / "inner.yaml").workflow.id == "inner");
  struct Case {
    const char* path;
    const char* says;
  };
  const Case cases[] = {
      {"none.yaml", "does not exist"},     {"folder.yaml", "not a regular file"},
      {"big.yaml", "larger than 1048576"}, {"below/outer.yaml", "leads out of its folder"},
      {"broken.yaml", "does not exist"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.path);
    const LoadedWorkflow got = read_native_file(place.path() / c.path);
    CHECK(errors_of(got) == std::vector<std::string>{"unreadable_file 0:0"});
    CHECK(message_of(got, "unreadable_file").find(c.says) != std::string::npos);
    CHECK(message_of(got, "unreadable_file").find(place.path().string()) == std::string::npos);
    CHECK(got.workflow.phases.empty());
  }
}

TEST_CASE("bad input: a native file cut or changed anywhere is what it says or is refused") {
  const LoadedWorkflow whole = native(kWhole, "tidy.yaml");
  const std::string text = kWhole;
  std::size_t startable = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const LoadedWorkflow got = native(text.substr(0, at), "tidy.yaml");
    if (!got.startable()) continue;
    ++startable;
    // What is left is YAML, so it is what it says: each step whose id stands there is a phase.
    std::size_t steps = 0;
    for (std::size_t from = 0; from < at; from = text.find("\n  - id: ", from + 1)) {
      if (from > 0 && from + 9 < at) ++steps;
    }
    if (got.workflow.phases.size() != steps) FAIL_CHECK(text.substr(0, at));
    for (std::size_t i = 0; i < got.workflow.phases.size(); ++i) {
      if (got.workflow.phases[i].file.empty()) FAIL_CHECK(text.substr(0, at));
    }
  }
  CHECK(startable > 10);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char c : {'\0', '\xff', '\t', '\n', '*', '{', '"'}) {
      std::string changed = text;
      changed[at] = c;
      const LoadedWorkflow got = native(changed, "tidy.yaml");
      if (got.startable() && got.workflow.phases.empty()) FAIL_CHECK(changed);
    }
  }
  CHECK(whole.startable());
}

TEST_CASE("bad input: a native JSON file cut anywhere is refused") {
  const std::string text = R"({"workflow": "w", "steps": [
  {"id": "a", "instructions": "x", "evidence": {"s": {"type": "string"}}},
  {"id": "b", "instructions": "y", "gate": "none"}]})";
  REQUIRE(native(text, "w.json").startable());
  for (std::size_t at = 0; at < text.size(); ++at) {
    CHECK_FALSE(native(text.substr(0, at), "w.json").startable());
  }
}
