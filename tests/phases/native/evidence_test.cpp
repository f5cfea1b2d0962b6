#include "phases/native/evidence.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::findings_of;
using phasegate::test::flow;
using phasegate::test::has;
using phasegate::test::native;
using phasegate::test::with_evidence;

namespace {

/// The requirement that one field gives, which must be sound.
Requirement field(const std::string& value) {
  const LoadedWorkflow got = native(with_evidence("      f: " + value + "\n"));
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  return got.workflow.phases.at(0).gate.requirements.at(0);
}

}  // namespace

TEST_CASE("native evidence: types, the short form and synonyms") {
  CHECK(field("string").type == ValueType::string);
  CHECK(field("boolean").type == ValueType::boolean);
  CHECK(field("{type: list}").type == ValueType::array);
  CHECK(field("{type: float}").type == ValueType::number);
  const Requirement requirement = field("{type: integer, description: How many}");
  CHECK(requirement.name == "f");
  CHECK(requirement.required);
  CHECK(requirement.artifact);
  CHECK(requirement.description == "How many");
  CHECK(requirement.kind == RequirementSource::native);
  CHECK(requirement.source == Source{"w.yaml", 6, 0, 0});
}

TEST_CASE("native evidence: every rule, in both spellings") {
  const Requirement number = field(
      "{type: number, minimum: -1.5, maximum: 1e3, exclusive_minimum: -2, exclusiveMaximum: 2e3}");
  CHECK(number.minimum == -1.5);
  CHECK(number.maximum == 1000);
  CHECK(number.exclusive_minimum == -2);
  CHECK(number.exclusive_maximum == 2000);
  const Requirement text = field("{type: string, minLength: 2, max_length: 9, pattern: '^a'}");
  CHECK(text.min_length == 2);
  CHECK(text.max_length == 9);
  CHECK(text.pattern == "^a");
  CHECK(field("{type: string, format: date}").format == "date");
  const Requirement list = field(
      "{type: array, min_items: 1, maxItems: 4, items: {type: string, enum: [a, b], pattern: a}}");
  CHECK(list.min_items == 1);
  CHECK(list.max_items == 4);
  CHECK(list.items->one_of ==
        std::vector<Scalar>{Scalar(std::string("a")), Scalar(std::string("b"))});
  CHECK(list.items->pattern == "a");
  CHECK(field("{type: array, items: integer}").items->type == ValueType::integer);
  CHECK(field("{type: integer, enum: [1, 2]}").one_of.size() == 2);
  CHECK(field("{type: integer, const: 0}").constant == Scalar(std::int64_t{0}));
  CHECK(field("{type: number, const: 0.5}").constant == Scalar(0.5));
  CHECK(field("{type: string, const: 'yes'}").constant == Scalar(std::string("yes")));
  CHECK(field("{type: string, const: yes}").constant == Scalar(std::string("yes")));
  CHECK_FALSE(field("{type: string, artifact: false}").artifact);
  CHECK(field("{type: string, secret: true}").secret);
  CHECK_FALSE(field("{type: object, secret: false}").secret);
  CHECK_FALSE(field("string").secret);
}

TEST_CASE("native evidence: a required boolean must be true unless its author allows false") {
  CHECK_FALSE(field("boolean").false_allowed);
  CHECK_FALSE(field("{type: boolean, const: true}").false_allowed);
  CHECK(field("{type: boolean, const: false}").false_allowed);
  CHECK(field("{type: boolean, enum: [true, false]}").false_allowed);
}

TEST_CASE("native evidence: examples are kept as JSON text") {
  CHECK(field("{type: string, example: yes}").example == "\"yes\"");
  CHECK(field("{type: string, example: '5'}").example == "\"5\"");
  CHECK(field("{type: integer, example: 5}").example == "5");
  CHECK(field("{type: boolean, example: true}").example == "true");
  CHECK(field("{type: array, example: []}").example == "[]");
  CHECK(field("{type: object, example: {a: [1, {b: ~}], c: x}}").example ==
        R"({"a":[1,{"b":null}],"c":"x"})");
  CHECK(field("string").example.empty());
}

