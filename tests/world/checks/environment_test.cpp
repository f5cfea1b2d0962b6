#include "world/checks/environment.h"

#include <algorithm>

#include <doctest/doctest.h>

namespace phasegate::world::checks {
namespace {

using Variables = std::vector<std::string>;

TEST_CASE("environment: what builds need passes, in order (ARCHITECTURE §5)") {
  CHECK(filtered({"PATH=/bin", "LC_ALL=C", "HOME=/h", "GOPATH=/go", "CARGO_HOME=/c", "LANG=x=y"}) ==
        Variables{"CARGO_HOME=/c", "CI=true", "GIT_TERMINAL_PROMPT=0", "GOPATH=/go", "HOME=/h",
                  "LANG=x=y", "LC_ALL=C", "PATH=/bin", "PHASEGATE_CHECK=1", "TERM=dumb"});
}

TEST_CASE("environment: secrets, and what decides which code is run, stay here") {
  for (const char* name : {"LD_PRELOAD",
                           "LD_LIBRARY_PATH",
                           "DYLD_INSERT_LIBRARIES",
                           "BASH_ENV",
                           "ENV",
                           "IFS",
                           "PYTHONSTARTUP",
                           "PYTHONPATH",
                           "NODE_OPTIONS",
                           "GIT_DIR",
                           "GIT_SSH_COMMAND",
                           "GITHUB_TOKEN",
                           "NPM_TOKEN",
                           "AWS_SECRET_ACCESS_KEY",
                           "OPENAI_API_KEY",
                           "PHASEGATE_APPROVER",
                           "PERL5OPT",
                           "RUBYOPT",
                           "PROMPT_COMMAND",
                           "SSH_AUTH_SOCK",
                           "EDITOR",
                           "path",
                           "LC",
                           "_"}) {
    CAPTURE(name);
    CHECK(filtered({std::string(name) + "=x"}) == filtered({}));
  }
}

TEST_CASE("environment: programs are told that nobody answers, whatever is told to us") {
  const Variables all = filtered({"TERM=xterm", "CI=false", "GIT_TERMINAL_PROMPT=1"});
  CHECK(all == Variables{"CI=true", "GIT_TERMINAL_PROMPT=0", "PHASEGATE_CHECK=1", "TERM=dumb"});
}

TEST_CASE("environment: odd entries") {
  CHECK(filtered({"", "=", "=x", "PATH", "HOME=", "HOME=second"}) ==
        Variables{"CI=true", "GIT_TERMINAL_PROMPT=0", "HOME=", "PHASEGATE_CHECK=1", "TERM=dumb"});
}

TEST_CASE("environment: what a person's trust remembers, and what is of the moment") {
  const Variables person =
      filtered({"PATH=/bin", "HOME=/h", "TMPDIR=/t/1", "XDG_RUNTIME_DIR=/run/1", "CI=false"});
  CHECK(lasting(person) == Variables{"HOME=/h", "PATH=/bin"});
  const Variables caller = filtered({"PATH=/evil", "HOME=/evil", "GOPATH=/evil", "TMPDIR=/t/2"});
  CHECK(with_the_moment(lasting(person), caller) ==
        Variables{"CI=true", "GIT_TERMINAL_PROMPT=0", "HOME=/h", "PATH=/bin", "PHASEGATE_CHECK=1",
                  "TERM=dumb", "TMPDIR=/t/2"});
  CHECK_MESSAGE(with_the_moment({"LD_PRELOAD=/evil.so", "TMPDIR=/old", "nothing"}, filtered({})) ==
                    filtered({}),
                "a record that somebody else wrote is filtered, too");
}

TEST_CASE("environment: this process's") {
  const Variables all = filtered_environment();
  CHECK(std::is_sorted(all.begin(), all.end()));
  CHECK(std::count(all.begin(), all.end(), "PHASEGATE_CHECK=1") == 1);
}

}  // namespace
}  // namespace phasegate::world::checks
