#include "tests/red_team/deciding.h"

#include <algorithm>
#include <memory>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "tests/red_team/project.h"

namespace phasegate::red_team {

using test::Ended;
using test::LiveProgram;
using test::ToRun;

namespace {

constexpr std::string_view kWorkflow = R"(
steps:
  - id: plan
    instructions: Plan it.
    evidence:
      note: string
    decision:
      prompt: Is the plan good?
      channel: CHANNEL
  - id: done
    gate: none
    instructions: )";

constexpr const char* kGate = R"(checkpoint:
  strict: true
  allow_override: true
human_approval_required: true
evidence_schema:
  note:
    type: string
    required: true
    description: What was done
)";

std::string workflow(const std::string& id, const std::string& channel) {
  std::string text = "workflow: " + id + std::string(kWorkflow) + kBehind + "\n";
  return text.replace(text.find("CHANNEL"), 7, channel);
}

/// An open database, closed at the end.
std::unique_ptr<sqlite3, int (*)(sqlite3*)> open(const fs::path& file) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &handle) == SQLITE_OK);
  return {handle, sqlite3_close};
}

}  // namespace

Script wrong(int times) {
  return Script(static_cast<std::size_t>(times), {"Secret of ada: ", "not her secret"});
}

Script deciding(const std::string& secret) {
  return {{"Is that your decision? [y/N] ", "y"}, {"Secret of ", secret}};
}

Script enrolling(const std::string& secret) {
  return {{"New secret of ", secret}, {"The same again: ", secret}};
}

Deciding::Deciding() {
  static const Deciding kOriginal{Made{}};
  fs::copy(kOriginal.outside(), outside(), fs::copy_options::recursive);
  root_ = fs::canonical(folder_.path() / "project");
  // What was copied keeps its mode, but for what the folder was made with.
  fs::permissions(state(), fs::perms::owner_all);
}

Deciding::Deciding(Made /*made*/) {
  fs::create_directories(folder_.path() / "project");
  root_ = fs::canonical(folder_.path() / "project");
  const fs::path flows = root_ / ".phasegate" / "workflows";
  test::write_file(flows / "two.yaml", workflow("two", "approver"));
  test::write_file(flows / "client.yaml", workflow("client", "client"));
  test::write_file(flows / "runs.yaml",
                   "workflow: runs\nsteps:\n  - id: run\n    instructions: Run.\n    checks:\n"
                   "      - command: {argv: [\"true\"]}\n");
  const fs::path phases = flows / "prose" / "phases";
  test::write_file(flows / "prose" / "metadata.json", R"({"name": "prose", "phases": [
      {"phase_number": 0, "phase_name": "Plan"}, {"phase_number": 1, "phase_name": "Do"}]})");
  test::write_file(phases / "0" / "phase.md", "# Phase 0: Plan\n\nPlan it.\n");
  test::write_file(phases / "0" / "gate-definition.yaml", kGate);
  test::write_file(phases / "1" / "phase.md", std::string("# Phase 1: Do\n\n") + kBehind + "\n");
  const Ended enrolled = on_terminal({"approvers", "add", "ada"}, enrolling(kSecret));
  REQUIRE_MESSAGE(enrolled.code == 0, enrolled.out);
}

ToRun Deciding::to_run(std::vector<std::string> arguments, const Variables& variables) const {
  ToRun to_run;
  to_run.arguments = std::move(arguments);
  to_run.folder = root_;
  // Wide enough that nothing which is looked for is broken across lines.
  to_run.variables = {{"PHASEGATE_STATE", state().string()}, {"COLUMNS", "400"}};
  for (const auto& [name, value] : variables) to_run.variables[name] = value;
  return to_run;
}

Ended Deciding::run(std::vector<std::string> arguments) const {
  return test::run_program(test::phasegate_binary(), to_run(std::move(arguments)));
}

Json Deciding::json(std::vector<std::string> arguments) const {
  const Ended ended = run(std::move(arguments));
  auto json = base::parse_json(ended.out, {1U << 24U, 64});
  REQUIRE_MESSAGE(json.ok(), ended.out, ended.err);
  return std::move(json).value();
}

