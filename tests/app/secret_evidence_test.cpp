// A secret that is handed over is found nowhere afterwards: not in the state folder, byte by byte,
// not in what the program answers, shows, exports, logs or tells people.
#include <csignal>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/app/web_site.h"

namespace phasegate::app {
namespace {

using base::Json;
using test::contains;
using test::Ended;
using test::Project;
namespace fs = std::filesystem;

const std::string kCanary = "kanarienvogel-7391";

constexpr const char* kDeploy = R"(workflow: deploy
title: Deploy to staging
steps:
  - id: access
    instructions: Say how staging is reached.
    evidence:
      host: string
      token: {type: string, min_length: 8, pattern: "^k", secret: true, aliases: [password]}
      account: {type: object, secret: true, required: false}
      codes: {type: array, min_items: 2, items: string, secret: true}
    checks:
      - {name: named, expr: "evidence.host != 'nowhere'"}
    decision:
      prompt: May it be deployed now?
  - id: deploy
    instructions: Deploy it, and say what was deployed.
    evidence: {version: string}
)";

/// A project whose person is told of everything, and that remembers all it was answered.
class Deploying : public Project {
 public:
  Deploying() {
    be_sound();
    test::write_file(root() / ".phasegate" / "workflows" / "deploy.yaml", kDeploy);
    test::write_file(root() / "notify.yaml",
                     "notify:\n  log: {command: [sh, -c, 'cat >> told.jsonl']}\n");
    const Json started = call_tool("start_workflow", {{"workflow_type", "deploy"}});
    id_ = started["session_id"].get<std::string>();
  }

  [[nodiscard]] const std::string& id() const { return id_; }

  Ended said(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"--notify", (root() / "notify.yaml").string(), "--log-level", "debug"});
    Ended ended = run(std::move(arguments));
    all_ += ended.out + ended.err;
    return ended;
  }
  Json call_tool(const char* tool, const Json& arguments) {
    const Ended ended = said({"call", tool, base::dump(arguments), "--json"});
    const auto answer = base::parse_json(ended.out, {1U << 20U, 64});
    REQUIRE_MESSAGE(answer.ok(), ended.out, ended.err);
    return *answer;
  }
  Json hand_over(const char* phase, const Json& evidence) {
    return call_tool("complete_phase",
                     {{"session_id", id_}, {"phase", phase}, {"evidence", evidence}});
  }
  void note(const std::string& text) { all_ += text; }

  /// Where the bytes are found: files of the state and of the project (what people were told, a
  /// bundle), answers.
  [[nodiscard]] std::set<std::string> found_in(const std::string& bytes) const {
    std::set<std::string> places;
    if (contains(all_, bytes)) places.insert("an answer");
    for (const fs::path& folder : {state(), root()}) {
      for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && contains(test::read_file(entry.path()), bytes)) {
          places.insert(entry.path().filename().string());
        }
      }
    }
    return places;
  }

 private:
  std::string id_;
  std::string all_;
};

const Json kEvidence = {{"host", "h-4711"},
                        {"token", kCanary},
                        {"account", {{"name", "n"}, {"deep", {{"pin", kCanary}}}}},
                        {"codes", {"a1", kCanary}}};

