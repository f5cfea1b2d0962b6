#include <functional>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "tests/red_team/deciding.h"
#include "tests/red_team/project.h"

/// An assistant that runs as the same user, and goes for the files behind the decision.
namespace phasegate::red_team {
namespace {

using test::Ended;

const std::vector<std::string> kApprove = {"--option", "approve", "--input", "x"};

Ended decide(const Deciding& project, const std::string& session, const std::string& secret,
             const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"decide", session};
  words.insert(words.end(), kApprove.begin(), kApprove.end());
  words.insert(words.end(), more.begin(), more.end());
  return project.on_terminal(words, deciding(secret));
}

struct Attack {
  const char* name;
  std::function<void(const Deciding&)> act;
  const char* said;
};

const Attack kOnTheBook[] = {
    {"readable by others", [](const Deciding& p) { ::chmod(p.book().c_str(), 0644); },
     "may be read or written by others"},
    {"in a folder that others write", [](const Deciding& p) { ::chmod(p.state().c_str(), 0777); },
     "may be written by others"},
    {"taken away", [](const Deciding& p) { fs::remove(p.book()); }, "is gone"},
    {"a link to one's own",
     [](const Deciding& p) {
       fs::rename(p.book(), p.outside() / "other.db");
       fs::create_symlink(p.outside() / "other.db", p.book());
     },
     "is a link"},
    {"a pipe",
     [](const Deciding& p) {
       fs::remove(p.book());
       REQUIRE(::mkfifo(p.book().c_str(), 0600) == 0);
     },
     "is not a regular file"},
    {"a folder",
     [](const Deciding& p) {
       fs::remove(p.book());
       fs::create_directory(p.book());
     },
     "is not a regular file"},
    {"cut short", [](const Deciding& p) { fs::resize_file(p.book(), 5000); }, "approvers.db"},
    {"emptied", [](const Deciding& p) { fs::resize_file(p.book(), 0); }, "approvers.db"},
    {"text",
     [](const Deciding& p) {
       test::write_file(p.book(), std::string(9000, 'x'));
       ::chmod(p.book().c_str(), 0600);
     },
     "approvers.db"},
    {"the project's own database instead",
     [](const Deciding& p) {
       fs::copy_file(p.state() / "state.db", p.book(), fs::copy_options::overwrite_existing);
     },
     "approvers.db"},
    {"of a version that is not known",
     [](const Deciding& p) { p.sql(p.book(), "PRAGMA user_version = 99"); }, "newer"},
    {"a hash that is none",
     [](const Deciding& p) { p.sql(p.book(), "UPDATE approver SET hash = x'00'"); }, "is damaged"},
    {"a hash that costs nothing",
     [](const Deciding& p) { p.sql(p.book(), "UPDATE approver SET n_log2 = 0"); }, "is damaged"},
    {"a hash that never ends",
     [](const Deciding& p) { p.sql(p.book(), "UPDATE approver SET n_log2 = 40"); }, "is damaged"},
    {"another name", [](const Deciding& p) { p.sql(p.book(), "UPDATE approver SET name = 'eve'"); },
     "is damaged"},
};

TEST_CASE("red team: a list of approvers that was tampered with lets nobody decide (§6)") {
  for (const Attack& attack : kOnTheBook) {
    const std::string name = attack.name;
    CAPTURE(name);
    const Deciding project;
    const std::string session = project.waiting();
    attack.act(project);
    const Ended decided = decide(project, session, kSecret);
    CAPTURE(decided.out);
    CHECK(decided.code == 3);
    CHECK(contains(decided.out, "Nobody can decide"));
    CHECK(contains(decided.out, attack.said));
    // Nor does it make room for somebody else.
    CHECK(project.on_terminal({"approvers", "add", "eve"}, enrolling(kOfEve)).code == 3);
    CHECK(project.run({"doctor"}).code == 1);
    ::chmod(project.state().c_str(), 0700);
    project.still_waits(session);
  }
}

/// What a person is told about a decision that was not theirs.
void is_told(const Deciding& project, const std::string& session, const std::string& doubt) {
  CHECK(contains(project.run({"status", session}).out, doubt));
  CHECK(contains(base::dump(project.json({"status", session, "--json"})["doubts"]), doubt));
  const std::string doctor = project.run({"doctor", "--json"}).out;
  CHECK(contains(doctor, "decisions"));
  CHECK(contains(doctor, doubt));
}

TEST_CASE(
    "red team: decided with a list of approvers from elsewhere, it is told (no silent pass)") {
  const Deciding project;
  const std::string session = project.waiting();
  const fs::path own = project.outside() / "own";
  fs::create_directories(own);
  ::chmod(own.c_str(), 0700);
  const std::vector<std::string> there = {"--state", own.string()};
  REQUIRE(project.on_terminal({"approvers", "add", "ada", there[0], there[1]}, enrolling(kOfEve))
              .code == 0);
  // A link to the project's state, beside approvers of its own.
  fs::create_symlink(project.state() / "state.db", own / "state.db");
  const Ended linked = decide(project, session, kOfEve, there);
  CHECK(linked.code == 3);
  CHECK(contains(linked.out, "state.db is a link"));
  project.still_waits(session);
  // A copy of it alone: nothing there says that it is as it was written.
  fs::remove(own / "state.db");
  fs::copy_file(project.state() / "state.db", own / "state.db");
  const Ended alone = decide(project, session, kOfEve, there);
  CHECK(alone.code == 3);
  CHECK(contains(alone.out, "seal-keys"));
  // A copy with its keys, decided there and put back.
  for (const char* file : {"seal-keys", "seal-anchor"}) {
    fs::copy_file(project.state() / file, own / file, fs::copy_options::overwrite_existing);
  }
  CHECK(decide(project, session, kOfEve, there).code == 0);
  fs::copy_file(own / "state.db", project.state() / "state.db",
                fs::copy_options::overwrite_existing);
  is_told(project, session, "the fingerprint is not the one that ada had then");
  CHECK(contains(project.run({"history", session}).out, "look at this: the fingerprint is not"));
}

TEST_CASE("red team: the list is replaced for a decision and put back, and it is told") {
  for (const char* name : {"ada", "eve"}) {
    CAPTURE(name);
    const Deciding project;
    const std::string session = project.waiting();
    const fs::path kept = project.outside() / "kept.db";
    const fs::path mark = project.state() / "approvers.enrolled";
    fs::rename(project.book(), kept);
    fs::remove(mark);
    REQUIRE(project.on_terminal({"approvers", "add", name}, enrolling(kOfEve)).code == 0);
    CHECK(decide(project, session, kOfEve).code == 0);
    fs::rename(kept, project.book());
    is_told(project, session,
            std::string(name) == "eve" ? "eve is not enrolled"
                                       : "the fingerprint is not the one that ada had then");
  }
  // Who decided with the secret that is enrolled gives no cause.
  const Deciding project;
  const std::string session = project.waiting();
  CHECK(decide(project, session, kSecret).code == 0);
  CHECK_FALSE(contains(project.run({"status", session}).out, "Look at"));
  CHECK(project.json({"status", session, "--json"})["doubts"] == Json::array());
  CHECK_FALSE(contains(project.run({"history", session}).out, "look at this"));
  CHECK_FALSE(contains(project.run({"doctor"}).out, "decisions"));
}

TEST_CASE("red team: triggers in the list of approvers do not take the count of failures back") {
  const Deciding project;
  const std::string session = project.waiting();
  project.sql(project.book(),
              "CREATE TRIGGER t AFTER UPDATE OF failures ON approver BEGIN UPDATE approver SET "
              "failures = 0, failed_at = 0; END");
  for (int i = 0; i < 2; ++i) {
    CHECK(project.on_terminal({"approvers", "passwd", "ada"}, wrong()).code == 1);
  }
  CHECK(contains(decide(project, session, kSecret).out, "no secret is looked at before"));
  project.still_waits(session);
}

const Attack kOnTheState[] = {
    {"the row of the decision",
     [](const Deciding& p) {
       p.sql(p.state() / "state.db",
             "UPDATE decision SET status = 'decided', choice = 'approve', approver = 'ada'");
     },
     "waits"},
    {"no row of the decision",
     [](const Deciding& p) { p.sql(p.state() / "state.db", "DELETE FROM decision"); }, "waits"},
    {"no question in the kept workflow, digest and all",
     [](const Deciding& p) {
       const fs::path file = p.state() / "state.db";
       auto model =
           base::parse_json(p.column(file, "SELECT model FROM definition"), {1U << 22U, 64});
       REQUIRE(model.ok());
       for (Json& phase : (*model)["phases"]) phase["gate"].erase("decision");
       const std::string text = base::dump(*model);
       std::string quoted;
       for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
       p.sql(file, "UPDATE definition SET model = '" + quoted + "', model_digest = '" +
                       base::sha256_hex(text) + "'");
     },
     "is not what was stored"},
    {"the columns of the session",
     [](const Deciding& p) {
       p.sql(p.state() / "state.db", "UPDATE run SET current_phase = 'done', status = 'active'");
     },
     "does not verify"},
    {"the text of its state",
     [](const Deciding& p) {
       p.sql(p.state() / "state.db",
             "UPDATE run SET state = replace(state, '\"current_phase\":\"plan\"', "
             "'\"current_phase\":\"done\"')");
     },
     "is not what was stored"},
};

TEST_CASE("red team: a state that was written into beside the program opens no gate (§6)") {
  for (const Attack& attack : kOnTheState) {
    const std::string name = attack.name;
    CAPTURE(name);
    const Deciding project;
    const std::string session = project.waiting();
    attack.act(project);
    const Ended answer =
        project.call("complete_phase",
                     {{"session_id", session}, {"phase", "plan"}, {"evidence", {{"note", "x"}}}});
    CAPTURE(answer.out);
    CHECK_FALSE(contains(answer.out, kBehind));
    if (std::string(attack.said) == "waits") {
      CHECK(contains(answer.out, "Not approved"));
      project.still_waits(session);
    } else {
      CHECK(contains(answer.out, attack.said));
      CHECK(project.run({"doctor"}).code == 1);
    }
  }
}

/// Nothing is done on what does not verify, and everybody is told.
void is_frozen(const Deciding& project, const std::string& session) {
  const Ended status = project.run({"status", session});
  CHECK(status.code != 0);
  CHECK(contains(status.out + status.err, "does not verify"));
  const Ended answer =
      project.call("complete_phase",
                   {{"session_id", session}, {"phase", "done"}, {"evidence", {{"note", "x"}}}});
  CHECK(contains(answer.out, "does not verify"));
  CHECK(project.run({"doctor"}).code == 1);
  const Ended audit = project.run({"audit", session});
  CHECK(audit.code == 1);
  CHECK(contains(audit.out, "checkpoint"));
}

TEST_CASE(
    "red team: a completed phase that nobody decided about freezes the session, digest or not") {
  const Deciding project;
  const fs::path file = project.state() / "state.db";
  const std::string honest = project.waiting();
  CHECK(decide(project, honest, kSecret).code == 0);
  const Ended begun = project.run(
      {"call", "start_workflow", R"({"workflow_type":"two","target_file":"b"})", "--json"});
  const std::string session =
      base::string_member(base::parse_json(begun.out, {1U << 20U, 64}).value(), "session_id")
          .value();
  static_cast<void>(
      project.call("complete_phase",
                   {{"session_id", session}, {"phase", "plan"}, {"evidence", {{"note", "x"}}}}));
  const auto state_of = [&](const std::string& id) {
    return base::parse_json(project.column(file, "SELECT state FROM run WHERE id = '" + id + "'"),
                            {1U << 22U, 64})
        .value();
  };
  const Json model = state_of(honest);
  Json forged = state_of(session);
  for (const char* member : {"accepted", "current_phase", "status", "waiting"}) {
    if (model.contains(member)) {
      forged[member] = model[member];
    } else {
      forged.erase(member);
    }
  }
  forged.erase("decision");
  std::string text;
  for (const char c : base::dump(forged)) text += c == '\'' ? "''" : std::string(1, c);
  project.sql(file, "UPDATE run SET status = 'active', current_phase = 'done', state = '" + text +
                        "', state_digest = '" + base::sha256_hex(base::dump(forged)) +
                        "' WHERE id = '" + session + "'");
  is_frozen(project, session);
  forged["accepted"][0]["deciders"] = Json::array();
  text = base::dump(forged);
  project.sql(file, "UPDATE run SET state = '" + text + "', state_digest = '" +
                        base::sha256_hex(text) + "' WHERE id = '" + session + "'");
  is_frozen(project, session);
  // Not even with everything that seals the honest one.
  project.sql(file,
              "UPDATE run SET (chain_head, mac) = (SELECT chain_head, mac FROM run WHERE id = '" +
                  honest + "') WHERE id = '" + session + "'");
  is_frozen(project, session);
  // The other session goes on.
  CHECK(project.run({"status", honest}).code == 0);
}

TEST_CASE("red team: the home folder is not what a variable says (ARCHITECTURE §6)") {
  const Deciding project;
  const auto looked_at = [&](const Variables& variables) {
    test::ToRun doctor = project.to_run({"doctor"}, variables);
    doctor.variables.erase("PHASEGATE_STATE");
    return test::run_program(test::phasegate_binary(), doctor).out;
  };
  const std::string own = project.outside().string();
  CHECK(looked_at({}) == looked_at({{"HOME", own},
                                    {"XDG_STATE_HOME", own},
                                    {"XDG_DATA_HOME", own},
                                    {"XDG_CONFIG_HOME", own}}));
}

}  // namespace
}  // namespace phasegate::red_team
