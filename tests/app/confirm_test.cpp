#include <deque>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "app/confirm_by_approver.h"
#include "state/approvers/approver_book.h"
#include "tests/support/files.h"
#include "world/project.h"

namespace phasegate::app {
namespace {

constexpr const char* kAda = "green kettle hums";
constexpr const char* kBob = "blue ladder leans";

/// A person who answers what was written down before, and a book with whom it says.
struct Desk {
  test::TempFolder folder;
  state::SqliteApproverBook book{folder.path() / "state", {4, 8, 1}};
  Environment environment;
  base::ManualClock clock;
  std::deque<std::string> answers;
  std::vector<std::string> asked;
  Prompts prompts;

  Desk() {
    environment.stdin_is_terminal = true;
    environment.stdout_is_terminal = true;
    prompts.line = [this](const std::string& prompt) { return next(prompt); };
    prompts.secret = [this](const std::string& prompt) -> base::Result<state::Secret> {
      const auto line = next(prompt);
      if (!line) return line.error();
      state::Secret secret;
      CHECK(secret.add(*line));
      return secret;
    };
  }
  base::Result<std::string> next(const std::string& prompt) {
    asked.push_back(prompt);
    REQUIRE_FALSE(answers.empty());
    std::string answer = answers.front();
    answers.pop_front();
    if (answer.empty()) return base::Error{"nothing_given", "Nothing was given.", "", ""};
    return answer;
  }
  void enrol(const char* name, const char* secret) {
    const auto all = book.list();
    state::ChangeBy by{"root", {}};
    if (!all->empty()) by.approver = all->front();
    REQUIRE(book.add(name, {}, secret, by, clock.now()).ok());
  }
  [[nodiscard]] ApproverDesk desk() { return {book, environment, prompts, clock}; }
  /// The actor, or the error's code.
  std::string confirm(std::vector<std::string> given) {
    asked.clear();
    answers.assign(given.begin(), given.end());
    const auto actor = confirmed_actor(desk(), "What counts", "phasegate it");
    CHECK(answers.empty());
    return actor ? *actor : actor.error().code;
  }
};

using Lines = std::vector<std::string>;

TEST_CASE("confirm: while nobody is enrolled nothing is asked, and it is the user's (§6)") {
  Desk desk;
  CHECK(desk.confirm({}) == world::principal());
  const auto approver = confirm_by_approver(desk.desk());
  CHECK(approver.error().code == "no_approvers");
  CHECK(desk.asked.empty());
}

TEST_CASE("confirm: the only approver is not asked for their name") {
  Desk desk;
  desk.enrol("ada", kAda);
  CHECK(desk.confirm({kAda}) == "approver:ada");
  CHECK(desk.asked == Lines{"Secret of ada: "});
  CHECK(desk.confirm({"wrong one", kAda}) == "approver:ada");
  CHECK(desk.asked == Lines{"Secret of ada: ", "That is not right. Secret of ada: "});
  CHECK(desk.confirm({"wrong one", "wrong one", "wrong one"}) == "wrong_secret");
  CHECK(desk.confirm({""}) == "nothing_given");
  CHECK(desk.confirm({"wrong one", "wrong one", "wrong one"}) == "locked");
  CHECK(desk.confirm({kAda}) == "locked");
  desk.clock.advance_ms(5'000);
  CHECK(desk.confirm({kAda}) == "approver:ada");
}

TEST_CASE("confirm: of several, whoever is named, an empty line is the usual one") {
  Desk desk;
  desk.enrol("ada", kAda);
  desk.enrol("Bob", kBob);
  CHECK(desk.confirm({"bob", kBob}) == "approver:Bob");
  CHECK(desk.confirm({"ada", kAda}) == "approver:ada");
  CHECK(desk.confirm({"ada", kBob, "bob", kBob}) == "approver:Bob");
  CHECK(desk.confirm({""}) == "nothing_given");
  // The same for a name that nobody has.
  CHECK(desk.confirm({"eve", kAda, "eve", kAda, "ev\x1B[2J", kAda}) == "wrong_secret");
  CHECK(desk.asked[4].starts_with("That is not right. Name of an approver"));
  CHECK(desk.asked[5] == "Secret of ev\\u001b[2J: ");
  desk.answers = {"", kBob};
  CHECK(confirm_by_approver(desk.desk(), "BOB")->name == "Bob");
  const std::string user = world::principal();
  desk.enrol(user.c_str(), "purple moss grows");
  CHECK(desk.confirm({"", "purple moss grows"}) == "approver:" + user);
  CHECK(desk.asked[0] == "Name of an approver [" + user + "]: ");
}

TEST_CASE("confirm: without a terminal of one's own nothing is asked") {
  Desk desk;
  desk.enrol("ada", kAda);
  for (const bool input : {false, true}) {
    desk.environment.stdin_is_terminal = input;
    desk.environment.stdout_is_terminal = !input;
    CHECK(desk.confirm({}) == "terminal_needed");
  }
  desk.environment.stdin_is_terminal = desk.environment.stdout_is_terminal = true;
  desk.environment.assistant_variable = "CLAUDECODE";
  CHECK(desk.confirm({}) == "terminal_needed");
  const auto refused = can_be_confirmed(desk.desk(), "What counts", "phasegate it");
  CHECK(refused.error().message.starts_with("What counts is a person's to say."));
  CHECK(refused.error().message.find("CLAUDECODE") != std::string::npos);
  CHECK(refused.error().hint.ends_with(": phasegate it"));
  CHECK(desk.asked.empty());
}

TEST_CASE("confirm: a book that cannot be read lets nobody through (fail closed)") {
  Desk desk;
  desk.enrol("ada", kAda);
  REQUIRE(::chmod((desk.folder.path() / "state" / "approvers.db").c_str(), 0666) == 0);
  CHECK(desk.confirm({}) == "approvers_unreadable");
  CHECK(can_be_confirmed(desk.desk(), "", "").error().code == "approvers_unreadable");
  CHECK(confirmation_failed({"approvers_unreadable", "", "", ""}).code == ExitCode::environment);
  CHECK(confirmation_failed({"locked", "", "", ""}).code == ExitCode::not_ok);
}

}  // namespace
}  // namespace phasegate::app
