#include "gating/engine/check_runner.h"

#include <string>

#include <doctest/doctest.h>

#include "base/json.h"
#include "phases/check_json.h"
#include "tests/support/workflows.h"

/// Why an expression is false, for whoever has to make it true (000-32, ARCHITECTURE §5).
namespace phasegate::gating::engine {
namespace {

using base::Json;
using phases::Check;
using phases::CheckKind;

/// A world in which no file is there.
class EmptyWorld final : public World {
 public:
  CheckResult run(const Check& check, const CheckScene& scene) override {
    CheckResult result = errored(check, "");
    result.outcome = CheckOutcome::failed;
    const auto parameters = phases::parameters_of(check);
    const auto path = filled(base::string_member(*parameters, "path").value_or(""), scene.scope);
    result.reason = *path + " does not exist";
    return result;
  }
  std::string observe_start(const phases::Workflow&) override { return ""; }
  std::string observe_entry(const phases::Phase&, const Json&) override { return ""; }
  std::vector<FileDigest> digests(const std::vector<std::string>&) override { return {}; }
  std::string inputs_digest(const Check&, const CheckScene&) override { return ""; }
  std::vector<std::string> environment() override { return {}; }
  base::Result<bool> back_up(const phases::Workflow&, const std::string&) override { return true; }
};

Check check(std::string name, CheckKind kind, const Json& parameters) {
  Check made;
  made.name = std::move(name);
  made.kind = kind;
  made.parameters = base::dump(parameters);
  return made;
}

}  // namespace

TEST_CASE("check runner: an expression that is false says what its names stand for") {
  phases::LoadedWorkflow loaded = test::workflow("w", {test::phase("1", {test::text("goal")})});
  loaded.workflow.checks = {
      check("notesExist", CheckKind::file, {{"path", "docs/{{arg}}.md"}}),
      check("ready", CheckKind::expr, {{"that", "notesExist(arg) && checks.n.passed"}}),
      check("many", CheckKind::expr, {{"that", "arg > 5"}}),
  };
  EmptyWorld world;
  const base::ManualClock clock;
  const CheckRunner::Setting setting{loaded.workflow, world, clock, "r", "", "", {}, "", {}, {}};
  const Json scope = {{"input", {{"version", "1.0.0"}}},
                      {"evidence",
                       {{"books", 3},
                        {"list", {1, 2}},
                        {"long", std::string(500, 'x')},
                        {"a", 1},
                        {"b", 2},
                        {"c", 3},
                        {"d", 4},
                        {"e", 5}}},
                      {"steps", {{"plan-b", {{"output", {{"n", 1}}}}}}},
                      {"checks", {{"n", {{"passed", true}, {"value", 2}}}}}};
  CheckRunner runner(setting, scope);
  struct Case {
    const char* that;
    std::string reason;  ///< behind the expression
  };
  const Case cases[] = {
      {"checks.n.value === evidence.books", " is false: checks.n.value is 2, evidence.books is 3"},
      {"count(evidence.list) > 2", " is false: evidence.list is [1,2]"},
      {"steps.plan-b.output.n > 1", " is false: steps.plan-b.output.n is 1"},
      {"evidence.none === 1", " is false: evidence.none is null"},
      {"context['plan-b'].output.n > 1", " is false: steps.plan-b.output.n is 1"},
      {"1 > 2", " is false"},
      {"evidence.e > 9 || evidence.d > 9 || evidence.c > 9 || evidence.b > 9 || evidence.a > 9",
       " is false: evidence.a is 1, evidence.b is 2, evidence.c is 3, evidence.d is 4"},
      {"notesExist(input.version)", " is false: docs/1.0.0.md does not exist"},
      {"notesExist('a') || notesExist('b')",
       " is false: docs/a.md does not exist; docs/b.md does not exist"},
      {"ready('x')",
       " is false: notesExist(arg) && checks.n.passed is false: docs/x.md does not exist"},
      {"many(evidence.books)", " is false: arg > 5 is false: arg is 3"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.that);
    const CheckResult result = runner.run(check("it", CheckKind::expr, {{"that", c.that}}));
    CHECK(result.outcome == CheckOutcome::failed);
    CHECK(result.reason == c.that + c.reason);
  }
  const CheckResult shortened =
      runner.run(check("it", CheckKind::expr, {{"that", "evidence.long == ''"}}));
  CHECK(shortened.reason.size() < 120);
  // One that is true says nothing, and neither does the next one about it.
  CHECK(runner.run(check("it", CheckKind::expr, {{"that", "not notesExist('a')"}})).reason.empty());
  CHECK(runner.run(check("it", CheckKind::expr, {{"that", "evidence.a > 1"}})).reason ==
        "evidence.a > 1 is false: evidence.a is 1");
}

}  // namespace phasegate::gating::engine
