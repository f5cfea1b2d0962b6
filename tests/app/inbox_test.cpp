#include "app/cli/inbox.h"

#include <doctest/doctest.h>

#include "app/cli/events_people.h"
#include "base/limits.h"
#include "gating/due.h"
#include "state/db.h"
#include "state/open_runs.h"
#include "tests/app/deciding.h"

namespace phasegate::app {
namespace {

namespace fs = std::filesystem;
using base::Json;
using test::contains;
using test::Deciding;

TEST_CASE("inbox: what waits for a person, with the command that decides it") {
  const Deciding project;
  CHECK(project.run({"inbox"}).out == "Nothing waits for a decision.\n");
  const std::string id = project.waiting();
  const Json inbox = project.run_json({"inbox", "--json"});
  REQUIRE(inbox["decisions"].size() == 1);
  const Json& row = inbox["decisions"][0];
  CHECK(row["session_id"] == id);
  CHECK(row["workflow"] == "two_steps");
  CHECK(row["phase"] == "0");
  CHECK(row["answers"] == 0);
  CHECK(row["needed"] == 1);
  CHECK(row["root"] == fs::canonical(project.root()).string());
  CHECK(contains(base::string_member(row, "decide").value_or(""),
                 "phasegate decide " + id + " --root "));
  const auto text = project.run({"inbox"});
  CHECK(contains(text.out, id.substr(0, 8)));
  CHECK(contains(text.out, "Is phase 0"));
  CHECK(contains(text.out, "  phasegate decide " + id));
  CHECK_FALSE(contains(base::dump(inbox), "Canary"));
  static_cast<void>(project.run({"cancel", id}));
  CHECK(project.run_json({"inbox", "--json"})["decisions"].empty());
}

TEST_CASE("inbox: all projects of a user, the damaged one named and left out, nothing is changed") {
  const Deciding one;
  const std::string id = one.waiting();
  const test::TempFolder home;
  const fs::path all = home.path() / ".local" / "state" / "phasegate";
  for (const char* name : {"web-0123456789abcdef", "torn-0123456789abcdef"}) {
    fs::create_directories(all / name);
    for (const char* file : {"state.db", "seal-keys"}) {
      fs::copy_file(one.state() / file, all / name / file);
    }
  }
  test::write_file(all / "torn-0123456789abcdef" / "state.db", std::string(8192, '\1'));
  test::write_file(all / "approvers.db", "not looked at");
  fs::create_directories(all / "empty-0123456789abcdef");
  Settings settings;
  settings.state_folder = all / "here-0123456789abcdef";
  settings.state_from = "the default place";
  const std::string before = test::read_file(all / "web-0123456789abcdef" / "state.db");
  const auto inbox = cli::read_inbox(settings, base::SystemClock().now());
  REQUIRE(inbox.decisions.size() == 1);
  CHECK(inbox.decisions[0].session == id);
  CHECK(inbox.decisions[0].project == "web");
  REQUIRE(inbox.problems.size() == 1);
  CHECK(inbox.problems[0].starts_with("torn is left out: "));
  CHECK(test::read_file(all / "web-0123456789abcdef" / "state.db") == before);
  CHECK(contains(cli::inbox_text(inbox, cli::Page()), "torn is left out"));

  // Only what was named.
  settings.state_folder = all / "web-0123456789abcdef";
  settings.state_from = "--state";
  settings.project.name = "named";
  const auto only = cli::read_inbox(settings, base::SystemClock().now());
  REQUIRE(only.decisions.size() == 1);
  CHECK(only.problems.empty());
  CHECK(contains(only.decisions[0].decide, " --state "));
}

TEST_CASE("inbox: a session that is damaged does not hide the others") {
  const Deciding project;
  const std::string torn = project.waiting("src/a.cpp");
  const std::string sound = project.waiting("src/b.cpp");
  {
    state::Db db(project.state_file(), {});
    db.prepare("UPDATE run SET state = '{}' WHERE id = ?").bind_all(torn).run();
  }
  const auto open = state::read_open_runs(project.state());
  REQUIRE(open.ok());
  REQUIRE(open->runs.size() == 1);
  CHECK(open->runs[0].run.id == sound);
  REQUIRE(open->problems.size() == 1);
  CHECK(contains(open->problems[0], torn));
  CHECK(contains(project.run({"inbox"}).out, torn));
}

TEST_CASE("inbox: paused and stalled sessions stand apart") {
  state::OpenRuns open;
  state::OpenRun one;
  one.run.id = "11111111-1111-4111-8111-111111111111";
  one.run.updated_at = {1'000};
  one.workflow.phases.push_back({});
  open.runs.push_back(one);
  one.run.id = "22222222-2222-4222-8222-222222222222";
  one.run.status = gating::RunStatus::waiting;
  one.run.paused = gating::Pause{"lunch", "root", {2'000}};
  open.runs.push_back(one);
  const base::TimePoint early{1'000 + base::limits::kStalledAfterMs - 1};
  const base::TimePoint late{1'000 + base::limits::kStalledAfterMs};
  CHECK_FALSE(gating::is_stalled(open.runs[0].run, early));
  CHECK(gating::is_stalled(open.runs[0].run, late));
  cli::Inbox inbox;
  cli::add_to_inbox(inbox, "p", "", "", open, late);
  REQUIRE(inbox.others.size() == 2);
  CHECK(inbox.others[0].state == "stalled");
  CHECK(inbox.others[1].state == "paused");
  const std::string text = cli::inbox_text(inbox, cli::Page());
  CHECK(contains(text, "Paused, or without a change for half an hour"));
  CHECK(contains(text, "lunch"));
}

TEST_CASE("events: what people did, in words") {
  struct Row {
    const char* kind;
    const char* actor;
    const char* data;
    const char* words;
  };
  for (const Row& row : {
           Row{"evidence_kept", "root", "{}", "evidence is as required and kept for a person"},
           Row{"decision_opened", "engine", R"({"prompt":"Good\u001b?"})",
               "a person is asked: Good\\u001b?"},
           Row{"decision_answered", "approver:ada", R"({"label":"Approve","input":"fine"})",
               "decided by ada: Approve, who said: fine"},
           Row{"decision_answered", "client", R"({"option":"approve"})",
               "decided by the assistant's client, which proves nothing: approve"},
           Row{"decision_reminded", "engine", R"({"reminders":2})",
               "people were reminded of the decision, 2 times"},
           Row{"phase_reopened", "approver:ada",
               R"({"to_phase":"1","no_longer_accepted":["1","2"]})",
               "goes back to phase 1; accepted no more: 1, 2"},
           Row{"reopen_demanded", "approver:ada", R"({"reason":"wrong"})",
               "reopened by ada: wrong"},
           Row{"run_rejected", "approver:ada", R"({"reason":"Rejected by ada"})",
               "rejected: Rejected by ada"},
           Row{"run_paused", "root", "{}", "paused by root"},
           Row{"run_resumed", "root", R"({"paused_ms":3})", "resumed by root"},
       }) {
    gating::engine::JournalRow entry;
    entry.entry.kind = row.kind;
    entry.entry.actor = row.actor;
    const auto data = base::parse_json(row.data, {1000, 8});
    CHECK(cli::people_words(entry, *data, cli::Page()) == std::string(row.words));
  }
  gating::engine::JournalRow other;
  other.entry.kind = "phase_entered";
  CHECK_FALSE(cli::people_words(other, Json::object(), cli::Page()).has_value());
}

}  // namespace
}  // namespace phasegate::app
