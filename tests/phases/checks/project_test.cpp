// .phasegate/project.yaml, and what workflows make of it (docs/checks.md).
#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/limits.h"
#include "phases/project_commands.h"
#include "phases/project_config.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::flow;
using phasegate::test::native;
using phasegate::test::step;
using phasegate::test::TempFolder;
namespace base = phasegate::base;

namespace {

std::vector<std::string> errors_in(const ProjectConfig& config) {
  LoadedWorkflow as_loaded;
  as_loaded.findings = config.findings;
  return errors_of(as_loaded);
}

LoadedWorkflow with_checks(const std::string& items, const std::string& top = "") {
  LoadedWorkflow got = native(flow(top, step("a", "    checks:\n" + items)));
  CAPTURE(all_findings(got));
  CHECK(got.startable());
  return got;
}

std::vector<std::string> parameters_in(const LoadedWorkflow& loaded) {
  std::vector<std::string> all;
  for (const Check& check : loaded.workflow.phases.at(0).gate.checks) {
    all.push_back(check.parameters);
  }
  return all;
}

constexpr const char* kProject =
    "commands:\n"
    "  test: {argv: [make, test], timeout: 5m, cwd: sub, junit: j.xml, files: [t/**]}\n"
    "  lint: [make, lint]\n"
    "  all: {shell: true, run: \"a | b\", env: {A: x}}\n"
    "protected: [golden/**]\n"
    "hosts: [example.org]\n";

}  // namespace

