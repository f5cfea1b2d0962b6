#include "app/cli/render.h"

#include <doctest/doctest.h>

#include "app/cli/render_validate.h"
#include "base/json.h"

namespace cli = phasegate::app::cli;
namespace engine = phasegate::gating::engine;
namespace gating = phasegate::gating;
namespace phases = phasegate::phases;
using phasegate::base::Json;

namespace {

/// 08:02:40 on the day on which everything here happens.
cli::Page page(std::size_t width = 100) {
  cli::Page made;
  made.width = width;
  made.now = {1'800'000'160'000};
  return made;
}

constexpr const char* kId = "0d6ab8c2-7e21-4f6b-9d7a-4c8f1f2e3a4b";

phases::Requirement requirement(std::string name, phases::ValueType type, int line) {
  phases::Requirement made;
  made.name = std::move(name);
  made.type = type;
  made.source = {"phases/x/gate-definition.yaml", line, 0};
  return made;
}

/// Three phases: plans, code, secret third.
phases::Workflow workflow() {
  phases::Workflow made;
  made.id = "small_flow";
  made.title = "A small flow";
  made.version = "1.2";
  for (const char* id : {"0", "1", "2"}) {
    phases::Phase phase;
    phase.id = id;
    phase.file = std::string("phases/") + id + "/phase.md";
    made.phases.push_back(phase);
  }
  made.phases[0].title = "Plan";
  made.phases[0].gate.requirements = {requirement("plan_written", phases::ValueType::boolean, 3)};
  made.phases[1].title = "Build";
  made.phases[1].gate.requirements = {requirement("files", phases::ValueType::array, 4),
                                      requirement("note", phases::ValueType::string, 8)};
  made.phases[1].gate.requirements[0].min_items = 2;
  made.phases[1].gate.asks_leniency = true;
  made.phases[1].tasks = {{"1", "write", "phases/1/task-1-write.md", {"metadata.json", 20, 0}}};
  made.phases[2].title = "Canary";
  made.phases[2].gate.requirements = {requirement("canary_sings", phases::ValueType::boolean, 2)};
  return made;
}

engine::RunView view_of(gating::RunState run) {
  auto definition = gating::Definition::make("hash", workflow());
  REQUIRE(definition.ok());
  return {std::move(run), *definition};
}

gating::RunState in_second_phase() {
  gating::RunState run;
  run.id = kId;
  run.workflow = "small_flow";
  run.definition_hash = "hash";
  run.current_phase = "1";
  run.attempts = 1;
  run.missing = {"files", "ev\x1bil"};
  gating::AcceptedPhase accepted;
  accepted.phase = "0";
  accepted.attempt = 2;
  accepted.evidence_digest = "d0";
  accepted.accepted_at = {1'800'000'000'000};
  accepted.self_attested = 1;
  run.accepted = {accepted};
  run.target = "src/a.cpp";
  run.input = R"({"tone":"dry"})";
  run.branch = "main";
  run.principal = "ada";
  run.created_at = {1'799'999'000'000};
  run.updated_at = {1'800'000'100'000};
  return run;
}

}  // namespace

TEST_CASE("status: reached phases, what is missing, what it rests on, the next command") {
  CHECK(
      cli::status_text(view_of(in_second_phase()), {false, false, " --state /s"}, page()) ==
      "Session    0d6ab8c2-7e21-4f6b-9d7a-4c8f1f2e3a4b\n"
      "Workflow   small_flow 1.2\n"
      "State      active, in phase 1 (2 of 3)\n"
      "Waits for  the assistant\n"
      "Target     src/a.cpp\n"
      "Input      {\"tone\":\"dry\"}\n"
      "Branch     main\n"
      "Started    19 min ago (2027-01-15 07:43:20Z) by ada\n"
      "Changed    1 min ago (2027-01-15 08:01:40Z)\n"
      "Rests on   1 self-attested, 0 checked, 0 decided\n"
      "\n"
      "Phases:\n"
      "  [x] 0  Plan\n"
      "      accepted 2 min ago (2027-01-15 08:00:00Z) at attempt 2: 1 self-attested, 0 checked, 0 "
      "decided\n"
      "  [>] 1  Build\n"
      "      1 attempt so far\n"
      "      its gate asks for (! was not as required at the last attempt):\n"
      "      ! files  array, at least 2 items\n"
      "        note   string, not blank\n"
      "      not as required at the last attempt: ev\\u001bil\n"
      "      its file asks for leniency, which is not honoured unless the server runs with "
      "--gates\n"
      "        as-written\n"
      "  [ ] 1 phase still to come (--all names them)\n"
      "\n"
      "To go on:       tell your assistant to go on with session "
      "0d6ab8c2-7e21-4f6b-9d7a-4c8f1f2e3a4b\n"
      "To follow it:   phasegate watch 0d6ab8c2-7e21-4f6b-9d7a-4c8f1f2e3a4b --state /s\n"
      "To end it:      phasegate cancel 0d6ab8c2-7e21-4f6b-9d7a-4c8f1f2e3a4b --state /s\n"
      "What happened:  phasegate history 0d6ab8c2-7e21-4f6b-9d7a-4c8f1f2e3a4b --state /s\n");
}

