#include "app/cli/completion.h"

#include <set>

#include <doctest/doctest.h>

#include "app/cli/help.h"
#include "base/text.h"
#include "phases/builtin.h"
#include "tests/app/project.h"
#include "tests/support/live_program.h"

namespace cli = phasegate::app::cli;
namespace fs = std::filesystem;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::find_program;
using phasegate::test::LiveProgram;
using phasegate::test::phasegate_binary;
using phasegate::test::Project;

namespace {

/// What bash offers for these words, of which the last is being typed; a space after each.
std::string offered(const Project& project, const std::vector<std::string>& words) {
  std::string script = cli::bash_completion() + "\nCOMP_WORDS=(" + phasegate_binary().string();
  for (const std::string& word : words) script += " '" + word + "'";
  script += ")\nCOMP_CWORD=" + std::to_string(words.size()) +
            "\n_phasegate\nprintf '%s ' \"${COMPREPLY[@]}\"\n";
  phasegate::test::ToRun bash = project.to_run({"--norc", "-s"});
  bash.input = script;
  const Ended ended = phasegate::test::run_program("/bin/bash", bash);
  CHECK(ended.code == 0);
  CHECK(ended.err == "");
  return ended.out == " " ? "" : ended.out;
}

}  // namespace

TEST_CASE("completion for bash: commands, options and their values come from the table") {
  const Project project;
  struct Row {
    std::vector<std::string> words;
    const char* offered;
  };
  const std::vector<Row> rows = {
      {{"st"}, "status "},
      {{"--root", "/", "st"}, "status "},
      {{"--root", "=", "/", "st"}, "status "},
      {{"compl"}, "completion "},
      {{"validate", "--str"}, "--strict "},
      {{"history", "--str"}, ""},
      {{"--gates", "a"}, "as-written "},
      {{"--gates", "=", "a"}, "as-written "},
      {{"--gates", "="}, "strict as-written "},
      {{"--color", ""}, "auto always never "},
      {{"completion", ""}, "bash zsh "},
      {{"completion", "bash", ""}, ""},
      {{"gates", "x.md", ".phase"}, ".phasegate/ "},
      {{"help", "wat"}, "watch "},
      {{"cancel", "x", "--reason", ""}, ""},
      {{"new", "x", "--from", "feat"}, "feature "},
      {{"--root", ".phase"}, ".phasegate/ "},
      {{"call", "start_w"}, "start_workflow "},
      {{"call", "start_workflow", ""}, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.words);
    CHECK(offered(project, row.words) == row.offered);
  }
}

TEST_CASE("completion for bash: sessions and workflows of the project that is meant") {
  const Project project;
  const std::string id = project.start();
  const std::string ended = project.start("other");
  REQUIRE(project.run({"cancel", ended}).code == 0);
  CHECK(offered(project, {"history", id.substr(0, 3)}) == id + " ");
  CHECK(contains(offered(project, {"history", ""}), ended));
  CHECK_FALSE(contains(offered(project, {"cancel", ""}), ended));
  CHECK(contains(offered(project, {"validate", "two"}), "two_steps "));
  CHECK(offered(project, {"sessions", "--workflow", "two"}) == "two_steps ");
  CHECK(offered(project, {"status", "--state", "/nowhere", ""}) == "");
  CHECK(offered(project, {"--state", "=", "/nowhere", "status", ""}) == "");
}

TEST_CASE("complete: what a shell might take for more than a name is left out") {
  const Project project;
  const fs::path workflows = project.root() / ".phasegate/workflows";
  for (const char* name : {"a b", "a$b", "a`b", "a'b", "a\"b", "a\\b", "a\nb", "a\tb", "a;b", "a*b",
                           "gr\xC3\xBCn", "a\xE2\x80\x8B", "-a", "a&b", "a(b", "a:b", "a\xff"}) {
    phasegate::test::write_file(workflows / (std::string(name) + ".yaml"), "workflow: x\n");
  }
  phasegate::test::write_file(workflows / "A-z_0.9.yaml", "workflow: x\n");
  std::set<std::string> names;
  const std::string out = project.run({"complete", "workflows"}).out;
  for (const std::string_view line : phasegate::base::split(out, '\n')) {
    if (!line.empty()) names.emplace(line.substr(0, line.find('\t')));
  }
  std::set<std::string> wanted = {"A-z_0.9", "broken", "two_steps"};
  for (const auto& one : phasegate::phases::builtin_workflows()) wanted.emplace(one.id);
  CHECK(names == wanted);
}