TEST_CASE("project.yaml: commands, protected files and hosts") {
  const ProjectConfig config = read_project_config(kProject);
  CHECK(config.sound());
  CHECK(config.findings.empty());
  CHECK(config.sha256 == base::sha256_hex(kProject));
  REQUIRE(config.commands.size() == 3);
  CHECK(config.commands.at("lint") == R"({"argv":["make","lint"]})");
  CHECK(config.commands.at("all") == R"({"env":{"A":"x"},"run":"a | b","shell":true})");
  CHECK(
      config.commands.at("test") ==
      R"({"argv":["make","test"],"cwd":"sub","files":["t/**"],"junit":"j.xml","timeout":300000})");
  CHECK(config.protected_paths == std::vector<std::string>{"golden/**"});
  CHECK(config.hosts == std::vector<std::string>{"example.org"});
  for (const char* empty : {"", "# nothing\n", "commands:\nprotected:\nhosts:\n", "{}\n"}) {
    CHECK(read_project_config(empty).findings.empty());
  }
  CHECK(read_project_config("\xEF\xBB\xBF"
                            "hosts: [a]\r\n")
            .hosts.size() == 1);
}

TEST_CASE("project.yaml: what is wrong is an error at its place, and such a command is left out") {
  struct Row {
    std::string text;
    const char* error;
  };
  const Row rows[] = {
      {"- a\n", "wrong_type 1:1"},
      {"a: [\n", "invalid_yaml 2:1"},
      {"command: {}\n", "unknown_key 1:1"},
      {"commands: [a]\n", "wrong_type 1:11"},
      {"commands: {test: make test}\n", "wrong_type 1:18"},
      {"commands: {test: []}\n", "out_of_range 1:18"},
      {"commands: {test: {timeout: 3s}}\n", "missing_key 1:18"},
      {"commands: {test: {run: a}}\n", "missing_key 1:19"},
      {"commands: {test: {argv: [a], project: b}}\n", "unknown_key 1:30"},
      {"commands: {test: {argv: [a], tiemout: 3s}}\n", "unknown_key 1:30"},
      {"commands: {test: {argv: [a], timeout: 3}}\n", "wrong_type 1:39"},
      {"commands: {test: {argv: [a], files: ../a}}\n", "invalid_path 1:37"},
      {"commands: {'a b': [c]}\n", "unusable_name 1:12"},
      {"protected: [/a]\n", "invalid_path 1:13"},
      {"protected: {a: b}\n", "wrong_type 1:12"},
      {"hosts: example.org\n", "wrong_type 1:8"},
      {"hosts: ['http://a']\n", "invalid_host 1:9"},
      {"hosts: [3]\n", "wrong_type 1:9"},
      {"hosts: [\"\xFF\"]\n", "invalid_yaml 1:1"},
      {std::string(base::limits::kProjectFileBytesMax + 1, '#'), "too_large 0:0"},
      {std::string(100, '['), "invalid_yaml 1:1"},
  };
  for (const Row& row : rows) {
    const ProjectConfig config = read_project_config(row.text);
    CAPTURE(row.text.substr(0, 80));
    CHECK_FALSE(config.sound());
    CHECK(config.commands.empty());
    const auto errors = errors_in(config);
    REQUIRE(errors.size() == 1);
    const std::string code = std::string(row.error).substr(0, std::string(row.error).find(' '));
    // Where a parser stops is its own affair.
    if (code == "invalid_yaml") {
      CHECK(errors[0].starts_with("invalid_yaml "));
    } else {
      CHECK(errors[0] == row.error);
    }
  }
}

TEST_CASE("project.yaml: every error says what to write instead") {
  struct Row {
    std::string text;
    const char* hint;
  };
  const Row rows[] = {
      {"comands: {}\n", "did you mean commands?"},
      {"x: {}\n", "known keys: commands, protected, hosts, search"},
      {"commands: {test: {argv: [a], timout: 3s}}\n", "did you mean timeout?"},
      {"commands: {test: {cmd: [a]}}\n", "did you mean argv?"},
      {"commands: {test: python3 -m unittest}\n",
       "write [python3, -m, unittest], or for a shell {shell: true, run: \"python3 -m unittest\"}"},
      {"commands: {test: 'a && b'}\n",
       "write [make, test]; a line for a shell is {shell: true, run: \"…\"}"},
      {"commands: {test: {argv: [a], junit: /tmp/j.xml}}\n",
       "write a path from the project's root, such as build/junit.xml"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const ProjectConfig config = read_project_config(row.text);
    REQUIRE_FALSE(config.findings.empty());
    CHECK(config.findings[0].severity == Severity::error);
    CHECK(config.findings[0].hint == row.hint);
  }
  // All of them, not only the first.
  CHECK(read_project_config("commands: {a: b, c: {argv: [d], timout: 3s}}\nhost: []\n")
            .findings.size() == 3);
}

TEST_CASE("project.yaml: what is searched") {
  const ProjectConfig config = read_project_config(
      "search:\n"
      "  folders: [docs/, ./a//b, ., .github/docs]\n"
      "  include: ['**/*.md', 'src/**/*.py']\n"
      "  exclude: docs/old/\n"
      "hosts: [example.org]\n");
  CHECK(config.sound());
  CHECK(config.sound_for_checks);
  CHECK(config.search.sound);
  CHECK(config.search.folders == std::vector<std::string>{"docs", "a/b", ".", ".github/docs"});
  CHECK(config.search.include == std::vector<std::string>{"**/*.md", "src/**/*.py"});
  CHECK(config.search.exclude == std::vector<std::string>{"docs/old/"});
  CHECK(read_project_config("search: {folders: docs}\n").search.folders ==
        std::vector<std::string>{"docs"});
  for (const char* empty : {"", "search:\n", "search: {}\n", "search: {folders:, include:}\n",
                            "commands: {a: [b]}\n"}) {
    CAPTURE(empty);
    const ProjectConfig none = read_project_config(empty);
    CHECK(none.search.sound);
    CHECK(none.search.folders.empty());
    CHECK(none.search.include.empty());
  }
}

