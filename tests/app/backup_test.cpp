#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "state/db.h"
#include "tests/app/deciding.h"

namespace phasegate::app::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using test::contains;
using test::Person;
using test::Project;

/// The only copy in the folder of copies.
fs::path made_copy(const Project& project) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(project.state() / "backups")) {
    REQUIRE(found.empty());
    found = entry.path();
  }
  return found;
}

/// The text whose lines may end anywhere.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  return line;
}

/// What the command answers on a terminal that an assistant has started; it asks for nothing there.
std::string in_assistants_terminal(const Project& project, std::vector<std::string> arguments) {
  test::ToRun marked = project.to_run(std::move(arguments));
  marked.variables["CLAUDECODE"] = "1";
  test::LiveProgram program(test::phasegate_binary(), marked, test::LiveProgram::Output::terminal,
                            400);
  CHECK(program.wait_for_end() == 1);
  CHECK(contains(program.output(), "This terminal is an assistant's (CLAUDECODE is set)"));
  CHECK_FALSE(contains(program.output(), "[y/N]"));
  return program.output();
}

std::size_t sessions_in(const Project& project) {
  return project.run_json({"sessions", "--all", "--json"})["sessions"].size();
}

}  // namespace

TEST_CASE("backup: a copy in the folder of copies, or where somebody wants it") {
  const Project project;
  const auto none = project.run({"backup"});
  CHECK(none.code == 1);
  CHECK(contains(none.err, "Nothing is stored here yet"));
  CHECK_FALSE(fs::exists(project.state()));
  CHECK(contains(project.run({"backup", "--list"}).out, "There are no copies yet"));

  static_cast<void>(project.start());
  const auto text = project.run({"backup"});
  CHECK_MESSAGE(text.code == 0, text.err);
  CHECK(contains(text.out, "Copied 1 session to "));
  CHECK(contains(text.out, made_copy(project).filename().string()));
  const Json json = project.run_json({"backup", "../named.db", "--json"});
  CHECK(json["sessions"] == 1);
  CHECK(json["kind"] == "named");
  CHECK(json["cleared"].empty());
  CHECK(fs::exists(project.root() / ".." / "named.db"));
  struct stat status{};
  REQUIRE(::stat((project.root() / ".." / "named.db").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);

  const auto again = project.run({"backup", "../named.db"});
  CHECK(again.code == 1);
  CHECK(contains(again.err, "is there already"));
  CHECK(project.run({"backup", "no/folder/x.db"}).code == 1);
  CHECK(project.run({"backup", "x.db", "--list"}).code == 2);
  const Json list = project.run_json({"backup", "--list", "--json"});
  REQUIRE(list["backups"].size() == 1);
  CHECK(list["backups"][0]["kind"] == "made");
  CHECK(contains(project.run({"backup", "--list"}).out, "backups/state-"));
}

TEST_CASE("restore: a person is shown what would be lost, and an approver says yes") {
  test::Deciding project;
  const std::string kept = project.start("a.txt");
  const auto none = project.run({"restore", "latest"});
  CHECK(none.code == 1);
  Person early(project, {"restore", "latest"});
  CHECK(early.end() == 1);
  CHECK(contains(early.output(), "There is no copy of this state yet"));
  CHECK(contains(early.output(), "phasegate backup --state " + project.state().string()));
  REQUIRE(project.run({"backup"}).code == 0);
  const std::string lost = project.start("b.txt");
  // Also while nobody is enrolled.
  CHECK(contains(in_assistants_terminal(project, {"restore", "latest"}),
                 "phasegate restore latest --root "));

  const auto refused = project.run({"restore", "latest"});
  CHECK(refused.code == 1);
  CHECK(contains(refused.err, "a person's to say, on a terminal"));
  CHECK(contains(refused.err, "phasegate restore latest"));
  {
    Person no(project, {"restore", "latest"});
    no.answer("Restore? [y/N]", "n");
    CHECK(no.end() == 1);
    CHECK(contains(no.output(), "Nothing was changed"));
  }
  CHECK(sessions_in(project) == 2);
  project.enrol("ann", test::kSecret);
  {
    Person wrong(project, {"restore", "latest"});
    wrong.answer("Restore? [y/N]", "y");
    for (int i = 0; i < 3; ++i) wrong.tell("Secret of ann", "something else");
    CHECK(wrong.end() == 1);
  }
  CHECK(sessions_in(project) == 2);
  Person yes(project, {"restore", "latest"});
  yes.answer("Restore? [y/N]", "y");
  yes.tell("Secret of ann", test::kSecret);
  CHECK(yes.end() == 0);
  CHECK(contains(yes.output(), "1 would be gone altogether"));
  CHECK(contains(yes.output(), lost));
  CHECK(contains(yes.output(), "Restored "));
  CHECK(sessions_in(project) == 1);
  CHECK(project.run({"status", kept}).code == 0);
  CHECK(project.run({"status", lost}).code == 1);
  // What was here before is among the copies, and a session goes on.
  const Json copies = project.run_json({"backup", "--list", "--json"})["backups"];
  REQUIRE(copies.size() == 2);
  CHECK(copies[0]["kind"] == "made");
  CHECK(copies[1]["kind"] == "before a restore");
  CHECK(contains(project.run({"backup", "--list"}).out, "backups/before-restore-"));
  project.hand_over(kept);
  CHECK(project.run({"doctor"}).code == 0);
}

TEST_CASE("restore: what cannot be used stays where it is until a person has it set aside") {
  const Project project;
  project.be_sound();
  static_cast<void>(project.start());
  REQUIRE(project.run({"backup", "../copy.db"}).code == 0);
  const std::string words(200, 'w');
  test::write_file(project.state_file(), words);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"sessions"}, {"backup"}, {"prune"}}) {
    CAPTURE(command.front());
    const auto ended = project.run(command);
    CHECK(ended.code == 3);
    CHECK(contains(ended.err, "not a database of phasegate"));
    const std::string options = " --state " + project.state().string() + "`";
    CHECK(contains(ended.err, "`phasegate restore FILE" + options));
    CHECK(contains(ended.err, "`phasegate restore --set-aside" + options));
  }
  CHECK(test::read_file(project.state_file()) == words);

  Person person(project, {"restore", "../copy.db"});
  person.answer("Restore? [y/N]", "y");
  CHECK(person.end() == 0);
  CHECK(contains(person.output(), "set aside"));
  CHECK(sessions_in(project) == 1);
  const auto doctor = project.run({"doctor"});
  CHECK(contains(one_line(doctor.out), "could not be used and was set aside"));

  // Without a copy the next session begins with an empty state.
  test::write_file(project.state_file(), words);
  CHECK(project.run({"restore"}).code == 2);
  CHECK(project.run({"restore", "x.db", "--set-aside"}).code == 2);
  CHECK(project.run({"restore", "--set-aside"}).code == 1);
  static_cast<void>(in_assistants_terminal(project, {"restore", "--set-aside"}));
  Person aside(project, {"restore", "--set-aside"});
  aside.answer("Set it aside? [y/N]", "y");
  CHECK(aside.end() == 0);
  CHECK(sessions_in(project) == 0);
  static_cast<void>(project.start());
  const auto usable = project.run({"restore", "--set-aside"});
  CHECK(usable.code == 1);
  CHECK(contains(usable.err, "can be used"));
}

