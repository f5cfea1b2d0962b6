#include "gating/engine/engine.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "state/state.h"
#include "tests/support/files.h"
#include "tests/support/workflows.h"

namespace phasegate::gating::engine {
namespace {

using base::Json;

/// An engine over a real store in a folder of its own.
struct Bench {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{7};
  std::unique_ptr<state::Store> store = state::open_store(folder.path() / "state");
  std::unique_ptr<Engine> engine;

  explicit Bench(phases::LoadedWorkflow loaded) {
    workflows.put(std::move(loaded));
    restart();
  }
  void restart() {
    engine.reset();
    store = state::open_store(folder.path() / "state");
    engine = std::make_unique<Engine>(Engine::Ports{workflows, store->runs(), clock, ids},
                                      EngineOptions{});
  }
  std::string start(const std::string& workflow, const std::string& target = "",
                    const Json& options = nullptr) {
    StartRequest request;
    request.workflow = workflow;
    request.target = target;
    request.options = &options;
    request.principal = "ada";
    auto started = engine->start(request);
    REQUIRE_MESSAGE(started.ok(), (started.ok() ? "" : base::to_text(started.error())));
    return started->phase.view.run.id;
  }
  CompleteReply complete(const std::string& run, const std::string& phase, const Json& evidence) {
    CompleteRequest request;
    request.run_id = run;
    request.phase = phase;
    request.evidence = &evidence;
    request.actor = "ada";
    auto reply = engine->complete_phase(request);
    REQUIRE(reply.ok());
    return std::move(reply).value();
  }
};

/// A store whose texts cannot be read any more, and that else does what the real one does.
class TextsLost final : public RunStore {
 public:
  explicit TextsLost(RunStore& real) : real_(real) {}
  bool lost = false;

  StartOutcome create_run(const StoredDefinition& definition, const Transition& first,
                          bool resume) override {
    return real_.create_run(definition, first, resume);
  }
  std::optional<Transition> transact(
      std::string_view run_id, const std::function<Transition(const RunState&)>& decide) override {
    return real_.transact(run_id, decide);
  }
  OnceOutcome transact_once(std::string_view run_id, const Once& once, base::TimePoint now,
                            const std::function<Transition(const RunState&)>& decide) override {
    return real_.transact_once(run_id, once, now, decide);
  }
  std::optional<Transition> transact_pinning(
      std::string_view run_id, const StoredDefinition& definition,
      const std::function<Transition(const RunState&)>& decide) override {
    return real_.transact_pinning(run_id, definition, decide);
  }
  std::optional<Transition> transact_effect(
      std::string_view run_id, std::int64_t effect, const Owner& owner,
      const std::function<Transition(const RunState&)>& decide) override {
    return real_.transact_effect(run_id, effect, owner, decide);
  }
  bool use_once(const Once& once, base::TimePoint now) override {
    return real_.use_once(once, now);
  }
  std::optional<RunState> load(std::string_view run_id) override { return real_.load(run_id); }
  base::Result<RunPage> list(const RunQuery& query) override { return real_.list(query); }
  std::vector<std::string> due(base::TimePoint now, std::size_t limit) override {
    return real_.due(now, limit);
  }
  std::optional<base::TimePoint> next_due(base::TimePoint after) override {
    return real_.next_due(after);
  }
  std::optional<std::string> find_decision(std::string_view decision) override {
    return real_.find_decision(decision);
  }
  std::vector<JournalRow> journal(std::string_view run_id, std::int64_t after,
                                  std::size_t limit) override {
    return real_.journal(run_id, after, limit);
  }
  std::vector<JournalRow> journal_end(std::string_view run_id, std::size_t limit) override {
    return real_.journal_end(run_id, limit);
  }
  std::vector<JournalRow> journal_of_people(std::string_view run_id, std::int64_t after,
                                            std::size_t limit) override {
    return real_.journal_of_people(run_id, after, limit);
  }
  std::vector<ArtifactRow> artifacts(std::string_view run_id) override {
    return real_.artifacts(run_id);
  }
  std::optional<StoredDefinition> definition(std::string_view hash) override {
    return real_.definition(hash);
  }
  std::optional<std::string> blob(std::string_view hash) override {
    if (lost) throw StoreFailure({"damaged", "a text is damaged", "run `phasegate doctor`", ""});
    return real_.blob(hash);
  }