TEST_CASE("project.yaml: a wrong search is an error at its place, and closes no gate") {
  struct Row {
    std::string text;
    const char* error;
  };
  std::string many;
  for (std::size_t i = 0; i <= base::limits::kSearchFoldersMax; ++i) {
    many += (i == 0 ? "" : ", ") + std::to_string(i) + "d";
  }
  const Row rows[] = {
      {"search: docs\n", "wrong_type 1:9"},
      {"search: [docs]\n", "wrong_type 1:9"},
      {"search: {folder: docs}\n", "unknown_key 1:10"},
      {"search: {folders: {a: b}}\n", "wrong_type 1:19"},
      {"search: {folders: [3]}\n", "wrong_type 1:20"},
      {"search: {folders: [a, ../x]}\n", "invalid_path 1:23"},
      {"search: {folders: [/etc]}\n", "invalid_path 1:20"},
      {"search: {folders: ['~/docs']}\n", "invalid_path 1:20"},
      {"search: {folders: ['']}\n", "invalid_path 1:20"},
      {"search: {folders: [\"a\\nb\"]}\n", "invalid_path 1:20"},
      {"search: {folders: [.git/hooks]}\n", "invalid_path 1:20"},
      {"search: {folders: [" + many + "]}\n", "out_of_range 1:19"},
      {"search: {include: []}\n", "out_of_range 1:19"},
      {"search: {include: ['a', 'b[']}\n", "invalid_glob 1:25"},
      {"search: {include: 'a**b'}\n", "invalid_glob 1:19"},
      {"search: {exclude: ['!a']}\n", "invalid_glob 1:19"},
      {"search: {exclude: ['../a']}\n", "invalid_path 1:20"},
      {"search: {exclude: ['a/{{b}}']}\n", "template_not_allowed 1:20"},
  };
  for (const Row& row : rows) {
    const ProjectConfig config = read_project_config(row.text + "commands: {test: [make]}\n");
    CAPTURE(row.text.substr(0, 80));
    CHECK(errors_in(config) == std::vector<std::string>{row.error});
    CHECK_FALSE(config.sound());
    CHECK_FALSE(config.search.sound);
    CHECK(config.sound_for_checks);
    CHECK(config.commands.contains("test"));
  }
  // Nobody knows what a file that cannot be read, or a key that is not known, would have excluded.
  for (const char* text : {"a: [\n", "- a\n", "serch: {exclude: [a]}\n"}) {
    CAPTURE(text);
    CHECK_FALSE(read_project_config(text).search.sound);
    CHECK_FALSE(read_project_config(text).sound_for_checks);
  }
  CHECK(read_project_config("commands: {a: b}\n").search.sound);
}

