#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/environment.h"
#include "base/json.h"
#include "tests/app/project.h"
#include "tests/support/files.h"
#include "tests/support/program.h"

namespace fs = std::filesystem;
using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::Project;
using phasegate::test::TempFolder;
using phasegate::test::workflow_of;

namespace {

/// Changes bytes of a file in place.
void patch(const fs::path& file, std::streamoff at, std::string_view bytes) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(at);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(stream.good());
}

}  // namespace

TEST_CASE("program: help and version go to standard output, with exit code 0") {
  const Project project;
  for (const char* word : {"help", "--help", "-h"}) {
    const Ended ended = project.run({word});
    CHECK(ended.code == 0);
    CHECK(contains(ended.out, "Usage: phasegate [COMMAND] [OPTIONS]"));
    CHECK(ended.err.empty());
  }
  const Ended version = project.run({"--version"});
  CHECK(version.code == 0);
  const std::string wanted =
      phasegate::test::read_file(phasegate::test::source_folder() / "VERSION");
  CHECK(version.out == "phasegate " + wanted);
  CHECK(contains(project.run({"help", "cancel"}).out, "--reason TEXT"));
}

TEST_CASE("program: what cannot be understood is exit code 2, on standard error, with a way out") {
  const Project project;
  const Ended command = project.run({"sesions"});
  CHECK(command.code == 2);
  CHECK(command.out.empty());
  CHECK(command.err == "phasegate: There is no command \"sesions\".\n  Did you mean `sessions`?\n");
  CHECK(project.run({"--root", "nowhere", "sessions"}).code == 2);
  CHECK(project.run({"export"}).code == 2);
  CHECK(contains(project.run({"help", "stauts"}).err, "Did you mean `status`?"));
  CHECK(contains(project.run({"help", "valid"}).err, "Did you mean `validate`?"));
  CHECK(contains(project.run({"help", "nosuch"}).err, "`phasegate help` shows what there is."));
  CHECK(project.run({"new"}).code == 2);
  CHECK(project.run({"--\x1b[31m"}).err.find('\x1b') == std::string::npos);
}

TEST_CASE("program: looking makes nothing on disk") {
  const Project project;
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"workflows"},
                                             {"sessions"},
                                             {"doctor"},
                                             {"validate", ".phasegate/workflows/two_steps"},
                                             {"status", "abcdef"},
                                             {"help"}}) {
    static_cast<void>(project.run(arguments));
  }
  static_cast<void>(project.call({}));
  CHECK_FALSE(fs::exists(project.state()));
}

TEST_CASE("program: workflows and validate tell sound from broken") {
  const Project project;
  const Json list = project.run_json({"workflows", "--json"});
  CHECK(workflow_of(list, "broken")["startable"] == false);
  CHECK(workflow_of(list, "two_steps")["startable"] == true);
  CHECK(workflow_of(list, "two_steps")["place"] == ".phasegate/workflows");

  const Ended sound = project.run({"validate", ".phasegate/workflows/two_steps"});
  CAPTURE(sound.out);
  CHECK(sound.code == 0);
  CHECK(contains(sound.out,
                 "plan_written  boolean, must be true  (phases/0/gate-definition.yaml:4)\n"));
  CHECK(contains(sound.out, ": can be started\n"));

  const Ended broken = project.run({"validate", ".phasegate/workflows/broken"});
  CHECK(broken.code == 1);
  CHECK(contains(broken.out, "error .phasegate/workflows/broken/metadata.json"));
  CHECK(contains(broken.out, ": cannot be started\n"));

  const Json both = project.run_json({"validate", ".phasegate/workflows", "--json"}, 1);
  CHECK(both["ok"] == false);
  CHECK(both["workflows"].size() == 2);

  CHECK(project.run({"validate", "nowhere"}).code == 1);
  CHECK(project.run({"validate", ".phasegate"}).code == 1);  // holds no workflow itself
  // The file that makes a folder a workflow stands for it; its other files do not.
  CHECK(project.run({"validate", ".phasegate/workflows/two_steps/metadata.json"}).code == 0);
  CHECK(project.run({"validate", ".phasegate/workflows/two_steps/phases/0/task-1-write-plan.md"})
            .code == 1);
}