 private:
  RunStore& real_;
};

const Json kSeedEvidence = Json::parse(R"({"function_count":21,"method_count":15,"branch_count":36,
  "ast_command_output":"def compile()...","functions_list":["compile","parse"]})");

TEST_CASE("004-44: a new session that asks for phase 3 gets the violation and phase 1's content") {
  Bench bench(test::test_generation());
  const std::string run = bench.start("test_generation_v3", "test.py");
  const auto read = bench.engine->phase_content(run, "3");
  REQUIRE(read.ok());
  const auto* refused = std::get_if<ReadRefused>(&*read);
  REQUIRE(refused != nullptr);
  CHECK(refused->refusal.kind == RefusalKind::phase_sequence_violation);
  CHECK(refused->open_phase.content.find("Text of phase 1") != std::string::npos);
}

TEST_CASE("004-36, 004-50, 004-51: state and artifacts survive a restart") {
  Bench bench(test::test_generation());
  const std::string run = bench.start("test_generation_v3", "test.py");
  CHECK(bench.complete(run, "1", kSeedEvidence).reply.kind == Reply::Kind::accepted);
  bench.restart();
  const auto phase = bench.engine->current_phase(run);
  REQUIRE(phase.ok());
  CHECK(phase->phase->id == "2");
  REQUIRE(phase->artifacts.size() == 1);
  CHECK(Json::parse(phase->artifacts[0].artifact.evidence) == kSeedEvidence);
  CHECK(bench.complete(run, "1", kSeedEvidence).reply.kind == Reply::Kind::repeated);
}

TEST_CASE("invariant 6: a run keeps the workflow it was started with") {
  Bench bench(test::test_generation());
  const std::string run = bench.start("test_generation_v3", "test.py");
  auto changed = test::workflow("test_generation_v3", {test::phase("1", {test::boolean("easy")})},
                                {{"1", "changed text"}});
  bench.workflows.put(std::move(changed));
  bench.restart();
  const auto phase = bench.engine->current_phase(run);
  REQUIRE(phase.ok());
  CHECK(phase->content.find("Text of phase 1") != std::string::npos);
  CHECK(bench.complete(run, "1", Json{{"easy", true}}).reply.kind == Reply::Kind::refused);
  const std::string fresh = bench.start("test_generation_v3", "other.py");
  CHECK(bench.complete(fresh, "1", Json{{"easy", true}}).reply.kind == Reply::Kind::accepted);
}

TEST_CASE("start resumes only the same work, and says what else is open") {
  Bench bench(test::test_generation());
  const std::string first = bench.start("test_generation_v3", "a.py");
  CHECK(bench.start("test_generation_v3", "a.py") == first);
  CHECK(bench.start("test_generation_v3", "b.py") != first);
  CHECK(bench.start("test_generation_v3", "a.py", Json{{"spec_path", "x"}}) != first);
  CHECK(bench.start("test_generation_v3", "a.py", Json{{"new", true}}) != first);
  CHECK(bench.start("test_generation_v3") != bench.start("test_generation_v3"));
  StartRequest request;
  request.workflow = "test_generation_v3";
  const auto started = bench.engine->start(request);
  REQUIRE(started.ok());
  CHECK(started->also_open.size() == 5);
  CHECK(bench.engine->cancel({first, "", "ada", "", {}, {}}).ok());
  CHECK(bench.start("test_generation_v3", "a.py", Json{{"spec_path", "x"}}) != first);
}

TEST_CASE("cancel counts an answer once, and journals through which channel it came") {
  Bench bench(test::test_generation());
  const std::string first = bench.start("test_generation_v3", "a.py");
  const std::string second = bench.start("test_generation_v3", "b.py");
  const auto version = bench.engine->view(first)->run.version;
  const Once once{"token", bench.clock.now().ms + 1000};
  CancelRequest request{first, "no need", "ada", "client", version + 1, once};

  const auto stale = bench.engine->cancel(request);
  REQUIRE_FALSE(stale.ok());
  CHECK(stale.error().code == "stale_version");
  request.version = version;
  const auto used = bench.engine->cancel(request);
  REQUIRE_FALSE(used.ok());
  CHECK(used.error().code == "already_used");
  CHECK_FALSE(bench.engine->use_once(once));
  CHECK(is_open(bench.engine->view(first)->run.status));

  request.once->token = "another";
  const auto done = bench.engine->cancel(request);
  REQUIRE(done.ok());
  CHECK(done->run.status == RunStatus::cancelled);
  CHECK(done->run.end_reason == "no need");
  const auto rows = *bench.engine->journal(first, 0, 100);
  CHECK(rows.back().entry.kind == "run_cancelled");
  CHECK(rows.back().entry.actor == "ada");
  const Json data = Json::parse(rows.back().entry.data);
  CHECK(data["channel"] == "client");
  CHECK(data["assurance"] == "unauthenticated");

  // The same answer ends no other session either; without a channel nothing is said of it.
  request.run_id = second;
  CHECK(bench.engine->cancel(request).error().code == "already_used");
  CHECK(bench.engine->cancel({second, "", "ada", "", {}, {}}).ok());
  CHECK_FALSE(
      Json::parse(bench.engine->journal(second, 0, 100)->back().entry.data).contains("channel"));
  request.run_id = "00000000-0000-4000-8000-000000000000";
  CHECK(bench.engine->cancel(request).error().code == "unknown_session");
}

TEST_CASE("004-35: sessions that are malformed or unknown are told apart, with the next step") {
  Bench bench(test::test_generation());
  for (const char* id : {"", "x", "../../etc/passwd", "6F9619FF-8B86-4011-B42D-00C04FC964FF",
                         "00000000-0000-1000-8000-000000000000"}) {
    CAPTURE(id);
    const auto view = bench.engine->view(id);
    REQUIRE_FALSE(view.ok());
    CHECK(view.error().code == "invalid_argument");
    CHECK(view.error().hint.find("list_sessions") != std::string::npos);
  }
  const std::string unknown = "00000000-0000-4000-8000-000000000000";
  const auto view = bench.engine->view(unknown);
  REQUIRE_FALSE(view.ok());
  CHECK(view.error().message == "Session " + unknown + " not found");
}

TEST_CASE("evidence that is too large or too deep is refused before anything is written") {
  Bench bench(test::test_generation());
  const std::string run = bench.start("test_generation_v3");
  CompleteRequest request;
  request.run_id = run;
  request.phase = "1";
  const Json large{{"x", std::string(2'000'000, 'x')}};
  request.evidence = &large;
  CHECK(bench.engine->complete_phase(request).error().code == "too_large");
  Json deep = 1;
  for (int i = 0; i < 40; ++i) deep = Json::array({deep});
  request.evidence = &deep;
  CHECK(bench.engine->complete_phase(request).error().code == "too_large");
  CHECK(bench.engine->view(run)->run.attempts == 0);
}

TEST_CASE("tasks and linked files are read only where text that was reached leads to them") {
  auto loaded = test::test_generation();
  test::add_document(loaded, "core/guide.md", "the guide", "");
  test::add_document(loaded, "core/secret.md", "not linked", "");
  loaded.workflow.documents["phases/1/task-1.md"].links = {"core/guide.md"};
  Bench bench(std::move(loaded));
  const std::string run = bench.start("test_generation_v3");
  const auto content = [&](const char* phase, const char* task, const char* file) {
    const auto read = bench.engine->task(run, phase, task, file);
    if (!read) return "error " + read.error().code;
    if (std::holds_alternative<ReadRefused>(*read)) return std::string("refused");
    return std::get<TaskView>(*read).content;
  };
  CHECK(content("1", "1", "") == "Text of phases/1/task-1.md\n");
  CHECK(content("2", "1", "") == "refused");
  CHECK(content("1", "9", "") == "error not_found");
  CHECK(content("1", "1", "../../core/guide.md") == "the guide");
  CHECK(content("1", "", "core/guide.md") == "the guide");
  CHECK(content("1", "", "core/secret.md") == "error not_found");
  CHECK(content("1", "", "core/nothing.md") == "error not_found");
  CHECK(content("1", "", "../2/phase.md") == "error not_found");
  CHECK(content("1", "", "phases/2/task-1.md") == "error not_found");
  CHECK(content("1", "", "../../../etc/passwd") == "error not_found");
  CHECK(content("1", "", "/etc/passwd") == "error not_found");
  // What exists but is not reached is refused in the same words as what does not exist.
  CHECK(bench.engine->task(run, "1", "", "core/secret.md").error().hint ==
        bench.engine->task(run, "1", "", "core/xxxxxx.md").error().hint);
}

TEST_CASE("a workflow with an error is not startable and says why") {
  auto broken = test::test_generation();
  broken.findings.push_back({phases::Severity::error,
                             "missing_phase_file",
                             "phase 2 has no text",
                             "",
                             {"metadata.json", 9},
                             "2"});
  Bench bench(std::move(broken));
  StartRequest request;
  request.workflow = "test_generation_v3";
  const auto started = bench.engine->start(request);
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().code == "not_startable");
}