TEST_CASE("with_project: checks get what the project says, and what they write themselves wins") {
  const LoadedWorkflow loaded = with_checks(
      "      - tests: {project: test, timeout: 1s}\n"
      "      - command: {project: test}\n"
      "      - command: {project: all}\n"
      "      - {tests: {project: test, fails_at: start, if_missing: skip}}\n"
      "      - {tests: {project: lint, fails_at: start, if_missing: skip}}\n"
      "      - command: {project: tset}\n"
      "      - command: [own]\n"
      "      - protected: {project: true, paths: [golden/**, b]}\n"
      "      - http: {url: 'https://a', hosts: [a]}\n");
  CHECK(uses_project(loaded.workflow));
  const LoadedWorkflow got = with_project(loaded, read_project_config(kProject));
  const auto parameters = parameters_in(got);
  REQUIRE(parameters.size() == 9);
  CHECK(
      parameters[0] ==
      R"({"argv":["make","test"],"cwd":"sub","files":["t/**"],"junit":"j.xml","project":"test","timeout":1000})");
  CHECK(parameters[1] ==
        R"({"argv":["make","test"],"cwd":"sub","project":"test","timeout":300000})");
  CHECK(parameters[2] == R"({"env":{"A":"x"},"project":"all","run":"a | b","shell":true})");
  CHECK(parameters[3].find("\"argv\"") != std::string::npos);
  // A command that does not say which files are tests is not meant by fails_at.
  CHECK(parameters[4].find("\"argv\"") == std::string::npos);
  CHECK(parameters[5] == R"({"project":"tset"})");
  CHECK(parameters[6] == R"({"argv":["own"]})");
  CHECK(parameters[7] == R"({"paths":["golden/**","b"],"project":true})");
  CHECK(parameters[8] == R"({"hosts":["a","example.org"],"url":"https://a"})");
  CHECK(got.content_hash ==
        base::sha256_hex(loaded.content_hash + "\n" + base::sha256_hex(kProject)));
  CHECK(got.startable());
}

TEST_CASE("with_project: without a file, without use, with a broken file") {
  const LoadedWorkflow plain = with_checks("      - file: a\n      - command: [b]\n");
  CHECK_FALSE(uses_project(plain.workflow));
  const LoadedWorkflow same = with_project(plain, read_project_config(kProject));
  CHECK(same.workflow == plain.workflow);
  CHECK(same.content_hash == plain.content_hash);
  CHECK(with_project(plain, read_project_config("a: [")).startable());

  const LoadedWorkflow loaded = with_checks(
      "      - command: {project: test, if_missing: skip}\n"
      "      - protected: {project: true}\n");
  const LoadedWorkflow none = with_project(loaded, std::nullopt);
  CHECK(none.content_hash == loaded.content_hash);
  CHECK(parameters_in(none)[0] == R"({"if_missing":"skip","project":"test"})");
  CHECK(parameters_in(none)[1] == R"({"paths":[],"project":true})");
  CHECK(none.startable());
  // Not skipped because of a slip in the project's file.
  CHECK_FALSE(with_project(loaded, read_project_config("commands: {test: make}\n")).startable());
  const auto wrong_search = read_project_config(std::string(kProject) + "search: {x: y}\n");
  REQUIRE_FALSE(wrong_search.sound());
  CHECK(with_project(loaded, wrong_search).startable());
}

TEST_CASE("with_project: named checks take from the project as well") {
  const LoadedWorkflow loaded = native(flow("checks: {suite: {tests: {project: test}}}\n"));
  CHECK(uses_project(loaded.workflow));
  const LoadedWorkflow got = with_project(loaded, read_project_config(kProject));
  CHECK(got.workflow.checks[0].parameters.find("make") != std::string::npos);
  CHECK(got.content_hash != loaded.content_hash);
}

TEST_CASE("what_runs: everything that needs trust, in order, as it would be typed") {
  const LoadedWorkflow loaded = with_checks(
      "      - file: a\n"
      "      - file: /etc/hosts\n"
      "      - {name: say, command: {argv: [echo, 'a b', \"it's\", '', '{{evidence.x}}', "
      "\"\\e[2J\"], "
      "env: {A: b}, cwd: sub, stdin: 'rm x'}}\n"
      "      - {command: {shell: true, run: 'a | b', timeout: 3s}}\n"
      "      - {tests: {project: test, if_missing: skip}}\n"
      "      - {http: {url: 'https://a/b?c', hosts: [a]}}\n"
      "      - 'true'\n",
      "checks: {saved: {command: [x]}}\n");
  const auto runs = what_runs(loaded.workflow);
  REQUIRE(runs.size() == 6);
  CHECK(runs[0].check == "file-2");
  CHECK(runs[0].absolute == std::vector<std::string>{"/etc/hosts"});
  CHECK(runs[1].phase == "a");
  CHECK(runs[1].check == "say");
  CHECK(runs[1].line == R"(echo 'a b' 'it'\''s' '' {{evidence.x}} "\u001b[2J")");
  CHECK(runs[1].cwd == "sub");
  CHECK(runs[1].env == std::vector<std::string>{"A=b"});
  CHECK(runs[1].input == "rm x");
  CHECK(runs[1].timeout_ms == base::limits::kCheckMs);
  CHECK(runs[2].line == "sh -c 'a | b'");
  CHECK(runs[2].timeout_ms == 3000);
  CHECK(runs[3].missing);
  CHECK(runs[3].line == "the project's command \"test\"");
  CHECK(runs[4].line == "GET 'https://a/b?c'");
  CHECK(runs[4].hosts == std::vector<std::string>{"a"});
  CHECK(runs[5].phase.empty());
  CHECK(runs[5].check == "saved");
  CHECK(needs_trust(loaded.workflow));
}

TEST_CASE("needs_trust: what the project does not have is not run, and needs none") {
  const LoadedWorkflow loaded = with_checks("      - {tests: {project: test, if_missing: skip}}\n");
  CHECK_FALSE(needs_trust(with_project(loaded, std::nullopt).workflow));
  CHECK(needs_trust(with_project(loaded, read_project_config(kProject)).workflow));
  CHECK_FALSE(needs_trust(with_checks("      - file: a\n      - 'true'\n").workflow));
}
