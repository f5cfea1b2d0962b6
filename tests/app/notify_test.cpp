#include <csignal>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/app/deciding.h"

namespace phasegate::app {
namespace {

using base::Json;
using test::contains;
using test::Deciding;
using test::Ended;

/// A project whose user is told of everything by lines in a file.
class Telling : public Deciding {
 public:
  explicit Telling(
      const std::string& targets = "  log: {command: [sh, -c, 'cat >> told.jsonl']}\n") {
    test::write_file(file(), "notify:\n" + targets);
  }
  [[nodiscard]] test::fs::path file() const { return root() / "notify.yaml"; }
  [[nodiscard]] Ended telling(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--notify", file().string()});
    return run(std::move(arguments));
  }
  [[nodiscard]] Json call_tool(const char* tool, const Json& arguments) const {
    const Ended ended = telling({"call", tool, base::dump(arguments), "--json"});
    REQUIRE_MESSAGE(ended.code == 0, ended.out, ended.err);
    return Json::parse(ended.out);
  }
  /// Events in the order in which they were told.
  [[nodiscard]] std::vector<Json> told() const {
    std::vector<Json> events;
    std::error_code ignored;
    if (!test::fs::exists(root() / "told.jsonl", ignored)) return events;
    std::istringstream lines(test::read_file(root() / "told.jsonl"));
    for (std::string line; std::getline(lines, line);) events.push_back(Json::parse(line));
    return events;
  }
};

TEST_CASE("notify: a command tells people of what it has done before it ends") {
  const Telling project;
  const Json started = project.call_tool("start_workflow", {{"workflow_type", "two_steps"}});
  const std::string id = started["session_id"].get<std::string>();
  CHECK(project.told().empty());
  static_cast<void>(project.call_tool(
      "complete_phase", {{"session_id", id},
                         {"phase", "0"},
                         {"evidence", {{"plan_written", true}, {"notes", "a-private-note"}}}}));
  auto told = project.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0]["event"] == "decision_opened");
  CHECK(told[0]["session"] == id);
  CHECK(told[0]["decide"] == "phasegate decide " + id);
  CHECK_FALSE(contains(base::dump(told[0]), "a-private-note"));
  CHECK_FALSE(contains(base::dump(told[0]), project.root().string()));

  CHECK(project.telling({"cancel", id, "--reason", "enough"}).code == 0);
  told = project.told();
  REQUIRE(told.size() == 2);
  CHECK(told[1]["event"] == "run_cancelled");
  CHECK(told[1]["id"] != told[0]["id"]);
  CHECK(contains(project.telling({"work"}).out, "Nothing to do"));
}

TEST_CASE("notify: what could not be told waits for later, and does not hold up the work") {
  const Telling project("  log: {command: [sh, -c, 'exit 1']}\n");
  const std::string id = project.start();
  CHECK(project.telling({"cancel", id}).code == 0);
  // Not before its time, and not lost because somebody looks who does not know whom to tell.
  CHECK(contains(project.telling({"work"}).out, "it is tried again at"));
  CHECK(contains(project.run({"work"}).out, "Nothing to do"));
  CHECK_FALSE(contains(project.run({"history", id}).out, "lost"));
  CHECK(project.run_json({"status", id, "--json"})["status"] == "cancelled");
}

TEST_CASE("notify: who is told of what is shown, and can be tried") {
  const Telling project(
      "  log: {command: [sh, -c, 'cat >> told.jsonl'], events: [decision_opened]}\n"
      "  chat: {webhook: \"https://example.org/s3cr3t\"}\n"
      "  fails: {command: [sh, -c, 'exit 4']}\n");
  const Ended shown = project.telling({"notify"});
  CHECK(shown.code == 0);
  CHECK(contains(shown.out, "log    runs sh; decision_opened"));
  CHECK(contains(shown.out, "https://example.org, not signed; all events"));
  CHECK_FALSE(contains(shown.out, "s3cr3t"));
  const Json json = Json::parse(project.telling({"notify", "--json"}).out);
  CHECK(json["targets"].size() == 3);
  CHECK(json["problems"].empty());

  CHECK(project.telling({"notify", "log"}).code == 0);
  REQUIRE(project.told().size() == 1);
  CHECK(project.told()[0]["event"] == "test");
  const Ended failed = project.telling({"notify", "fails"});
  CHECK(failed.code == 1);
  CHECK(contains(failed.err, "exit code 4"));
  const Ended unknown = project.telling({"notify", "lgo"});
  CHECK(unknown.code == 1);
  CHECK(contains(unknown.err, "Did you mean log?"));

  test::write_file(project.file(),
                   "notify: {a: {webhook: \"https://h/\", secret_file: missing}}\n");
  const Ended unsigned_one = project.telling({"notify"});
  CHECK(unsigned_one.code == 1);
  CHECK(contains(unsigned_one.out, "cannot be told: its secret_file is not there"));

  test::write_file(project.file(), "notify: {a: {comand: [x]}}\n");
  const Ended wrong = project.telling({"notify"});
  CHECK(wrong.code == 1);
  CHECK(contains(wrong.out, "did you mean command?"));
  test::fs::remove(project.file());
  CHECK(contains(project.telling({"notify"}).out, "Nobody is told of anything"));
}

TEST_CASE("notify: a server tells people of what another process has left behind") {
  const Telling project;
  const std::string id = project.start();
  const std::string socket = (project.state() / "s").string();
  test::LiveProgram server(
      test::phasegate_binary(),
      project.to_run({"serve", "--notify", project.file().string(), "--listen", "unix:" + socket}),
      test::LiveProgram::Output::terminal, 300);
  REQUIRE(server.wait_for("/mcp"));
  // A client that is gone at once: there is no time to tell anybody.
  test::ToRun client = project.to_run({"mcp", "--notify", project.file().string()});
  const Json call = {
      {"jsonrpc", "2.0"},
      {"id", 1},
      {"method", "tools/call"},
      {"params",
       {{"name", "complete_phase"},
        {"arguments",
         {{"session_id", id}, {"phase", "0"}, {"evidence", {{"plan_written", true}}}}}}}};
  client.input =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})"
      "\n" +
      base::dump(call) + "\n";
  CHECK(run_program(test::phasegate_binary(), client).code == 0);
  test::ToRun tail;
  tail.folder = project.root();
  tail.arguments = {"-n", "+1", "-F", "told.jsonl"};
  test::LiveProgram told(test::find_program("tail"), tail, test::LiveProgram::Output::pipe);
  CHECK(told.wait_for("\"event\":\"decision_opened\""));
  told.signal(SIGTERM);
  CHECK(told.wait_for_end() == 128 + SIGTERM);
  server.signal(SIGTERM);
  CHECK(server.wait_for_end() == 0);
}

}  // namespace
}  // namespace phasegate::app
