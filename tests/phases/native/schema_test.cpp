// docs/workflow.schema.json is kept by hand, for editors. Here it is kept in step with the reader:
// the same keys in both, what the reader takes is valid, what it refuses for its shape is not. The
// schema is evaluated by a small evaluator of this file that knows just the words the schema uses
// and fails on any other; what gating/json_schema knows is not enough for it ($ref, anyOf).
#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/text.h"
#include "phases/builtin.h"
#include "phases/check.h"
#include "phases/native/keys.h"
#include "phases/yaml_node.h"
#include "tests/phases/native/fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::base::Json;
using phasegate::test::errors_of;
using phasegate::test::flow;
using phasegate::test::native;
using phasegate::test::step;
namespace base = phasegate::base;

namespace {

const Json& schema() {
  static const Json kSchema = [] {
    const std::string text =
        phasegate::test::read_file(phasegate::test::source_folder() / "docs/workflow.schema.json");
    const auto parsed = base::parse_json(text, {1U << 20U, 64});
    REQUIRE(parsed.ok());
    return *parsed;
  }();
  return kSchema;
}

Json json_of(const YamlNode& node) {
  if (node.is_null()) return nullptr;
  if (node.kind == YamlNode::Kind::sequence) {
    Json list = Json::array();
    for (const YamlNode& item : node.items) list.push_back(json_of(item));
    return list;
  }
  if (node.kind == YamlNode::Kind::map) {
    Json map = Json::object();
    for (const auto& member : node.members) map[member.name] = json_of(member.value);
    return map;
  }
  if (!node.quoted) {
    const auto parsed = base::parse_json(node.scalar, {1000, 2});
    if (parsed && (parsed->is_number() || parsed->is_boolean())) return *parsed;
  }
  return node.scalar;
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "number") return value.is_number();
  return base::json_type_name(value) == type;
}

bool is_valid(const Json& value, const Json& rules);

bool are_members_valid(const Json& value, const Json& rules) {
  const Json* known = base::find_member(rules, "properties");
  const Json* others = base::find_member(rules, "additionalProperties");
  const Json* names = base::find_member(rules, "propertyNames");
  for (const auto& [name, member] : value.items()) {
    if (names != nullptr && !is_valid(Json(name), *names)) return false;
    const Json* its = known == nullptr ? nullptr : base::find_member(*known, name);
    if (its == nullptr) its = others;
    if (its == nullptr) continue;
    if (its->is_boolean() ? !its->get<bool>() : !is_valid(member, *its)) return false;
  }
  return true;
}

/// Words that say nothing about a value, and those that are looked at together with another.
const std::set<std::string> kSilent = {"$schema",     "title",      "description",  "default",
                                       "definitions", "properties", "propertyNames"};

bool holds(const std::string& word, const Json& rule, const Json& value, const Json& rules) {
  if (word == "$ref") {
    const std::string name = rule.get<std::string>().substr(std::string("#/definitions/").size());
    return is_valid(value, schema().at("definitions").at(name));
  }
  if (word == "anyOf") {
    return std::any_of(rule.begin(), rule.end(),
                       [&](const Json& one) { return is_valid(value, one); });
  }
  if (word == "not") return !is_valid(value, rule);
  if (word == "type") {
    if (rule.is_string()) return has_type(value, rule.get<std::string>());
    return std::any_of(rule.begin(), rule.end(),
                       [&](const Json& one) { return has_type(value, one.get<std::string>()); });
  }
  if (word == "enum") return std::find(rule.begin(), rule.end(), value) != rule.end();
  if (word == "required") {
    return !value.is_object() || std::all_of(rule.begin(), rule.end(), [&](const Json& name) {
      return value.contains(name.get<std::string>());
    });
  }
  if (word == "additionalProperties") return !value.is_object() || are_members_valid(value, rules);
  if (word == "items") {
    return !value.is_array() || std::all_of(value.begin(), value.end(),
                                            [&](const Json& item) { return is_valid(item, rule); });
  }
  const double size = value.is_string()
                          ? static_cast<double>(base::utf8_length(value.get<std::string>()))
                      : value.is_number() ? value.get<double>()
                                          : static_cast<double>(value.size());
  if (word == "minItems") return !value.is_array() || size >= rule.get<double>();
  if (word == "maxItems") return !value.is_array() || size <= rule.get<double>();
  if (word == "maxProperties") return !value.is_object() || size <= rule.get<double>();
  if (word == "minLength") return !value.is_string() || size >= rule.get<double>();
  if (word == "maxLength") return !value.is_string() || size <= rule.get<double>();
  if (word == "minimum") return !value.is_number() || size >= rule.get<double>();
  if (word == "maximum") return !value.is_number() || size <= rule.get<double>();
  if (word == "pattern") {
    if (!value.is_string()) return true;
    return std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
  }
  FAIL("the schema uses the word " << word << ", which this test does not know");
  return false;
}