TEST_CASE("004-27, 004-33, 004-37: the export is the seed's session file") {
  Bench bench(test::test_generation());
  const std::string run = bench.start("test_generation_v3", "test.py", Json{{"depth", 2}});
  bench.complete(run, "1", kSeedEvidence);
  bench.complete(run, "2", Json::object());
  const auto session = bench.engine->export_session(run);
  REQUIRE(session.ok());
  const Json& json = **session;
  CHECK(json["session_id"] == run);
  CHECK(json["workflow_type"] == "test_generation_v3");
  CHECK(json["target_file"] == "test.py");
  CHECK(json["current_phase"] == 2);
  CHECK(json["completed_phases"] == Json::array({1}));
  CHECK(json["phase_artifacts"]["1"]["evidence"] == kSeedEvidence);
  CHECK(json["phase_artifacts"]["1"]["phase_number"] == 1);
  CHECK(json["checkpoints"] == Json{{"1", "passed"}, {"2", "failed"}});
  CHECK(json["metadata"]["options"]["depth"] == 2);
}

TEST_CASE("invariant 4: what was committed is told, even if the next text cannot be read") {
  Bench bench(test::test_generation());
  TextsLost store(bench.store->runs());
  Engine engine({bench.workflows, store, bench.clock, bench.ids}, {});
  StartRequest start;
  start.workflow = "test_generation_v3";
  const auto started = engine.start(start);
  REQUIRE(started.ok());
  store.lost = true;
  CompleteRequest request;
  request.run_id = started->phase.view.run.id;
  request.phase = "1";
  request.evidence = &kSeedEvidence;
  const auto reply = engine.complete_phase(request);
  REQUIRE(reply.ok());
  CHECK(reply->reply.kind == Reply::Kind::accepted);
  CHECK(reply->view.run.current_phase == "2");
  CHECK_FALSE(reply->phase);
  REQUIRE(reply->unreadable);
  CHECK(reply->unreadable->code == "damaged");
}

