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
  CHECK(keys_at(definitions.at("step")) == read_by(native_step_keys()));
  CHECK(keys_at(definitions.at("task")) == read_by(native_task_keys()));
  CHECK(keys_at(definitions.at("file")) == read_by(native_text_keys()));
  CHECK(keys_at(definitions.at("evidence")) == read_by(native_evidence_keys()));
  CHECK(keys_at(definitions.at("adopted")) == read_by(native_adopted_keys()));
  CHECK(keys_at(definitions.at("items")) == read_by(native_item_keys()));
  CHECK(keys_at(definitions.at("input")) == read_by(native_input_keys()));
  CHECK(keys_at(definitions.at("property")) == read_by(native_property_keys()));
  const Json& step_keys = definitions.at("step").at("properties");
  CHECK(words_at(step_keys.at("kind")) == read_by(native_kinds()));
  CHECK(words_at(schema().at("properties").at("dialect")) == read_by(native_dialects()));
  CHECK(words_at(schema().at("properties").at("outline")) == read_by(native_outlines()));
  for (const std::string& word : words_at(definitions.at("type"))) {
    CHECK_MESSAGE(value_type_from(word).has_value(), word);
  }
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
  const std::string good[] = {
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
      flow("checks: {}\n"),
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
      flow("", step("a", evidence + "    kind: decision\n")),
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
        &native_evidence_keys(), &native_item_keys(), &native_input_keys()}) {
    for (const auto& names : {keys->read, keys->later}) {
      for (const std::string& key : names) {
        if (plain_key(key) != key) continue;
        CHECK_MESSAGE(page.find(key) != std::string::npos, key);
      }
    }
  }
}