bool is_valid(const Json& value, const Json& rules) {
  for (const auto& [word, rule] : rules.items()) {
    if (!kSilent.contains(word) && !holds(word, rule, value, rules)) return false;
  }
  return true;
}

bool is_valid_yaml(const std::string& text) {
  const auto root = parse_native_yaml(text);
  REQUIRE(root.ok());
  return is_valid(json_of(*root), schema());
}

std::set<std::string> keys_at(const Json& map) {
  std::set<std::string> keys;
  for (const auto& [name, rules] : map.at("properties").items()) keys.insert(name);
  CHECK(map.at("additionalProperties") == Json(false));
  return keys;
}

std::set<std::string> read_by(const NativeKeys& keys) {
  return {keys.read.begin(), keys.read.end()};
}

std::set<std::string> words_at(const Json& rules) {
  std::set<std::string> words;
  for (const Json& word : rules.at("enum")) words.insert(word.get<std::string>());
  return words;
}

}  // namespace

TEST_CASE("workflow.schema.json: the same keys and words as the reader") {
  const Json& definitions = schema().at("definitions");
  CHECK(keys_at(schema()) == read_by(native_workflow_keys()));
  CHECK(keys_at(schema().at("properties").at("defaults")) == read_by(native_defaults_keys()));
  // Both kinds of steps together have the keys, and the reader says which stand in which.
  const Json& step_keys = definitions.at("step").at("properties");
  const Json& decision_keys = definitions.at("decision_step").at("properties");
  std::set<std::string> keys = keys_at(definitions.at("step"));
  keys.merge(keys_at(definitions.at("decision_step")));
  CHECK(keys == read_by(native_step_keys()));
  CHECK(keys_at(definitions.at("decision")) == read_by(native_decision_keys()));
  CHECK(keys_at(definitions.at("option")) == read_by(native_option_keys()));
  CHECK(keys_at(definitions.at("approvers")) == read_by(native_approvers_keys()));
  const Json& option_keys = definitions.at("option").at("properties");
  CHECK(words_at(option_keys.at("outcome")) == read_by(native_outcomes()));
  CHECK(words_at(option_keys.at("input")) == read_by(native_option_inputs()));
  CHECK(words_at(decision_keys.at("channel")) == read_by(native_channels()));
  CHECK(keys_at(definitions.at("task")) == read_by(native_task_keys()));
  CHECK(keys_at(definitions.at("file")) == read_by(native_text_keys()));
  CHECK(keys_at(definitions.at("evidence")) == read_by(native_evidence_keys()));
  CHECK(keys_at(definitions.at("adopted")) == read_by(native_adopted_keys()));
  CHECK(keys_at(definitions.at("protect")) == read_by(native_protect_keys()));
  CHECK(keys_at(definitions.at("items")) == read_by(native_item_keys()));
  CHECK(keys_at(definitions.at("input")) == read_by(native_input_keys()));
  CHECK(keys_at(definitions.at("property")) == read_by(native_property_keys()));
  std::set<std::string> kinds = words_at(step_keys.at("kind"));
  kinds.merge(words_at(decision_keys.at("kind")));
  CHECK(kinds == read_by(native_kinds()));
  CHECK(words_at(schema().at("properties").at("dialect")) == read_by(native_dialects()));
  CHECK(words_at(schema().at("properties").at("outline")) == read_by(native_outlines()));
  for (const std::string& word : words_at(definitions.at("type"))) {
    CHECK_MESSAGE(value_type_from(word).has_value(), word);
  }
}