TEST_CASE("invariant 1: why a workflow cannot be started is not for the assistant") {
  auto broken = test::test_generation();
  broken.findings.push_back(
      {phases::Severity::error, "x", "phase 3 says SECRET", "", {"p3.md", 1}, "3"});
  Bench bench(std::move(broken));
  StartRequest request;
  request.workflow = "test_generation_v3";
  const auto started = bench.engine->start(request);
  REQUIRE_FALSE(started.ok());
  CHECK(base::to_text(started.error()).find("SECRET") == std::string::npos);
  CHECK(base::to_text(started.error()).find("p3.md") == std::string::npos);
}

TEST_CASE("every attempt is in the journal, in order") {
  Bench bench(test::test_generation());
  const std::string run = bench.start("test_generation_v3");
  bench.complete(run, "1", Json::object());
  bench.complete(run, "1", kSeedEvidence);
  bench.complete(run, "1", kSeedEvidence);
  const auto journal = bench.engine->journal(run, 0, 100);
  REQUIRE(journal.ok());
  std::vector<std::string> kinds;
  for (const JournalRow& row : *journal) kinds.push_back(row.entry.kind);
  CHECK(kinds == std::vector<std::string>{"run_started", "phase_entered", "evidence_refused",
                                          "phase_completed", "phase_entered"});
}

}  // namespace
}  // namespace phasegate::gating::engine
