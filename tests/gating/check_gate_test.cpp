#include "gating/check_gate.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "tests/support/workflows.h"

/// What makes the checks of a gate ready (ARCHITECTURE §5, invariants 3 and 7).
namespace phasegate::gating {
namespace {

using base::Json;
using phases::Check;
using phases::CheckKind;

Check check(std::string name, CheckKind kind, const Json& parameters) {
  Check made;
  made.name = std::move(name);
  made.kind = kind;
  made.parameters = base::dump(parameters);
  made.source = {"w.yaml", 7, 0};
  return made;
}

Check expr(std::string name, const std::string& that) {
  return check(std::move(name), CheckKind::expr, {{"that", that}});
}

phases::Requirement path(std::string name) {
  auto made = test::text(std::move(name));
  made.format = std::string(phases::kProjectPath);
  return made;
}

/// A workflow of the phases `plan` and `build`; the checks belong to the latter.
struct Fixture {
  phases::Workflow workflow;

  explicit Fixture(std::vector<Check> checks, std::vector<Check> named = {}) {
    phases::Phase plan = test::phase("plan", {test::text("goal")});
    phases::Phase build = test::phase(
        "build", {test::integer("count", 0), test::list("names", 0), test::boolean("tests_pass"),
                  path("report"), test::optional(path("notes"))});
    phases::Phase last = test::phase("last", {test::text("summary")});
    build.gate.checks = std::move(checks);
    workflow = test::workflow("w", {plan, build, last}).workflow;
    workflow.checks = std::move(named);
  }
  phases::Gate& gate() { return workflow.phases[1].gate; }
  [[nodiscard]] base::Result<CheckGate> compile() const {
    return CheckGate::compile(workflow, workflow.phases[1]);
  }
};

TEST_CASE("check gate: a path that evidence names is looked for") {
  const Fixture fixture({expr("a", "evidence.count > 0")});
  const auto gate = fixture.compile();
  REQUIRE(gate.ok());
  REQUIRE(gate->checks().size() == 3);
  CHECK(gate->checks()[1].name == "exists:report");
  CHECK(gate->checks()[1].kind == CheckKind::file);
  CHECK(gate->checks()[1].parameters == R"({"path":"{{evidence.report}}","type":"file"})");
  const auto names = [&](const Json& evidence) {
    std::string all;
    for (const Check* one : gate->due(evidence)) all += one->name + " ";
    return all;
  };
  CHECK(names({{"report", "r"}}) == "a exists:report ");
  CHECK(names({{"report", "r"}, {"notes", nullptr}}) == "a exists:report ");
  CHECK(names({{"report", "r"}, {"notes", "n"}}) == "a exists:report exists:notes ");
  CHECK(names(Json()) == "a ");
  REQUIRE(gate->expression("a") != nullptr);
  CHECK(gate->expression("a")->text() == "evidence.count > 0");
  CHECK(gate->expression("exists:report") == nullptr);
}

TEST_CASE("check gate: a field with an odd name is looked for by it") {
  Fixture fixture({});
  fixture.gate().requirements.push_back(path("a \"b\""));
  const auto gate = fixture.compile();
  REQUIRE(gate.ok());
  const auto written = Json::parse(gate->checks().back().parameters);
  CHECK(*filled(written["path"].get<std::string>(), {{"evidence", {{"a \"b\"", "x.md"}}}}) ==
        "x.md");
}

TEST_CASE("check gate: what an author wrote wrong is told before a run begins") {
  struct Case {
    Check check;
    const char* said;
    const char* hint;
  };
  const Case cases[] = {
      {expr("x", "evidence.count >"), "that: column 17", ""},
      {expr("x", "evidence.cuont > 1"), "\"evidence.cuont\" is no field", "evidence.count?"},
      {expr("x", "evidnce.count > 1"), "\"evidnce\" is no name", "evidence?"},
      {expr("x", "args[0] === 1"), "\"args\" is no name", ""},
      {expr("x", "value > 1"), "\"value\" is no name", ""},
      {expr("x", "result.cuont > 1"), "\"evidence.cuont\"", ""},
      {expr("x", "checks.x.passed"), "\"checks.x\" is no earlier check", ""},
      {expr("x", "checks.frist.passed"), "\"checks.frist\"", "checks.first?"},
      {expr("x", "checks.first.pased"), "\"checks.first.pased\"", "checks.first.passed?"},
      {expr("x", "steps.paln.visits > 0"), "\"steps.paln\" is no phase before", "steps.plan?"},
      {expr("x", "steps.last.visits > 0"), "\"steps.last\" is no phase before", ""},
      {expr("x", "completed('last')"), "\"steps.last\"", ""},
      {expr("x", "steps.plan.outptu !== null"), "steps.plan.outptu", "steps.plan.output?"},
      {expr("x", "steps.plan.evidence.gaol !== null"), "gaol", "steps.plan.evidence.goal?"},
      {expr("x", "run.ids === 'a'"), "\"run.ids\"", "run.id?"},
      {expr("x", "saved()"), "no named check \"saved\"", ""},
      {check("x", CheckKind::expr, Json::object()), "that: it is missing", ""},
      {check("x", CheckKind::file, {{"path", "{{evidence.reprot}}"}}), "evidence.reprot",
       "evidence.report?"},
      {check("x", CheckKind::file, {{"path", "{{evidence.report"}}), "path: a {{ is not closed",
       ""},
      {check("x", CheckKind::file, {{"path", "a"}, {"matches", "("}}), "matches: the pattern", ""},
      {check("x", CheckKind::file, {{"path", "a"}, {"matches_all", "evidence."}}), "matches_all",
       ""},
      {check("x", CheckKind::file, {{"path", "{{evidence.report}}"}, {"changed_since_step", true}}),
       "\"evidence\" is not known then", ""},
      {check("x", CheckKind::command, {{"argv", {"a", "{{evidence.nme}}"}}}), "evidence.nme", ""},
      {check("x", CheckKind::command, {{"argv", {"a", 3}}}), "argv: it must be a text", ""},
      {check("x", CheckKind::command, {{"shell", true}, {"run", "rm {{evidence.report}}"}}),
       "is not filled in here", "env"},
      {check("x", CheckKind::tests, {{"argv", {"a"}}, {"junit", "{{evidence.report}}"}}),
       "junit: {{…}} is not filled in here", "junit: build/junit.xml"},
      {check("x", CheckKind::tests, {{"argv", {"a"}}, {"coverage", "build/{{input.name}}.xml"}}),
       "coverage: {{…}} is not filled in here", "coverage: build/coverage.xml"},
      {check("x", CheckKind::tests, {{"argv", {"a"}}, {"junit", "a/../.git/HEAD"}}),
       "nothing in .git is a report", ""},
      {check("x", CheckKind::tests, {{"argv", {"a"}}, {"junit", "lib/.Git/index"}}),
       "nothing in .git is a report", ""},
      {check("x", CheckKind::tests, {{"argv", {"a"}}, {"junit", "../x.xml"}}),
       "no path within the project", ""},
      {check("x", CheckKind::tests, {{"argv", {"a"}}, {"junit", "/tmp/x.xml"}}),
       "no path within the project", ""},
      {check("x", CheckKind::sqlite,
             {{"db", "a.db"}, {"query", "SELECT 1"}, {"parameters", {{"a", "{{evidence.z}}"}}}}),
       "evidence.z", ""},
      {check("x", CheckKind::json, {{"file", "a.json"}, {"schema", {{"tpye", "object"}}}}),
       "schema: ", ""},
      {check("x", CheckKind::json, {{"evidence", "nmaes"}, {"that", "value.length > 1"}}),
       "evidence.nmaes", "evidence.names?"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.check.parameters);
    const auto gate = Fixture({expr("first", "true"), c.check}).compile();
    REQUIRE_FALSE(gate.ok());
    CAPTURE(gate.error().message);
    CAPTURE(gate.error().hint);
    CHECK(gate.error().code == "invalid_check");
    CHECK(gate.error().message.find("\"x\"") != std::string::npos);
    CHECK(gate.error().message.find(c.said) != std::string::npos);
    CHECK(gate.error().hint.find(c.hint) != std::string::npos);
    CHECK(gate.error().where == "w.yaml:7");
  }
}

TEST_CASE("check gate: what is sound compiles") {
  const std::vector<Check> named = {
      check("saved", CheckKind::sqlite,
            {{"db", "a.db"}, {"query", "SELECT :a"}, {"parameters", {{"a", "{{arg}}"}}}}),
      expr("both", "saved(args[0]) && evidence.count > 0")};
  const Fixture fixture(
      {check("unit", CheckKind::command, {{"argv", {"make", "{{input.target_file}}"}}}),
       expr("a", "checks.unit.passed && checks.unit.value === evidence.count"),
       expr("b", "ctx => ctx.result.names.length === evidence.count && both('x')"),
       expr("c", "completed('plan') && context.plan.evidence.goal !== null && run.attempt < 3"),
       check("go", CheckKind::command,
             {{"shell", true}, {"run", "docker inspect -f '{{.State}}' {{x"}}),
       check("f", CheckKind::file,
             {{"path", "docs/{{steps.plan.evidence.goal}}"},
              {"changed_since_step", true},
              {"matches_all", "evidence.names"}}),
       check("n", CheckKind::count,
             {{"files", {"*.md"}}, {"equals", 3}, {"at_most", "evidence.count"}}),
       check("j", CheckKind::json, {{"file", "a.json"}, {"that", "value.x > 1"}})},
      named);
  const auto gate = fixture.compile();
  if (!gate) FAIL(gate.error().message << " / " << gate.error().hint);
  CHECK(gate->checks().size() == 10);
  CHECK(gate->named_expression("both") != nullptr);
  CHECK(gate->named_expression("saved") == nullptr);
}

TEST_CASE("check gate: names of checks are one each, named checks call each other in no circle") {
  const auto error = [](const Fixture& fixture) {
    const auto gate = fixture.compile();
    return gate.ok() ? std::string("ok") : gate.error().message;
  };
  CHECK(error(Fixture({expr("a", "true"), expr("a", "true")})).find("has this name") !=
        std::string::npos);
  CHECK(error(Fixture({expr("exists:report", "true")})).find("has this name") != std::string::npos);
  CHECK(error(Fixture({}, {expr("n", "true"), expr("n", "true")})).find("has this name") !=
        std::string::npos);
  CHECK(error(Fixture({}, {expr("count", "true")})).find("a function") != std::string::npos);
  const std::vector<Check> circle = {expr("p", "q()"), expr("q", "true && r(1)"),
                                     expr("r", "p() or q()")};
  CHECK(error(Fixture({expr("a", "p()")}, circle)).find("p → q → r → p") != std::string::npos);
  CHECK(error(Fixture({expr("a", "s()")}, {expr("s", "s()")})).find("s → s") != std::string::npos);
  CHECK(error(Fixture({}, circle)) == "ok");
  // What no gate calls is looked at with the first phase.
  const Fixture unused({}, circle);
  CHECK_FALSE(CheckGate::compile(unused.workflow, unused.workflow.phases[0]).ok());
  CHECK(error(Fixture({expr("a", "d() && e()")},
                      {expr("d", "f()"), expr("e", "f()"), expr("f", "true")})) == "ok");
  std::vector<Check> chain;
  for (int i = 0; i < 300; ++i) {
    chain.push_back(expr("c" + std::to_string(i), "c" + std::to_string(i + 1) + "()"));
  }
  chain.push_back(expr("c300", "true"));
  CHECK(error(Fixture({expr("a", "c0()")}, chain)).find("too deep") != std::string::npos);
}

TEST_CASE("check gate: a field is tied only to a check of its gate") {
  Fixture fixture({expr("functions", "true")});
  fixture.gate().requirements[0].check = "funtions";
  const auto gate = fixture.compile();
  REQUIRE_FALSE(gate.ok());
  CHECK(gate.error().message.find("\"count\" is tied to the check \"funtions\"") !=
        std::string::npos);
  CHECK(gate.error().hint == "did you mean \"functions\"?");
}

TEST_CASE("invariant 7: a claim is backed by what was looked at, not by other claims") {
  const auto backed = [](std::vector<Check> checks, std::vector<Check> named = {}) {
    Fixture fixture(std::move(checks), std::move(named));
    const auto gate = fixture.compile();
    REQUIRE(gate.ok());
    std::string all;
    for (const std::string& field : gate->backed()) all += field + " ";
    return all;
  };
  const std::string paths = "notes report ";
  CHECK(backed({}) == paths);
  CHECK(backed({expr("a", "evidence.tests_pass === true")}) == paths);
  CHECK(backed({expr("a", "evidence.names.length === evidence.count")}) == paths);
  const Check file =
      check("f", CheckKind::file, {{"path", "a"}, {"matches_all", "evidence.names"}});
  CHECK(backed({file}) == "names " + paths);
  CHECK(backed({expr("a", "evidence.names.length === evidence.count"), file}) ==
        "count names " + paths);
  const Check unit = check("unit", CheckKind::tests, {{"argv", {"make"}}});
  CHECK(backed({unit, expr("a", "evidence.tests_pass === checks.unit.passed")}) ==
        "notes report tests_pass ");
  CHECK(backed({expr("a", "fine(evidence.count)")}, {expr("fine", "arg > 3")}) == paths);
  CHECK(backed({expr("a", "fine(evidence.count)")},
               {expr("fine", "saved(arg)"),
                check("saved", CheckKind::sqlite, {{"db", "a"}, {"query", "SELECT 1"}})}) ==
        "count " + paths);
  Fixture tied({unit});
  tied.gate().requirements[2].check = "unit";
  CHECK(tied.compile()->backed().contains("tests_pass"));
}

TEST_CASE("check gate: a field tied to a check must say what the check found") {
  Fixture fixture({check("functions", CheckKind::count, {{"files", {"*.py"}}}),
                   check("unit", CheckKind::tests, {{"argv", {"make"}}})});
  fixture.gate().requirements[0].check = "functions";
  fixture.gate().requirements[2].check = "unit";
  const auto gate = fixture.compile();
  REQUIRE(gate.ok());
  const auto result = [](std::string name, CheckOutcome outcome, std::string value) {
    CheckResult made;
    made.name = std::move(name);
    made.outcome = outcome;
    made.value = std::move(value);
    return made;
  };
  struct Case {
    Json evidence;
    std::vector<CheckResult> results;
    const char* wanted;  ///< empty: no problem
  };
  using enum CheckOutcome;
  const Case cases[] = {
      {{{"count", 14}, {"tests_pass", true}},
       {result("functions", passed, "14"), result("unit", passed, "")},
       ""},
      {{{"count", 14}}, {result("functions", passed, "14.0")}, ""},
      {{{"count", 12}}, {result("functions", passed, "14")}, "14, which the check functions found"},
      {{{"count", 12}}, {result("functions", failed, "14")}, "14, which the check functions found"},
      {{{"count", "14"}}, {result("functions", passed, "14")}, "14, which"},
      {{{"count", 12}}, {result("functions", skipped, "")}, ""},
      {{{"count", 12}}, {result("functions", errored, "")}, ""},
      {{{"count", 12}}, {result("functions", passed, "")}, "which found none"},
      {{{"count", 12}}, {result("functions", passed, "{broken")}, "which found none"},
      {{{"count", nullptr}}, {result("functions", passed, "14")}, ""},
      {Json::object(), {result("functions", passed, "14")}, ""},
      {Json(), {result("functions", passed, "14")}, ""},
      {{{"count", 12}}, {}, ""},
      // That the check failed says it all.
      {{{"tests_pass", true}}, {result("unit", failed, "")}, ""},
      {{{"tests_pass", false}}, {result("unit", passed, "")}, "true, which the check unit found"},
  };
  for (const Case& c : cases) {
    CAPTURE(base::dump(c.evidence));
    const auto problems = gate->untrue(fixture.gate(), c.evidence, c.results);
    if (*c.wanted == 0) {
      CHECK(problems.empty());
      continue;
    }
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].keyword == "check");
    CHECK(problems[0].wanted.find(c.wanted) != std::string::npos);
    CHECK(problems[0].text.find("validation failed: ") != std::string::npos);
    CHECK(problems[0].text.find(", got ") != std::string::npos);
  }
}