TEST_CASE(
    "restore: a state that is gone is told everywhere, and is not begun anew unless asked for") {
  const Project project;
  project.be_sound();
  const std::string id = project.start();
  REQUIRE(project.run({"backup", "../copy.db"}).code == 0);
  const auto remove = [&] {
    for (const char* suffix : {"", "-wal", "-shm"}) {
      fs::remove(project.state_file().string() + suffix);
    }
  };
  remove();
  for (const std::vector<std::string>& command : {std::vector<std::string>{"sessions"},
                                                  {"status", id},
                                                  {"audit"},
                                                  {"audit", id},
                                                  {"backup"}}) {
    CAPTURE(command.front());
    const auto ended = project.run(command);
    CHECK(ended.code == 3);
    CHECK(contains(one_line(ended.err), "state.db is gone; seal-anchor beside it says"));
    CHECK(contains(one_line(ended.err), "phasegate restore"));
  }
  const auto doctor = project.run({"doctor"});
  CHECK(doctor.code == 1);
  CHECK(contains(one_line(doctor.out), "state.db is gone"));
  CHECK_FALSE(fs::exists(project.state_file()));

  Person person(project, {"restore", "../copy.db"});
  person.answer("Restore? [y/N]", "y");
  CHECK(person.end() == 0);
  CHECK(contains(one_line(person.output()), "There is no state here now: state.db is gone"));
  CHECK_FALSE(contains(person.output(), "Set aside"));
  CHECK(project.run({"status", id}).code == 0);
  CHECK(project.run({"audit"}).code == 0);

  remove();
  Person aside(project, {"restore", "--set-aside"});
  aside.answer("Set it aside? [y/N]", "y");
  CHECK(aside.end() == 0);
  CHECK(contains(aside.output(), "seal-anchor.set-aside-"));
  CHECK(sessions_in(project) == 0);
  static_cast<void>(project.start());
  CHECK(project.run({"audit"}).code == 0);
}

