#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "tests/support/files.h"
#include "tests/world/checks/scene.h"
#include "world/checks/program.h"

namespace phasegate::world::checks {
namespace {

namespace fs = std::filesystem;
using base::Json;
using gating::CheckOutcome;
using gating::CheckResult;

CheckResult run(const fs::path& root, const char* parameters, const char* scope = "{}") {
  const test::CheckAsked asked(phases::CheckKind::command, root, Json::parse(parameters),
                               Json::parse(scope));
  return check_command(asked.ask);
}

TEST_CASE("command: what the program does decides, not what anybody says (ARCHITECTURE §5)") {
  const test::TempFolder folder;
  struct Row {
    const char* parameters;
    CheckOutcome outcome;
    const char* reason;
  };
  for (
      const Row& row : {
          Row{R"({"argv":["true"]})", CheckOutcome::passed, ""},
          Row{R"({"argv":["false"]})", CheckOutcome::failed, "exit code 1, wanted 0"},
          Row{R"({"argv":["false"],"exit":[1]})", CheckOutcome::passed, ""},
          Row{R"({"argv":["true"],"exit":[1,3,5]})", CheckOutcome::failed,
              "exit code 0, wanted 1, 3 or 5"},
          Row{R"({"shell":true,"run":"kill -9 $$"})", CheckOutcome::failed,
              "ended by signal 9, wanted exit code 0"},
          Row{R"({"argv":["sleep","1000"],"timeout":50})", CheckOutcome::errored,
              "timed out after 0.05 s"},
          Row{R"({"argv":["no-such-program"]})", CheckOutcome::errored,
              "the program \"no-such-program\" is not found in PATH"},
          Row{R"({"argv":["./gone"]})", CheckOutcome::errored,
              "the program \"./gone\" is not there"},
          Row{R"({"argv":["true"],"cwd":"gone"})", CheckOutcome::errored, nullptr},
          Row{R"({"argv":["true"],"cwd":"../x"})", CheckOutcome::errored, nullptr},
          Row{R"({"argv":["true"],"cwd":"."})", CheckOutcome::passed, ""},
          Row{R"({"argv":["true"],"env":{"A=B":"c"}})", CheckOutcome::errored,
              "\"A=B\" cannot be the name of a variable"},
          Row{R"({"argv":["echo","all 3 passed"],"stdout_matches":"all \\d+ passed"})",
              CheckOutcome::passed, ""},
          Row{R"({"argv":["echo","2 failed"],"stdout_matches":"^ok","stdout_lacks":"failed"})",
              CheckOutcome::failed,
              "standard output does not match \"^ok\"; standard output matches \"failed\", which "
              "it must not"},
          Row{R"({"shell":true,"run":"echo no >&2; exit 2","stderr_lacks":"no","stderr_matches":"o"})",
              CheckOutcome::failed,
              "exit code 2, wanted 0; standard error matches \"no\", which it must not"},
          Row{R"({"argv":["echo","x"],"stdout_matches":"("})", CheckOutcome::errored, nullptr},
          // More than is kept: the exit code decides, and nothing is said of what is not known.
          Row{R"({"argv":["seq","100000"],"output_max":100})", CheckOutcome::passed, ""},
          Row{R"({"shell":true,"run":"seq 100000; exit 3","output_max":100})", CheckOutcome::failed,
              "exit code 3, wanted 0"},
          Row{R"({"argv":["seq","100000"],"output_max":100,"stdout_lacks":"failed"})",
              CheckOutcome::errored,
              "standard output is longer than what is kept of it, so stdout_lacks cannot be "
              "judged"},
          Row{R"({"argv":["seq","100000"],"output_max":100,"stdout_matches":"100000"})",
              CheckOutcome::errored,
              "standard output is longer than what is kept of it, so stdout_matches cannot be "
              "judged"},
          Row{R"({"argv":["seq","100000"],"output_max":100,"stdout_json":"true"})",
              CheckOutcome::errored,
              "standard output is longer than what is kept of it, so stdout_json cannot be judged"},
          Row{R"({"argv":["seq","100000"],"output_max":100,"stderr_lacks":"x"})",
              CheckOutcome::passed, ""},
          Row{R"({"shell":true,"run":"seq 100000; exit 3","output_max":100,"stdout_lacks":"x"})",
              CheckOutcome::failed, "exit code 3, wanted 0"},
          Row{R"({})", CheckOutcome::errored, nullptr},
          Row{R"({"run":"true"})", CheckOutcome::errored, "run is written without shell: true"},
      }) {
    CAPTURE(row.parameters);
    const CheckResult result = run(folder.path(), row.parameters);
    CHECK(result.outcome == row.outcome);
    if (row.reason != nullptr) CHECK(result.reason == row.reason);
    CHECK(result.reason.empty() == (row.outcome == CheckOutcome::passed));
    CHECK(result.reason.find(folder.path().string()) == std::string::npos);
  }
}

TEST_CASE("command: a text that no program can be given is named (ARCHITECTURE §5)") {
  const test::TempFolder folder;
  const char* scope = R"j({"evidence":{"v":"a\u0000b"}})j";
  constexpr const char* kWhy = ": {{evidence.v}} cannot be filled in: it holds a NUL byte";
  const std::pair<const char*, std::string> rows[] = {
      {R"({"argv":["echo","ok","{{evidence.v}}"]})", std::string("argv[2]") + kWhy},
      {R"({"argv":["echo"],"env":{"A":"x","B":"{{evidence.v}}"}})", std::string("env.B") + kWhy},
      {R"({"argv":["cat"],"stdin":"{{evidence.v}}"})", std::string("stdin") + kWhy},
      {R"({"argv":["true"],"cwd":"{{evidence.v}}"})", std::string("cwd") + kWhy},
      {R"({"argv":["echo","a\u0000b"]})", "argv[1]: the text holds a NUL byte"},
      {R"({"argv":["true"],"env":{"A":"a\u0000b"}})", "env.A: the text holds a NUL byte"},
      {R"({"shell":true,"run":"true\u0000 # x"})",
       "run holds a NUL byte, which no program can be given"},
  };
  for (const auto& [parameters, reason] : rows) {
    CAPTURE(parameters);
    const CheckResult result = run(folder.path(), parameters, scope);
    CHECK(result.outcome == CheckOutcome::errored);
    CHECK(result.reason == reason);
  }
}

TEST_CASE("command: what is recorded of it") {
  const test::TempFolder folder;
  const CheckResult result =
      run(folder.path(), R"({"argv":["sh","-c","echo out; echo err >&2; exit 4"]})");
  CHECK(result.name == "it");
  CHECK(result.subject == "sh -c 'echo out; echo err >&2; exit 4'");
  CHECK(result.exit_code == 4);
  CHECK(result.output_tail == "out\n[stderr]\nerr");
  CHECK(result.output_digest.size() == 64);
  CHECK(result.environment_digest.size() == 64);
  CHECK(run(folder.path(), R"({"argv":["true"],"env":{"A":"1"}})").environment_digest !=
        result.environment_digest);
  CHECK(command_line({"a b", "it's", "", "plain-1"}) == R"('a b' 'it'\''s' '' plain-1)");
}

TEST_CASE("command: its value is its exit code") {
  const test::TempFolder folder;
  CHECK(run(folder.path(), R"({"shell":true,"run":"exit 3"})").value == "3");
  CHECK(run(folder.path(), R"({"argv":["true"]})").value == "0");
  CHECK(run(folder.path(), R"({"argv":["./gone"]})").value.empty());
}

TEST_CASE("command: values are arguments of their own, never text that a shell reads (004-26)") {
  const test::TempFolder folder;
  const char* scope = R"j({"evidence":{"file":"a b; $(touch hacked)","flag":"--help","n":3}})j";
  CheckResult result = run(
      folder.path(), R"({"argv":["printf","%s|","{{evidence.file}}","-n={{evidence.n}}"]})", scope);
  CHECK(result.output_tail == "a b; $(touch hacked)|-n=3|");

  result = run(folder.path(), R"({"argv":["printf","{{evidence.flag}}"]})", scope);
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(result.reason ==
        "\"{{evidence.flag}}\" became \"--help\", which the program would read as an option");
  result = run(folder.path(), R"({"argv":["echo","--x={{evidence.flag}}"]})", scope);
  CHECK(result.output_tail == "--x=--help");

  result = run(folder.path(), R"({"argv":["{{evidence.file}}"]})", scope);
  CHECK(result.outcome == CheckOutcome::errored);
  result = run(folder.path(), R"({"argv":["echo","{{evidence.gone}}"]})", scope);
  CHECK(result.outcome == CheckOutcome::errored);

  result = run(folder.path(), R"({"shell":true,"run":"echo {{ evidence.file }}"})", scope);
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(result.hint.find("env: {VALUE: \"{{ evidence.file }}\"}") != std::string::npos);
  result = run(folder.path(), R"({"shell":true,"run":"echo '{{.Names}}' {{ other"})", scope);
  CHECK(result.output_tail == "{{.Names}} {{ other");
  result = run(folder.path(),
               R"({"shell":true,"run":"echo \"$V\"","env":{"V":"{{evidence.file}}"}})", scope);
  CHECK(result.output_tail == "a b; $(touch hacked)");
  result = run(folder.path(), R"({"argv":["cat"],"stdin":"<{{evidence.file}}>"})", scope);
  CHECK(result.output_tail == "<a b; $(touch hacked)>");
  CHECK_FALSE(fs::exists(folder.path() / "hacked"));
}

TEST_CASE("command: programs and folders of the project (field lessons 54)") {
  const test::TempFolder folder;
  const test::TempFolder outside;
  fs::permissions(folder.write("scripts/where", "#!/bin/sh\nbasename \"$(pwd)\"\n"),
                  fs::perms::owner_all);
  folder.write("sub/file", "");
  fs::create_directory_symlink("sub", folder.path() / "inside");
  fs::create_directory_symlink(outside.path(), folder.path() / "out");
  CHECK(run(folder.path(), R"({"argv":["scripts/where"],"cwd":"sub"})").output_tail == "sub");
  CHECK(run(folder.path(), R"({"argv":["./scripts/where"],"cwd":"inside"})").output_tail == "sub");
  for (const char* parameters :
       {R"({"argv":["true"],"cwd":"out"})", R"({"argv":["true"],"cwd":"sub/file"})",
        R"({"argv":["true"],"cwd":"{{evidence.cwd}}"})"}) {
    CAPTURE(parameters);
    const CheckResult result = run(folder.path(), parameters, R"({"evidence":{"cwd":"/tmp"}})");
    CHECK(result.outcome == CheckOutcome::errored);
    CHECK(result.reason.find(outside.path().string()) == std::string::npos);
  }
}

TEST_CASE("command: a command of the project that is not there") {
  const test::TempFolder folder;
  CheckResult result = run(folder.path(), R"({"project":"test"})");
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(result.reason == "the project names no command \"test\"");
  CHECK(result.hint.find(".phasegate/project.yaml") != std::string::npos);
  result = run(folder.path(), R"({"project":"test","if_missing":"skip"})");
  CHECK(result.outcome == CheckOutcome::skipped);
  result = run(folder.path(), R"({"project":"test","argv":["true"],"if_missing":"fail"})");
  CHECK(result.outcome == CheckOutcome::passed);
}

TEST_CASE("command: an expression about what was printed") {
  const test::TempFolder folder;
  struct Row {
    const char* parameters;
    CheckOutcome outcome;
  };
  for (const Row& row :
       {Row{R"j({"argv":["echo","{\"n\":3}"],"stdout_json":"output.n === evidence.n"})j",
            CheckOutcome::passed},
        Row{R"j({"argv":["echo","{\"n\":4}"],"stdout_json":"output.n === evidence.n"})j",
            CheckOutcome::failed},
        Row{R"j({"argv":["echo","{\"n\":4"],"stdout_json":"true"})j", CheckOutcome::failed},
        Row{R"j({"argv":["echo","{\"n\":4}"],"stdout_json":"output.n"})j", CheckOutcome::errored},
        Row{R"j({"argv":["echo","{\"n\":4}"],"stdout_json":"output.n === "})j",
            CheckOutcome::errored},
        Row{R"j({"argv":["echo","1"],"stdout_json":"unknown.n"})j", CheckOutcome::errored}}) {
    CAPTURE(row.parameters);
    CHECK(run(folder.path(), row.parameters, R"({"evidence":{"n":3}})").outcome == row.outcome);
  }
}

TEST_CASE("command: one that nobody waits for is given up") {
  const test::TempFolder folder;
  test::CheckAsked asked(phases::CheckKind::command, folder.path(),
                         Json::parse(R"({"argv":["sleep","1000"]})"));
  asked.scene.go_on = [] { return false; };
  const CheckResult result = check_command(asked.ask);
  CHECK(result.outcome == CheckOutcome::errored);
  CHECK(result.reason == "it was given up before it had ended");
}

}  // namespace
}  // namespace phasegate::world::checks