TEST_CASE("a secret is found nowhere, from the first attempt to the end of the session") {
  Deploying project;
  // Refused for one thing and another, then accepted, then repeated.
  for (const Json& wrong :
       {Json{{"token", kCanary}}, Json{{"host", "h-4711"}, {"token", {kCanary}}},
        Json{{"host", "h-4711"}, {"token", "x" + kCanary}, {"codes", {kCanary}}},
        Json{{"host", "h-4711"}, {"password", kCanary}, {"codes", kCanary}},
        Json{{"host", "h-4711"}, {"tokn", kCanary}}}) {
    const Json answer = project.hand_over("access", wrong);
    CHECK_MESSAGE(answer["error"] == "incomplete_checkpoint", base::dump(answer));
  }
  static_cast<void>(project.call_tool(
      "complete_phase",
      {{"session_id", project.id()}, {"phase", "access"}, {"evidence", base::dump(kEvidence)}}));
  static_cast<void>(project.hand_over("deploy", kEvidence));
  Json nowhere = kEvidence;
  nowhere["host"] = "nowhere";
  CHECK(project.hand_over("access", nowhere)["error"] == "checks_failed");
  const Json waits = project.hand_over("access", kEvidence);
  CHECK_MESSAGE(waits.value("waiting_for_person", false), base::dump(waits));

  // The page on which a person decides, while it serves and watches.
  test::enrol(project, "ada", test::kSecret);
  {
    using test::LiveProgram;
    LiveProgram server(test::phasegate_binary(),
                       project.to_run({"serve", "--listen", "127.0.0.1:0", "--log-level", "debug"}),
                       LiveProgram::Output::terminal, 400);
    const std::string address = "http://127.0.0.1:";
    REQUIRE(server.wait_for("/mcp;"));
    const auto at = server.output().find(address) + address.size();
    const std::string port = server.output().substr(at, server.output().find('/', at) - at);
    const std::string decision = state::Db(project.state_file(), {})
                                     .query_text("SELECT id FROM decision WHERE status = 'open'")
                                     .value_or("");
    const auto page = test::web_request(
        std::stoi(port), "GET /decide/" + decision + " HTTP/1.1\r\nHost: 127.0.0.1:" + port +
                             "\r\nConnection: close\r\n\r\n");
    CHECK(page.status == 200);
    CHECK(contains(page.body, "secret: hmac-sha256"));
    CHECK(contains(page.body, "h-4711"));
    project.note(page.body);
    server.signal(SIGTERM);
    CHECK(server.wait_for_end() == 0);
    project.note(server.output());

    LiveProgram person(test::phasegate_binary(),
                       project.to_run({"decide", project.id(), "--option", "approve"}),
                       LiveProgram::Output::terminal, 200);
    for (const auto& [prompt, answer] : {std::pair{"Anything to be said", ""},
                                         {"Is that your decision?", "y"},
                                         {"Secret of ada: ", test::kSecret}}) {
      REQUIRE_MESSAGE(person.wait_for(prompt), person.output());
      person.type(std::string(answer) + "\n");
    }
    CHECK(person.wait_for_end() == 0);
    CHECK(contains(person.output(), "secret: hmac-sha256"));
    project.note(person.output());
  }

  const Json again = project.hand_over("access", kEvidence);
  CHECK_MESSAGE(again.value("repeated", false), base::dump(again));
  Json other = kEvidence;
  other["token"] = kCanary + "0";
  CHECK(project.hand_over("access", other)["error"] == "phase_sequence_violation");
  for (const char* tool : {"get_current_phase", "get_workflow_state"}) {
    static_cast<void>(project.call_tool(tool, {{"session_id", project.id()}}));
  }
  const Json review =
      project.call_tool("get_phase_content", {{"session_id", project.id()}, {"phase", "access"}});
  CHECK(contains(base::dump(review), "secret: hmac-sha256"));
  // The next phase does not ask for the secret; it is handed over there all the same.
  Json version = {{"version", 1}, {"token", kCanary}};
  CHECK(project.hand_over("deploy", version)["error"] == "incomplete_checkpoint");
  version = {{"version", "1.0"},
             {"token", kCanary},
             {"Password", kCanary},
             {"acount", {{"pin", kCanary}}},
             {"remark", "r-4712"}};
  CHECK(project.hand_over("deploy", version)["status"] == "completed");

  const Ended exported = project.said({"export", project.id()});
  CHECK(contains(exported.out, "secret: hmac-sha256"));
  const Ended history = project.said({"history", project.id(), "--full"});
  CHECK(contains(history.out, "secret: hmac-sha256"));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"history", project.id(), "--json"},
        {"status", project.id()},
        {"status", project.id(), "--json"},
        {"sessions", "--json"},
        {"inbox"},
        {"gates", "deploy"},
        {"validate", "deploy"},
        {"audit"},
        {"doctor"}}) {
    static_cast<void>(project.said(arguments));
  }
  for (const char* format : {"markdown", "json"}) {
    const Ended report = project.said({"audit", "--export", project.id(), "--format", format});
    CHECK_MESSAGE(contains(report.out, "secret: hmac-sha256"), report.err);
    CHECK(contains(report.out, "r-4712"));
  }
  const fs::path bundle = project.root() / "bundle.json";
  const fs::path copy = project.root() / "copy.db";
  CHECK(project.said({"export", project.id(), "--bundle", bundle.string()}).code == 0);
  CHECK(project.said({"backup", copy.string()}).code == 0);

  CHECK(project.found_in(kCanary) == std::set<std::string>());
  CHECK(project.found_in("kanarien") == std::set<std::string>());
  // The search finds what is there.
  CHECK(project.found_in("h-4711").contains("an answer"));
  for (const char* place : {"bundle.json", "copy.db"}) {
    CHECK_MESSAGE(project.found_in("h-4711").contains(place), place);
    CHECK_MESSAGE(project.found_in("r-4712").contains(place), place);
  }
  // People were told, too.
  CHECK(project.found_in(project.id()).contains("told.jsonl"));
  // Who holds a copy of the database, but not the key, cannot try values.
  CHECK(test::read_file(project.state() / "evidence-key").size() == 32);
}

TEST_CASE("a secret is handed over without a key that is fit for it: nothing is kept") {
  Deploying project;
  test::write_file(project.state() / "evidence-key", std::string(32, 'k'));
  fs::permissions(project.state() / "evidence-key", fs::perms(0644));
  const Json answer = project.hand_over("access", kEvidence);
  CHECK_MESSAGE(answer["error"] == "unsafe_key", base::dump(answer));
  CHECK(contains(project.said({"doctor"}).out, "evidence-key"));
  CHECK(project.found_in(kCanary) == std::set<std::string>());
  fs::remove(project.state() / "evidence-key");
  CHECK(project.hand_over("access", kEvidence).value("waiting_for_person", false));
}

TEST_CASE("a workflow that reads a secret is refused when it is validated, with the reason") {
  Deploying project;
  std::string text = kDeploy;
  const std::string read = "evidence.host != 'nowhere'";
  text.replace(text.find(read), read.size(), "evidence.token != 'nowhere'");
  test::write_file(project.root() / ".phasegate" / "workflows" / "deploy.yaml", text);
  const Ended validated = project.said({"validate", "deploy"});
  CHECK(validated.code == 1);
  CHECK(contains(validated.out, "evidence.token"));
  CHECK(contains(validated.out, "is secret"));
  CHECK(contains(validated.out, "deploy.yaml:"));
  const Json refused = project.call_tool("start_workflow", {{"workflow_type", "deploy"}});
  CHECK(refused["error"] == "not_startable");
}

}  // namespace
}  // namespace phasegate::app