TEST_CASE("prune: fewer than the program keeps is a person's to say, and a line of each stays") {
  const Project project;
  project.be_sound();
  const std::string ended = project.start("a.txt");
  const std::string open = project.start("b.txt");
  REQUIRE(project.run({"cancel", ended}).code == 0);
  CHECK(contains(project.run({"prune"}).out, "0 sessions removed."));
  CHECK(project.run({"prune", "--keep", "many"}).code == 2);
  const auto refused = project.run({"prune", "--keep", "0"});
  CHECK(refused.code == 1);
  CHECK(contains(refused.err, "a person's to say"));
  const Json dry = project.run_json({"prune", "--keep", "0", "--dry-run", "--json"});
  CHECK(dry["dry_run"] == true);
  REQUIRE(dry["pruned"].size() == 1);
  CHECK(dry["pruned"][0]["session_id"] == ended);
  CHECK(project.run({"status", ended}).code == 0);

  static_cast<void>(in_assistants_terminal(project, {"prune", "--keep", "0"}));
  CHECK(project.run({"status", ended}).code == 0);
  Person person(project, {"prune", "--keep", "0"});
  person.answer("Remove their histories? [y/N]", "y");
  CHECK(person.end() == 0);
  CHECK(contains(person.output(), "1 session removed"));
  for (const char* command : {"status", "history", "export", "audit"}) {
    CAPTURE(command);
    const auto gone = project.run({command, ended});
    CHECK(gone.code == 1);
    CHECK(contains(gone.err, "was pruned on "));
    CHECK(contains(gone.err, "two_steps, cancelled"));
  }
  CHECK(contains(project.run({"export", ended, "--bundle", "gone.json"}).err, "was pruned on "));
  for (const char* command : {"status", "audit"}) {
    CHECK(contains(project.run({command, ended.substr(0, 8)}).err, "was pruned on "));
    // Too short to name a session, pruned or not.
    const auto short_id = project.run({command, ended.substr(0, 3)});
    CHECK(short_id.code == 1);
    CHECK(contains(short_id.err, "is too short to name a session"));
    CHECK(contains(short_id.err, "Give at least 4 characters"));
  }
  CHECK(project.run({"status", open}).code == 0);
  CHECK(project.run({"doctor"}).code == 0);
}

TEST_CASE("export and import: a session goes to another project by a person's word") {
  const Project here("here");
  const Project there("there");
  here.be_sound();
  there.be_sound();
  const std::string id = here.start("a.txt");
  const fs::path file = here.root() / "session.json";
  const auto made = here.run({"export", id, "--bundle", "session.json"});
  CHECK_MESSAGE(made.code == 0, made.err);
  struct stat status{};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  CHECK(here.run({"export", id, "--bundle", "session.json"}).code == 1);
  const Json json = here.run_json({"export", id, "--bundle", "again.json", "--json"});
  CHECK(json["session_id"] == id);
  CHECK(json["file"] == (here.root() / "again.json").string());
  CHECK(json["entries"] == 2);
  const auto refused = there.run({"import", file.string()});
  CHECK(refused.code == 1);
  CHECK(contains(refused.err, "a person's to say"));
  static_cast<void>(in_assistants_terminal(there, {"import", file.string()}));
  {
    Person person(there, {"import", file.string()});
    person.answer("Take it in? [y/N]", "y");
    CHECK(person.end() == 0);
  }
  const Json taken_in = there.run_json({"status", id, "--json"});
  CHECK(taken_in["session_id"] == id);
  // The very workflow that lies here, under the hash of its files.
  CHECK(taken_in["definition_hash"] == here.run_json({"status", id, "--json"})["definition_hash"]);
  const std::string history = one_line(there.run({"history", id}).out);
  CHECK(contains(history, "imported phase 0"));
  CHECK(contains(history, "exported_by"));
  // Nobody is asked about what cannot be done.
  Person again(there, {"import", file.string()});
  CHECK(again.end() == 1);
  CHECK_FALSE(contains(again.output(), "Take it in?"));
  CHECK(contains(again.output(), "is here already"));
}

}  // namespace phasegate::app::cli
