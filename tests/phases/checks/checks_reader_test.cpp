// How checks are written down (ARCHITECTURE §5, docs/checks.md). Each table holds what is written
// and what is kept, or the error with its line and column.
#include "phases/checks/checks_reader.h"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::flow;
using phasegate::test::native;
using phasegate::test::step;

namespace {

/// A workflow whose only step has these checks; the list begins in line 6, its items are indented
/// by six.
LoadedWorkflow with_checks(const std::string& items) {
  return native(flow("", step("a", "    checks:\n" + items)));
}

std::vector<Check> checks_of(const std::string& items) {
  const LoadedWorkflow got = with_checks(items);
  CAPTURE(items);
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  return got.workflow.phases.empty() ? std::vector<Check>{} : got.workflow.phases[0].gate.checks;
}

}  // namespace

TEST_CASE("checks: each kind is read as it is written, and kept in one form (ARCHITECTURE §5)") {
  struct Row {
    const char* item;
    const char* name;
    CheckKind kind;
    const char* parameters;
  };
  const Row rows[] = {
      {"{file: docs/plan.md}", "file-1", CheckKind::file, R"({"path":"docs/plan.md"})"},
      {"{file: ./docs//plan.md}", "file-1", CheckKind::file, R"({"path":"docs/plan.md"})"},
      {"{file: {path: /etc/hosts, min_size: 10}}", "file-1", CheckKind::file,
       R"({"min_size":10,"path":"/etc/hosts"})"},
      {"{file: {path: '{{input.dir}}/a', matches: '^x', matches_all: evidence.names}}", "file-1",
       CheckKind::file,
       R"({"matches":"^x","matches_all":"evidence.names","path":"{{input.dir}}/a"})"},
      {"{file: {path: a, absent: true}}", "file-1", CheckKind::file,
       R"({"absent":true,"path":"a"})"},
      {"{command: [make, '-j4', '{{evidence.target}}']}", "command-1", CheckKind::command,
       R"({"argv":["make","-j4","{{evidence.target}}"]})"},
      {"{name: all, command: {shell: true, run: 'make | tee log', timeout: 10m, exit: 2}}", "all",
       CheckKind::command, R"({"exit":[2],"run":"make | tee log","shell":true,"timeout":600000})"},
      {"{command: {argv: [a], cwd: ., env: {A: '{{run.id}}'}, exit: [0, 3]}}", "command-1",
       CheckKind::command, R"({"argv":["a"],"env":{"A":"{{run.id}}"},"exit":[0,3]})"},
      {"{command: {project: lint, if_missing: skip}}", "command-1", CheckKind::command,
       R"({"if_missing":"skip","project":"lint"})"},
      {"{tests: {project: test, fails_at: start}}", "tests-1", CheckKind::tests,
       R"({"fails_at":"start","project":"test"})"},
      {"{tests: {argv: [t], files: tests/**, fails_at: start, junit: j.xml, ratchet: [tests]}}",
       "tests-1", CheckKind::tests,
       R"({"argv":["t"],"fails_at":"start","files":["tests/**"],"junit":"j.xml","ratchet":["tests"]})"},
      {"{json: {file: a.json, schema: {type: object, minProperties: 1}}}", "json-1",
       CheckKind::json, R"({"file":"a.json","schema":{"minProperties":1,"type":"object"}})"},
      {"{json: {evidence: report, that: value.ok}}", "json-1", CheckKind::json,
       R"({"evidence":"report","that":"value.ok"})"},
      {"{sqlite: {db: a.db, query: SELECT 1}}", "sqlite-1", CheckKind::sqlite,
       R"({"db":"a.db","expect":"row","query":"SELECT 1"})"},
      {"{sqlite: {db: a.db, query: 'SELECT 1 WHERE :a', parameters: {a: '{{arg}}'}, rows: 0}}",
       "sqlite-1", CheckKind::sqlite,
       R"({"db":"a.db","parameters":{"a":"{{arg}}"},"query":"SELECT 1 WHERE :a","rows":0})"},
      {"{git: {changed: false}}", "git-1", CheckKind::git, R"({"changed":false})"},
      {"{git: clean}", "git-1", CheckKind::git, R"({"clean":true})"},
      {"{git: {within_plan: steps.plan.output.files, untouched: [a, ./b/*]}}", "git-1",
       CheckKind::git, R"({"untouched":["a","b/*"],"within_plan":"steps.plan.output.files"})"},
      {"{count: {files: 'src/**/*.cpp', pattern: TODO, equals: 0}}", "count-1", CheckKind::count,
       R"({"equals":0,"files":["src/**/*.cpp"],"pattern":"TODO"})"},
      {"{count: {files: ['docs/', '!./docs/a*', '{a,b}']}}", "count-1", CheckKind::count,
       R"({"files":["docs/","!docs/a*","{a,b}"]})"},
      {"{count: {files: [a]}}", "count-1", CheckKind::count, R"({"files":["a"]})"},
      {"{http: 'http://127.0.0.1:8080/'}", "http-1", CheckKind::http,
       R"({"url":"http://127.0.0.1:8080/"})"},
      {"{expr: 'evidence.a > 1', error: Too few}", "expr-1", CheckKind::expr,
       R"({"that":"evidence.a > 1"})"},
      {"evidence.a > 1", "expr-1", CheckKind::expr, R"({"that":"evidence.a > 1"})"},
      {"{expr: false}", "expr-1", CheckKind::expr, R"({"that":false})"},
      {"{junit: build/j.xml}", "junit-1", CheckKind::junit, R"({"report":"build/j.xml"})"},
      {"{coverage: {report: c.xml, min: 80.5, of: branches}}", "coverage-1", CheckKind::coverage,
       R"({"min":80.5,"of":"branches","report":"c.xml"})"},
      {"{protected: tests/**}", "protected-1", CheckKind::guard, R"({"paths":["tests/**"]})"},
      {"{protected: {project: true}}", "protected-1", CheckKind::guard, R"({"project":true})"},
  };
  for (const Row& row : rows) {
    const auto checks = checks_of(std::string("      - ") + row.item + "\n");
    REQUIRE(checks.size() == 1);
    CAPTURE(row.item);
    CHECK(checks[0].name == row.name);
    CHECK(checks[0].kind == row.kind);
    CHECK(checks[0].parameters == row.parameters);
    CHECK(checks[0].source.line == 6);
  }
}

TEST_CASE("checks: names that are not written come from kind and number") {
  const auto checks = checks_of(
      "      - {command: [a]}\n      - {name: unit, command: [b]}\n      - {command: [c]}\n"
      "      - {name: file-1, command: [d]}\n      - {file: a, error: No a}\n");
  REQUIRE(checks.size() == 5);
  CHECK(checks[0].name == "command-1");
  CHECK(checks[1].name == "unit");
  CHECK(checks[2].name == "command-3");
  CHECK(checks[3].name == "file-1");
  CHECK(checks[4].name == "file-2");
  CHECK(checks[4].error == "No a");
  const auto cached = checks_of("      - {command: {argv: [a], inputs: src/**}, cache: inputs}\n");
  REQUIRE(cached.size() == 1);
  CHECK(cached[0].cache_inputs);
}

TEST_CASE("checks: what is wrong is an error at its place") {
  struct Row {
    const char* item;
    std::vector<std::string> errors;  ///< the item begins in column 9 of line 6
  };
  const Row rows[] = {
      {"[a]", {"wrong_type 6:9"}},
      {"", {"wrong_type 7:1"}},
      {"true", {"wrong_type 6:9"}},
      {"{error: x}", {"missing_key 6:9"}},
      {"{fiel: a}", {"unknown_key 6:10"}},
      {"{file: a, eror: x}", {"unknown_key 6:19"}},
      {"{file: a, command: [b]}", {"contradicting_keys 6:19"}},
      {"{file: a, error: 3}", {"wrong_type 6:26"}},
      {"{file: a, name: 1a}", {"unusable_name 6:25"}},
      {"{file: a, name: 'a b'}", {"unusable_name 6:25"}},
      {"{file: a, cache: inputs}", {"missing_key 6:26"}},
      {"{command: [a], cache: always}", {"unknown_value 6:31"}},
      {"{file: }", {"wrong_type 6:10"}},
      {"{file: [a]}", {"wrong_type 6:16"}},
      {"{file: 3}", {"wrong_type 6:16"}},
      {"{file: ../a}", {"invalid_path 6:16"}},
      {"{file: a/../../b}", {"invalid_path 6:16"}},
      {"{file: ~/a}", {"invalid_path 6:16"}},
      {"{file: '/{{evidence.a}}'}", {"invalid_path 6:16"}},
      {"{file: '{{evidence.a'}", {"invalid_template 6:16"}},
      {"{file: \"a\\tb\"}", {"invalid_path 6:16"}},
      {"{file: {min_size: 1}}", {"missing_key 6:16"}},
      {"{file: {path: a, min_sise: 1}}", {"unknown_key 6:26"}},
      {"{file: {path: a, min_size: -1}}", {"wrong_type 6:36"}},
      {"{file: {path: a, min_size: 1.5}}", {"wrong_type 6:36"}},
      {"{file: {path: a, min_size: '1'}}", {"wrong_type 6:36"}},
      {"{file: {path: a, exists: yes}}", {"wrong_type 6:34"}},
      {"{file: {path: a, exists: true, absent: true}}", {"contradicting_keys 6:40"}},
      {"{file: {path: a, type: link}}", {"unknown_value 6:32"}},
      {"{file: {path: a, absent: true, type: file}}", {"contradicting_keys 6:40"}},
      {"{file: {path: a, type: folder, min_size: 1}}", {"contradicting_keys 6:40"}},
      {"{file: {path: a, exists: false}}", {"contradicting_keys 6:26"}},
      {"{file: {path: a, absent: true, min_size: 1}}", {"contradicting_keys 6:40"}},
      {"{file: {path: a, matches: 3}}", {"wrong_type 6:35"}},
      {"{file: {path: a, matches_all: ''}}", {"out_of_range 6:39"}},
      {"{file: {path: a, matches_all: [a]}}", {"wrong_type 6:39"}},
      {"{command: make test}", {"wrong_type 6:19"}},
      {"{command: []}", {"out_of_range 6:19"}},
      {"{command: [make, 4]}", {"wrong_type 6:26"}},
      {"{command: ['{{evidence.a}}', b]}", {"template_not_allowed 6:20"}},
      {"{command: {timeout: 3s}}", {"missing_key 6:19"}},
      {"{command: {argv: [a], run: b, shell: true}}", {"contradicting_keys 6:31"}},
      {"{command: {argv: [a], project: b}}", {"contradicting_keys 6:31"}},
      {"{command: {run: a}}", {"missing_key 6:20"}},
      {"{command: {argv: [a], shell: true}}", {"missing_key 6:19"}},
      {"{command: {shell: true, run: 'a {{evidence.b}}'}}", {"template_not_allowed 6:38"}},
      {"{command: {argv: [a], if_missing: skip}}", {"missing_key 6:31"}},
      {"{command: {project: a, if_missing: skp}}", {"unknown_value 6:44"}},
      {"{command: {argv: [a], timeout: 90}}", {"wrong_type 6:40"}},
      {"{command: {argv: [a], timeout: 2 days}}", {"wrong_type 6:40"}},
      {"{command: {argv: [a], timeout: 0s}}", {"out_of_range 6:40"}},
      {"{command: {argv: [a], timeout: 25h}}", {"out_of_range 6:40"}},
      {"{command: {argv: [a], timeout: 99999999999999999999h}}", {"wrong_type 6:40"}},
      {"{command: {argv: [a], output_max: 0}}", {"out_of_range 6:31"}},
      {"{command: {argv: [a], exit: 256}}", {"out_of_range 6:31"}},
      {"{command: {argv: [a], env: [A]}}", {"wrong_type 6:36"}},
      {"{command: {argv: [a], env: {A-B: x}}}", {"unusable_name 6:37"}},
      {"{command: {argv: [a], env: {A: 1}}}", {"wrong_type 6:40"}},
      {"{command: {argv: [a], inputs: ../src/*}}", {"invalid_path 6:39"}},
      {"{command: {argv: [a], inputs: '!../src/*'}}", {"invalid_path 6:39"}},
      {"{command: {argv: [a], inputs: '{{evidence.a}}'}}", {"template_not_allowed 6:39"}},
      {"{command: {argv: [a], inputs: []}}", {"out_of_range 6:39"}},
      {"{tests: {argv: [a], fails_at: start}}", {"missing_key 6:29"}},
      {"{tests: {argv: [a], fails_at: end}}", {"unknown_value 6:39"}},
      {"{tests: {argv: [a], passes_now: false}}", {"contradicting_keys 6:29"}},
      {"{tests: {argv: [a], min_tests: 1}}", {"missing_key 6:29"}},
      {"{tests: {argv: [a], ratchet: [coverage]}}", {"missing_key 6:29"}},
      {"{tests: {project: a, ratchet: [test]}}", {"unknown_value 6:30"}},
      {"{tests: {argv: [a], coverage: c, min_coverage: 101}}", {"out_of_range 6:42"}},
      {"{json: a.json}", {"wrong_type 6:16"}},
      {"{json: {schema: {}}}", {"missing_key 6:16"}},
      {"{json: {file: a, evidence: b, that: 'true'}}", {"contradicting_keys 6:26"}},
      {"{json: {file: a}}", {"missing_key 6:16"}},
      {"{json: {file: a, schema: [a]}}", {"wrong_type 6:34"}},
      {"{json: {file: a, schema: {}, schema_file: b}}", {"contradicting_keys 6:38"}},
      {"{sqlite: {db: a}}", {"missing_key 6:18"}},
      {"{sqlite: {db: a, query: 'SELECT {{arg}}'}}", {"template_not_allowed 6:33"}},
      {"{sqlite: {db: a, query: b, expect: rows}}", {"unknown_value 6:44"}},
      {"{sqlite: {db: a, query: SELECT 1, expect: row, rows: 1}}", {"contradicting_keys 6:56"}},
      {"{git: {}}", {"missing_key 6:15"}},
      {"{git: dirty}", {"unknown_value 6:15"}},
      {"{count: {pattern: a}}", {"missing_key 6:17"}},
      {"{count: a}", {"wrong_type 6:17"}},
      {"{http: 'ftp://a'}", {"invalid_url 6:16"}},
      {"{http: 'http://{{evidence.host}}/'}", {"template_not_allowed 6:16"}},
      {"{http: {url: 'http://a', method: POST}}", {"unknown_value 6:42"}},
      {"{http: {url: 'http://a', status: 99}}", {"out_of_range 6:34"}},
      {"{http: {url: 'http://a', hosts: b}}", {"wrong_type 6:41"}},
      {"{junit: {min_tests: 1}}", {"missing_key 6:17"}},
      {"{coverage: c.xml}", {"wrong_type 6:20"}},
      {"{coverage: {report: a, min: 120}}", {"out_of_range 6:32"}},
      {"{protected: {additions: allowed}}", {"missing_key 6:21"}},
      {"{protected: {project: false}}", {"missing_key 6:21"}},
      // All of one check are reported together.
      {"{file: {path: 3, min_size: x, matchs: a}, eror: b}",
       {"unknown_key 6:39", "wrong_type 6:23", "wrong_type 6:36", "unknown_key 6:51"}},
  };
  for (const Row& row : rows) {
    const LoadedWorkflow got = with_checks(std::string("      - ") + row.item + "\n");
    CAPTURE(row.item);
    CAPTURE(all_findings(got));
    auto errors = errors_of(got);
    auto wanted = row.errors;
    std::sort(errors.begin(), errors.end());
    std::sort(wanted.begin(), wanted.end());
    CHECK(errors == wanted);
    CHECK_FALSE(got.startable());
  }
}

TEST_CASE("checks: messages name what was probably meant, and what to write") {
  struct Row {
    const char* item;
    const char* said;
  };
  const Row rows[] = {
      {"{comand: [a]}", "did you mean command?"},
      {"{file: {path: a, min_sice: 1}}", "did you mean min_size?"},
      {"{command: {argv: [a], timout: 1s}}", "did you mean timeout?"},
      {"{http: {url: 'http://a', method: get}}", "did you mean GET?"},
      {"{tests: {project: t, ratchet: [test]}}", "did you mean tests?"},
      {"{command: make test}", "write [make, test]"},
      {"{command: {argv: [a], timeout: 90}}", "write it as 500ms, 90s, 10m or 1h"},
      {"{command: {shell: true, run: 'a {{b}}'}}", "env"},
      {"{sqlite: {db: a, query: '{{b}}'}}", "parameters"},
      {"{when: always}", "which is not known"},
  };
  for (const Row& row : rows) {
    const std::string text = all_findings(with_checks(std::string("      - ") + row.item + "\n"));
    CAPTURE(row.item);
    CHECK_MESSAGE(text.find(row.said) != std::string::npos, text);
  }
}

TEST_CASE("checks: names that are taken, lists that are none, too many, too large") {
  CHECK(errors_of(with_checks("      - {name: a, file: b}\n      - {file: c, name: a}\n")) ==
        std::vector<std::string>{"duplicate_check 7:25"});
  CHECK(errors_of(native(flow("", step("a", "    checks: {file: a}\n")))) ==
        std::vector<std::string>{"wrong_type 5:13"});
  std::string many;
  for (std::size_t i = 0; i <= phasegate::base::limits::kChecksPerGateMax; ++i) {
    many += "      - {file: a}\n";
  }
  CHECK(errors_of(with_checks(many)) == std::vector<std::string>{"too_many_checks 6:7"});
  const std::string large(phasegate::base::limits::kCheckBytesMax, 'x');
  CHECK(errors_of(with_checks("      - {command: [a, " + large + "]}\n")) ==
        std::vector<std::string>{"check_too_large 6:19"});
}

TEST_CASE("checks: a text that is cut anywhere gives findings, and nothing else happens") {
  const std::string text = flow(
      "checks: {saved: {sqlite: {db: a, query: SELECT 1}}}\nprotect: [{sqlite: a}]\n",
      step("a",
           "    checks:\n      - {name: \"u\\u00e9\", tests: {argv: [a, '{{b}}'], env: {A: x}, "
           "timeout: 3s, files: [t/**]}, cache: inputs}\n      - json: {file: a, schema: {a: [1, "
           "{b: "
           "null}]}}\n"));
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const LoadedWorkflow got = native(text.substr(0, size));
    CHECK((got.startable() || !got.findings.empty()));
    // The same with a byte that is no UTF-8 at the end.
    CHECK_FALSE(native(text.substr(0, size) + "\xFF").startable());
  }
}

TEST_CASE("checks: a step with checks needs neither evidence nor gate: none") {
  CHECK(with_checks("      - {file: a}\n").startable());
  CHECK(errors_of(native(flow("", step("a", "    checks: []\n")))) ==
        std::vector<std::string>{"gate_requires_nothing 3:5"});
  CHECK(errors_of(native(flow("", step("a", "    gate: none\n    checks: [{file: a}]\n")))) ==
        std::vector<std::string>{"contradicting_gate 5:11"});
  // What was not understood is no check, and no second error.
  CHECK(errors_of(native(flow("", step("a", "    checks: [{fil: a}]\n")))) ==
        std::vector<std::string>{"unknown_key 5:15"});
}

TEST_CASE("checks: a field may name the check that finds it out") {
  const LoadedWorkflow got =
      native(flow("", step("a",
                           "    evidence:\n      passed: {type: boolean, check: unit}\n"
                           "    checks: [{name: unit, command: [a]}]\n")));
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  CHECK(got.workflow.phases[0].gate.requirements[0].check == "unit");
  struct Row {
    const char* field;
    const char* error;
  };
  const Row rows[] = {
      {"{type: boolean, check: unti}", "unknown_check 6:0"},
      {"{type: boolean, check: 3}", "wrong_type 6:33"},
      {"{type: boolean, check: ''}", "empty_text 6:33"},
      {"{type: array, check: unit}", "rule_does_not_fit 6:31"},
  };
  for (const Row& row : rows) {
    const LoadedWorkflow wrong =
        native(flow("", step("a", std::string("    evidence:\n      f: ") + row.field +
                                      "\n    checks: [{name: unit, command: [a]}]\n")));
    CAPTURE(row.field);
    CAPTURE(all_findings(wrong));
    CHECK(errors_of(wrong) == std::vector<std::string>{row.error});
  }
}

TEST_CASE("checks: what others call a kind or a member is told in our words") {
  struct Row {
    const char* check;
    const char* hint;
  };
  const Row rows[] = {
      {"{cmd: [make]}", "did you mean command?"},
      {"{test: [make]}", "did you mean tests?"},
      {"{command: {cmd: [make]}}", "did you mean argv?"},
      {"{command: {argv: [make], exit_code: 1}}", "did you mean exit?"},
      {"{json: {path: a.json, that: 'true'}}", "did you mean file?"},
      {"{count: {files: a, min: 1}}", "did you mean at_least?"},
      {"{count: {files: a, max: 1}}", "did you mean at_most?"},
      {"{sqlite: {db: a.db, sql: SELECT 1}}", "did you mean query?"},
      {"{file: {file: a}}", "did you mean path?"},
      {"{junit: {path: a}}", "did you mean report?"},
      {"{tests: {argv: [a], timout: 3s}}", "did you mean timeout?"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.check);
    const auto loaded = phasegate::test::native(phasegate::test::flow(
        "", phasegate::test::step("a", std::string("    checks: [") + row.check + "]\n")));
    bool found = false;
    for (const auto& finding : loaded.findings) found = found || finding.hint == row.hint;
    CHECK_MESSAGE(found, phasegate::test::all_findings(loaded));
  }
}

TEST_CASE("checks: a query that could not be allowed, or lacks a parameter, is told at once") {
  struct Row {
    const char* members;
    const char* code;  ///< empty: none
  };
  const Row rows[] = {
      {"query: SELECT 1", ""},
      {"query: \"  -- why\\n  /* DELETE */ with a as (select 1) select * from a\"", ""},
      {"query: values (1)", ""},
      {"query: PRAGMA data_version", ""},
      {"query: PRAGMA journal_mode", "query_not_allowed"},
      {"query: DELETE FROM t", "query_not_allowed"},
      {"query: \"'SELECT'\"", "query_not_allowed"},
      {"query: 'SELECT :a', parameters: {a: x}", ""},
      {"query: 'SELECT :a, @b, :run, :arg', parameters: {b: x}", "missing_key"},
      {"query: \"SELECT ':a', \\\":b\\\", [:c] -- :d\"", ""},
      {"query: 'SELECT :a'", "missing_key"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.members);
    const auto loaded = phasegate::test::native(phasegate::test::flow(
        "", phasegate::test::step(
                "a", std::string("    checks: [{sqlite: {db: a.db, ") + row.members + "}}]\n")));
    const auto errors = phasegate::test::errors_of(loaded);
    CAPTURE(phasegate::test::all_findings(loaded));
    if (std::string_view(row.code).empty()) {
      CHECK(errors.empty());
    } else {
      REQUIRE(errors.size() == 1);
      CHECK(errors[0].starts_with(row.code));
    }
  }
}

TEST_CASE("checks: a report outside the project is none that a test run writes") {
  for (const char* member : {"junit: /tmp/j.xml", "coverage: /c.xml"}) {
    const auto loaded = phasegate::test::native(phasegate::test::flow(
        "", phasegate::test::step(
                "a", std::string("    checks: [{tests: {argv: [a], ") + member + "}}]\n")));
    CAPTURE(phasegate::test::all_findings(loaded));
    REQUIRE(phasegate::test::errors_of(loaded).size() == 1);
    CHECK(phasegate::test::errors_of(loaded)[0].starts_with("invalid_path"));
  }
}