TEST_CASE("program: a session from its start to its end, seen from the command line") {
  const Project project;
  project.be_sound();
  const std::string id = project.start("src/a.cpp");
  const std::string prefix = id.substr(0, 8);

  const Json report = project.run_json({"doctor", "--json"});
  CHECK(report["state"]["sessions"] == 1);
  CHECK(report["state"]["writable"] == true);
  CHECK(report["state"]["private"] == true);

  const Json sessions = project.run_json({"sessions", "--open", "--json"});
  REQUIRE(sessions["sessions"].size() == 1);
  CHECK(sessions["sessions"][0]["session_id"] == id);
  CHECK(sessions["sessions"][0]["target_file"] == "src/a.cpp");

  const auto refused = project.call(
      {{"complete_phase",
        {{"session_id", id}, {"phase", "0"}, {"evidence", {{"plan_written", false}}}}}});
  CHECK(refused[0]["checkpoint_passed"] == false);
  const Ended status = project.run({"status", prefix});
  CAPTURE(status.out);
  CHECK(status.code == 0);
  CHECK(contains(status.out, "State      active, in phase 0 (1 of 2)\n"));
  CHECK(contains(status.out, "      ! plan_written  boolean, must be true\n"));
  CHECK_FALSE(contains(status.out, "Canary"));
  CHECK(contains(project.run({"status", prefix, "--all"}).out, "[ ] 1  Canary"));
  // A person elsewhere reaches the same state with what is printed.
  CHECK(contains(status.out, "phasegate history " + id + " --state " + project.state().string()));

  const auto done = project.call(
      {{"complete_phase",
        {{"session_id", id}, {"phase", "0"}, {"evidence", {{"plan_written", true}}}}},
       {"complete_phase",
        {{"session_id", id}, {"phase", "1"}, {"evidence", {{"files", Json::array({"a", "b"})}}}}}});
  CHECK(done[0]["checkpoint_passed"] == true);
  CHECK(done[1]["workflow_complete"] == true);

  CHECK(contains(project.run({"history"}).err, "No session is open"));
  const Ended history = project.run({"history", id});
  CAPTURE(history.out);
  CHECK(history.code == 0);
  CHECK(contains(history.out, "evidence_refused  phase 0, attempt 1"));
  CHECK(contains(history.out, "phase_completed  phase 0, attempt 2"));
  CHECK(contains(history.out, "run_completed"));
  CHECK(project.run_json({"status", id, "--json"})["status"] == "completed");
  CHECK(project.run_json({"export", prefix})["session_id"] == id);
  const Ended late = project.run({"cancel", id});
  CHECK(late.code == 1);
  CHECK(contains(late.err, "completed"));
}

TEST_CASE("history: without a session it is the open one that has changed last, and says so") {
  const Project project;
  const std::string first = project.start();
  const std::string second = project.start();
  REQUIRE(project.run({"cancel", second}).code == 0);
  const Ended history = project.run({"history"});
  CHECK(history.code == 0);
  CHECK(contains(history.out, "Session " + first + " of two_steps, active"));
  CHECK(contains(history.out, "that changed last)"));
  CHECK_FALSE(contains(project.run({"history", first}).out, "the open session"));
  CHECK(project.run_json({"history", "--json"})["session_id"] == first);
}

TEST_CASE("doctor: a workflow that cannot be started is a problem, with exit code 1") {
  const Project project;
  const Ended broken = project.run({"doctor"});
  CHECK(broken.code == 1);
  CHECK(contains(broken.out, "problem  workflows  broken cannot be started: "));
  CHECK(contains(broken.out, "1 problem.\n"));
  project.be_sound();
  CHECK(project.run({"doctor"}).code == 0);
}