TEST_CASE("invariant 1: status shows phases that are to come only with --all") {
  const engine::RunView view = view_of(in_second_phase());
  CHECK(cli::status_text(view, {false, false, ""}, page()).find("anary") == std::string::npos);
  CHECK(phasegate::base::dump(cli::status_json(view, false, {})).find("anary") ==
        std::string::npos);
  CHECK(cli::status_text(view, {true, false, ""}, page()).find("  [ ] 2  Canary\n") !=
        std::string::npos);
  CHECK(cli::status_json(view, true, {})["phases"].size() == 3);
  CHECK(cli::status_json(view, true, {})["phases"][2]["state"] == "ahead");
}

TEST_CASE("invariant 1: a workflow that says outline: titles shows them") {
  phases::Workflow open = workflow();
  open.outline = true;
  auto definition = gating::Definition::make("hash", open);
  REQUIRE(definition.ok());
  const engine::RunView view{in_second_phase(), *definition};
  CHECK(cli::status_text(view, {}, page()).find("  [ ] 2  Canary\n") != std::string::npos);
  CHECK(cli::status_json(view, false, {})["phases"][2]["title"] == "Canary");
}

TEST_CASE("status: the marks are there without colours, and colours change nothing else") {
  cli::Page coloured = page();
  coloured.colour = true;
  std::string text = cli::status_text(view_of(in_second_phase()), {}, coloured);
  CHECK(text.find("\x1b[32m[x]\x1b[0m 0  Plan\n") != std::string::npos);
  CHECK(text.find("\x1b[31m! files\x1b[0m  array, at least 2 items\n") != std::string::npos);
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b')) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  CHECK(text == cli::status_text(view_of(in_second_phase()), {}, page()));
}

TEST_CASE("status: waiting, cancelled and partial runs say so") {
  gating::RunState run = in_second_phase();
  run.status = gating::RunStatus::waiting;
  run.waiting = {"decision", "a person must approve"};
  run.decision.emplace();
  std::string text = cli::status_text(view_of(run), {false, false, ""}, page());
  CHECK(text.find("State      waiting, in phase 1 (2 of 3)\n") != std::string::npos);
  CHECK(text.find("Waits for  a person: a person must approve\n") != std::string::npos);
  CHECK(text.find("To go on:") == std::string::npos);

  run = in_second_phase();
  run.status = gating::RunStatus::cancelled;
  run.end_reason = "no longer needed";
  text = cli::status_text(view_of(run), {false, false, ""}, page());
  CHECK(text.find("Ended     no longer needed\n") != std::string::npos);
  CHECK(text.find("phasegate cancel") == std::string::npos);
  CHECK(text.find("  [ ] 1  Build\n") != std::string::npos);

  run.status = gating::RunStatus::completed;
  run.partial = true;
  run.gates = gating::GatePolicy::as_written;
  run.accepted[0].weak = true;
  run.accepted[0].lenient = true;
  text = cli::status_text(view_of(run), {false, false, ""}, page());
  CHECK(text.find("State     completed (partial)\n") != std::string::npos);
  CHECK(text.find("Outcome   partial: a gate was weak or lenient, or checks were left out\n") !=
        std::string::npos);
  CHECK(text.find("Gates     as written") != std::string::npos);
  CHECK(text.find("weak gate, lenient\n") != std::string::npos);
}

TEST_CASE("status --json: a stable shape") {
  const Json json = cli::status_json(view_of(in_second_phase()), false, {});
  std::string names;
  for (const auto& [name, value] : json.items()) names += name + " ";
  CHECK(names ==
        "session_id workflow workflow_version definition_hash status partial waits_for waiting "
        "current_phase phase_index total_phases visit attempts missing gates assurance target_file "
        "input branch worktree principal end_reason created_at updated_at repins state_version "
        "decision feedback paused stalled phases ");
  CHECK(json["waiting"].is_null());
  CHECK(json["waits_for"] == "assistant");
  CHECK(json["input"]["tone"] == "dry");
  CHECK(json["phase_index"] == 1);
  CHECK(json["total_phases"] == 3);
  CHECK(phasegate::base::dump(json["phases"]) ==
        R"([{"id":"0","title":"Plan","state":"accepted","accepted_at":"2027-01-15T08:00:00.000Z",)"
        R"("visit":1,"attempt":2,"evidence_digest":"d0","self_attested":1,"checked":0,)"
        R"("decided":0,"weak_gate":false,"lenient":false,"skipped_checks":0,"stale":false,)"
        R"("deciders":[]},{"id":"1","title":"Build","state":"open","asks_for":[)"
        R"({"name":"files","type":"array","required":true,"rules":"at least 2 items",)"
        R"("missing":true},)"
        R"({"name":"note","type":"string","required":true,"rules":"not blank",)"
        R"("missing":false}],"checks":{"due":[],"verifying":null,"last":null}}])");
}

