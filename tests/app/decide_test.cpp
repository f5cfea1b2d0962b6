#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "tests/app/deciding.h"

namespace phasegate::app {
namespace {

using base::Json;
using test::contains;
using test::Deciding;
using test::kSecret;
using test::Person;

TEST_CASE("decide: approve, and the session goes on (ARCHITECTURE §6, P-10)") {
  const Deciding project;
  project.enrol("ada", kSecret);
  const std::string id = project.waiting();
  Person person(project, {"decide"});
  REQUIRE(person.program().wait_for("Which option"));
  for (const char* part :
       {"Handed over", "1 self-attested, 0 checked", "plan_written: true", "Changed files",
        "in no git repository", "Is phase 0", "1  approve", "2  rework", "3  reject"}) {
    CHECK_MESSAGE(contains(person.output(), part), part);
  }
  person.program().type("1\n");
  person.answer("Anything to be said", "well done");
  person.answer("Is that your decision?", "y");
  person.tell("Secret of ada: ", kSecret);
  CHECK(person.end() == 0);
  CHECK(contains(person.output(), "Accepted: phase 0. The session goes on in phase 1."));
  const Json status = project.run_json({"status", id, "--json"});
  CHECK(status["current_phase"] == "1");
  CHECK(status["decision"].is_null());
  CHECK(status["phases"][0]["deciders"] == Json({"approver:ada"}));
  CHECK(status["assurance"]["decided"] == 1);
  const auto history = project.run({"history", id});
  CHECK(contains(history.out, "decided by ada: Approve, who said: well done"));
}

TEST_CASE("decide: sent back with words, done again, approved, then rejected at the next one") {
  const Deciding project;
  project.enrol("ada", kSecret);
  const std::string id = project.waiting();
  {
    Person person(project, {"decide", id.substr(0, 8), "--option", "rework"});
    person.answer("What is to be said with it", "");
    person.answer("It is needed", "name the files");
    person.answer("Is that your decision?", "yes");
    person.tell("Secret of ada: ", kSecret);
    CHECK(person.end() == 0);
    CHECK(contains(person.output(), "Sent back: phase 0 is open again."));
  }
  const Json status = project.run_json({"status", id, "--json", "--exit-code"}, 10);
  CHECK(status["feedback"]["input"] == "name the files");
  CHECK(status["visit"] == 2);
  const auto text = project.run({"status", id});
  CHECK(contains(text.out, "sent back by ada"));
  CHECK(contains(text.out, "| name the files"));
  project.hand_over(id, 2);
  {
    Person person(project, {"decide", "--option=approve", "--input", "now it is good"});
    REQUIRE(person.program().wait_for("Is that your decision?"));
    CHECK(contains(person.output(), "Why this phase was open again"));
    person.program().type("y\n");
    person.tell("Secret of ada: ", kSecret);
    CHECK(person.end() == 0);
  }
  const std::string other = project.waiting("src/b.cpp");
  Person person(project, {"decide", other});
  person.answer("Which option", "accept");
  person.answer("There is no option \"accept\". Which option?", "3");
  person.answer("Anything to be said", "");
  person.answer("Is that your decision?", "y");
  person.tell("Secret of ada: ", kSecret);
  CHECK(person.end() == 0);
  CHECK(contains(person.output(), "The session has ended: rejected."));
  CHECK(project.run({"status", other, "--exit-code"}).code == 21);
}

TEST_CASE("decide: nothing is decided without the secret, a yes, or words where they are asked") {
  const Deciding project;
  project.enrol("ada", kSecret);
  const std::string id = project.waiting();
  const std::int64_t before = project.version(id);
  {
    Person person(project, {"decide", "--option", "approve", "--input", "x"});
    person.answer("Is that your decision?", "y");
    for (int i = 0; i < 3; ++i) person.tell("Secret of ada: ", "not the secret");
    CHECK(person.end() == 1);
    CHECK(contains(person.output(), "do not belong together"));
  }
  {
    Person person(project, {"decide", "--option", "approve"});
    person.answer("Anything to be said", "");
    person.answer("Is that your decision?", "n");
    CHECK(person.end() == 1);
    CHECK(contains(person.output(), "Nothing was decided."));
  }
  {
    Person person(project, {"decide", "--option", "rework"});
    person.answer("What is to be said with it", "");
    for (int i = 0; i < 4; ++i) person.answer("It is needed", " ");
    CHECK(person.end() == 1);
    CHECK(contains(person.output(), "there were none. Nothing was decided."));
  }
  {
    Person person(project, {"decide", "--option", "aprove"});
    CHECK(person.end() == 1);
    CHECK(contains(person.output(), "It offers: approve, rework, reject"));
  }
  {
    // The terminal is closed while the secret is asked for.
    Person person(project, {"decide", "--option", "approve", "--input", "x"});
    person.answer("Is that your decision?", "y");
    REQUIRE(person.program().wait_for("Secret of ada: "));
    person.program().close_output();
    CHECK(person.program().wait_for_end_unread() != 0);
  }
  CHECK(project.version(id) == before);
}

TEST_CASE("decide: input too long, no UTF-8, no file") {
  const Deciding project;
  project.enrol("ada", kSecret);
  const std::string id = project.waiting();
  const auto file = project.root() / "words.txt";
  struct Row {
    std::string bytes;
    const char* said;
  };
  for (const Row& row : {Row{std::string(10'000'000, 'x'), "10000000 bytes; at most 8000"},
                         Row{"\xff\xfe", "not UTF-8"}}) {
    test::write_file(file, row.bytes);
    Person person(project, {"decide", "--option", "rework", "--input-file", "words.txt"});
    CHECK(person.end() == 1);
    CHECK_MESSAGE(contains(person.output(), row.said), person.output());
  }
  for (const char* no_file : {"/dev/zero", "missing", "."}) {
    Person person(project, {"decide", "--option", "rework", "--input-file", no_file});
    CHECK(person.end() == 1);
    CHECK(contains(person.output(), "There is no file"));
  }
  test::write_file(file, "line one\r\nline two\n");
  Person person(project, {"decide", "--option", "rework", "--input-file", "words.txt"});
  person.answer("Is that your decision?", "y");
  person.tell("Secret of ada: ", kSecret);
  CHECK(person.end() == 0);
  CHECK(project.run_json({"status", id, "--json"})["feedback"]["input"] == "line one\r\nline two");
}

TEST_CASE("decide: two at once, and what has changed since it was shown") {
  const Deciding project;
  project.enrol("ada", kSecret);
  const std::string id = project.waiting();
  const auto ready = [&](Person& person) {
    person.answer("Is that your decision?", "y");
    REQUIRE(person.program().wait_for("Secret of ada: "));
  };
  Person first(project, {"decide", "--option", "approve", "--input", "one"});
  Person second(project, {"decide", "--option", "reject", "--input", "two"});
  ready(first);
  ready(second);
  first.program().type(std::string(kSecret) + "\n");
  CHECK(first.end() == 0);
  second.program().type(std::string(kSecret) + "\n");
  CHECK(second.end() == 1);
  CHECK(contains(second.output(), "It has been decided meanwhile"));
  CHECK(project.run_json({"status", id, "--json"})["current_phase"] == "1");
  Person late(project, {"decide", id});
  CHECK(late.end() == 1);
  CHECK(contains(late.output(), "waits for no decision"));
  Person none(project, {"decide"});
  CHECK(none.end() == 1);
  CHECK(contains(none.output(), "No session of this project waits for a decision."));

  const std::string other = project.waiting("src/b.cpp");
  Person stale(project, {"decide", other, "--option", "approve", "--input", "x"});
  ready(stale);
  {
    Person again(project, {"decide", other, "--option", "rework", "--input", "x"});
    ready(again);
    again.program().type(std::string(kSecret) + "\n");
    CHECK(again.end() == 0);
  }
  project.hand_over(other, 2);
  stale.program().type(std::string(kSecret) + "\n");
  CHECK(stale.end() == 1);
  CHECK(contains(stale.output(), "nothing of this counts"));
}

TEST_CASE("decide: only on a person's own terminal, and only if somebody is enrolled") {
  const Deciding project;
  const std::string id = project.waiting();
  const auto piped = project.run({"decide"});
  CHECK(piped.code == 1);
  CHECK(piped.out.empty());
  CHECK(contains(piped.err, "A decision is a person's to say, on a terminal"));
  CHECK(contains(piped.err, "phasegate decide " + id + " --root "));
  {
    test::ToRun marked = project.to_run({"decide"});
    marked.variables["CLAUDECODE"] = "1";
    test::LiveProgram program(test::phasegate_binary(), marked, test::LiveProgram::Output::terminal,
                              200);
    CHECK(program.wait_for_end() == 1);
    CHECK(contains(program.output(), "This terminal is an assistant's (CLAUDECODE is set)"));
  }
  Person person(project, {"decide"});
  CHECK(person.end() == 1);
  CHECK(contains(person.output(), "Which option") == false);
  CHECK(contains(person.output(), "plan_written: true"));
  CHECK(contains(person.output(), "phasegate approvers add NAME"));

  const Json shown = project.run_json({"decide", "--json"});
  CHECK(shown["session_id"] == id);
  CHECK(shown["options"].size() == 3);
  CHECK(shown["shown"][0]["name"] == "plan_written");
  CHECK_FALSE(contains(base::dump(shown), "Canary"));
}

TEST_CASE("decide: several wait, and one has to be named") {
  const Deciding project;
  project.enrol("ada", kSecret);
  const std::string one = project.waiting("src/a.cpp");
  const std::string two = project.waiting("src/b.cpp");
  const auto listed = project.run({"decide", "--json"});
  CHECK(listed.code == 1);
  CHECK(contains(listed.err, "2 sessions wait for a decision."));
  CHECK(contains(listed.out, one.substr(0, 8)));
  CHECK(contains(listed.out, two.substr(0, 8)));
  CHECK(contains(listed.err, "phasegate decide "));
  const auto offered = project.run({"complete", "waiting-sessions"});
  CHECK(contains(offered.out, one));
}

TEST_CASE("decide: control and bidirectional characters are shown, long values shortened") {
  const Deciding project;
  project.enrol("ada", kSecret);
  std::string notes = "fine\x1b[2J\x1b]0;title\x07 \u202Egnp.exe\u202C \u200B\u2066x\u2069";
  notes += "\U000E0041\nOptions\n  1  approve\n" + std::string(5000, 'z');
  const std::string id = project.waiting("", {{"plan_written", true}, {"notes", notes}});
  const auto run = [&](std::vector<std::string> arguments) {
    Person person(project, std::move(arguments));
    REQUIRE(person.program().wait_for("Which option"));
    person.program().signal(SIGINT);
    static_cast<void>(person.program().wait_for_end());
    return person.output();
  };
  const std::string text = run({"decide", "--color", "never"});
  for (const char* bad :
       {"\x1b[2J", "\x1b]0;", "\x07", "\u202E", "\u200B", "\u2066", "\U000E0041"}) {
    CHECK_FALSE(contains(text, bad));
  }
  for (const char* visible : {"\\u001b[2J", "\\u0007", "\\u202e", "\\u200b", "\\u2066",
                              "\\U000e0041", "| Options", "|   1  approve", "--full shows them"}) {
    CHECK_MESSAGE(contains(text, visible), visible);
  }
  CHECK_FALSE(contains(text, std::string(2100, 'z')));
  std::string all = run({"decide", "--full", "--color", "never"});
  CHECK(std::count(all.begin(), all.end(), 'z') >= 5000);
}

TEST_CASE("decide: files that changed, those of the session and those that were checked") {
  const Deciding project;
  project.enrol("ada", kSecret);
  project.make_git();
  const std::string id = project.waiting();
  test::write_file(project.root() / "src" / "made.txt", "one\ntwo\n");
  const Json shown = project.run_json({"decide", "--json"});
  CHECK(shown["changes"]["files"] == Json::array({{{"path", "src/made.txt"},
                                                   {"kind", "added"},
                                                   {"lines_added", 2},
                                                   {"lines_removed", 0}}}));
  CHECK(shown["changes_problem"] == "");
}

TEST_CASE("reopen: an approver goes back to a phase, and what came of it counts no more (P-10)") {
  const Deciding project;
  project.enrol("ada", kSecret);
  const std::string id = project.waiting();
  {
    Person person(project, {"decide", "--option", "approve", "--input", "x"});
    person.answer("Is that your decision?", "y");
    person.tell("Secret of ada: ", kSecret);
    CHECK(person.end() == 0);
  }
  CHECK(project.run({"reopen", id, "0"}).code == 2);
  CHECK(contains(project.run({"reopen", id, "0"}).err, "needs --reason"));
  CHECK(contains(project.run({"reopen", id, "0", "--reason", "x"}).err, "person's to say"));
  {
    Person person(project, {"reopen", id, "7", "--reason", "x"});
    CHECK(person.end() == 1);
    CHECK(contains(person.output(), "It can go back to: 0\r\n"));
  }
  Person person(project, {"reopen", id, "0", "--reason", "the plan was wrong"});
  REQUIRE(person.program().wait_for("Go back? [y/N] "));
  CHECK(contains(person.output(), "These completed phases count no more: 0."));
  person.program().type("y\n");
  person.tell("Secret of ada: ", kSecret);
  CHECK(person.end() == 0);
  const Json status = project.run_json({"status", id, "--json"});
  CHECK(status["current_phase"] == "0");
  CHECK(status["feedback"]["input"] == "the plan was wrong");
  const auto history = project.run({"history", id});
  CHECK(contains(history.out, "reopened by ada: the plan was wrong"));
  CHECK(contains(history.out, "goes back to phase 0; accepted no more: 0"));
}

TEST_CASE("pause and resume: a person at a terminal, and the secret once somebody is enrolled") {
  const Deciding project;
  const std::string id = project.start();
  CHECK(contains(project.run({"pause", id}).err, "Pausing a session is a person's to say"));
  {
    Person person(project, {"pause", id, "--reason", "lunch"});
    CHECK(person.end() == 0);
    CHECK(contains(person.output(), "phasegate resume " + id));
  }
  CHECK(project.run({"status", id, "--exit-code"}).code == 13);
  const auto status = project.run({"status", id});
  CHECK(contains(status.out, "lunch"));
  CHECK(contains(status.out, "phasegate resume " + id));
  CHECK(project.run_json({"status", id, "--json"})["paused"]["reason"] == "lunch");
  {
    Person person(project, {"pause", id});
    CHECK(person.end() == 1);
    CHECK(contains(person.output(), "paused already"));
  }
  project.enrol("ada", kSecret);
  {
    Person person(project, {"resume", id});
    person.tell("Secret of ada: ", kSecret);
    CHECK(person.end() == 0);
  }
  CHECK(project.run({"status", id, "--exit-code"}).code == 10);
  const auto history = project.run({"history", id});
  CHECK(contains(history.out, "paused by "));
  CHECK(contains(history.out, "resumed by ada"));
}

TEST_CASE("status --exit-code: what a session waits for, for hooks") {
  const Deciding project;
  const std::string id = project.start();
  CHECK(project.run({"status", "--exit-code"}).code == 10);
  project.hand_over(id);
  const auto asked = project.run({"status", "--exit-code"});
  CHECK(asked.code == 11);
  CHECK(contains(asked.out, "Is phase 0"));
  CHECK(contains(asked.out, "phasegate decide " + id));
  CHECK(contains(asked.out, "approve (Approve), rework ("));
  CHECK(project.run({"status"}).code == 0);
  static_cast<void>(project.run({"cancel", id}));
  CHECK(project.run({"status", id, "--exit-code"}).code == 22);
  CHECK(project.run({"status", "ffffffff", "--exit-code"}).code == 1);
}

}  // namespace
}  // namespace phasegate::app