TEST_CASE("complete: the tools that call takes") {
  const Project project;
  const Ended tools = project.run({"complete", "tools"});
  CHECK(contains(tools.out, "start_workflow\t"));
  CHECK_FALSE(fs::exists(project.state()));
  for (const std::string_view line : phasegate::base::split(tools.out, '\n')) {
    if (line.empty()) continue;
    const std::string name(line.substr(0, line.find('\t')));
    CHECK_FALSE(contains(project.run({"call", name, "{}"}).err, "There is no tool"));
  }
}

TEST_CASE("complete: names with a few words, and silence where there is nothing") {
  const Project project;
  CHECK(project.run({"complete", "sessions"}).out == "");
  CHECK_FALSE(fs::exists(project.state()));
  const std::string id = project.start("src/a.cpp");
  const Ended sessions = project.run({"complete", "sessions"});
  CHECK(sessions.out == id + "\ttwo_steps, active, just now, src/a.cpp\n");
  CHECK(contains(project.run({"complete", "built-in"}).out, "feature\t\n"));
  CHECK(contains(project.run({"complete", "workflows"}).out, "two_steps\tTwo steps\n"));

  fs::remove_all(project.state());
  phasegate::test::write_file(project.state(), "a file where a folder is wanted");
  const Ended broken = project.run({"complete", "sessions"});
  CHECK(broken.code == 0);
  CHECK(broken.out == "");
}

TEST_CASE("completion for zsh: a real zsh completes a command, an option and a session") {
  const std::string zsh = find_program("zsh");
  if (zsh.empty()) {
    MESSAGE("skipped: zsh is not installed");
    return;
  }
  const Project project;
  const std::string id = project.start();
  const fs::path folder = project.root() / "functions";
  phasegate::test::write_file(folder / "_phasegate", cli::zsh_completion());
  phasegate::test::ToRun to_run = project.to_run({"-f", "-i"});
  to_run.variables["TERM"] = "dumb";
  LiveProgram shell(zsh, to_run, LiveProgram::Output::terminal, 200);
  shell.type("PS1='> '; PATH=" + phasegate_binary().parent_path().string() + ":$PATH; fpath=(" +
             folder.string() +
             " $fpath); autoload -U compinit; compinit -u -D; print ready''now\r");
  REQUIRE(shell.wait_for("readynow"));
  shell.type("phasegate histo\t");
  CHECK(shell.wait_for("phasegate history "));
  shell.type(id.substr(0, 6) + "\t");
  CHECK(shell.wait_for(id));
  shell.type("--fu\t");
  CHECK(shell.wait_for("--full"));
  shell.type("\x15phasegate --gates as\t");
  CHECK(shell.wait_for("as-written"));
  shell.type("\x15 exit\r");
  CHECK(shell.wait_for_end() == 0);
}

TEST_CASE("manual page: names every command and option, and roff has nothing to say about it") {
  const std::string page = cli::help_man("9.9.9");
  for (const cli::CommandSpec& command : cli::commands()) {
    const bool named = contains(page, "\n.B " + std::string(command.name));
    CHECK_MESSAGE(named != command.hidden, command.name);
  }
  for (const std::string_view line : phasegate::base::split(page, '\n')) {
    // Requests are ours; a text that began with a dot or quote would be taken for one.
    CHECK(line.size() <= 80);
    CHECK_FALSE(line.starts_with('\''));
  }
  struct Checker {
    const char* name;
    std::vector<std::string> arguments;
  };
  for (const Checker& checker : std::vector<Checker>{{"groff", {"-man", "-ww", "-z"}},
                                                     {"mandoc", {"-T", "lint", "-W", "warning"}}}) {
    const std::string program = find_program(checker.name);
    if (program.empty()) {
      MESSAGE("skipped: ", checker.name, " is not installed");
      continue;
    }
    phasegate::test::ToRun check;
    check.arguments = checker.arguments;
    check.input = page;
    const Ended ended = phasegate::test::run_program(program, check);
    CHECK(ended.code == 0);
    CHECK(ended.out == "");
    CHECK(ended.err == "");
  }
}