TEST_CASE("doctor: what lies in a place and cannot be looked at is a problem") {
  struct Row {
    const char* what;
    void (*make)(const fs::path&);
    bool root_sees_it;
  };
  for (const Row& row : std::vector<Row>{
           {"a pipe", [](const fs::path& file) { REQUIRE(::mkfifo(file.c_str(), 0600) == 0); },
            false},
           {"a link to nothing", [](const fs::path& file) { fs::create_symlink("nowhere", file); },
            false},
           {"a folder", [](const fs::path& file) { fs::create_directory(file); }, false},
           {"a file of nobody",
            [](const fs::path& file) {
              phasegate::test::write_file(file, "workflow: review\n");
              fs::permissions(file, fs::perms::none);
            },
            true},
       }) {
    CAPTURE(std::string(row.what));
    if (row.root_sees_it && ::geteuid() == 0) continue;
    const Project project;
    project.be_sound();
    row.make(project.root() / ".phasegate/workflows/review.yaml");
    const Ended ended = project.run({"doctor"});
    CHECK(ended.code == 1);
    CHECK(contains(ended.out, "problem  workflows  review cannot be started: "));
    CHECK_FALSE(contains(ended.out, "All is sound"));
  }
  // A place that is no folder at all.
  const Project project;
  fs::remove_all(project.root() / ".phasegate");
  phasegate::test::write_file(project.root() / ".phasegate/workflows", "a file");
  const Ended ended = project.run({"doctor"});
  CHECK(ended.code == 1);
  CHECK(contains(ended.out, "problem  workflows  \".phasegate/workflows\" is no folder"));
}

TEST_CASE("program: a name that holds what cannot be seen is shown as what it is") {
  const Project project;
  phasegate::test::write_file(project.root() / ".phasegate/workflows/two\xE2\x80\x8B_steps.yaml",
                              "workflow: two\xE2\x80\x8B_steps\nversion: 1\xEF\xBB\xBF\n");
  for (const char* command : {"workflows", "validate", "doctor"}) {
    CAPTURE(command);
    const Ended ended = project.run({command});
    CHECK(contains(ended.out, "two\\u200b_steps"));
    CHECK_FALSE(contains(ended.out, "\xE2\x80\x8B"));
    CHECK_FALSE(contains(ended.out, "\xEF\xBB\xBF"));
  }
}

TEST_CASE("program: cancel ends a session and keeps the reason") {
  const Project project;
  const std::string id = project.start();
  const Ended ended = project.run({"cancel", id, "--reason", "not\nneeded"});
  CHECK(ended.code == 0);
  CHECK(ended.out == "Cancelled session " + id + " of two_steps in phase 0.\n");
  CHECK(contains(project.run({"status", id}).out, "Ended     not\\nneeded\n"));
  CHECK(project.run({"cancel", id}).code == 1);
  CHECK(project.run_json({"sessions", "--open", "--json"})["sessions"].empty());
}

TEST_CASE("program: a session that is not known is exit code 1 and says how to find one") {
  const Project project;
  const std::string id = project.start();
  for (const char* typed : {"ffffffff-ffff-4fff-bfff-ffffffffffff", "zzzz", "abc", "../x",
                            "0123456789012345678901234567890123456789"}) {
    CAPTURE(typed);
    const Ended ended = project.run({"status", typed});
    CHECK(ended.code == 1);
    CHECK(contains(ended.err, "phasegate sessions --all"));
  }
  std::string upper = id;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  CHECK(project.run({"status", upper}).code == 0);
}

TEST_CASE("program: a root with spaces works, and is quoted where a person has to type it") {
  const Project project("a project (mine)");
  const std::string id = project.start();
  phasegate::test::ToRun elsewhere =
      project.to_run({"status", id, "--root", project.root().string()});
  elsewhere.folder = "/";
  const Ended ended = phasegate::test::run_program(phasegate::test::phasegate_binary(), elsewhere);
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, " --root '" + fs::canonical(project.root()).string() + "' --state "));
}

