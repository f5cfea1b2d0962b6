#include "gating/expression.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"

/// The expression language of docs/expressions.md and docs/decisions/0023 (000-42, 001-46, 003-57,
/// ARCHITECTURE §5, invariants 3 and 8).
namespace phasegate::gating {
namespace {

using base::Json;

const Json& scope() {
  static const Json kScope = Json::parse(R"({
    "evidence": {"count": 3, "names": ["a", "b", "c"], "title": "Plan für später", "ratio": 0.5,
                 "done": true, "nothing": null, "nested": {"b-c": {"list": [{"n": 1}]}},
                 "whole": 3.0, "empty": [], "large": 9007199254740993, "id": "v2"},
    "input": {"target": "src/main.cpp"},
    "steps": {"plan-b": {"output": {"paths": ["x"]}, "visits": 2, "success": true},
              "1": {"output": "text", "visits": 1}, "23.1": {"output": 1}},
    "checks": {"unit": {"passed": true, "value": 14}, "command-2": {"passed": false}},
    "run": {"id": "r1", "attempt": 1}
  })");
  return kScope;
}

const std::vector<std::string>& functions() {
  static const std::vector<std::string> kNames = {"planSaved", "versionExists", "unit-tests"};
  return kNames;
}

base::Result<bool> call(const std::string& name, const std::vector<Json>& arguments) {
  if (name == "planSaved") return arguments.empty();
  if (name == "versionExists") return arguments.size() == 1 && arguments[0] == "v2";
  return base::Error{"not_found", "no such check", "", ""};
}

/// The value as JSON, or `code: message`.
std::string result(const std::string& text, const Json& in = scope()) {
  const auto expression = Expression::parse(text, functions());
  if (!expression) return expression.error().code + ": " + expression.error().message;
  const auto value = expression->evaluate(in, call);
  if (!value) return value.error().code + ": " + value.error().message;
  return base::dump(*value);
}

std::string hint(const std::string& text) {
  const auto expression = Expression::parse(text, functions());
  if (!expression) return expression.error().hint;
  const auto value = expression->evaluate(scope(), call);
  return value ? "" : value.error().hint;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("expressions: values, operators and precedence") {
  struct Case {
    const char* text;
    const char* value;
  };
  const Case cases[] = {
      {"true", "true"},
      {"null", "null"},
      {"-1.5e3", "-1500.0"},
      {"'it''s'", "invalid_expression"},
      {R"('it\'s "x"')", R"("it's \"x\"")"},
      {R"("a\tb\n\d\\")", R"("a\tb\n\\d\\")"},
      {"[1, 'a', [true], null]", R"([1,"a",[true],null])"},
      {"[]", "[]"},
      {"1 + 2 * 3 - 4 / 2", "5"},
      {"10 - 2 - 3", "5"},
      {"7 / 2", "3.5"},
      {"2 * (3 + 4)", "14"},
      {"- -3", "3"},
      {"-evidence.count + 1", "-2"},
      {"'a' + 'b' + 'c'", R"("abc")"},
      {"9007199254740993 - 1", "9007199254740992"},
      {"evidence.large === 9007199254740992", "false"},
      {"9223372036854775807 + 1 > 9223372036854775806", "true"},
      {"true or false and false", "true"},
      {"true || false && false", "true"},
      {"not false and false", "false"},
      {"not 1 === 2", "true"},
      {"!evidence.done === false", "true"},
      {"!!true", "true"},
      {"1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 3", "false"},
      {"'a' < 'b'", "true"},
      {"'Z' < 'a'", "true"},
      {"evidence.whole === 3", "true"},
      {"1 == 1.0", "true"},
      {"1 === '1'", "false"},
      {"true == 1", "false"},
      {"null === null", "true"},
      {"null != false", "true"},
      {"[1, 2] === [1.0, 2]", "true"},
      {"[1, 2] === [2, 1]", "false"},
      {"evidence.nested === evidence.nested", "true"},
      {"false && evidence.count", "false"},
      {"true || nothing.at.all", "true"},
      {"evidence.nothing === null || evidence.nothing.x > 1", "true"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string got = result(c.text);
    if (std::string(c.value) == "invalid_expression") {
      CHECK(got.starts_with(c.value));
    } else {
      CHECK(got == c.value);
    }
  }
}

TEST_CASE("expressions: objects are equal whatever the order of their members") {
  CHECK(result("a === b", Json::parse(R"({"a":{"x":1,"y":[2]},"b":{"y":[2.0],"x":1}})")) == "true");
  CHECK(result("a === b", Json::parse(R"({"a":{"x":1},"b":{"y":1}})")) == "false");
  CHECK(result("a === b", Json::parse(R"({"a":18446744073709551615,"b":-1})")) == "false");
}

TEST_CASE("expressions: paths") {
  struct Case {
    const char* text;
    const char* value;
  };
  const Case cases[] = {
      {"evidence.count", "3"},
      {"evidence . count", "3"},
      {"evidence[\"count\"]", "3"},
      {"evidence['cou' + 'nt']", "3"},
      {"evidence.nested[\"b-c\"].list[0].n", "1"},
      {"evidence.names[1]", R"("b")"},
      {"evidence.names[evidence.count - 1]", R"("c")"},
      {"evidence.names[3]", "null"},
      {"evidence.names[-1]", "null"},
      {"evidence.absent", "null"},
      {"evidence.absent !== null", "false"},
      {"steps.never", "null"},
      {"steps.plan-b.output.paths.length", "1"},
      {"steps.plan-b.visits-1", "1"},
      {"context.plan-b.success === true", "true"},
      {"steps.1.output", R"("text")"},
      {"steps[\"23.1\"].output", "1"},
      {"checks.command-2.passed", "false"},
      {"checks.unit.value - 4", "10"},
      {"evidence.names.length", "3"},
      {"evidence.names.Count > 0", "true"},
      {"evidence.title.length", "15"},
      {"evidence.nested.length", "null"},
      {"evidence.names.includes('b')", "true"},
      {"evidence.names.includes(\"z\")", "false"},
      {"evidence.title.includes('für')", "true"},
      {"[1, 2, 3].includes(1.0)", "true"},
      {"[[1], 5][1]", "5"},
      {"'abc'.length", "3"},
      {"ctx.evidence.count", "3"},
      {"checkpoint.run.attempt", "1"},
      {"ctx => ctx.evidence.count > 2", "true"},
      {"(c) => c.evidence.count > 2", "true"},
      {"result.count", "3"},
      {"checkpoint.x", "expression_failed"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string got = result(c.text);
    if (std::string(c.value) == "expression_failed") {
      CHECK(got.starts_with(c.value));
    } else {
      CHECK(got == c.value);
    }
  }
}

TEST_CASE("expressions: functions") {
  struct Case {
    const char* text;
    const char* value;
  };
  const Case cases[] = {
      {"count(evidence.names)", "3"},
      {"count(evidence.nested)", "1"},
      {"any(evidence.names)", "true"},
      {"any([])", "false"},
      {"isEmpty(evidence.empty)", "true"},
      {"isEmpty('')", "true"},
      {"isEmpty(evidence.absent)", "true"},
      {"isEmpty(' ')", "false"},
      {"contains(evidence.title, 'Plan')", "true"},
      {"contains(evidence.names, 'a')", "true"},
      {"contains(lower('ERROR: x'), \"error\")", "true"},
      {"startsWith(input.target, 'src/')", "true"},
      {"endsWith(input.target, '.h')", "false"},
      {R"(matches(input.target, "^src/\w+\.cpp$"))", "true"},
      {"matches(input.target, 'lib' + '.*')", "false"},
      {"completed('plan-b')", "true"},
      {"completed('never')", "false"},
      {"visits('plan-b')", "2"},
      {"visits('never')", "0"},
      {"visits('plan-' + 'b')", "2"},
      {"planSaved()", "true"},
      {"versionExists(evidence.id)", "true"},
      {"versionExists('x') or !planSaved(1)", "true"},
      {"unit-tests()", "expression_failed"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string got = result(c.text);
    if (std::string(c.value) == "expression_failed") {
      CHECK(got.starts_with(c.value));
    } else {
      CHECK(got == c.value);
    }
  }
}

TEST_CASE("expressions: what other dialects write is understood as it stands") {
  const Json in = Json::parse(R"({
    "steps": {"test": {"success": true}, "planning": {"visits": 1}},
    "result": {"decision": "approved", "metrics": {"delta": 4}, "modifiedChapters": [1],
               "versionId": "v2"},
    "checkpoint": {"threshold": 3}, "settings": {"simplify_enabled": null},
    "violations": ["x"], "items": [1], "previous": {"success": true, "output": "An Error"},
    "book": {}, "analysisPath": "a", "previousVersionId": "v1",
    "evidence": {"functions_list": ["f"], "function_count": 1}
  })");
  for (const char* text : {"context.test.success === true",
                           "result.decision === \"approved\"",
                           "result.metrics.delta >= checkpoint.threshold",
                           "ctx => ctx.result.modifiedChapters.length > 0",
                           "settings.simplify_enabled != false",
                           "violations.Count > 0",
                           "count(items) > 0",
                           "contains(lower(previous.output), \"error\")",
                           "previous.success",
                           "_previousStepSuccess",
                           "lower(_previousOutput) === 'an error'",
                           "book !== null",
                           "analysisPath !== null",
                           "planSaved()",
                           "completed('planning')",
                           "result.versionId !== previousVersionId",
                           "versionExists(result.versionId)",
                           "result.modifiedChapters.length > 0",
                           "result.decision !== null",
                           "result.metrics !== null",
                           "evidence.functions_list.length === evidence.function_count"}) {
    CAPTURE(text);
    CHECK(result(text, in) == "true");
  }
}

TEST_CASE("expressions: what does not parse is told with its column and the nearest name") {
  struct Case {
    const char* text;
    const char* said;
    const char* hint;
  };
  const Case cases[] = {
      {"", "column 1 of \"\": a value is missing at the end", ""},
      {"   ", "column 4", ""},
      {"evidence.count >", "column 17 of \"evidence.count >\": a value is missing at the end", ""},
      {"evidence.count = 3", "column 16", "to compare, write ==="},
      {"evidence.count & true", "column 16", "write &&"},
      {"(1 + 2", "column 7 of \"(1 + 2\": \")\" is missing at the end", ""},
      {"1 2", "column 3", ""},
      {"1 < 2 < 3", "column 7", "&&"},
      {"contians(a, b)", "column 1", "did you mean contains()?"},
      {"plansaved()", "column 1", "did you mean planSaved()?"},
      {"count()", "takes 1 value, got 0", ""},
      {"contains('a')", "takes 2 values, got 1", ""},
      {"evidence.names.has(1)", "column 16", ".includes(x)"},
      {"evidence.", "column 9", "brackets"},
      {"evidence.1a", "column 9", "brackets"},
      {"\"für\" + 'x", "column 9", ""},
      {"a\n  + `x`", "line 2, column 5", ""},
      {"\xEF\xBB\xBF"
       "a",
       "column 1", ""},
      {"a # b", "column 3", ""},
      {"3px", "letters", ""},
      {"1.5.2", "column 4", ""},
      {"1e999", "too large", ""},
      {"1e", "exponent", ""},
      {"matches(a, '(')", "column 12", "RE2"},
      {"matches(a, '(?=x)')", "column 12", "RE2"},
      {"ctx", "followed by a dot", ""},
      {"and", "column 1", ""},
      {"a not b", "column 3", ""},
      {"a, b", "column 2", ""},
      {"a => b => c", "", ""},
      {"x = 1 => 2", "column 3", ""},
      {"evidence.a()", "column 10", ""},
      {"[1, 2", "\"]\" is missing at the end", ""},
      {"a[]", "column 2", ""},
      {"a[1, 2]", "column 2", ""},
      {"a?.b", "\"?\" means nothing here", ""},
      {"a ? b : c", "column 3", ""},
      {"\xFF", "UTF-8", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string got = result(c.text);
    CAPTURE(got);
    CHECK(got.starts_with("invalid_expression: "));
    CHECK(holds(got, c.said));
    CHECK(holds(hint(c.text), c.hint));
  }
}

TEST_CASE("expressions: what cannot be told is an error, never true (invariant 3)") {
  struct Case {
    const char* text;
    const char* said;
    const char* hint;
  };
  const Case cases[] = {
      {"evidnce.count > 1", "column 1", "did you mean \"evidence\"?"},
      {"count > 1", "there is no \"count\" here", ""},
      {"evidence.cuont.x", "evidence.cuont is null", "did you mean \"evidence.count\"?"},
      {"evidence.cuont > 1", "got null and the number 1", ""},
      {"evidence.count > '1'", "column 1", ""},
      {"evidence.names > 1", "a list of 3 items", ""},
      {"evidence.count.x", "the number 3, which has no member \"x\"", ""},
      {"evidence.done.length", "has no member \"length\"", ""},
      {"steps.never.output", "steps.never is null", ""},
      {"evidence.count && true", "needs true or false, got the number 3", "compare it"},
      {"true && evidence.nothing", "column 9", ""},
      {"!evidence.absent", "needs true or false, got null", ""},
      {"not 'x'", "needs true or false", ""},
      {"1 / 0", "division by zero", ""},
      {"1 / 0.0", "division by zero", ""},
      {"1e308 * 10", "larger", ""},
      {"1 + 'a'", "+ needs two numbers or two texts", ""},
      {"'a' * 2", "* needs two numbers", ""},
      {"-'a'", "- needs a number", ""},
      {"count(evidence.absent)", "count(): wanted a list", ""},
      {"count('abc')", "count()", ""},
      {"any(evidence.absent)", "any()", ""},
      {"isEmpty(3)", "isEmpty()", ""},
      {"contains('a', 1)", "contains()", ""},
      {"contains(3, 1)", "contains()", ""},
      {"evidence.count.includes(3)", "includes()", ""},
      {"startsWith(evidence.absent, 'x')", "startsWith()", ""},
      {"matches(input.target, '(' + '')", "does not compile", ""},
      {"lower(1)", "lower()", ""},
      {"completed(1)", "completed()", ""},
      {"unit-tests()", "no such check", ""},
      {"evidence.names['x']", "has no member", ""},
      {"evidence[0]", "brackets", ""},
      {"evidence.names[0.5]", "brackets", ""},
      {"evidence.names[null]", "brackets", ""},
      {"ctx.nothing", "there is no \"nothing\"", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string got = result(c.text);
    CAPTURE(got);
    CHECK(got.starts_with("expression_failed: "));
    CHECK(holds(got, c.said));
    CHECK(holds(hint(c.text), c.hint));
  }
  CHECK(result("evidence.x", Json(3)).starts_with("expression_failed"));
  const auto uncallable = Expression::parse("planSaved()", {"planSaved"});
  REQUIRE(uncallable.ok());
  CHECK_FALSE(uncallable->evaluate(scope()).ok());
}

TEST_CASE("expressions: names, paths and calls are told for the linter") {
  struct Case {
    const char* text;
    std::vector<std::string> names;
    std::vector<std::string> calls;
  };
  const Case cases[] = {
      {"evidence.count > 1 && evidence.names.length > evidence.count",
       {"evidence.count", "evidence.names"},
       {}},
      {"context.plan-b.success === true", {"steps.plan-b"}, {}},
      {"ctx => ctx.result.x > checkpoint.input.y", {"evidence.x", "input.y"}, {}},
      {"evidence['a b'] === evidence[input.k]", {"evidence", "evidence.a b", "input.k"}, {}},
      {"completed('plan') && visits('plan') < 3 && versionExists(evidence.id) && planSaved()",
       {"evidence.id", "steps.plan"},
       {"planSaved", "versionExists"}},
      {"unit-tests() || checks.command-2.passed", {"checks.command-2"}, {"unit-tests"}},
      {"evidence.length > 2 && book.length > 2", {"book.length", "evidence.length"}, {}},
      {"1 + 2", {}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto expression = Expression::parse(c.text, functions());
    REQUIRE(expression.ok());
    CHECK(expression->names() == c.names);
    CHECK(expression->calls() == c.calls);
    CHECK(expression->text() == c.text);
  }
  const auto deep = Expression::parse("steps.plan.output.paths.length > 1");
  REQUIRE(deep.ok());
  CHECK(deep->paths() ==
        std::vector<std::vector<std::string>>{{"steps", "plan", "output", "paths"}});
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST_CASE("expressions: text, depth and steps are bounded (invariant 8)") {
  const auto depth = base::limits::kExpressionDepthMax;
  CHECK(result(repeated("(", depth) + "1" + repeated(")", depth)) == "1");
  for (const std::string& text :
       {repeated("(", depth + 1) + "1" + repeated(")", depth + 1), repeated("(", 4000),
        repeated("[", 4000), repeated("!", 4000) + "x", repeated("-", 4000) + "1",
        repeated("not ", 1000) + "x", "a" + repeated("[a", 1500), repeated("lower(", 600),
        repeated("(a => ", 600)}) {
    CAPTURE(text.substr(0, 20));
    CHECK(result(text).starts_with("invalid_expression: "));
  }
  CHECK(holds(result(repeated("(", depth + 1)), "64 deep"));

  const std::string longest(base::limits::kExpressionBytesMax - 1, ' ');
  CHECK(result(longest + "1") == "1");
  CHECK(holds(result(longest + " 1"), "4096 bytes"));

  // Chains are no nesting.
  CHECK(result("true" + repeated(" && true", 500)) == "true");
  CHECK(result("1" + repeated("+1", 2000)) == "2001");
  CHECK(holds(result("evidence" + repeated(".a", 2000)), "is null"));

  // What looks through much is stopped in time.
  Json large = {{"text", std::string(4U << 20U, 'a')}, {"list", Json::array()}};
  for (int i = 0; i < 100'000; ++i) large["list"].push_back(i);
  CHECK(result("contains(text, 'b')", large) == "false");
  CHECK(holds(result("contains(text, 'b')" + repeated("||contains(text,'b')", 150), large),
              "more steps"));
  CHECK(holds(result("list.includes(-1)" + repeated("||list.includes(-1)", 150), large),
              "more steps"));
  CHECK(holds(result("text + text", large), "longer than"));
  CHECK(holds(result("'" + std::string(2000, 'x') + "' + a" + repeated("+a", 40),
                     Json{{"a", std::string(2000, 'y')}}),
              "longer than"));
}

TEST_CASE("expressions: hostile characters are shown escaped") {
  const std::string got = result("\"a\" \x1B[31m");
  CHECK(got.starts_with("invalid_expression: "));
  CHECK_FALSE(holds(got, "\x1B"));
  CHECK(result(std::string("1\0 + 1", 6)).starts_with("invalid_expression: "));
  CHECK(result("\"\xE2\x80\xAE\"").find("\xE2\x80\xAE") != std::string::npos);
}

TEST_CASE("expressions: an expression is kept and evaluated again") {
  auto first = Expression::parse("evidence.count > 2");
  REQUIRE(first.ok());
  const Expression moved = std::move(first).value();
  for (int i = 0; i < 3; ++i) {
    const auto value = moved.evaluate(Json{{"evidence", {{"count", i + 1}}}});
    REQUIRE(value.ok());
    CHECK(*value == Json(i == 2));
  }
}

}  // namespace
}  // namespace phasegate::gating