TEST_CASE("workflow.schema.json: every kind of check with its members") {
  const Json& definitions = schema().at("definitions");
  std::set<std::string> keys = {"name", "error", "cache"};
  for (int i = 0; i <= static_cast<int>(CheckKind::guard); ++i) {
    const auto kind = static_cast<CheckKind>(i);
    const std::string word(to_text(kind));
    CAPTURE(word);
    keys.insert(word);
    const Json& rules = definitions.at("check_" + word);
    std::set<std::string> members;
    std::set<std::string> required;
    for (const CheckMember& member : check_members(kind)) {
      members.emplace(member.name);
      if (member.required) required.emplace(member.name);
      if (member.words.empty()) continue;
      CHECK(words_at(rules.at("properties").at(std::string(member.name))) ==
            std::set<std::string>(member.words.begin(), member.words.end()));
    }
    CHECK(keys_at(rules) == members);
    const Json none = Json::array();
    const Json& written = rules.contains("required") ? rules.at("required") : none;
    CHECK(written.get<std::set<std::string>>() == required);
  }
  CHECK(keys_at(definitions.at("check")) == keys);
}

TEST_CASE("workflow.schema.json: every key is explained, for completion in editors") {
  const auto check = [](const Json& map, const std::string& where) {
    for (const auto& [name, rules] : map.at("properties").items()) {
      const bool by_reference = rules.contains("$ref");
      const Json& said =
          by_reference
              ? schema().at("definitions").at(rules.at("$ref").get<std::string>().substr(14))
              : rules;
      const bool plain = where == "input" && name == "type";
      CHECK_MESSAGE((plain || said.contains("description")), where << " " << name);
    }
  };
  check(schema(), "workflow");
  for (const auto& [name, rules] : schema().at("definitions").items()) {
    if (rules.contains("properties")) check(rules, name);
  }
}

TEST_CASE("workflow.schema.json: the built-in workflows are valid") {
  for (const BuiltinWorkflow& workflow : builtin_workflows()) {
    CAPTURE(workflow.id);
    CHECK(is_valid_yaml(std::string(workflow.text)));
  }
}

