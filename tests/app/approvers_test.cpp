#include <csignal>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "state/approvers/approver_book.h"
#include "state/db.h"
#include "tests/app/deciding.h"

namespace phasegate::app {
namespace {

namespace fs = std::filesystem;
using base::Json;
using test::contains;
using test::kSecret;
using test::LiveProgram;
using test::Person;
using test::Project;

constexpr const char* kOther = test::kBob;

fs::path book_file(const Project& project) {
  return project.state() / "approvers.db";
}

void enrol(const Project& project, const char* name, const char* secret) {
  state::SqliteApproverBook book(project.state(), {4, 8, 1});
  state::ChangeBy by{"root", {}};
  const auto all = book.list();
  if (!all->empty()) by.approver = all->front();
  REQUIRE(book.add(name, {}, secret, by, base::SystemClock().now()).ok());
}

std::vector<std::string> names(const Project& project) {
  std::vector<std::string> found;
  const Json listed = project.run_json({"approvers", "--json"});
  for (const Json& one : listed["approvers"]) {
    found.push_back(base::string_member(one, "name").value_or(""));
  }
  return found;
}

TEST_CASE("approvers: the first is enrolled at the terminal, and the secret is nowhere (§6)") {
  const Project project;
  project.be_sound();
  CHECK(contains(project.run({"approvers"}).out, "Nobody is enrolled"));
  CHECK(contains(project.run({"doctor"}).out, "nobody is enrolled: gates that ask"));
  Person person(project, {"approvers", "add", "Ada", "--role", "QA", "--role=dev"});
  REQUIRE(person.program().wait_for("New secret of Ada: "));
  const std::string process = "/proc/" + std::to_string(person.program().process());
  CHECK(test::read_file(process + "/cmdline").find(kSecret) == std::string::npos);
  person.program().type("short\n");
  person.tell("fewer than 8 characters.", kSecret);
  person.tell("The same again: ", kOther);
  person.tell("were not the same.", kSecret);
  person.tell("The same again: ", kSecret);
  REQUIRE(person.program().wait_for("Ada may decide now."));
  CHECK(person.end() == 0);

  const Json listed = project.run_json({"approvers", "list", "--json"});
  REQUIRE(listed["approvers"].size() == 1);
  const Json& ada = listed["approvers"][0];
  CHECK(ada["name"] == "Ada");
  CHECK(ada["roles"] == Json({"dev", "qa"}));
  CHECK(ada["locked_until"].is_null());
  const std::string fingerprint = base::string_member(ada, "fingerprint").value_or("?");
  CHECK(contains(person.output(), "Fingerprint " + fingerprint));
  const auto text = project.run({"approvers"});
  CHECK(contains(text.out, "dev, qa"));
  CHECK(contains(text.out, fingerprint));
  CHECK(contains(project.run({"doctor"}).out, "1 enrolled, in approvers.db"));

  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(project.state().parent_path())) {
    if (!entry.is_regular_file()) continue;
    CAPTURE(entry.path().string());
    const std::string bytes = test::read_file(entry.path());
    CHECK(bytes.find(kSecret) == std::string::npos);
    CHECK(bytes.find(kOther) == std::string::npos);
    ++files;
  }
  CHECK(files > 2);
  struct stat status{};
  REQUIRE(::stat(book_file(project).c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0600U);
}

TEST_CASE("approvers: who is enrolled lets others in, takes them out, and sets secrets") {
  const Project project;
  enrol(project, "ada", kSecret);
  {
    Person person(project, {"approvers", "add", "bob"});
    person.tell("Secret of ada: ", "not the secret");
    person.tell("That is not right. Secret of ada: ", kSecret);
    person.tell("New secret of bob: ", kOther);
    person.tell("The same again: ", kOther);
    CHECK(person.end() == 0);
    CHECK(names(project) == std::vector<std::string>{"ada", "bob"});
    const Json bob = project.run_json({"approvers", "--json"})["approvers"][1];
    CHECK(bob["by"] == "ada");
  }
  {
    // Another approver's secret will do, and the name is offered.
    Person person(project, {"approvers", "passwd", "ada"});
    person.answer("Name of an approver [ada]: ", "bob");
    person.tell("Secret of bob: ", kOther);
    person.tell("New secret of ada: ", "yellow door creaks");
    person.tell("The same again: ", "yellow door creaks");
    CHECK(person.end() == 0);
  }
  {
    Person person(project, {"approvers", "remove", "bob"});
    person.answer("Name of an approver [bob]: ", "ada");
    person.tell("Secret of ada: ", "yellow door creaks");
    CHECK(person.end() == 0);
    CHECK(names(project) == std::vector<std::string>{"ada"});
  }
  for (const bool sure : {false, true}) {
    Person person(project, {"approvers", "remove", "ada"});
    person.tell("Secret of ada: ", "yellow door creaks");
    person.answer("Remove ada? [y/N] ", "y");
    person.answer("Really, so that nobody may decide? [y/N] ", sure ? "y" : "n");
    CHECK(person.end() == (sure ? 0 : 1));
    CHECK(contains(person.output(), "wait"));
    CHECK(names(project).empty() == sure);
  }
}

TEST_CASE("approvers: three wrong secrets end the command, and all of them count") {
  const Project project;
  enrol(project, "ada", kSecret);
  {
    Person person(project, {"approvers", "add", "eve"});
    for (int i = 0; i < 3; ++i) person.tell("Secret of ada: ", "not the secret");
    CHECK(person.end() == 1);
    CHECK(contains(person.output(), "Name and secret do not belong together."));
    CHECK(names(project) == std::vector<std::string>{"ada"});
  }
  {
    state::Db db(book_file(project), {});
    CHECK(db.query_integer("SELECT failures FROM approver") == 3);
    db.prepare("UPDATE approver SET failures = 50, failed_at = ?")
        .bind_all(base::SystemClock().now().ms)
        .run();
  }
  Person person(project, {"approvers", "remove", "ada"});
  person.tell("Secret of ada: ", kSecret);
  CHECK(person.end() == 1);
  CHECK(contains(person.output(), "no secret is looked at before 2"));
  CHECK(contains(project.run({"approvers"}).out, "locked until "));
  CHECK(project.run_json({"approvers", "--json"})["approvers"][0]["locked_until"].is_string());
}

TEST_CASE("approvers: nothing is asked without a terminal of the person's own") {
  const Project project;
  for (const char* part : {"add", "remove", "passwd"}) {
    CAPTURE(part);
    test::ToRun piped = project.to_run({"approvers", part, "ada", "--root", "."});
    piped.input = std::string(kSecret) + "\n" + kSecret + "\ny\ny\n";
    const auto ended = test::run_program(test::phasegate_binary(), piped);
    CHECK(ended.code == 1);
    CHECK(contains(ended.err, "is a person's to say, on a terminal"));
    CHECK(contains(ended.err, std::string("There: phasegate approvers ") + part + " ada --root "));
  }
  for (const char* variable : {"CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI"}) {
    CAPTURE(variable);
    test::ToRun marked = project.to_run({"approvers", "add", "ada"});
    marked.variables[variable] = "1";
    LiveProgram program(test::phasegate_binary(), marked, LiveProgram::Output::terminal, 200);
    CHECK(program.wait_for_end() == 1);
    CHECK(contains(program.output(), std::string(variable) + " is set"));
    CHECK(contains(program.output(), "terminal of the person's own: phasegate approvers add ada"));
  }
  CHECK_FALSE(fs::exists(project.state()));
}

TEST_CASE("approvers: Ctrl-C, Ctrl-D, an empty line and too long a line leave all as it was") {
  const Project project;
  struct Case {
    const char* keys;
    int code;
  };
  for (const Case& one : {Case{"\x03", 128 + SIGINT}, Case{"gree\x03", 128 + SIGINT},
                          Case{"\x1C", 128 + SIGQUIT}, Case{"\x04", 1}, Case{"\n", 1}}) {
    CAPTURE(one.code);
    Person person(project, {"approvers", "add", "ada"});
    REQUIRE(person.program().wait_for("New secret of ada: "));
    CHECK_FALSE(person.program().echoes());
    person.program().type(one.keys);
    CHECK(person.end() == one.code);
  }
  Person person(project, {"approvers", "add", "ada"});
  person.tell("New secret of ada: ", std::string(2000, 'a') + "b");
  CHECK(person.end() == 1);
  CHECK(contains(person.output(), "more than 1024 bytes"));
  CHECK_FALSE(fs::exists(book_file(project)));
}

TEST_CASE("approvers: Ctrl-Z gives the terminal back, and going on asks again") {
  const std::string shell = test::find_program("dash");
  if (shell.empty()) {
    MESSAGE("skipped: this needs a plain shell, dash");
    return;
  }
  const Project project;
  test::ToRun to_run = project.to_run({"-i", "-m"});
  LiveProgram program(shell, to_run, LiveProgram::Output::terminal, 200);
  program.type(test::phasegate_binary().string() + " approvers add ada\n");
  REQUIRE(program.wait_for("New secret of ada: "));
  CHECK_FALSE(program.echoes());
  program.type("gree\x1A");
  REQUIRE(program.wait_for("Stopped"));
  CHECK(program.echoes());
  program.type("fg\n");
  REQUIRE(program.wait_for("New secret of ada: "));
  CHECK_FALSE(program.echoes());
  program.type(std::string(kSecret) + "\n");
  REQUIRE(program.wait_for("The same again: "));
  program.type(std::string(kSecret) + "\n");
  REQUIRE(program.wait_for("ada may decide now."));
  CHECK(program.echoes());
  program.type("exit\n");
  CHECK(program.wait_for_end() == 0);
  CHECK_FALSE(contains(program.output(), kSecret));
  CHECK(names(project) == std::vector<std::string>{"ada"});
}

TEST_CASE("approvers: what cannot be meant is a usage error") {
  const Project project;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"approvers", "add"},
                                                {"approvers", "remove"},
                                                {"approvers", "list", "ada"},
                                                {"approvers", "add", "ada", "--json"},
                                                {"approvers", "remove", "ada", "--role", "qa"},
                                                {"approvers", "--role", "qa"},
                                                {"approvers", "enrol", "ada"},
                                                {"approvers", "add", "a", "b"},
                                                {"trust", "x", "--role", "qa"}}) {
    CHECK(project.run(words).code == 2);
  }
  Person person(project, {"approvers", "add", "a b"});
  CHECK(person.end() == 1);
  CHECK(contains(person.output(), "cannot be used"));
  Person nobody(project, {"approvers", "remove", "ada"});
  CHECK(nobody.end() == 1);
  CHECK(contains(nobody.output(), "is not enrolled"));
}

