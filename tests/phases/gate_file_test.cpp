#include <string>

#include <doctest/doctest.h>

#include "phases/gate_file_reader.h"

using namespace phasegate::phases;

namespace {

ReadGateFile read(std::string_view text) {
  return read_gate_file(text, "phases/2/gate-definition.yaml", "2");
}

const Finding* finding(const ReadGateFile& gate, std::string_view code) {
  for (const Finding& one : gate.findings) {
    if (one.code == code) return &one;
  }
  return nullptr;
}

bool has_error(const ReadGateFile& gate) {
  for (const Finding& one : gate.findings) {
    if (one.severity == Severity::error) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("gate file: fields, types, rules and lines") {
  const ReadGateFile gate = read(
      "checkpoint:\n  strict: true\nevidence_schema:\n"
      "  done: {type: boolean, required: true, description: \"It is done ✅\"}\n"
      "  count:\n    type: int\n    validator: greater_than_0\n"
      "  share: {type: float, minimum: 0, maximum: 1, required: false}\n"
      "  names: {type: list, min_items: 2}\n"
      "  note: {type: str, minLength: 3, pattern: \"^a\", format: date}\n"
      "  data: {type: dict}\n"
      "  level: {type: string, enum: [low, high, \"5\"]}\n"
      "  fixed: {type: integer, const: 5}\n"
      "  off: {type: boolean, validator: is_false}\n"
      "  range: {type: integer, validator: between, validator_params: {max: 9, min: 1}}\n"
      "validators: {}\n");
  CHECK_FALSE(has_error(gate));
  CHECK(gate.findings.empty());
  CHECK_FALSE(gate.asks_leniency);
  REQUIRE(gate.requirements.size() == 10);
  const auto& r = gate.requirements;
  CHECK(r[0].description == "It is done");
  CHECK(r[0].source == Source{"phases/2/gate-definition.yaml", 4, 0});
  CHECK(r[0].kind == RequirementSource::gate_file);
  CHECK(r[1].exclusive_minimum == 0.0);
  CHECK(r[1].source.line == 5);
  CHECK_FALSE(r[2].required);
  CHECK(r[2].maximum == 1.0);
  CHECK(r[3].min_items == 2);
  CHECK(r[4].min_length == 3);
  CHECK(r[4].pattern == "^a");
  CHECK(r[4].format == "date");
  CHECK(r[5].type == ValueType::object);
  CHECK(r[6].one_of.size() == 3);
  CHECK(r[7].constant == Scalar(std::int64_t{5}));
  CHECK(r[8].false_allowed);
  CHECK(r[9].minimum == 1.0);
  CHECK(r[9].maximum == 9.0);
}

TEST_CASE("gate file: leniency is reported and opens nothing") {
  for (const char* checkpoint :
       {"{strict: false}", "{allow_override: true}", "{strict: true, enabled: no}"}) {
    CAPTURE(checkpoint);
    const ReadGateFile gate = read("checkpoint: " + std::string(checkpoint) +
                                   "\nevidence_schema: {a: {type: boolean}}\n");
    CHECK(gate.asks_leniency);
    REQUIRE(finding(gate, "asks_leniency") != nullptr);
    CHECK(finding(gate, "asks_leniency")->severity == Severity::warning);
    CHECK(gate.requirements.size() == 1);
    CHECK(gate.requirements[0].required);
  }
  CHECK_FALSE(read("checkpoint: {strict: true, enabled: true}\n").asks_leniency);
}

TEST_CASE("gate file: named validators in their well-known shapes") {
  const ReadGateFile gate = read(
      "evidence_schema:\n  a: {type: integer, validator: positive_count}\n"
      "  b: {type: list, validator: enough, validator_params: {n: 3}}\n"
      "  c: {type: integer, validator: \"lambda x: x >= 2\"}\n"
      "  d: {type: integer, validator: positive}\n"
      "validators:\n  positive_count: \"lambda x: x > 0\"\n"
      "  enough: {function: \"lambda x, n: len(x) >= n\", error_message: \"too few\"}\n");
  CHECK_FALSE(has_error(gate));
  REQUIRE(gate.requirements.size() == 4);
  CHECK(gate.requirements[0].exclusive_minimum == 0.0);
  CHECK(gate.requirements[1].min_items == 3);
  CHECK(gate.requirements[2].minimum == 2.0);
  CHECK(gate.requirements[3].exclusive_minimum == 0.0);
}

TEST_CASE("gate file: the old name is accepted with a warning") {
  const ReadGateFile gate = read("evidence_required: {a: {type: boolean}}\n");
  CHECK(gate.requirements.size() == 1);
  REQUIRE(finding(gate, "old_name") != nullptr);
  CHECK(finding(gate, "old_name")->severity == Severity::warning);
}

TEST_CASE("gate file: a person's approval") {
  const ReadGateFile gate = read("checkpoint: {human_approval_required: true}\n");
  CHECK(gate.human_approval);
  CHECK(gate.human_approval_source.line == 1);
  CHECK_FALSE(read("checkpoint: {human_approval: false}\n").human_approval);
  CHECK(read("checkpoint: {human_approval: maybe}\n").human_approval);
}

TEST_CASE("gate file: what a person decides") {
  const ReadGateFile gate = read(
      "decision:\n  prompt: Is it good?\n  options:\n    - {label: Yes}\n    - {label: No, goto: "
      "0}\n");
  REQUIRE(gate.decision.has_value());
  CHECK(gate.decision->source.line == 2);
  CHECK(gate.decision->options[1].phase == "0");
  CHECK(gate.findings.empty());
  const ReadGateFile wrong = read("decision:\n  promt: Is it good?\n");
  CHECK_FALSE(wrong.decision.has_value());
  REQUIRE(finding(wrong, "unknown_key") != nullptr);
  CHECK(finding(wrong, "unknown_key")->source.line == 2);
  CHECK(finding(wrong, "unknown_key")->hint == "did you mean prompt?");
  // Only a correction takes a question away.
  CHECK(finding(read("decision: none\n"), "unknown_value") != nullptr);
}

TEST_CASE("gate file: nothing required is not an error") {
  for (const char* text : {"", "\n", "# only a comment\n", "checkpoint: {}\n", "evidence_schema:\n",
                           "evidence_schema: {}\n", "~\n"}) {
    CAPTURE(text);
    const ReadGateFile gate = read(text);
    CHECK(gate.requirements.empty());
    CHECK_FALSE(has_error(gate));
  }
}

TEST_CASE("invariant 3: whatever is not understood keeps the gate shut, with its line") {
  struct Case {
    const char* text;
    const char* code;
    int line;
    const char* hint;
  };
  const Case cases[] = {
      {"a: [", "invalid_yaml", 1, ""},
      {"evidence_schema:\n  a: {type: boolean}\n  a: {type: boolean}\n", "invalid_yaml", 3, ""},
      {"evidence_schema:\n  a: &x {type: boolean}\n  b: *x\n", "invalid_yaml", 2, ""},
      {"a: !!python/object x\n", "invalid_yaml", 1, ""},
      {"a: 1\n---\nb: 2\n", "invalid_yaml", 3, ""},
      {"? [a]\n: 1\n", "invalid_yaml", 1, ""},
      {"- a\n", "wrong_type", 1, ""},
      {"text\n", "wrong_type", 1, ""},
      {"\xff\xfe", "invalid_yaml", 1, ""},
      {"evidence_shema: {}\n", "unknown_key", 1, "evidence_schema"},
      {"checkpoint:\n  strct: true\n", "unknown_key", 2, "strict"},
      {"checkpoint: yes\n", "wrong_type", 1, ""},
      {"checkpoint: {strict: \"false\"}\n", "wrong_type", 1, ""},
      {"evidence_schema: [a]\n", "wrong_type", 1, ""},
      {"evidence_schema:\n  a: boolean\n", "wrong_type", 2, "type: boolean"},
      {"evidence_schema:\n  a:\n    requird: true\n    type: boolean\n", "unknown_key", 3,
       "required"},
      {"evidence_schema: {a: {}}\n", "unknown_type", 1, "type:"},
      {"evidence_schema: {a: {type: bolean}}\n", "unknown_type", 1, "boolean"},
      {"evidence_schema: {a: {type: boolean, required: maybe}}\n", "wrong_type", 1, ""},
      {"evidence_schema: {a: {type: integer, validator: positiv}}\n", "unknown_validator", 1,
       "positive"},
      {"evidence_schema: {a: {type: string, validator: greater_than_0}}\n",
       "validator_does_not_fit", 1, ""},
      {"evidence_schema: {a: {type: string, min_items: 1}}\n", "validator_does_not_fit", 1, ""},
      {"evidence_schema: {a: {type: string, format: colour}}\n", "validator_does_not_fit", 1,
       "date"},
      {"evidence_schema: {a: {type: integer, enum: [1, x]}}\n", "wrong_type", 1, ""},
      {"evidence_schema: {a: {type: integer, const: \"5\"}}\n", "wrong_type", 1, ""},
      {"evidence_schema: {a: {type: integer, minimum: 5, maximum: 1}}\n", "impossible_rule", 1, ""},
      {"evidence_schema: {a: {type: integer, validator_params: [1]}}\n",
       "unsupported_validator_params", 1, ""},
      {"evidence_schema: {a: {type: integer, validator: positive, validator_params: [1]}}\n",
       "unsupported_validator_params", 1, ""},
      {"evidence_schema: {\"a b\": {type: boolean}}\n", "unusable_name", 1, ""},
      {"evidence_schema: {a: {type: boolean}}\nevidence_required: {}\n", "duplicate_key", 2, ""},
      {"validators:\n  v: \"lambda x: open('/etc/passwd')\"\n", "unknown_validator", 2, ""},
      {"validators: [a]\n", "wrong_type", 1, ""},
      {"cross_field_validation:\n  - {rule: \"lambda e: True\"}\n", "unsupported_cross_field_rule",
       2, ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const ReadGateFile gate = read(c.text);
    const Finding* found = finding(gate, c.code);
    REQUIRE(found != nullptr);
    CHECK(found->severity == Severity::error);
    CHECK(found->source.file == "phases/2/gate-definition.yaml");
    CHECK(found->source.line == c.line);
    CHECK(found->phase == "2");
    CHECK((found->hint + found->message).find(c.hint) != std::string::npos);
  }
}

TEST_CASE("gate file: hostile YAML is refused") {
  const std::string deep = std::string(100'000, '[');
  std::string many = "evidence_schema:\n";
  for (int i = 0; i < 300; ++i) many += "  f" + std::to_string(i) + ": {type: boolean}\n";
  std::string flow = std::string(100'000, '{');
  for (const std::string& text : {deep, many, flow, std::string(300'000, ' '),
                                  std::string(200'000, '-'), std::string("a: \"")}) {
    CAPTURE(text.size());
    CHECK(has_error(read(text)));
  }
}

TEST_CASE("gate file: an underscore in a plain number is an error, as is one beyond 2^53") {
  struct Case {
    const char* field;
    const char* code;
  };
  const Case cases[] = {
      {"{type: integer, minimum: 1_000}", "validator_does_not_fit"},
      {"{type: number, max: 0_85}", "validator_does_not_fit"},
      {"{type: integer, const: 1_000}", "wrong_type"},
      {"{type: integer, enum: [1, 1_000]}", "wrong_type"},
      {"{type: integer, validator: \"lambda x: x >= 10_000\"}", "unknown_validator"},
      {"{type: integer, validator: greater_than, validator_params: {min: 1_000}}",
       "validator_does_not_fit"},
      {"{type: integer, validator: \"lambda x, n: x >= n\", validator_params: {n: 1_000}}",
       "validator_does_not_fit"},
      {"{type: integer, const: 99999999999999999999}", "wrong_type"},
      {"{type: integer, enum: [1, -99999999999999999999]}", "wrong_type"},
      {"{type: integer, minimum: 99999999999999999999}", "number_too_large"},
      {"{type: integer, validator: greater_than_10_000}", "ambiguous_number"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.field);
    const ReadGateFile gate = read("evidence_schema:\n  rows: " + std::string(c.field) + "\n");
    REQUIRE(finding(gate, c.code) != nullptr);
    CHECK(finding(gate, c.code)->severity == Severity::error);
    CHECK(finding(gate, c.code)->source.line == 2);
  }
  const ReadGateFile fine =
      read("evidence_schema:\n  share: {type: number, validator: greater_than_or_equal_0_85}\n");
  CHECK_FALSE(has_error(fine));
  CHECK(fine.requirements[0].minimum == 0.85);
}

TEST_CASE("gate file: a validator that no field uses is reported") {
  const ReadGateFile gate = read(
      "evidence_schema:\n  cov: {type: integer, validators: [used]}\nvalidators:\n"
      "  used: \"lambda x: x > 0\"\n  cov: \"lambda x: x >= 80\"\n");
  CHECK_FALSE(has_error(gate));
  REQUIRE(gate.findings.size() == 1);
  CHECK(gate.findings[0].code == "unused_validator");
  CHECK(gate.findings[0].severity == Severity::warning);
  CHECK(gate.findings[0].source.line == 5);
}

TEST_CASE("gate file: a name that is too long is an error") {
  const std::string longest(100, 'a');
  CHECK_FALSE(has_error(read("evidence_schema:\n  " + longest + ": {type: boolean}\n")));
  const ReadGateFile gate = read("evidence_schema:\n  " + longest + "a: {type: boolean}\n");
  REQUIRE(finding(gate, "unusable_name") != nullptr);
  CHECK(finding(gate, "unusable_name")->severity == Severity::error);
}

TEST_CASE("gate file: a parameter that a lambda does not use is an error") {
  for (const char* field :
       {"{type: integer, validator: \"lambda x: x > 0\", validator_params: {min: 80}}",
        "{type: integer, validator: \"lambda x, min: x > 0\", validator_params: {min: 80}}",
        "{type: integer, validator: more, validator_params: {min: 80}}",
        "{type: integer, validator: \"lambda x: x > 0\", validator_params: 80}"}) {
    CAPTURE(field);
    const ReadGateFile gate = read("evidence_schema:\n  rows: " + std::string(field) +
                                   "\nvalidators: {more: \"lambda x: x > 0\"}\n");
    REQUIRE(finding(gate, "unsupported_validator_params") != nullptr);
    CHECK(has_error(gate));
  }
}

TEST_CASE("gate file: upper bounds of lengths, and what every item must be") {
  const ReadGateFile gate = read(
      "evidence_schema:\n"
      "  note: {type: string, min_length: 2, max_length: 9}\n"
      "  list: {type: array, maxItems: 4, items: {type: string, minLength: 3, pattern: '^a'}}\n"
      "  marks: {type: array, items: {type: integer, enum: [1, 2]}}\n"
      "  words: {type: list, items: str}\n");
  CHECK(gate.findings.empty());
  REQUIRE(gate.requirements.size() == 4);
  CHECK(gate.requirements[0].max_length == 9);
  CHECK(gate.requirements[1].max_items == 4);
  CHECK(gate.requirements[1].items->min_length == 3);
  CHECK(gate.requirements[1].items->pattern == "^a");
  CHECK(gate.requirements[2].items->one_of ==
        std::vector<Scalar>{Scalar(std::int64_t{1}), Scalar(std::int64_t{2})});
  CHECK(gate.requirements[3].items->type == ValueType::string);
  struct Case {
    const char* field;
    const char* code;
  };
  const Case cases[] = {
      {"{type: integer, max_length: 3}", "validator_does_not_fit"},
      {"{type: string, max_items: 3}", "validator_does_not_fit"},
      {"{type: string, max_length: -3}", "validator_does_not_fit"},
      {"{type: string, max_length: '3'}", "validator_does_not_fit"},
      {"{type: string, max_length: 0}", "impossible_rule"},
      {"{type: string, min_length: 3, max_length: 2}", "impossible_rule"},
      {"{type: array, min_items: 3, maxItems: 2}", "impossible_rule"},
      {"{type: string, items: string}", "validator_does_not_fit"},
      {"{type: array, items: [string]}", "wrong_type"},
      {"{type: array, items: {min_length: 3}}", "wrong_type"},
      {"{type: array, items: strin}", "unknown_type"},
      {"{type: array, items: {type: string, max_length: 3}}", "unknown_key"},
      {"{type: array, items: {type: integer, min_length: 3}}", "validator_does_not_fit"},
      {"{type: array, items: {type: string, min_length: x}}", "validator_does_not_fit"},
      {"{type: array, items: {type: string, pattern: ''}}", "validator_does_not_fit"},
      {"{type: array, items: {type: integer, enum: [a]}}", "validator_does_not_fit"},
      {"{type: array, items: {type: integer, enum: []}}", "validator_does_not_fit"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.field);
    const ReadGateFile broken = read("evidence_schema:\n  f: " + std::string(c.field) + "\n");
    const Finding* found = finding(broken, c.code);
    REQUIRE(found != nullptr);
    CHECK(found->severity == Severity::error);
    CHECK(found->source.line == 2);
  }
}

TEST_CASE(
    "gate file: the items' least length stands there once, and numbers have no leading zero") {
  const ReadGateFile twice = read(
      "evidence_schema:\n  a: {type: list, items: {type: string, minLength: 3, min_length: 1}}\n");
  REQUIRE(finding(twice, "duplicate_key") != nullptr);
  CHECK(has_error(twice));
  CHECK(has_error(read("evidence_schema:\n  a: {type: integer, minimum: 010}\n")));
  CHECK_FALSE(has_error(read("evidence_schema:\n  a: {type: number, minimum: 0.5}\n")));
}