TEST_CASE("history: the journal, line by line, without the evidence's bulk") {
  std::vector<engine::JournalRow> rows;
  const auto add = [&](std::string kind, int attempt, std::string actor, std::string data) {
    engine::JournalRow row;
    row.seq = static_cast<std::int64_t>(rows.size()) + 1;
    row.entry = {std::move(kind),
                 "1",
                 1,
                 attempt,
                 std::move(actor),
                 std::move(data),
                 {1'800'000'000'000 + row.seq}};
    rows.push_back(row);
  };
  add("run_started", 0, "ada", R"({"workflow":"small_flow","definition":"hash","target":""})");
  add("evidence_refused", 1, "a\nb",
      R"({"evidence_digest":"d","evidence":{"secret":1},)"
      R"("problems":[{"field":"files","keyword":"minItems","wanted":"at least 2 items",)"
      R"("got":"1 item"},{"field":"","wanted":"an object","got":"\u001b"}]})");
  add("phase_completed", 2, "ada",
      R"({"evidence":{"files":["a","b"],"log":")" + std::string(300, 'x') +
          R"("},"lenient":true,"extra_fields":["x"]})");
  add("odd", 0, "", "{broken");
  const gating::RunState run = in_second_phase();
  const std::string text = cli::history_text(run, rows, {}, page());
  CHECK(text.substr(0, text.find("4  2027")) ==
        "Session 0d6ab8c2-7e21-4f6b-9d7a-4c8f1f2e3a4b of small_flow, active\n"
        "\n"
        "1  2027-01-15 08:00:00Z  run_started  phase 1  (ada)\n"
        "      workflow small_flow\n"
        "2  2027-01-15 08:00:00Z  evidence_refused  phase 1, attempt 1  (a\\nb)\n"
        "      files: wanted at least 2 items, got 1 item\n"
        "      evidence: wanted an object, got \\u001b\n"
        "3  2027-01-15 08:00:00Z  phase_completed  phase 1, attempt 2  (ada)\n"
        "      files: [\"a\",\"b\"]\n"
        "      log:\n"
        "        " +
            std::string(92, 'x') + "\n        " + std::string(65, 'x') +
            "…\n"
            "      lenient\n"
            "      extra_fields [\"x\"]\n");
  CHECK(text.find("4  2027-01-15 08:00:00Z  odd  phase 1\n      (unreadable: ") !=
        std::string::npos);
  CHECK(text.find("secret") == std::string::npos);

  // With --full nothing is left out, be it of a refused attempt.
  const std::string full = cli::history_text(run, rows, {true, false}, page(400));
  CHECK(full.find("      secret: 1\n") != std::string::npos);
  CHECK(full.find("      log: " + std::string(300, 'x') + "\n") != std::string::npos);
  const Json json = cli::history_json(run, rows);
  CHECK(json["entries"][1]["data"]["evidence"]["secret"] == 1);
  CHECK(json["entries"][3]["data"].is_null());
}

TEST_CASE("sessions: a table, and data of the same content") {
  CHECK(cli::sessions_text({}, false, false, "", page()) == "No sessions.\n");
  engine::RunSummary run;
  run.id = kId;
  run.workflow = "small_flow";
  run.status = gating::RunStatus::completed;
  run.partial = true;
  run.current_phase = "2";
  run.target = "a\tb";
  run.phases_completed = 3;
  run.updated_at = {1'800'000'000'000};
  CHECK(cli::sessions_text({run}, true, false, " --root /p", page()) ==
        "SESSION   STATE    PHASE  DONE  WORKFLOW    TARGET  CHANGED\n"
        "0d6ab8c2  partial  2      3     small_flow  a\\tb    2 min ago\n"
        "There are more: phasegate sessions --all --root /p\n");
  const Json json = cli::sessions_json({run}, true);
  CHECK(json["more"] == true);
  CHECK(json["sessions"][0]["target_file"] == "a\tb");
  CHECK(json["sessions"][0]["status"] == "completed");
}