TEST_CASE("approvers: a book that is not private is refused everywhere, and left (fail closed)") {
  const Project project;
  enrol(project, "ada", kSecret);
  REQUIRE(::chmod(book_file(project).c_str(), 0644) == 0);
  const auto listed = project.run({"approvers"});
  CHECK(listed.code == 3);
  CHECK(contains(listed.err, "may be read or written by others"));
  CHECK(contains(listed.err, "chmod 600"));
  const auto doctor = project.run({"doctor"});
  CHECK(doctor.code == 1);
  CHECK(contains(doctor.out, "Nobody can decide"));
  Person person(project, {"approvers", "add", "eve"});
  CHECK(person.end() == 3);
}

TEST_CASE(
    "trust: once somebody is enrolled it takes their secret, and is on record as theirs (§6)") {
  const Project project;
  test::write_file(project.root() / ".phasegate" / "workflows" / "fix.yaml",
                   "workflow: fix\nsteps:\n  - id: a\n    instructions: Do it.\n"
                   "    checks:\n      - command: {argv: [/bin/true]}\n");
  const auto trusted = [&] { return project.run_json({"trust", "--list", "--json"}); };
  enrol(project, "ada", kSecret);
  {
    Person person(project, {"trust", "fix"});
    person.answer("[y/N] ", "y");
    for (int i = 0; i < 3; ++i) person.tell("Secret of ada: ", "y");
    CHECK(person.end() == 1);
    CHECK(trusted().empty());
  }
  {
    Person person(project, {"trust", "fix"});
    person.answer("[y/N] ", "n");
    CHECK(person.end() == 1);
    CHECK(trusted().empty());
  }
  {
    test::ToRun marked = project.to_run({"trust", "fix"});
    marked.variables["CLAUDECODE"] = "1";
    LiveProgram program(test::phasegate_binary(), marked, LiveProgram::Output::terminal, 200);
    CHECK(program.wait_for_end() == 1);
    CHECK(contains(program.output(), "CLAUDECODE is set"));
  }
  {
    Person person(project, {"trust", "fix"});
    person.answer("[y/N] ", "y");
    person.tell("Secret of ada: ", kSecret);
    CHECK(person.end() == 0);
    REQUIRE(trusted().size() == 1);
    CHECK(trusted()[0]["by"] == "approver:ada");
  }
  {
    Person person(project, {"trust", "fix", "--revoke"});
    CHECK(person.end() == 0);
    CHECK(trusted().empty());
  }
  REQUIRE(::chmod(book_file(project).c_str(), 0666) == 0);
  Person person(project, {"trust", "fix"});
  CHECK(person.end() == 3);
  CHECK(trusted().empty());
}

}  // namespace
}  // namespace phasegate::app
