#include "gating/evidence.h"

#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "base/json.h"
#include "gating/pattern_example.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;

phases::Gate gate_of(std::vector<phases::Requirement> requirements) {
  phases::Gate gate;
  gate.requirements = std::move(requirements);
  return gate;
}

EvidenceGate compiled(std::vector<phases::Requirement> requirements) {
  auto gate = EvidenceGate::compile(gate_of(std::move(requirements)));
  REQUIRE_MESSAGE(gate.ok(), (gate.ok() ? "" : base::to_text(gate.error())));
  return std::move(gate).value();
}

std::vector<std::string> texts(const EvidenceVerdict& verdict) {
  std::vector<std::string> out;
  for (const FieldProblem& problem : verdict.problems) out.push_back(problem.text);
  return out;
}

const Json kSeedEvidence = Json::parse(R"({"function_count":21,"method_count":15,"branch_count":36,
  "ast_command_output":"def compile()...","functions_list":["compile","parse"]})");

TEST_CASE("004-45: the seed's evidence passes the seed's phase 1") {
  const auto gate = compiled(test::test_generation().workflow.phases[0].gate.requirements);
  CHECK(gate.judge(kSeedEvidence).problems.empty());
  CHECK(gate.judge(kSeedEvidence).self_attested.size() == 5);
}

TEST_CASE("004-46, 004-49: with function_count alone, four fields are missing") {
  const auto gate = compiled(test::test_generation().workflow.phases[0].gate.requirements);
  const auto verdict = gate.judge(Json::parse(R"({"function_count":21})"));
  CHECK(verdict.problems.size() == 4);
  CHECK(verdict.problems[0].text == "method_count (required: about method_count)");
}

TEST_CASE("004-20, 004-21, 004-22: all problems at once, in the seed's words") {
  const auto gate = compiled({test::boolean("a_done"), test::integer("count", 3),
                              test::text("note"), test::list("names", 2)});
  const auto verdict =
      gate.judge(Json::parse(R"({"count":"three","note":"","names":["one"],"a_done":false})"));
  CHECK(texts(verdict) ==
        std::vector<std::string>{
            "a_done (validation failed: about a_done; wanted true, got false)",
            "count (wrong type: expected integer, got string)",
            "note (validation failed: about note; wanted a text that is not blank, got \"\")",
            "names (validation failed: about names; wanted at least 2 items, got 1 item)"});
  phases::Requirement bare = test::boolean("bare");
  bare.description.clear();
  CHECK(texts(compiled({bare}).judge(Json::object())) ==
        std::vector<std::string>{"bare (required: no description)"});
}

TEST_CASE("a required boolean must be true unless its author wrote otherwise") {
  phases::Requirement may_be_false = test::boolean("tests_failed");
  may_be_false.false_allowed = true;
  phases::Requirement must_be_false = test::boolean("has_errors");
  must_be_false.constant = false;
  const Json no = Json::parse(R"({"x":false})");
  const auto judge = [&](phases::Requirement requirement, bool value) {
    const std::string name = requirement.name;
    return compiled({std::move(requirement)}).judge(Json{{name, value}}).problems.empty();
  };
  CHECK(judge(test::boolean("done"), true));
  CHECK_FALSE(judge(test::boolean("done"), false));
  CHECK(judge(test::optional(test::boolean("done")), false));
  CHECK(judge(may_be_false, false));
  CHECK(judge(must_be_false, false));
  CHECK_FALSE(judge(must_be_false, true));
}

TEST_CASE("P-2: booleans are no integers, optional means may be absent, a bound is its number") {
  const auto gate = compiled({test::integer("n", 3), test::optional(test::text("note"))});
  CHECK(gate.judge(Json::parse(R"({"n":3})")).problems.empty());
  CHECK(gate.judge(Json::parse(R"({"n":3.0,"note":"x"})")).problems.empty());
  CHECK_FALSE(gate.judge(Json::parse(R"({"n":true})")).problems.empty());
  CHECK_FALSE(gate.judge(Json::parse(R"({"n":2})")).problems.empty());
  CHECK_FALSE(gate.judge(Json::parse(R"({"n":3,"note":5})")).problems.empty());
}