Ended Deciding::on_terminal(std::vector<std::string> arguments, const Script& script,
                            const Variables& variables) const {
  LiveProgram program(test::phasegate_binary(), to_run(std::move(arguments), variables),
                      LiveProgram::Output::terminal, 200);
  for (const auto& [prompt, answer] : script) {
    if (!program.wait_for(prompt)) break;
    program.type(answer + "\n");
  }
  Ended ended;
  ended.code = program.wait_for_end();
  ended.out = program.output();
  return ended;
}

std::string Deciding::waiting(const std::string& workflow, const Json& evidence) const {
  const Ended started =
      run({"call", "start_workflow", base::dump({{"workflow_type", workflow}}), "--json"});
  const auto json = base::parse_json(started.out, {1U << 20U, 64});
  REQUIRE_MESSAGE(json.ok(), started.out, started.err);
  const std::string session = base::string_member(*json, "session_id").value_or("");
  REQUIRE_MESSAGE(!session.empty(), started.out);
  const Json handed = {{"session_id", session},
                       {"phase", workflow == "prose" ? "0" : "plan"},
                       {"evidence", evidence}};
  ToRun to_hand_over = to_run({"call", "complete_phase", "-"});
  to_hand_over.input = base::dump(handed);
  const Ended waits = test::run_program(test::phasegate_binary(), to_hand_over);
  REQUIRE_MESSAGE(contains(waits.out, "STOP here"), waits.out, waits.err);
  return session;
}

Ended Deciding::call(const std::string& tool, const Json& arguments) const {
  return run({"call", tool, base::dump(arguments)});
}

Json Deciding::ask(const std::string& tool, const Json& arguments, const Json& more) const {
  Json request = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"}};
  request["params"] = more;
  request["params"]["name"] = tool;
  request["params"]["arguments"] = arguments;
  Json& meta = request["params"]["_meta"];
  meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  meta["io.modelcontextprotocol/clientCapabilities"] = {{"elicitation", Json::object()}};
  ToRun serving = to_run({"mcp"});
  serving.input = base::dump(request) + "\n";
  const Ended ended = test::run_program(test::phasegate_binary(), serving);
  const auto answer = base::parse_json(ended.out, {1U << 22U, 64});
  REQUIRE_MESSAGE(answer.ok(), ended.out, ended.err);
  return *answer;
}

std::int64_t Deciding::version(const std::string& session) const {
  return base::integer_member(json({"status", session, "--json"}), "state_version").value_or(-1);
}

void Deciding::still_waits(const std::string& session) const {
  CHECK(run({"status", session, "--exit-code"}).code == 11);
  CHECK(journalled(session, "decision_answered") == 0);
  CHECK(journalled(session, "phase_completed") == 0);
  CHECK_FALSE(contains(call("get_current_phase", {{"session_id", session}}).out, kBehind));
}

int Deciding::journalled(const std::string& session, std::string_view kind) const {
  const Json history = json({"history", session, "--json"});
  const Json& entries = history["entries"];
  return static_cast<int>(std::count_if(entries.begin(), entries.end(),
                                        [&](const Json& entry) { return entry["kind"] == kind; }));
}

void Deciding::sql(const fs::path& database, const std::string& statements) const {
  const auto db = open(database);
  char* problem = nullptr;
  const int code = sqlite3_exec(db.get(), statements.c_str(), nullptr, nullptr, &problem);
  REQUIRE_MESSAGE(code == SQLITE_OK, std::string(problem == nullptr ? "" : problem));
}

std::string Deciding::column(const fs::path& database, const std::string& query) const {
  const auto db = open(database);
  sqlite3_stmt* statement = nullptr;
  REQUIRE(sqlite3_prepare_v2(db.get(), query.c_str(), -1, &statement, nullptr) == SQLITE_OK);
  std::string text;
  if (sqlite3_step(statement) == SQLITE_ROW) {
    const void* bytes = sqlite3_column_blob(statement, 0);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, 0));
    if (bytes != nullptr) text.assign(static_cast<const char*>(bytes), size);
  }
  sqlite3_finalize(statement);
  return text;
}

std::string Deciding::all_bytes() const {
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(outside())) {
    if (entry.is_regular_file()) all += test::read_file(entry.path());
  }
  return all;
}

}  // namespace phasegate::red_team
