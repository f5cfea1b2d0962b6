#include <doctest/doctest.h>

#include "app/cli/completion.h"
#include "tests/app/project.h"
#include "tests/support/live_program.h"

namespace cli = phasegate::app::cli;
namespace fs = std::filesystem;
using phasegate::test::contains;
using phasegate::test::find_program;
using phasegate::test::LiveProgram;
using phasegate::test::phasegate_binary;
using phasegate::test::Project;

namespace {

/// Stands in for the program: lists names as no phasegate would, and says how it was called.
void write_liar(const fs::path& folder, const std::string& names) {
  phasegate::test::write_file(folder / "names", names);
  const fs::path script = folder / "phasegate";
  phasegate::test::write_file(script,
                              "#!/bin/sh\n"
                              "if [ \"$1\" = complete ]; then cat '" +
                                  (folder / "names").string() +
                                  "'; exit; fi\n"
                                  "for word in \"$@\"; do printf '<%s>' \"$word\"; done\n"
                                  "echo called\n");
  fs::permissions(script, fs::perms::owner_all);
}

/// A command that should never be run: it leaves PWNED in the working directory.
void write_pwn(const fs::path& folder) {
  phasegate::test::write_file(folder / "pwn", "#!/bin/sh\necho pwn > PWNED\n");
  fs::permissions(folder / "pwn", fs::perms::owner_all);
}

/// Names that run `pwn` if they are typed without quotes, most without a space that a shell would
/// quote.
const std::vector<std::string> kHostileNames = {
    "zz$(pwn)", "zz`pwn`",   "zz;pwn",     "zz|pwn",         "zz&pwn",        "zz name' \"quoted",
    "zz>PWNED", "zz$(pwn) ", "zz\\$(pwn)", "zz${x[$(pwn)]}", "zz!!{a,b}*?~#",
};

struct Shell {
  const char* program;
  std::vector<std::string> arguments;
  /// Loads the completion of this file and has this folder's program.
  std::string (*prepare)(const fs::path& script, const fs::path& programs);
  std::string (*completion)();
};

const std::vector<Shell> kShells = {
    {"bash",
     {"--norc", "--noprofile", "-i"},
     [](const fs::path& script, const fs::path& programs) {
       return "set +o history; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; "
              "PATH='" +
              programs.string() + "':$PATH; source '" + script.string() + "'";
     },
     &cli::bash_completion},
    {"zsh",
     {"-f", "-i"},
     [](const fs::path& script, const fs::path& programs) {
       return "PATH='" + programs.string() + "':$PATH; fpath=('" + script.parent_path().string() +
              "' $fpath); autoload -U compinit; compinit -u -D";
     },
     &cli::zsh_completion},
};

/// A shell on a terminal that completes as a person's does.
class Typing {
 public:
  Typing(const Shell& shell, const Project& project, const fs::path& programs)
      : shell_(find_program(shell.program), to_run(shell, project), LiveProgram::Output::terminal,
               1000) {
    const fs::path script = project.root() / "functions" / "_phasegate";
    phasegate::test::write_file(script, shell.completion());
    shell_.type("PS1='> '; " + shell.prepare(script, programs) + "; printf '%s\\n' ready''now\r");
    REQUIRE(shell_.wait_for("readynow"));
  }

  /// Types a line and Enter; what came until the line was carried out.
  std::string line(const std::string& keys) {
    const std::size_t before = shell_.output().size();
    shell_.type(keys + "\r");
    shell_.type("printf '%s\\n' line''" + std::to_string(++lines_) + "done\r");
    CHECK(shell_.wait_for("line" + std::to_string(lines_) + "done"));
    return shell_.output().substr(before);
  }

  int end() {
    shell_.type("exit\r");
    return shell_.wait_for_end();
  }

 private:
  static phasegate::test::ToRun to_run(const Shell& shell, const Project& project) {
    phasegate::test::ToRun made = project.to_run(shell.arguments);
    made.variables["TERM"] = "dumb";
    made.variables["HOME"] = project.root().string();
    return made;
  }

  LiveProgram shell_;
  int lines_ = 0;
};

}  // namespace

TEST_CASE("hostile: a name that is completed is one word, whatever it holds, and never a command") {
  for (const Shell& shell : kShells) {
    CAPTURE(std::string(shell.program));
    if (find_program(shell.program).empty()) {
      MESSAGE("skipped: ", shell.program, " is not installed");
      continue;
    }
    const Project project;
    const fs::path programs = project.root() / "programs";
    write_liar(programs, "");
    write_pwn(programs);
    Typing typing(shell, project, programs);
    for (const std::string& name : kHostileNames) {
      CAPTURE(name);
      write_liar(programs, name + "\tabout $(pwn) `pwn`\n");
      CHECK(contains(typing.line("phasegate sessions --workflow zz\t"),
                     "<sessions><--workflow><" + name + ">called"));
      CHECK(contains(typing.line("phasegate cancel zz\t"), "<cancel><" + name + ">called"));
      CHECK(contains(typing.line("phasegate validate zz\t"), "<validate><" + name + ">called"));
      CHECK_FALSE(fs::exists(project.root() / "PWNED"));
    }
    // The list is read line by line, so that a break within a name makes two.
    write_liar(programs, "zz\n$(pwn)\n;pwn\n");
    static_cast<void>(typing.line("phasegate sessions --workflow zz\t"));
    static_cast<void>(typing.line("phasegate sessions --workflow \t\t"));
    // Files and folders of the project itself, with patterns of which zsh would make commands.
    for (const char* folder :
         {"y$(pwn)", "w`pwn`", "v*(e:pwn:)", "u\n$(pwn)", "t\n`pwn`", "s${x[$(pwn)]}"}) {
      fs::create_directories(project.root() / folder);
      const std::string beginning(folder, 1);
      static_cast<void>(typing.line("phasegate validate " + beginning + "\t"));
      static_cast<void>(typing.line("phasegate --root " + beginning + "\t cancel zz\t"));
      static_cast<void>(typing.line("phasegate --root=" + beginning + "\t cancel zz\t"));
    }
    CHECK_FALSE(fs::exists(project.root() / "PWNED"));
    static_cast<void>(typing.end());
  }
}

TEST_CASE("hostile: the name of a workflow's file in a project is no command") {
  for (const Shell& shell : kShells) {
    CAPTURE(std::string(shell.program));
    if (find_program(shell.program).empty()) {
      MESSAGE("skipped: ", shell.program, " is not installed");
      continue;
    }
    const Project project;
    for (const std::string& name : kHostileNames) {
      phasegate::test::write_file(project.root() / ".phasegate/workflows" / (name + ".yaml"),
                                  "workflow: x\n");
    }
    phasegate::test::write_file(project.root() / ".phasegate/workflows/zzfine.yaml", "x\n");
    const fs::path programs = project.root() / "programs";
    write_pwn(programs);
    Typing typing(shell, project,
                  phasegate_binary().parent_path().string() + ":" + programs.string());
    // The one sound name is completed, the others are as if they were not there.
    const std::string typed = typing.line("phasegate sessions --workflow zz\t");
    CHECK(contains(typed, "zzfine"));
    CHECK(contains(typed, "No such sessions"));
    CHECK_FALSE(fs::exists(project.root() / "PWNED"));
    static_cast<void>(typing.end());
  }
}
