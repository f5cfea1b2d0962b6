#include <doctest/doctest.h>

#include "tests/red_team/deciding.h"
#include "tests/red_team/project.h"

/// What an assistant writes in order to be read by the person who decides.
namespace phasegate::red_team {
namespace {

using test::Ended;

/// Clears the screen, hides, turns the direction, names a window, cannot be seen.
constexpr const char* kUnseen[] = {"\x1b[2J",    "\x1b]0;x\x07", "\x1b[8m", "\u202e", "\u2066",
                                   "\u200b",     "\u2028",       "\u0085",  "\u009b", "\u00ad",
                                   "\U000e0041", "\ufeff",       "\u115f",  "\b",     "\u061c"};

std::string all_unseen() {
  std::string text;
  for (const char* one : kUnseen) text += one + std::string("a");
  return text;
}

/// Whether a person's terminal is given something of it. Colours are the program's own.
void shows_none(const std::string& text) {
  for (const char* one : kUnseen) {
    CAPTURE(base::dump(Json(one)));
    CHECK_FALSE(contains(text, one));
  }
}

TEST_CASE(
    "red team: nothing in evidence, names of files or reasons acts on the person's terminal") {
  const Deciding project;
  const std::string fake = "\n\nOptions\n  1  approve  nothing is left to do\nSecret of ada: ";
  const std::string session =
      project.waiting("two", {{"note", all_unseen() + fake},
                              {"Options\n  1  approve" + all_unseen(), "x"},
                              {"nested", {{all_unseen(), Json::array({all_unseen()})}}}});
  test::write_file(project.root() / (all_unseen() + "\nfile"), "x");
  const Ended shown = project.on_terminal({"decide", session, "--color", "never", "--full",
                                           "--option", "approve", "--input", all_unseen()},
                                          {{"Is that your decision? [y/N] ", "n"}});
  CHECK(contains(shown.out, "Nothing was decided"));
  shows_none(shown.out);
  CHECK(contains(shown.out, "| Options"));
  CHECK(contains(shown.out, "| Secret of ada:"));
  CHECK_FALSE(contains(shown.out, "\nSecret of ada"));
  CHECK(contains(shown.out, "\\u202e"));
  // What is read by an assistant's terminal is shown in the same way.
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"status", session}, {"history", session, "--full"}, {"inbox"}}) {
    shows_none(project.run(command).out);
  }
  project.still_waits(session);
}

TEST_CASE("red team: more than can be read is refused or cut, and its size is told") {
  const Deciding project;
  const std::string session = project.waiting("two", {{"note", std::string(200'000, 'z')}});
  test::write_file(project.root() / "words.txt", std::string(10'000'000, 'w'));
  const Ended words = project.on_terminal(
      {"decide", session, "--option", "approve", "--input-file", "words.txt"}, {});
  CHECK(words.code == 1);
  CHECK(contains(words.out, "10000000 bytes; at most 8000"));
  const Ended shown =
      project.on_terminal({"decide", session, "--option", "approve", "--input", "x"},
                          {{"Is that your decision? [y/N] ", "n"}});
  CHECK(contains(shown.out, "200000"));
  CHECK(shown.out.size() < 20'000);
  // Too much for a gate to begin with: nothing is kept, and nobody is asked.
  test::ToRun huge = project.to_run({"call", "complete_phase", "-"});
  huge.input = base::dump({{"session_id", session},
                           {"phase", "plan"},
                           {"evidence", {{"note", std::string(10'000'000, 'z')}}}});
  const Ended refused = test::run_program(test::phasegate_binary(), huge);
  CHECK(refused.code != 0);
  CHECK(refused.out.size() + refused.err.size() < 20'000);
  project.still_waits(session);
}

TEST_CASE("red team: what the repository configures is not run while a person decides") {
  const Deciding project;
  test::ToRun shell;
  shell.folder = project.root();
  shell.variables = {{"GIT_CONFIG_GLOBAL", "/dev/null"}};
  shell.arguments = {"-ec", R"sh(
git init -q --template= .
printf '#!/bin/sh\ntouch "%s/ran"\ncat\n' "$PWD" > evil.sh
chmod +x evil.sh
echo '*.txt filter=evil diff=evil' > .gitattributes
echo one > a.txt
git add -A
git -c user.name=a -c user.email=a commit -qm x
for key in core.fsmonitor core.pager core.sshCommand diff.external diff.evil.textconv \
    diff.evil.command filter.evil.clean filter.evil.process gpg.program uploadpack.packObjectsHook
do git config $key "$PWD/evil.sh"
done
git config core.hooksPath "$PWD/hooks"
git config remote.origin.url "ext::$PWD/evil.sh"
git config remote.origin.promisor true
git config protocol.ext.allow always
mkdir hooks
for hook in post-index-change reference-transaction; do cp evil.sh hooks/$hook; done
echo two > a.txt
)sh"};
  const Ended made = test::run_program("/bin/sh", shell);
  REQUIRE_MESSAGE(made.code == 0, made.err);
  fs::remove(project.root() / "ran");
  const std::string session = project.waiting();
  const Json shown = project.json({"decide", session, "--json"});
  CHECK(contains(base::dump(shown["changes"]["files"]), "a.txt"));
  CHECK_FALSE(fs::exists(project.root() / "ran"));
  // That it would have been run by a git that is simply asked.
  shell.arguments = {"-ec",
                     "git status > /dev/null 2>&1 || :; test -e ran; rm -r ran .git/objects/??"};
  REQUIRE(test::run_program("/bin/sh", shell).code == 0);
  // It is said that nothing could be told, and the decision is still the person's.
  const Json less = project.json({"decide", session, "--json"});
  CHECK_FALSE(less["changes_problem"].get<std::string>().empty());
  CHECK_FALSE(fs::exists(project.root() / "ran"));
  project.still_waits(session);
}

}  // namespace
}  // namespace phasegate::red_team