TEST_CASE("workflow.schema.json: takes and refuses what the reader takes and refuses") {
  const std::string evidence = "    evidence: {s: string}\n";
  const auto checked = [](const std::string& item) {
    return flow("", step("a", "    checks: [" + item + "]\n"));
  };
  const auto decided = [](const std::string& value) {
    return flow("", step("a", "    decision: " + value + "\n"));
  };
  const auto by_person = [](const std::string& members) {
    return flow("", step("a") + "  - {id: b, kind: decision" + members + "}\n");
  };
  const std::string good[] = {
      flow("checks:\nprotect:\n"),
      flow("checks: {saved: {file: a.txt}, isOdd: 'arg == 1'}\nprotect: [{sqlite: a.db}]\n"),
      checked("{file: a.txt, name: there, error: Not there}, evidence.a == 1"),
      checked("{file: {path: '{{input.a}}', matches: x, matches_all: evidence.l}}"),
      checked("{command: [make, test]}, {command: {shell: true, run: 'a | b', env: {A: x}}}"),
      checked("{command: {argv: [a], exit: [0, 2], timeout: 90s, inputs: a/**}, cache: inputs}"),
      checked("{tests: {project: test, if_missing: skip, fails_at: start, ratchet: [tests]}}"),
      checked("{tests: {argv: [a], junit: a.xml, coverage: c.xml, min_coverage: 80.5}}"),
      checked(
          "{json: {file: a.json, schema: {type: object}}}, {json: {evidence: a, that: 'true'}}"),
      checked("{sqlite: {db: a.db, query: SELECT 1, parameters: {a: x}, rows: 1}}"),
      checked("{git: clean}, {git: {changed: true, within: [a/**, b]}}"),
      checked("{count: {files: '*.c', at_least: 3, equals: evidence.n}}"),
      checked("{http: 'http://127.0.0.1/'}, {http: {url: 'https://a', status: [200, 204]}}"),
      checked("{expr: true}, {expr: {that: evidence.a}}"),
      checked("{tests: [a]}, {junit: a.xml}, {coverage: {report: c.xml, min: 80, of: branches}}"),
      checked("{protected: [tests/**]}, {protected: {project: true, additions: allowed}}"),
      flow("",
           step("a",
                "    evidence: {s: {type: boolean, check: file-1}}\n    checks: [{file: a}]\n")),
      decided("Is it good?"),
      decided("{prompt: 好吗, show: , approvers: , channel: approver, remind_after: 4h}"),
      decided("{prompt: Is it good, show: [run.id, input.a + 1], approvers: {role: QA, count: 2, "
              "not_submitter: true}}"),
      decided("{prompt: How is it, channel: client, options: [{label: Go, input: none}, {id: back, "
              "label: Back, goto: a, input: required}, {label: Stop, outcome: rejected}]}"),
      by_person(", prompt: Is it good"),
      by_person(", prompt: Is it good, title: B, purpose: c, instructions: Look, next: null, "
                "show: [s], options: [{label: Go}], channel: client, remind_after: 30m"),
      flow(),
      flow("version: 1\n"),
      flow("version: '1.0'\ntitle: yes\ndialect: native\noutline: titles\ndefaults: {by: "
           "assistant}\n"),
      flow("input: {type: object, required: [a], properties: {a: string, b: {type: boolean}}}\n"),
      flow("input:\ndefaults:\n"),
      flow("", "  - {id: 1, instructions: x, gate: none, next: null}\n"),
      flow("", step("a", evidence + "    tasks: [{name: n, instructions: i}]\n")),
      flow("",
           step("a", "    evidence: {l: {type: array, items: {type: string, minLength: 2}}}\n")),
      flow("", step("a", "    evidence: {n: {type: integer, exclusiveMinimum: 0, example: 5}}\n")),
      flow("", step("a", "    evidence: {n: {type: float, enum: [1, 2.5], artifact: false}}\n")),
      flow("", step("a", "    evidence: {n: {type: object, secret: true}}\n")),
  };
  for (const std::string& text : good) {
    CAPTURE(text);
    CHECK(errors_of(native(text)).empty());
    CHECK(is_valid_yaml(text));
  }
  const std::string bad[] = {
      "steps:\n" + step("a"),
      "workflow: w\n",
      "workflow: w\nsteps: []\n",
      "workflow: 3\nsteps:\n" + step("a"),
      flow("titel: x\n"),
      flow("title: 3\n"),
      flow("version: true\n"),
      flow("dialect: openfang\n"),
      flow("checks: []\n"),
      flow("checks: {a-b: 'true'}\n"),
      flow("checks: {a: {name: b, expr: 'true'}}\n"),
      flow("protect: {sqlite: a}\n"),
      flow("protect: [{backups: 3}]\n"),
      flow("protect: [{sqlite: a, backups: 0}]\n"),
      checked("{fil: a}"),
      checked("{error: a}"),
      checked("{file: {min_size: 1}}"),
      checked("{file: {path: a, min_sice: 1}}"),
      checked("{file: {path: a, min_size: -1}}"),
      checked("{file: {path: a, matches: ''}}"),
      checked("{file: a, cache: all}"),
      checked("{file: a, name: 'a b'}"),
      checked("{command: make test}"),
      checked("{command: []}"),
      checked("{command: {timeout: 3s}}"),
      checked("{command: {argv: [a], timeout: 3}}"),
      checked("{command: {argv: [a], timeout: 3 days}}"),
      checked("{command: {run: a}}"),
      checked("{command: {argv: [a], env: {A-B: x}}}"),
      checked("{command: {project: a, if_missing: ignore}}"),
      checked("{tests: {project: a, fails_at: beginning}}"),
      checked("{tests: {project: a, ratchet: [test]}}"),
      checked("{tests: {project: a, min_coverage: 101}}"),
      checked("{json: a.json}"),
      checked("{json: {file: a.json}}"),
      checked("{sqlite: {db: a}}"),
      checked("{git: {}}"),
      checked("{git: dirty}"),
      checked("{count: {pattern: a}}"),
      checked("{count: {files: a, equals: ''}}"),
      checked("{http: 'ftp://a'}"),
      checked("{expr: ''}"),
      checked("{junit: {min_tests: 1}}"),
      checked("{coverage: {report: a}}"),
      checked("{protected: {additions: allowed}}"),
      checked("[expr, a]"),
      flow("", step("a", "    evidence: {s: {type: string, check: ''}}\n")),
      flow("defaults: {timeout: 3}\n"),
      flow("outline: all\n"),
      flow("input: {type: array}\n"),
      flow("input: {properties: {a: {type: string, required: true}}}\n"),
      flow("input: {additionalProperties: {}}\n"),
      flow("", "  - {instructions: x, gate: none}\n"),
      flow("", "  - {id: a, gate: none}\n"),
      flow("", "  - {id: a b, instructions: x, gate: none}\n"),
      flow("", "  - {id: 1.5, instructions: x, gate: none}\n"),
      flow("", "  - {id: true, instructions: x, gate: none}\n"),
      flow("", "  - {id: a, instructions: ' ', gate: none}\n"),
      flow("", "  - {id: a, instructions: 3, gate: none}\n"),
      flow("", "  - {id: a, instructions: {path: x}, gate: none}\n"),
      decided(""),
      decided("true"),
      decided("' '"),
      decided("required"),
      decided("[Is it good]"),
      decided("{}"),
      decided("{prompt: 3}"),
      decided("{prompt: Is it good, promt: Is it}"),
      decided("{prompt: Is it good, show: run.id}"),
      decided("{prompt: Is it good, show: [' ']}"),
      decided("{prompt: Is it good, options: []}"),
      decided("{prompt: Is it good, options: [Yes]}"),
      decided("{prompt: Is it good, options: [{id: yes}]}"),
      decided("{prompt: Is it good, options: [{label: ' '}]}"),
      decided("{prompt: Is it good, options: [{label: Go, id: Go}]}"),
      decided("{prompt: Is it good, options: [{label: Go, next: b}]}"),
      decided("{prompt: Is it good, options: [{label: Go, goto: a b}, {label: On}]}"),
      decided("{prompt: Is it good, options: [{label: Go, goto: 1.5}, {label: On}]}"),
      decided("{prompt: Is it good, options: [{label: Go, outcome: approved}]}"),
      decided("{prompt: Is it good, options: [{label: Go, goto: a, outcome: rejected}]}"),
      decided("{prompt: Is it good, options: [{label: Go, input: maybe}]}"),
      decided("{prompt: Is it good, approvers: editor}"),
      decided("{prompt: Is it good, approvers: {rôle: a}}"),
      decided("{prompt: Is it good, approvers: {role: 'a b'}}"),
      decided("{prompt: Is it good, approvers: {count: 0}}"),
      decided("{prompt: Is it good, approvers: {count: 101}}"),
      decided("{prompt: Is it good, approvers: {not_submitter: yes}}"),
      decided("{prompt: Is it good, channel: web}"),
      decided("{prompt: Is it good, remind_after: 4}"),
      decided("{prompt: Is it good, remind_after: 4 hours}"),
      by_person(""),
      by_person(", prompt: Is it good, evidence: {s: string}"),
      by_person(", prompt: Is it good, checks: []"),
      by_person(", prompt: Is it good, tasks: []"),
      by_person(", prompt: Is it good, gate: none"),
      by_person(", prompt: Is it good, by: assistant"),
      by_person(", decision: Is it good"),
      flow("", step("a", evidence + "    prompt: Is it good\n")),
      flow("", step("a", evidence + "    kind: decision\n    prompt: Is it good\n")),
      flow("", step("a", evidence + "    by: editor\n")),
      flow("", step("a", evidence + "    timeout: 3s\n")),
      flow("", step("a", evidence + "    next: [{goto: a}]\n")),
      flow("", step("a", "    gate: open\n")),
      flow("", step("a", evidence + "    tasks: [{name: n}]\n")),
      flow("", step("a", "    evidence: [s]\n")),
      flow("", step("a", "    evidence: {s: strin}\n")),
      flow("", step("a", "    evidence: {s: {minimum: 3}}\n")),
      flow("", step("a", "    evidence: {'a b': string}\n")),
      flow("", step("a", "    evidence: {s: {type: string, minimun: 3}}\n")),
      flow("", step("a", "    evidence: {s: {type: string, required: yes}}\n")),
      flow("", step("a", "    evidence: {s: {type: string, min_length: -1}}\n")),
      flow("", step("a", "    evidence: {s: {type: string, pattern: ''}}\n")),
      flow("", step("a", "    evidence: {s: {type: string, format: time}}\n")),
      flow("", step("a", "    evidence: {s: {type: string, enum: []}}\n")),
      flow("", step("a", "    evidence: {s: {type: array, items: {pattern: x}}}\n")),
      flow("", step("a", "    evidence: {s: {type: string, example: }}\n")),
  };
  for (const std::string& text : bad) {
    CAPTURE(text);
    CHECK_FALSE(native(text).startable());
    CHECK_FALSE(is_valid_yaml(text));
  }
}

