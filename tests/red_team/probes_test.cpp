#include <doctest/doctest.h>

#include "tests/red_team/project.h"

namespace phasegate::red_team {
namespace {

/// One check in a workflow of its own, its evidence `v`, and what was done to the project.
struct Probe {
  const char* name;
  const char* check;
  const char* shell;
  std::string v;
  const char* said;
};

using namespace std::string_literals;

const Probe kProbes[] = {
    {"a program that hangs", "command: {argv: [sleep, '1000'], timeout: 200ms}", ":", "a",
     "timed out after"},
    {"one that cannot be asked to end",
     "command: {shell: true, run: \"trap : TERM; while :; do sleep 0.05; done\", timeout: 200ms}",
     ":", "a", "timed out after"},
    {"one that floods", "command: {shell: true, run: \"yes\", timeout: 1s}", ":", "a",
     "timed out after"},
    {"one that hides behind a flood",
     "command: {shell: true, run: \"yes | head -c 3000000\", stdout_lacks: error}", ":", "a",
     "is longer than what is kept of it"},
    {"one that asks", "command: {shell: true, run: \"read x < /dev/tty\"}", ":", "a", "exit code"},
    {"one that waits for input", "command: {shell: true, run: \"read x\"}", ":", "a",
     "exit code 1"},
    {"one that is ended by a signal", "command: {shell: true, run: \"kill -9 $$\"}", ":", "a",
     "signal"},
    {"one that is not there", "command: [no-such-program]", ":", "a", "is not found in PATH"},
    {"an option instead of a value", "command: [grep, -q, foo, \"{{evidence.v}}\"]", ":",
     "--version", "would read as an option"},
    {"a value with NUL", "command: [grep, -q, foo, \"{{evidence.v}}\"]", ":", "a\0b"s,
     "argv[3]: {{evidence.v}} cannot be filled in: it holds a NUL byte"},
    {"a value that is a template", "command: [test, \"{{evidence.v}}\", \"=\", \"{{run.id}}\"]",
     ":", "{{run.id}}", "exit code 1"},
    {"a value that is shell",
     "command: {shell: true, run: 'test \"$V\" = ok', env: {V: \"{{evidence.v}}\"}}", ":",
     "ok\"; touch pwned; exit 0 #", "exit code 1"},
    {"a working folder that leads out", "command: {argv: [\"true\"], cwd: docs/l}",
     "ln -s /tmp docs/l", "a", "leads out of the project"},
    {"a path that climbs out", "file: \"docs/{{evidence.v}}\"", ":", "../../../etc/passwd",
     "climbs above its root"},
    {"a path that names the folder above", "file: \"docs/{{evidence.v}}\"", ":", "..",
     "names no file"},
    {"a path that leaves the author's folder", "file: \"docs/{{evidence.v}}.sh\"", ":",
     "../src/add", "does not begin with \"docs/\" any more"},
    {"a path that stays in the author's folder only on its way",
     "json: {file: \"docs/{{evidence.v}}\", that: value.ok == true}",
     "echo '{\"ok\":true}' > src/a.json", "x/../../src/a.json",
     "does not begin with \"docs/\" any more"},
    {"a folder instead of a file", "file: {path: \"{{evidence.v}}\", type: file}", ":", "docs",
     "docs is a folder, wanted a file"},
    {"a protected program that may not be run any more", "protected: [tests/**]",
     "chmod +x tests/run.sh", "a", "\"tests/run.sh\""},
    {"a file that is hidden from git", "git: clean",
     "echo hidden.sh > .git/info/exclude; echo evil > hidden.sh", "a", "\"hidden.sh\""},
    {"an index that says that nothing was changed", "git: {untouched: [src/**]}",
     "old=$(git rev-parse HEAD:src/add.sh); echo evil > src/add.sh; touch -d '1 hour ago' "
     "src/add.sh; git add src; new=$(git rev-parse :src/add.sh); "
     "env printf \"$(od -An -v -tx1 .git/index | tr -d ' \\n' | sed \"s/$new/$old/; "
     "s/../\\\\\\\\x&/g\")\" > forged; mv forged .git/index; test -z \"$(git status --short src)\"",
     "a", "\"src/add.sh\""},
    {"objects that say that nothing was changed", "git: {untouched: [src/**]}",
     "old=$(git rev-parse HEAD:src | sed 's#^..#&/#'); echo evil > src/add.sh; git add src; "
     "new=$(git rev-parse $(git write-tree):src | sed 's#^..#&/#'); cd .git/objects; rm -f $old; "
     "cp $new $old",
     "a", "objects are not what their ids say"},
    {"a repository that was taken away", "git: clean", "mv .git ../git", "a",
     "there was one when the run began"},
    {"a path with a line break", "file: \"docs/{{evidence.v}}\"", ":", "a\nb", "control character"},
    {"a path of another case", "file: \"docs/{{evidence.v}}\"", ":", "PLAN.md",
     "did you mean docs/plan.md"},
    {"a path that is too long", "file: \"docs/{{evidence.v}}\"", ":", std::string(100'000, 'a'),
     "longer than"},
    {"a link to a folder outside", "file: \"docs/l/{{evidence.v}}\"", "ln -s /etc docs/l", "passwd",
     "leads out of the project"},
    {"files outside, counted", "count: {files: \"docs/*.conf\", at_least: 1}",
     "ln -s /etc/host.conf docs/a.conf", "a", "leads out of the project"},
    {"something hidden behind a link", "count: {files: \"src/**\", pattern: TODO, at_most: 0}",
     "echo TODO > ../hidden; ln -s ../../hidden src/a", "a", "leads out of the project"},
    {"a test that is a link out of the project", "protected: [tests/**]",
     "echo evil > ../evil.sh; ln -s ../../evil.sh tests/conftest.sh", "a", "tests/conftest.sh"},
    {"folders without end", "protected: [docs/**]",
     "p=docs; i=0; while [ $i -lt 300 ]; do p=$p/d; i=$((i+1)); done; mkdir -p $p", "a",
     "more than 256 deep"},
    {"a pipe where SQLite keeps its journal", "sqlite: {db: docs/x.db, query: SELECT 1}",
     ": > docs/x.db; mkfifo docs/x.db-journal", "a", "no regular file"},
    {"SQL as a value",
     "sqlite: {db: docs/x.db, query: \"SELECT 1 FROM sqlite_schema WHERE name = :n\", parameters: "
     "{n: \"{{evidence.v}}\"}}",
     ": > docs/x.db", "x' OR '1'='1", "finds no row"},
    {"a name instead of a commit", "git: {commit: \"{{evidence.v}}\"}", ":", "HEAD",
     "is not the id of a commit"},
    {"an option instead of a commit", "git: {commit: \"{{evidence.v}}\"}", ":", "--all",
     "is not the id of a commit"},
    {"a key twice", "json: {file: docs/a.json, that: value.ok == true}",
     "echo '{\"ok\":false,\"ok\":true}' > docs/a.json", "a", "appears twice"},
    {"brackets without end", "json: {file: docs/a.json, that: value.ok == true}",
     "head -c 100000 /dev/zero | tr '\\0' '[' > docs/a.json", "a", "is no JSON"},
    {"a report written by hand",
     "tests: {argv: [sh, -c, 'echo all passed'], junit: build/junit.xml, min_tests: 1}",
     "mkdir -p build; echo '<testsuite><testcase name=\"a\"/></testsuite>' > build/junit.xml", "a",
     "the run did not write the report"},
    {"a report without tests",
     "tests: {shell: true, run: \"mkdir -p build; echo '<testsuite/>' > build/junit.xml\", junit: "
     "build/junit.xml, min_tests: 1}",
     ":", "a", "wanted at least 1"},
    {"a report through a link", "tests: {argv: [\"true\"], junit: build/junit.xml, min_tests: 1}",
     "mkdir build; echo '<testsuite><testcase name=\"a\"/></testsuite>' > docs/j.xml; ln -s "
     "../docs/j.xml build/junit.xml",
     "a", "it is a link"},
    {"a false condition in words", "expr: \"evidence.v\"", ":", "true", "wanted true or false"},
    {"a restored file is seen by who looks first",
     "command: {shell: true, run: \"git checkout -q src\"}\n      - protected: [src/**]",
     "echo weak > src/add.sh", "a", "\"src/add.sh\""},
    {"a change undone by the tests, too",
     "command: {shell: true, run: \"rm src/evil.sh\"}\n      - git: {within: [docs/**]}",
     "echo weak > src/evil.sh", "a", "\"src/evil.sh\""},
};

TEST_CASE(
    "red team: one check by itself is not to be got round, whatever it meets (ARCHITECTURE §5)") {
  for (const Probe& probe : kProbes) {
    const std::string name = probe.name;
    CAPTURE(name);
    const Project project;
    test::write_file(project.root() / ".phasegate" / "workflows" / "probe.yaml",
                     "workflow: probe\nsteps:\n  - id: change\n    instructions: Do it.\n"
                     "    evidence: {v: string}\n    checks:\n      - " +
                         std::string(probe.check) +
                         "\n  - id: done\n    gate: none\n    instructions: " +
                         std::string(kOfLastPhase) + "\n");
    project.sh("git add -A; git commit -qm probe");
    REQUIRE(project.trust("probe") == 0);
    project.start("probe");
    project.sh(probe.shell);
    const test::Ended answer = project.complete("change", {{"v", probe.v}});
    CAPTURE(answer.out);
    CAPTURE(answer.err);
    CHECK(answer.code == 1);
    CHECK(contains(answer.out, probe.said));
    CHECK(contains(answer.out, "What to do: "));
    CHECK_FALSE(contains(answer.out, kOfLastPhase));
    CHECK_FALSE(fs::exists(project.root() / "pwned"));
    CHECK(project.phase() == "change");
  }
}

}  // namespace
}  // namespace phasegate::red_team