TEST_CASE("a required text of blanks is no text") {
  const auto gate = compiled({test::text("note")});
  for (const char* blank : {" ", "\t\n", "   "}) {
    const auto verdict = gate.judge(Json{{"note", blank}});
    REQUIRE(verdict.problems.size() == 1);
    CHECK(verdict.problems[0].wanted == "a text that is not blank");
  }
  CHECK(gate.judge(Json{{"note", " x "}}).problems.empty());
  CHECK(compiled({test::optional(test::text("note"))}).judge(Json{{"note", " "}}).problems.empty());
  phases::Requirement anything = test::text("note");
  anything.pattern = ".*";
  CHECK_FALSE(compiled({anything}).judge(Json{{"note", ""}}).problems.empty());
}

TEST_CASE("a missing field names the extra one that was probably meant") {
  const auto gate = compiled({test::boolean("srd_created"), test::boolean("index_created")});
  const auto verdict = gate.judge(Json::parse(R"({"srd_md_created":true,"zzz":1})"));
  REQUIRE(verdict.problems.size() == 2);
  CHECK(verdict.problems[0].sent_as == "srd_md_created");
  CHECK(verdict.problems[0].source.line == 7);
  CHECK(verdict.problems[1].sent_as != "zzz");
  CHECK(verdict.extra_fields == std::vector<std::string>{"srd_md_created", "zzz"});
}

TEST_CASE(
    "004-19, 004-23, 004-24: any JSON value is judged, and passes exactly without a problem") {
  phases::Requirement pattern = test::text("t");
  pattern.pattern = "^a+$";
  phases::Requirement object = test::text("o");
  object.type = phases::ValueType::object;
  const auto gate =
      compiled({test::boolean("b"), test::integer("i", 1), pattern, test::list("l", 1), object});
  const char* values[] = {
      "null", "true",    "false", "0",      "-1", "1.5",       "1e300", "18446744073709551615",
      "\"\"", "\"aaa\"", "[]",    "[null]", "{}", "{\"a\":{}}"};
  const std::map<std::string, std::vector<std::string>> fitting = {{"b", {"true"}},
                                                                   {"i", {"18446744073709551615"}},
                                                                   {"t", {"\"aaa\""}},
                                                                   {"l", {"[null]"}},
                                                                   {"o", {"{}", "{\"a\":{}}"}}};
  for (const char* value : values) {
    for (const auto& [field, good] : fitting) {
      CAPTURE(field);
      CAPTURE(value);
      Json evidence = gate.example();
      evidence[field] = Json::parse(value);
      const bool fits = std::find(good.begin(), good.end(), value) != good.end();
      CHECK(gate.judge(evidence).problems.empty() == fits);
    }
  }
}

TEST_CASE("evidence that is no object is one clear problem, whatever it is") {
  const auto gate = compiled({test::boolean("done")});
  for (const char* text : {"null", "[]", "true", "\"done\"", "3"}) {
    CAPTURE(text);
    const auto verdict = gate.judge(Json::parse(text));
    REQUIRE(verdict.problems.size() == 1);
    CHECK(verdict.problems[0].keyword == "type");
    CHECK(verdict.problems[0].field.empty());
  }
}

