#include <thread>

#include <doctest/doctest.h>

#include "tests/red_team/deciding.h"
#include "tests/red_team/page.h"
#include "tests/red_team/project.h"

/// A client of the assistant's own that answers for the person, and requests to the page.
namespace phasegate::red_team {
namespace {

using test::Ended;

/// Everything that a client could take for a yes.
const Json kYes = {{"inputResponses",
                    {{"decision",
                      {{"action", "accept"},
                       {"content",
                        {{"seen", true},
                         {"choice", "approve"},
                         {"input", "fine"},
                         {"approver", "ada"},
                         {"secret", "not her secret"},
                         {"approved", true}}}}}}}};

std::string begin(const Deciding& project, const std::string& workflow) {
  const Json answer = project.ask("start_workflow", {{"workflow_type", workflow}});
  return base::string_member(answer["result"]["structuredContent"], "session_id").value_or("");
}

Json handing_over(const std::string& session) {
  return {{"session_id", session}, {"phase", "plan"}, {"evidence", {{"note", "done"}}}};
}

Json answering(const Json& state, Json answer = kYes) {
  answer["requestState"] = state;
  return answer;
}

std::string text_of(const Json& answer) {
  return base::dump(answer);
}

TEST_CASE("red team: a client's answer decides nothing where an approver is asked for (§6)") {
  const Deciding project;
  const std::string session = begin(project, "two");
  // An answer to a question that nobody has asked yet.
  CHECK_FALSE(
      contains(text_of(project.ask("complete_phase", handing_over(session), kYes)), kBehind));
  CHECK(project.journalled(session, "phase_completed") == 0);
  const std::string other = begin(project, "client");
  const Json theirs = project.ask("complete_phase", handing_over(other));
  // The right seal, and a yes to a question that only points to the terminal.
  const Json asked = project.ask("complete_phase", handing_over(session));
  REQUIRE(asked["result"]["resultType"] == "input_required");
  CHECK(contains(text_of(asked), "Nothing that is answered here decides"));
  const Json state = asked["result"]["requestState"];
  for (int i = 0; i < 2; ++i) {
    const Json answer = project.ask("complete_phase", handing_over(session), answering(state));
    CHECK(contains(text_of(answer), "Not approved"));
    project.still_waits(session);
  }
  // Seals that belong to another question, are changed or made up.
  std::string changed = state.get<std::string>();
  changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
  for (const Json& forged : {theirs["result"]["requestState"], Json(changed), Json("v1.e30.AA"),
                             Json(""), Json(std::string(100'000, 'A'))}) {
    const Json answer = project.ask("complete_phase", handing_over(session), answering(forged));
    CHECK(answer["error"]["code"] == -32602);
    project.still_waits(session);
  }
  Json elsewhere = handing_over(session);
  elsewhere["evidence"]["note"] = "something else";
  CHECK(project.ask("complete_phase", elsewhere, answering(state))["error"]["code"] == -32602);
  project.still_waits(session);
}

TEST_CASE("red team: where a client's word is taken it is recorded as what it is, and once") {
  const Deciding project;
  const std::string session = begin(project, "client");
  const Json asked = project.ask("complete_phase", handing_over(session));
  REQUIRE(asked["result"]["resultType"] == "input_required");
  const Json state = asked["result"]["requestState"];
  for (const char* action : {"decline", "cancel", "x"}) {
    const Json no = {{"inputResponses",
                      {{"decision", {{"action", action}, {"content", {{"choice", "approve"}}}}}}}};
    CHECK(contains(
        text_of(project.ask("complete_phase", handing_over(session), answering(state, no))),
        "Not approved"));
    project.still_waits(session);
  }
  Json back = kYes;
  back["inputResponses"]["decision"]["content"]["choice"] = "rework";
  static_cast<void>(project.ask("complete_phase", handing_over(session), answering(state, back)));
  CHECK(project.journalled(session, "decision_answered") == 1);
  // The same seal again, for the next decision about the same phase.
  Json second = handing_over(session);
  second["visit"] = 2;
  const Json next = project.ask("complete_phase", second);
  static_cast<void>(project.ask("complete_phase", handing_over(session), answering(state)));
  CHECK(project.journalled(session, "decision_answered") == 1);
  CHECK(project.run({"status", session, "--exit-code"}).code == 11);
  for (int i = 0; i < 2; ++i) {
    static_cast<void>(
        project.ask("complete_phase", second, answering(next["result"]["requestState"])));
  }
  CHECK(project.journalled(session, "decision_answered") == 2);
  CHECK(project
            .call("complete_phase",
                  {{"session_id", session}, {"phase", "done"}, {"evidence", Json::object()}})
            .code == 0);
  CHECK(project.run({"status", session, "--exit-code"}).code == 20);  // partial
  const Ended history = project.run({"history", session, "--full"});
  CHECK(contains(history.out, "unauthenticated"));
  CHECK(contains(history.out, "which proves nothing"));
  CHECK_FALSE(contains(history.out, "approver ada"));
  CHECK_FALSE(contains(history.out, "approver:"));
}

TEST_CASE("red team: the page's address and form decide nothing without the secret (§6)") {
  const Deciding project;
  const std::string session = project.waiting();
  const std::string decision =
      project.column(project.state() / "state.db", "SELECT id FROM decision");
  Page page(project);
  const std::string path = "/decide/" + decision;
  const std::string own = "http://127.0.0.1:" + std::to_string(page.port());
  const WebAnswer shown = page.ask("GET", path);
  CHECK(shown.status == 200);
  CHECK_FALSE(contains(shown.body, kBehind));
  CHECK(page.ask("HEAD", path).body.empty());
  for (const char* verb : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}) {
    CHECK(page.ask(verb, path, {{"Content-Length", "0"}}).status == 405);
  }
  const Fields form = page.form(path);
  struct Row {
    const char* name;
    int status;
    Fields fields;
    Headers headers = {};
  };
  for (const Row& row : {
           Row{"no secret", 422, with(form, "secret", "")},
           {"no token", 403, with(form, "token", "")},
           {"a token that was made up", 403, with(form, "token", "v1.e30.AA")},
           {"an option that is not there", 422, with(form, "option", "proceed")},
           {"more fields", 400,
            [&] {
              Fields more = form;
              more.emplace_back("approved", "true");
              return more;
            }()},
           {"a name with an end", 400, with(form, "name", std::string("ada\0", 4))},
           {"a foreign page", 403, form, {{"Origin", "http://evil.example"}}},
           {"a page without origin", 403, form, {{"Origin", "null"}}},
           {"what the browser says of it", 403, form, {{"Sec-Fetch-Site", "cross-site"}}},
           {"the same site, another page", 403, form, {{"Sec-Fetch-Site", "same-site"}}},
           {"a foreign name", 403, form, {{"Host", "evil.example"}}},
       }) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK(page.send(path, row.fields, row.headers).status == row.status);
    project.still_waits(session);
  }
  // In the address, where it would be kept.
  CHECK(page.ask("GET", path + "?" + encoded(form)).status == 200);
  CHECK(page.ask("POST", path + "?" + encoded(form), {{"Content-Length", "0"}}).status == 415);
  // A token of another decision.
  const std::string other = project.waiting("client");
  const std::string their = project.column(
      project.state() / "state.db",
      "SELECT decision.id FROM decision JOIN run ON run.number = run WHERE run.id = '" + other +
          "'");
  CHECK(page.send(path, with(form, "token", page.form("/decide/" + their)[0].second)).status ==
        403);
  project.still_waits(session);
  CHECK(page.send(path, form, {{"Origin", own}}).status == 200);
  CHECK(page.send(path, form, {{"Origin", own}}).status == 404);
  CHECK(project.journalled(session, "decision_answered") == 1);
  const std::string said = page.stop();
  CHECK_FALSE(contains(said, kSecret));
  CHECK_FALSE(contains(project.all_bytes(), kSecret));
}

TEST_CASE("red team: guesses on the page and on terminals are counted together (§6)") {
  const Deciding project;
  const std::string session = project.waiting();
  const std::string path =
      "/decide/" + project.column(project.state() / "state.db", "SELECT id FROM decision");
  const Page page(project);
  const Fields form = page.form(path);
  std::vector<int> statuses(3);
  {
    std::vector<std::jthread> guesses;
    for (int& status : statuses) {
      guesses.emplace_back([&page, &path, &form, &status] {
        status = page.send(path, with(form, "secret", "not her secret")).status;
      });
    }
    Script two = wrong(2);
    two.emplace_back("Secret of ada: ", "");
    CHECK(project.on_terminal({"approvers", "passwd", "ada"}, two).code == 1);
  }
  CHECK(std::count(statuses.begin(), statuses.end(), 403) == 3);
  CHECK(page.send(path, with(form, "name", "ADA")).status == 429);
  CHECK(contains(project
                     .on_terminal({"decide", session, "--option", "approve", "--input", "x"},
                                  deciding(kSecret))
                     .out,
                 "no secret is looked at before"));
  project.still_waits(session);
}

TEST_CASE("red team: two approve at the same moment, on the page and on a terminal") {
  const Deciding project;
  const std::string session = project.waiting();
  const std::string path =
      "/decide/" + project.column(project.state() / "state.db", "SELECT id FROM decision");
  const Page page(project);
  const Fields form = page.form(path);
  int status = 0;
  Ended terminal;
  {
    const std::jthread web(
        [&] { status = page.send(path, with(form, "option", "reject")).status; });
    terminal = project.on_terminal({"decide", session, "--option", "approve", "--input", "x"},
                                   deciding(kSecret));
  }
  CHECK(project.journalled(session, "decision_answered") == 1);
  CHECK((status == 200) != (terminal.code == 0));
}

}  // namespace
}  // namespace phasegate::red_team