TEST_CASE("workflow-files.md: its example is sound, and every key and code is named") {
  const std::string page =
      phasegate::test::read_file(phasegate::test::source_folder() / "docs/workflow-files.md");
  const auto from = page.find("```yaml\n") + 8;
  const std::string example = page.substr(from, page.find("```", from) - from);
  const LoadedWorkflow got = native(example, "release-note.yaml");
  CHECK(got.findings.empty());
  CHECK(got.workflow.phases.size() == 3);
  CHECK(is_valid_yaml(example));
  for (const NativeKeys* keys :
       {&native_workflow_keys(), &native_defaults_keys(), &native_step_keys(), &native_task_keys(),
        &native_evidence_keys(), &native_item_keys(), &native_input_keys(), &native_option_keys(),
        &native_approvers_keys(), &native_outcomes(), &native_channels()}) {
    for (const auto& names : {keys->read, keys->later}) {
      for (const std::string& key : names) {
        if (plain_key(key) != key) continue;
        CHECK_MESSAGE(page.find(key) != std::string::npos, key);
      }
    }
  }
}

TEST_CASE("workflow-files.md: its example of decisions is sound") {
  const std::string page =
      phasegate::test::read_file(phasegate::test::source_folder() / "docs/workflow-files.md");
  const auto from = page.find("```yaml\nworkflow: newsletter\n") + 8;
  REQUIRE(from > 8);
  const std::string example = page.substr(from, page.find("```", from) - from);
  const LoadedWorkflow got = native(example, "newsletter.yaml");
  CHECK(got.findings.empty());
  CHECK(is_valid_yaml(example));
  REQUIRE(got.workflow.phases.size() == 3);
  CHECK(got.workflow.phases[0].gate.decision->remind_after_ms == 4 * 3'600'000);
  CHECK(got.workflow.phases[1].by_person);
  CHECK(got.workflow.phases[1].gate.decision->find_option("send-it-now") != nullptr);
}