TEST_CASE("check gate: a field is tied to a check only if it can say what that finds") {
  using phases::ValueType;
  struct Case {
    CheckKind kind;
    Json parameters;
    std::vector<ValueType> fitting;  ///< beside a boolean, which always fits
  };
  const std::vector<ValueType> none;
  const std::vector<ValueType> numbers = {ValueType::integer, ValueType::number};
  const std::vector<ValueType> all = {ValueType::integer, ValueType::number, ValueType::string};
  const Case cases[] = {
      {CheckKind::file, {{"path", "a"}}, none},
      {CheckKind::command, {{"argv", {"a"}}}, numbers},
      {CheckKind::tests, {{"argv", {"a"}}}, none},
      {CheckKind::tests, {{"argv", {"a"}}, {"junit", "j.xml"}}, numbers},
      {CheckKind::tests, {{"project", "test"}}, numbers},
      {CheckKind::json, {{"file", "a"}, {"that", "value.a"}}, none},
      {CheckKind::sqlite, {{"db", "a"}, {"query", "SELECT 1"}}, all},
      {CheckKind::sqlite, {{"db", "a"}, {"query", "SELECT 1"}, {"rows", 2}}, numbers},
      {CheckKind::sqlite, {{"db", "a"}, {"query", "SELECT 1"}, {"expect", "none"}}, none},
      {CheckKind::git, {{"clean", true}}, none},
      {CheckKind::git, {{"changed", true}}, numbers},
      {CheckKind::count, {{"files", {"a"}}}, numbers},
      {CheckKind::http, {{"url", "http://localhost/"}}, numbers},
      {CheckKind::expr, {{"that", "evidence.count > 0"}}, none},
      {CheckKind::junit, {{"report", "a"}}, numbers},
      {CheckKind::coverage, {{"report", "a"}, {"min", 80}}, numbers},
      {CheckKind::guard, {{"paths", {"a"}}}, none},
  };
  for (const Case& c : cases) {
    CAPTURE(phases::to_text(c.kind));
    CAPTURE(base::dump(c.parameters));
    for (const ValueType type :
         {ValueType::boolean, ValueType::integer, ValueType::number, ValueType::string}) {
      CAPTURE(phases::to_text(type));
      Fixture fixture({check("n", c.kind, c.parameters)});
      phases::Requirement field = test::text("said");
      field.type = type;
      field.check = "n";
      field.source = {"w.yaml", 4, 0};
      fixture.gate().requirements.push_back(field);
      const auto gate = fixture.compile();
      const bool fits =
          type == ValueType::boolean || std::count(c.fitting.begin(), c.fitting.end(), type) != 0;
      CHECK(gate.ok() == fits);
      if (gate.ok()) continue;
      CHECK(gate.error().code == "invalid_check");
      CHECK(gate.error().where == "w.yaml:4");
      CHECK(gate.error().message.find("the field \"said\" has the type ") != std::string::npos);
      CHECK(gate.error().hint.find("boolean that says whether it passed") != std::string::npos);
    }
  }
}

TEST_CASE("check gate: a number tied to tests is how many ran") {
  Fixture fixture({check("unit", CheckKind::tests, {{"argv", {"a"}}, {"junit", "j.xml"}})});
  fixture.gate().requirements[0].check = "unit";
  const auto gate = fixture.compile();
  REQUIRE(gate.ok());
  CheckResult found = errored(fixture.gate().checks[0], "");
  found.outcome = CheckOutcome::passed;
  found.value = R"({"tests":14,"failures":0,"skipped":1,"coverage":80})";
  CHECK(gate->untrue(fixture.gate(), {{"count", 14}}, {found}).empty());
  const auto problems = gate->untrue(fixture.gate(), {{"count", 15}}, {found});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].wanted == "14, which the check unit found");
  found.value = R"({"coverage":80})";
  CHECK(gate->untrue(fixture.gate(), {{"count", 14}}, {found}).size() == 1);
}

}  // namespace
}  // namespace phasegate::gating