TEST_CASE("program: CLAUDE_PROJECT_DIR names the project where --root does not") {
  const Project project;
  phasegate::test::ToRun elsewhere = project.to_run({"workflows", "--json"});
  elsewhere.folder = "/";
  elsewhere.variables["CLAUDE_PROJECT_DIR"] = project.root().string();
  const Ended ended = phasegate::test::run_program(phasegate::test::phasegate_binary(), elsewhere);
  CHECK(workflow_of(Project::parsed(ended.out), "two_steps")["startable"] == true);
}

TEST_CASE("program: a workflow folder that was named and is not there is said on standard error") {
  const Project project;
  const auto ran = project.run({"workflows", "--workflows", "no/such/folder"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.err, "\"no/such/folder\": there is no such folder"));
}

TEST_CASE("bad environment: a foreign file is refused with exit code 3 and left alone") {
  const Project project;
  project.be_sound();
  fs::create_directories(project.state());
  for (const std::string& bytes :
       {std::string("this is no database, it only lies in its place"), std::string(8192, '\0')}) {
    std::ofstream(project.state_file(), std::ios::binary) << bytes;
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{"sessions"}, {"status", "abcd"}}) {
      const Ended ended = project.run(arguments);
      CAPTURE(ended.err);
      CHECK(ended.code == 3);
      CHECK(ended.out.empty());
      CHECK(ended.err.starts_with("phasegate: "));
    }
    const Json report = project.run_json({"doctor", "--json"}, 1);
    CHECK(report["ok"] == false);
    CHECK(phasegate::test::read_file(project.state_file()) == bytes);
  }
}

TEST_CASE("bad environment: a database of a newer version is refused with exit code 3") {
  const Project project;
  project.be_sound();
  const std::string id = project.start();
  REQUIRE_FALSE(fs::exists(project.state_file().string() + "-wal"));
  // SQLite keeps PRAGMA user_version as a big-endian number at offset 60.
  patch(project.state_file(), 60, std::string_view("\0\0\x03\xe8", 4));
  const Ended ended = project.run({"status", id});
  CAPTURE(ended.err);
  CHECK(ended.code == 3);
  CHECK(contains(ended.err, "newer"));
  CHECK(project.run({"doctor"}).code == 1);
}

TEST_CASE("bad environment: state that cannot be made is said in the tool's answer, not a crash") {
  const Project project;
  project.be_sound();
  std::ofstream(project.state()) << "a file where a folder is wanted";
  const auto results =
      project.call({{"start_workflow", {{"workflow_type", "two_steps"}}}, {"list_workflows", {}}});
  const std::string text = phasegate::base::dump(results[0]);
  CHECK_FALSE(contains(text, "session_id\":\""));
  CHECK(results[1].is_object());
  CHECK(project.run({"doctor"}).code == 1);
}

TEST_CASE("bad environment: a read-only state folder is read, and refused where it is written") {
  if (::geteuid() == 0) {
    MESSAGE("skipped: root may write everywhere");
    return;
  }
  const Project project;
  project.be_sound();
  const std::string id = project.start();
  fs::permissions(project.state_file(), fs::perms::owner_read);
  fs::permissions(project.state(), fs::perms::owner_read | fs::perms::owner_exec);
  const Ended cancelled = project.run({"cancel", id});
  CHECK(cancelled.code == 3);
  CHECK(project.run({"doctor"}).code == 1);
  fs::permissions(project.state(), fs::perms::owner_all);
}

TEST_CASE("bad environment: output that is closed early ends quietly, a full disk does not") {
  const Project project;
  phasegate::test::ToRun closed = project.to_run({"help"});
  closed.close_output = true;
  const Ended quiet = phasegate::test::run_program(phasegate::test::phasegate_binary(), closed);
  CHECK(quiet.code == 0);
  CHECK(quiet.err.empty());

  if (!fs::exists("/dev/full")) return;
  phasegate::test::ToRun full = project.to_run({"help"});
  full.output_file = "/dev/full";
  const Ended loud = phasegate::test::run_program(phasegate::test::phasegate_binary(), full);
  CHECK(loud.code == 3);
  CHECK(contains(loud.err, "cannot be written"));
}