TEST_CASE("native evidence: what is wrong with a field is said where it stands") {
  struct Case {
    std::string field;
    std::vector<std::string> wanted;
  };
  const Case cases[] = {
      {"f: strin", {"unknown_type 6:10"}},
      {"f: [string]", {"wrong_type 6:10"}},
      {"f:", {"wrong_type 6:7"}},
      {"f: {}", {"unknown_type 6:7"}},
      {"f: {description: d}", {"unknown_type 6:7"}},
      {"f: {type: [string]}", {"wrong_type 6:17"}},
      {"f: {type: strng}", {"unknown_type 6:17"}},
      {"\"a b\": string", {"unusable_name 6:7"}},
      {"9: string", {"unusable_name 6:7"}},
      {"f: {type: string, minimun: 3}", {"unknown_key 6:25"}},
      {"f: {type: string, required: yes}", {"wrong_type 6:35"}},
      {"f: {type: string, required: 'true'}", {"wrong_type 6:35"}},
      {"f: {type: string, artifact: no}", {"wrong_type 6:35"}},
      {"f: {type: string, secret: no}", {"wrong_type 6:33"}},
      {"f: {type: string, secret: 'true'}", {"wrong_type 6:33"}},
      {"f: {type: string, description: [d]}", {"wrong_type 6:38"}},
      {"f: {type: string, minimum: 3}", {"rule_does_not_fit 6:25"}},
      {"f: {type: integer, minLength: 3}", {"rule_does_not_fit 6:26"}},
      {"f: {type: string, min_items: 3}", {"rule_does_not_fit 6:25"}},
      {"f: {type: string, items: string}", {"rule_does_not_fit 6:25"}},
      {"f: {type: array, pattern: a}", {"rule_does_not_fit 6:24"}},
      {"f: {type: array, enum: [1]}", {"rule_does_not_fit 6:24"}},
      {"f: {type: object, const: 1}", {"rule_does_not_fit 6:25"}},
      {"f: {type: integer, format: date}", {"rule_does_not_fit 6:26"}},
      {"f: {type: string, format: daet}", {"unknown_value 6:33"}},
      {"f: {type: integer, minimum: '3'}", {"wrong_type 6:35"}},
      {"f: {type: integer, minimum: 1_000}", {"wrong_type 6:35"}},
      {"f: {type: integer, minimum: 1e400}", {"number_too_large 6:35"}},
      {"f: {type: integer, minimum: 9007199254740991}", {}},
      {"f: {type: integer, minimum: 9007199254740993}", {"number_too_large 6:35"}},
      {"f: {type: string, min_length: -1}", {"wrong_type 6:37"}},
      {"f: {type: string, min_length: 1.5}", {"wrong_type 6:37"}},
      {"f: {type: string, pattern: ''}", {"rule_does_not_fit 6:34"}},
      {"f: {type: string, pattern: " + std::string(1025, 'a') + "}", {"rule_does_not_fit 6:34"}},
      {"f: {type: integer, enum: []}", {"wrong_type 6:32"}},
      {"f: {type: integer, enum: [1, a, 2.5]}", {"wrong_type 6:36", "wrong_type 6:39"}},
      {"f: {type: string, enum: [1, b]}", {"wrong_type 6:32"}},
      {"f: {type: boolean, const: yes}", {"wrong_type 6:33"}},
      {"f: {type: integer, minimum: 3, maximum: 2}", {"impossible_rule 6:38"}},
      {"f: {type: integer, exclusive_minimum: 2, exclusive_maximum: 3}", {"impossible_rule 6:48"}},
      {"f: {type: number, minimum: 2, exclusiveMaximum: 2}", {"impossible_rule 6:37"}},
      {"f: {type: string, min_length: 3, maxLength: 2}", {"impossible_rule 6:40"}},
      {"f: {type: string, max_length: 0}", {"impossible_rule 6:25"}},
      {"f: {type: array, min_items: 3, max_items: 2}", {"impossible_rule 6:38"}},
      {"f: {type: integer, minimum: 3, const: 2}", {"impossible_rule 6:38"}},
      {"f: {type: string, min_length: 3, enum: [a, bb]}", {"impossible_rule 6:40"}},
      {"f: {type: integer, const: 3, enum: [1, 2]}", {"impossible_rule 6:26"}},
      {"f: {type: string, min_length: 2, minLength: 3}", {"duplicate_key 6:40"}},
      {"f: {type: array, items: {min_length: 3}}", {"wrong_type 6:31"}},
      {"f: {type: array, items: strin}", {"unknown_type 6:31"}},
      {"f: {type: array, items: {type: string, minlength: 3}}", {"unknown_key 6:46"}},
      {"f: {type: array, items: {type: integer, pattern: a}}", {"rule_does_not_fit 6:47"}},
      {"f: {type: array, items: {type: array, enum: [1]}}", {"rule_does_not_fit 6:45"}},
      {"f: {type: string, example: }", {"wrong_type 6:25"}},
      {"f: {type: string, example: " + std::string(5000, 'x') + "}", {"example_too_large 6:34"}},
      {"f: {type: array, example: " + std::string(40, '[') + std::string(40, ']') + "}",
       {"example_too_large 6:33"}},
      {"f: {type: integer, minimum: a, maximum: b, pattern: c}",
       {"wrong_type 6:35", "wrong_type 6:47", "rule_does_not_fit 6:50"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.field.substr(0, 120));
    const LoadedWorkflow got = native(with_evidence("      " + c.field + "\n      g: string\n"));
    CHECK_MESSAGE(errors_of(got) == c.wanted, all_findings(got));
  }
}

TEST_CASE("native evidence: a map that is none, and names whose sense contradicts being true") {
  CHECK(errors_of(native(flow("", "  - {id: a, instructions: x, evidence: [s]}\n"))) ==
        std::vector<std::string>{"wrong_type 3:40"});
  const LoadedWorkflow got =
      native(with_evidence("      tests_failed: boolean\n      s: string\n"));
  const auto found = findings_of(got, "negative_name");
  REQUIRE(found.size() == 1);
  CHECK(found[0].hint.find("const: false") != std::string::npos);
}

TEST_CASE("native input: properties, what is required, and what may be beside them") {
  const LoadedWorkflow got =
      native(flow("input:\n  required: [a]\n  properties:\n    a: {type: string, example: x}\n"
                  "    b: {type: boolean}\n    c: {type: integer, minimum: 1}\n"));
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  REQUIRE(got.workflow.input.size() == 3);
  CHECK(got.workflow.input[0].required);
  CHECK_FALSE(got.workflow.input[0].false_allowed);
  CHECK(got.workflow.input[1].false_allowed);
  CHECK_FALSE(got.workflow.input[2].required);
  CHECK_FALSE(got.workflow.input[2].false_allowed);
  CHECK_FALSE(got.workflow.input_closed);
  CHECK(native(flow("input: {additionalProperties: false}\n")).workflow.input_closed);
  CHECK(native(flow("input:\n")).startable());
}

TEST_CASE("native input: what is wrong is said where it stands") {
  struct Case {
    std::string input;
    std::vector<std::string> wanted;
  };
  const Case cases[] = {
      {"text", {"wrong_type 2:8"}},
      {"{type: array}", {"unknown_value 2:15"}},
      {"{properties: [a]}", {"wrong_type 2:21"}},
      {"{required: a}", {"wrong_type 2:19"}},
      {"{properties: {file: string}, required: [fiel]}", {"unknown_input 2:48"}},
      {"{required: [a]}", {"unknown_input 2:20"}},
      {"{properties: {a: strin}, required: [a]}", {"unknown_type 2:25"}},
      {"{additionalProperties: {type: string}}", {"wrong_type 2:31"}},
      {"{propertys: {}}", {"unknown_key 2:9"}},
      {"{properties: {a: {type: string, required: true}}}", {"unknown_key 2:40"}},
      {"{properties: {a: {type: string, default: x}}}", {"not_supported_yet 2:40"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.input);
    const LoadedWorkflow got = native(flow("input: " + c.input + "\n"));
    CHECK_MESSAGE(errors_of(got) == c.wanted, all_findings(got));
  }
}