TEST_CASE("004-32: the published example satisfies the published schema") {
  phases::Requirement bounded = test::integer("percent", 95);
  bounded.maximum = 100;
  phases::Requirement ratio = test::integer("ratio", 0);
  ratio.type = phases::ValueType::number;
  ratio.minimum = 0.85;
  ratio.exclusive_maximum = 0.9;
  phases::Requirement above = test::integer("above", 0);
  above.minimum.reset();
  above.exclusive_minimum = 4;
  phases::Requirement word = test::text("density");
  word.constant = std::string("high");
  phases::Requirement choice = test::text("mode");
  choice.one_of = {std::string("embed"), std::string("reference")};
  phases::Requirement commit = test::text("commit");
  commit.pattern = "^[0-9a-f]{7,40}$";
  phases::Requirement day = test::text("day");
  day.format = "date";
  phases::Requirement essay = test::text("essay");
  essay.min_length = 200;
  const auto gate = compiled({bounded, ratio, above, word, choice, commit, day, essay,
                              test::list("names", 10), test::boolean("done")});
  CHECK(gate.example_is_complete());
  CHECK(gate.judge(gate.example()).problems.empty());
  CHECK(gate.schema()["required"].size() == 10);
  CHECK(gate.schema()["properties"]["names"]["minItems"] == 10);
  CHECK(gate.schema()["properties"]["done"]["const"] == true);
  CHECK(gate.schema()["properties"]["essay"]["minLength"] == 200);
}

TEST_CASE("rules for a text that belong together make a gate, whether an example is found or not") {
  const auto made = [](const char* pattern, const char* format, std::int64_t length) {
    phases::Requirement requirement = test::text("s");
    if (*pattern != '\0') requirement.pattern = pattern;
    if (*format != '\0') requirement.format = format;
    if (length > 0) requirement.min_length = length;
    return compiled({requirement});
  };
  CHECK_FALSE(made("^https://", "", 20).example_is_complete());
  CHECK_FALSE(made("@example.com$", "email", 0).example_is_complete());
  CHECK_FALSE(made("", "uri", 60).example_is_complete());
  CHECK(made("^[a-z]{20}$", "", 20).example_is_complete());
  CHECK(made("", "date", 10).example_is_complete());
  const auto gate = made("^https://", "", 20);
  CHECK(gate.example()["s"].get<std::string>().starts_with("<a text: at least 20 characters"));
  CHECK(gate.judge(Json{{"s", "https://example.org/a/long/page"}}).problems.empty());
  CHECK_FALSE(gate.judge(Json{{"s", "https://a.b"}}).problems.empty());
}

TEST_CASE("a gate that cannot be used does not compile") {
  const auto refused = [](std::vector<phases::Requirement> requirements) {
    const auto gate = EvidenceGate::compile(gate_of(std::move(requirements)));
    return gate.ok() ? std::string() : gate.error().code;
  };
  phases::Requirement bad_pattern = test::text("commit");
  bad_pattern.pattern = "(";
  phases::Requirement misfit = test::boolean("done");
  misfit.minimum = 3;
  phases::Requirement impossible = test::integer("n", 5);
  impossible.maximum = 4;
  phases::Requirement unknown_format = test::text("x");
  unknown_format.format = "hostname";
  CHECK(refused({bad_pattern}) == "invalid_gate");
  CHECK(refused({misfit}) == "invalid_gate");
  CHECK(refused({impossible}) == "invalid_gate");
  CHECK(refused({unknown_format}) == "invalid_gate");
  CHECK(refused({test::boolean("a"), test::boolean("a")}) == "invalid_gate");
  CHECK(refused({test::boolean("")}) == "invalid_gate");
}

TEST_CASE("an example of a pattern is proven before it is shown") {
  for (const char* pattern : {"^v\\d+\\.\\d+$", "(ab|cd){2}x?", "^[A-Z]{3}-[0-9]+$",
                              "^(?:https?)://[^/]+/", "a|b", "^$"}) {
    CAPTURE(pattern);
    CHECK(pattern_example(pattern).has_value());
  }
  for (const char* pattern : {"\\p{Greek}", "^[[:alpha:]]$", "(", "a{1000}b$c"}) {
    CAPTURE(pattern);
    CHECK_FALSE(pattern_example(pattern).has_value());
  }
}

}  // namespace
}  // namespace phasegate::gating
