#include <deque>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/cli/command_audit.h"
#include "state/db.h"
#include "tests/app/deciding.h"

namespace {

using namespace phasegate;
using base::Json;
using test::Ended;

void change(const test::Project& project, const std::string& sql) {
  state::Db db(project.state_file(), {});
  db.execute("PRAGMA foreign_keys=OFF; " + sql);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// `audit --accept` with a person who answers what was written down before.
app::Outcome accept(const test::Project& project, std::deque<std::string> answers) {
  app::Settings settings;
  settings.state_folder = project.state();
  settings.approvers_folder = project.state();
  app::Environment environment;
  environment.stdin_is_terminal = true;
  environment.stdout_is_terminal = true;
  const auto next = [&](const std::string&) -> base::Result<std::string> {
    REQUIRE_FALSE(answers.empty());
    std::string answer = answers.front();
    answers.pop_front();
    return answer;
  };
  app::Prompts prompts;
  prompts.line = next;
  prompts.secret = [&](const std::string& prompt) -> base::Result<state::Secret> {
    state::Secret secret;
    CHECK(secret.add(*next(prompt)));
    return secret;
  };
  app::cli::Invocation invocation;
  invocation.command = app::cli::CommandId::audit;
  invocation.accept = true;
  return app::cli::audit_state(invocation, settings, environment, {}, prompts);
}

}  // namespace

TEST_CASE("audit: a sound state, one session of it, and none at all") {
  const test::Project project;
  project.be_sound();
  const Ended none = project.run({"audit"});
  CHECK(none.code == 3);
  CHECK(contains(none.err, "there is no state.db"));
  CHECK_FALSE(test::fs::exists(project.state()));

  const std::string id = project.start();
  const Ended all = project.run({"audit"});
  CHECK(all.code == 0);
  CHECK(contains(all.out, "Everything is as it was written."));
  CHECK(contains(all.out, "1 session with"));
  CHECK(contains(all.out, "Sealed since"));
  CHECK(project.run({"audit", id.substr(0, 8)}).code == 0);
  const Ended unknown = project.run({"audit", "ffffffff"});
  CHECK(unknown.code == 1);
  CHECK(contains(unknown.err, "There is no session \"ffffffff\""));
  CHECK(contains(unknown.err, "phasegate sessions"));
  CHECK(project.run({"audit", "00000000-0000-4000-8000-000000000000"}).code == 1);
  const Json json = project.run_json({"audit", "--json"});
  CHECK(json["sound"] == true);
  CHECK(json["findings"].empty());
  CHECK(json["counter"] == json["anchor"]);
  CHECK(json["looked_at"]["sessions"] == 1);
}

TEST_CASE("audit: what differs is named, by session and entry, and the session is frozen") {
  const test::Project project;
  project.be_sound();
  const std::string id = project.start("a.cpp");
  const std::string other = project.start("b.cpp");
  change(project,
         "UPDATE journal SET actor = 'eve' WHERE seq = 1 AND run = 1;"
         "UPDATE run SET current_phase = '9' WHERE number = 1");
  const Ended audit = project.run({"audit"});
  CHECK(audit.code == 1);
  CHECK(contains(audit.out, id));
  CHECK(contains(audit.out, "entry 1"));
  CHECK(contains(audit.out, "checkpoint does not verify"));
  CHECK_FALSE(contains(audit.out, other));
  CHECK(contains(audit.out, "is frozen: every call about it is refused"));
  const Json json = project.run_json({"audit", id, "--json"}, 1);
  REQUIRE(json["findings"].size() == 2);
  CHECK(json["findings"][1]["seq"] == 1);
  CHECK(contains(project.run({"status", id}).err, "phasegate audit"));
  CHECK(project.run({"history", id}).code != 0);
  CHECK(project.run({"status", other}).code == 0);
  CHECK(project.run({"doctor"}).code == 1);
}

TEST_CASE("audit: a report of one session stands by itself, in both formats") {
  const test::Project project;
  project.be_sound();
  const std::string id = project.start("a`b.cpp");
  CHECK(project.run({"audit", "--export"}).code == 2);
  CHECK(project.run({"audit", id, "--format", "json"}).code == 2);
  CHECK(project.run({"audit", "--export", id, "--format", "pdf"}).code == 2);
  CHECK(project.run({"audit", "--export", id, "--format", "markdown", "--json"}).code == 2);
  CHECK(project.run_json({"audit", "--export", id, "--json"})["session"]["session_id"] == id);
  const Json json = project.run_json({"audit", "--export", id, "--format", "json"});
  CHECK(json["format"] == "phasegate audit report 1");
  CHECK(json["session"]["session_id"] == id);
  CHECK(json["session"]["target_file"] == "a`b.cpp");
  CHECK(json["journal"][0]["kind"] == "run_started");
  CHECK(json["journal"][0]["chain"].get<std::string>().size() == 80);
  CHECK(json["session"]["chain_head"] == json["journal"].back()["chain"]);
  CHECK(json["audit"]["sound"] == true);
  CHECK(json["state"]["id"] == id);
  const Ended markdown = project.run({"audit", "--export", id});
  CHECK(markdown.code == 0);
  CHECK(markdown.out.starts_with("# Session " + id));
  CHECK(contains(markdown.out, "``a`b.cpp``"));
  change(project, "UPDATE journal SET actor = 'eve'");
  const Ended changed = project.run({"audit", "--export", id});
  CHECK(changed.code == 1);
  CHECK(contains(changed.out, "not as it was written"));
}

TEST_CASE("audit: a new key seals from then on") {
  const test::Project project;
  project.be_sound();
  const std::string id = project.start("a.cpp");
  const Ended rotated = project.run({"audit", "--rotate-key"});
  CHECK(rotated.code == 0);
  CHECK(contains(rotated.out, "Key 2"));
  static_cast<void>(project.start("b.cpp"));
  CHECK(project.run({"audit"}).code == 0);
  CHECK(project.run({"audit", id, "--rotate-key"}).code == 2);
  CHECK(project.run({"audit", "--rotate-key", "--accept"}).code == 2);
  // What they say is for people.
  CHECK(project.run({"audit", "--rotate-key", "--json"}).code == 2);
  CHECK(project.run({"audit", "--accept", "--json"}).code == 2);
}

TEST_CASE("audit: an older state is read and not written until a person accepts it") {
  const test::Deciding project;
  const std::string id = project.start("a.cpp");
  const std::string old = test::read_file(project.state_file());
  static_cast<void>(project.start("b.cpp"));
  test::write_file(project.state_file(), old);
  const Ended status = project.run({"status", id});
  CHECK(status.code == 0);
  CHECK(contains(status.err, "older than it was"));
  const Ended cancel = project.run({"cancel", id});
  CHECK(cancel.code == 3);
  CHECK(contains(cancel.err, "audit --accept"));
  CHECK(
      contains(cancel.err, "`phasegate restore latest --state " + project.state().string() + "`"));
  CHECK(project.run({"audit", "--accept"}).code == 1);

  project.enrol("ada", test::kSecret);
  CHECK(accept(project, {"n"}).code == app::ExitCode::not_ok);
  CHECK(accept(project, {"y", "wrong secret", "wrong secret", "wrong secret"}).code ==
        app::ExitCode::not_ok);
  CHECK(project.run({"audit"}).code == 1);
  const auto accepted = accept(project, {"y", test::kSecret});
  CHECK(accepted.code == app::ExitCode::ok);
  CHECK(contains(accepted.out, "approver:ada"));
  CHECK(project.run({"cancel", id}).code == 0);
  const Ended audit = project.run({"audit"});
  CHECK(audit.code == 0);
  CHECK(contains(audit.out, "by approver:ada"));
  CHECK_FALSE(contains(audit.out, "nobody vouches for"));
  CHECK(accept(project, {}).code == app::ExitCode::not_ok);
}

TEST_CASE("audit: an acceptance that nobody gave is not shown like one that somebody did") {
  const test::Deciding project;
  static_cast<void>(project.start("a.cpp"));
  test::fs::remove(project.state() / "seal-anchor");
  REQUIRE(accept(project, {"y"}).code == app::ExitCode::ok);
  CHECK_FALSE(contains(project.run({"audit"}).out, "nobody vouches for"));
  change(project, "UPDATE acceptance SET principal = 'approver:ada'");
  const Ended audit = project.run({"audit"});
  CHECK(audit.code == 1);
  CHECK(contains(audit.out, "not as it was written, so nobody vouches for: accepted "));
  CHECK(contains(audit.out, "approver:ada"));
  // It is about the state, not about a session.
  CHECK_FALSE(contains(audit.out, "is frozen"));
}

TEST_CASE("audit: beginnings of ids mean what they mean elsewhere") {
  const test::Project project;
  project.be_sound();
  std::string id = project.start("a.cpp");
  const std::string other = project.start("b.cpp");
  const std::string same = id.substr(0, 8) + other.substr(8);
  change(project, "UPDATE run SET id = '" + same + "' WHERE id = '" + other + "'");
  for (const char* command : {"status", "audit"}) {
    CAPTURE(command);
    const Ended several = project.run({command, id.substr(0, 8)});
    CHECK(several.code == 1);
    CHECK(contains(several.err, "2 sessions begin with"));
    CHECK(contains(several.err, "Give more characters: "));
    CHECK(contains(several.err, id));
    CHECK(contains(several.err, same));
    const Ended nothing = project.run({command, "workflow"});
    CHECK(nothing.code == 1);
    CHECK(contains(nothing.err, "There is no session \"workflow\""));
  }
}

TEST_CASE("doctor: that the keys are lost is said once, whatever they would vouch for") {
  const test::Project project;
  project.be_sound();
  for (const char* target : {"a.cpp", "b.cpp", "c.cpp"}) static_cast<void>(project.start(target));
  test::fs::rename(project.state() / "seal-keys", project.state() / "kept");
  const Json json = project.run_json({"doctor", "--json"}, 1);
  int problems = 0;
  for (const Json& one : json["diagnoses"]) {
    if (one["level"] != "problem") continue;
    ++problems;
    CHECK(contains(one["text"].get<std::string>(), "seal-keys is gone"));
    const std::string hint = one["hint"].get<std::string>();
    CHECK(contains(hint, "put seal-keys back beside state.db"));
    CHECK_FALSE(contains(hint, "phasegate restore"));
    CHECK(contains(hint, "`phasegate doctor --state " + project.state().string() + "`"));
  }
  CHECK(problems == 1);
  test::fs::rename(project.state() / "kept", project.state() / "seal-keys");
  CHECK(project.run({"doctor"}).code == 0);
}