TEST_CASE("validate: findings with file and line, then what each phase asks for") {
  phases::LoadedWorkflow loaded;
  loaded.workflow = workflow();
  loaded.workflow.phases.pop_back();
  loaded.workflow.phases[0].gate.human_approval = true;
  loaded.workflow.phases[0].gate.human_approval_source = {"phases/0/phase.md", 40, 0};
  loaded.workflow.dynamic_reason = "phases that are not known in advance";
  loaded.findings = {{phases::Severity::warning,
                      "orphan_task_file",
                      "task-9-old.md is used by no task",
                      "delete it",
                      {"phases/1/task-9-old.md", 0, 0},
                      "1"},
                     {phases::Severity::info, "odd", "fine", "", {"metadata.json", 7, 0}, ""}};
  cli::add_gate_findings(loaded);
  CHECK(cli::validate_text({"flows/small_flow", "flows/small_flow", loaded, {}}, page()) ==
        "small_flow 1.2  A small flow  (flows/small_flow)\n"
        "  warning flows/small_flow/phases/1/task-9-old.md orphan_task_file\n"
        "    task-9-old.md is used by no task\n"
        "    delete it\n"
        "  info flows/small_flow/metadata.json:7 odd\n"
        "    fine\n"
        "\n"
        "  Phase 0  Plan\n"
        "    text: phases/0/phase.md, 0 tasks\n"
        "    asks for:\n"
        "      plan_written  boolean, must be true  (phases/x/gate-definition.yaml:3)\n"
        "    a person decides (phases/0/phase.md:40; any approver): Is phase 0 (Plan) done as it "
        "should "
        "be?\n"
        "      approve  Approve – goes on\n"
        "      rework   Send back, and say what is to be done – sends this phase back, and the "
        "person "
        "must\n"
        "               say something\n"
        "      reject   Reject and stop – ends the session: rejected\n"
        "\n"
        "  Phase 1  Build\n"
        "    text: phases/1/phase.md, 1 task\n"
        "    its file asks for leniency, which is not honoured unless the server runs with --gates "
        "as-written\n"
        "    asks for:\n"
        "      files  array, at least 2 items  (phases/x/gate-definition.yaml:4)\n"
        "      note   string, not blank  (phases/x/gate-definition.yaml:8)\n"
        "\n"
        "  After the last phase the session waits: phases that are not known in advance\n"
        "\n"
        "  0 errors, 1 warning, 1 note: can be started\n");
  const Json json = cli::validate_json({"flows/small_flow", "", loaded, {}});
  CHECK(json["startable"] == true);
  CHECK(json["warnings"] == 1);
  CHECK(json["phases"][1]["gate"]["evidence_schema"]["properties"]["files"]["minItems"] == 2);
  CHECK(json["phases"][0]["gate"]["example"]["plan_written"] == true);
  CHECK(json["phases"][1]["gate"]["requirements"][0]["rules"] == "at least 2 items");
}

TEST_CASE("validate: a gate that does not compile is an error with its line") {
  phases::LoadedWorkflow loaded;
  loaded.workflow = workflow();
  loaded.workflow.phases[1].gate.requirements[1].pattern = "(unclosed";
  cli::add_gate_findings(loaded);
  REQUIRE(loaded.findings.size() == 1);
  CHECK_FALSE(loaded.startable());
  CHECK(loaded.findings[0].source == phases::Source{"phases/x/gate-definition.yaml", 8, 0});
  CHECK(loaded.findings[0].phase == "1");
  CHECK(cli::why_not_startable(loaded).has_value());
  CHECK(
      cli::validate_json({"p", "", loaded, {}})["phases"][1]["gate"]["evidence_schema"].is_null());
}

TEST_CASE("workflows: which can be started, and why the others cannot") {
  auto sound = std::make_shared<phases::LoadedWorkflow>();
  sound->workflow = workflow();
  auto broken = std::make_shared<phases::LoadedWorkflow>();
  broken->workflow.id = "broken_flow";
  broken->findings = {{phases::Severity::error,
                       "missing_metadata",
                       "metadata.json is missing",
                       "",
                       {"metadata.json", 0, 0},
                       ""}};
  const std::vector<engine::FoundWorkflow> found{{"broken_flow", "a", broken},
                                                 {"small_flow", "b", sound}};
  CHECK(cli::workflows_text(found, {}, page()) ==
        "broken_flow  (a, 0 phases)\n"
        "  cannot be started: metadata.json is missing (metadata.json)\n"
        "small_flow 1.2  (b, 3 phases)\n"
        "  A small flow\n"
        "\n"
        "`phasegate validate NAME` shows all that is wrong.\n");
  CHECK(cli::workflows_text({}, {{}, {{"/abs", ".phasegate/workflows"}}, ""}, page()) ==
        "No workflows. They are looked for in:\n  .phasegate/workflows\n");
  const Json json = cli::workflows_json(found, {});
  CHECK(json["workflows"][0]["startable"] == false);
  CHECK(json["workflows"][1]["reason"].is_null());
}
