#include <map>
#include <optional>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/json.h"
#include "tests/support/client_call.h"
#include "tests/support/house.h"

/// Invariants 1, 2 and 5 of the design, from the outside: random linear workflows whose phases
/// carry words of their own, random calls by several clients on one store, clients that die in
/// between.
namespace phasegate {
namespace {

using base::Json;

/// A word that occurs in one phase only.
std::string canary(std::size_t phase, const char* where) {
  return "canary" + std::to_string(phase) + "x" + where + "x";
}

phases::LoadedWorkflow random_workflow() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 7);
  const bool letters = *rc::gen::arbitrary<bool>();
  std::vector<phases::Phase> phases;
  std::map<std::string, std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id =
        letters ? std::string(1, static_cast<char>('A' + i)) : std::to_string(i + 1);
    std::vector<phases::Requirement> requirements{test::boolean(canary(i, "field"))};
    if (*rc::gen::arbitrary<bool>()) requirements.push_back(test::integer("count", 3));
    phases::Phase phase = test::phase(id, std::move(requirements));
    phase.title = canary(i, "title");
    phase.purpose = canary(i, "purpose");
    phase.tasks[0].name = canary(i, "taskname");
    texts[id] = "# " + canary(i, "text") + "\n\n" +
                std::string(*rc::gen::inRange<std::size_t>(0, 30), 'x') + "\n";
    phases.push_back(std::move(phase));
  }
  auto loaded = test::workflow("random", std::move(phases), std::move(texts));
  loaded.workflow.outline = *rc::gen::arbitrary<bool>();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = loaded.workflow.phases[i].id;
    test::add_document(loaded, "phases/" + id + "/task-1.md", canary(i, "tasktext"), id);
    test::add_document(loaded, "core/" + id + ".md", canary(i, "shared"), "");
    // Shared files are linked from one phase each; every phase's text also links to the next phase.
    auto& links = loaded.workflow.documents["phases/" + id + "/phase.md"].links;
    links.push_back("core/" + id + ".md");
    if (i + 1 < count) links.push_back("phases/" + loaded.workflow.phases[i + 1].id + "/phase.md");
  }
  return loaded;
}

/// What a session must look like, kept beside the real one.
struct Expected {
  std::string session;
  std::size_t reached = 0;  ///< index of the open phase; phases.size() when complete
  std::map<std::size_t, Json> accepted;
};

class World {
 public:
  World() : loaded_(random_workflow()) {
    workflows_.put(loaded_);
    for (int i = 0; i < 3; ++i) restart(static_cast<std::size_t>(i));
  }

  void step() {
    const auto client = *rc::gen::inRange<std::size_t>(0, clients_.size());
    const int action = *rc::gen::inRange(0, 22);
    clock_.advance_ms(*rc::gen::inRange(-5, 50));
    if (action == 0) {
      restart(client);
    } else if (sessions_.empty() || action == 1) {
      start(client);
    } else {
      act(*clients_[client], sessions_[*rc::gen::inRange<std::size_t>(0, sessions_.size())],
          action);
    }
  }

 private:
  const std::vector<phases::Phase>& phases() const { return loaded_.workflow.phases; }

  void restart(std::size_t client) {
    if (clients_.size() <= client) clients_.resize(client + 1);
    clients_[client].reset();
    clients_[client] =
        std::make_unique<test::House>(folder_.path() / "state", workflows_, clock_, ids_);
  }

  /// Nothing in an answer may come from a phase beyond `reached`.
  void check_no_leak(const mcp::protocol::ToolResult& result, std::optional<std::size_t> reached) {
    check_no_leak(result.text + base::dump(*result.structured), reached);
  }
  void check_no_leak(const mcp::protocol::RpcError& error, std::optional<std::size_t> reached) {
    check_no_leak(error.message + error.data, reached);
  }
  void check_no_leak(const std::string& all, std::optional<std::size_t> reached) {
    for (std::size_t i = 0; i < phases().size(); ++i) {
      if (reached && i <= *reached) continue;
      const std::string word = "canary" + std::to_string(i) + "x";
      // Under `outline: titles` a run is told the titles, and nothing else of a phase.
      const bool title_allowed = reached && loaded_.workflow.outline;
      for (auto at = all.find(word); at != std::string::npos; at = all.find(word, at + 1)) {
        RC_ASSERT(title_allowed && all.compare(at, word.size() + 5, word + "title") == 0);
      }
    }
  }

  /// `known_digest`: a digest from anywhere changes nothing but what is left out, and only the one
  /// of this very content leaves it out.
  void read_with_digest(test::House& client, const char* tool, Json arguments,
                        std::size_t reached) {
    const auto whole = client.call(tool, arguments);
    check_no_leak(whole, reached);
    const std::string known = digests_.empty()
                                  ? std::string("0123456789abcdef")
                                  : digests_[*rc::gen::inRange<std::size_t>(0, digests_.size())];
    arguments["known_digest"] = known;
    const auto result = client.call(tool, arguments);
    check_no_leak(result, reached);
    RC_ASSERT(result.is_error == whole.is_error);
    if (whole.is_error) {
      RC_ASSERT(result.text == whole.text);
      return;
    }
    const std::string digest = (*whole.structured)["content_digest"];
    const bool unchanged = result.structured->contains("unchanged");
    RC_ASSERT(unchanged == (known == digest));
    const bool has_content =
        result.structured->contains("phase_content") || result.structured->contains("task");
    RC_ASSERT(unchanged != has_content);
    if (!unchanged) RC_ASSERT(result.text == whole.text);
    RC_ASSERT((*result.structured)["current_phase"] == (*whole.structured)["current_phase"]);
    RC_ASSERT((*result.structured)["next_call"] == (*whole.structured)["next_call"]);
    digests_.push_back(digest);
  }

  /// What a client can pick without a session: lists, templates, prompts.
  void browse(test::House& client) {
    test::ClientCall call;
    auto& service = client.service();
    std::string all;
    const auto resources = service.resources("", call.context());
    for (const auto& one : std::get<0>(resources).items) {
      all += one.uri + one.name + one.title + one.description;
      read(client, one.uri, std::nullopt, true);
    }
    const auto templates = service.resource_templates("", call.context());
    for (const auto& one : std::get<0>(templates).items) {
      all += one.uri_template + one.name + one.title + one.description;
    }
    const auto prompts = service.prompts("", call.context());
    RC_ASSERT(std::get<0>(prompts).items.size() == 1);
    for (const auto& one : std::get<0>(prompts).items) {
      all += one.name + one.title + one.description;
      for (const auto& argument : one.arguments) all += argument.name + argument.description;
    }
    const auto prompt = service.get_prompt("random", {{"target_file", "t"}}, call.context());
    for (const auto& one : std::get<mcp::protocol::PromptResult>(prompt).messages) {
      all += one.content.text;
    }
    check_no_leak(all, std::nullopt);
    for (const char* name : {"radnom", "", "random2"}) {
      const auto refused = service.get_prompt(name, Json::object(), call.context());
      check_no_leak(std::get<mcp::protocol::RpcError>(refused), std::nullopt);
    }
    const auto wrong = service.get_prompt("random", {{"x", "y"}}, call.context());
    check_no_leak(std::get<mcp::protocol::RpcError>(wrong), std::nullopt);
  }

  void read(test::House& client, const std::string& uri, std::optional<std::size_t> reached,
            bool exists) {
    test::ClientCall call;
    const auto outcome = client.service().read_resource(uri, call.context());
    const auto* found = std::get_if<mcp::protocol::ReadResult>(&outcome);
    RC_ASSERT((found != nullptr) == exists);
    if (found == nullptr) {
      check_no_leak(std::get<mcp::protocol::RpcError>(outcome), reached);
    } else {
      for (const auto& one : found->contents) check_no_leak(one.uri + one.text, reached);
    }
  }

  /// A session's resources: what it has reached is there, everything else is not.
  void read_session(test::House& client, const Expected& expected, std::size_t wanted,
                    const std::string& phase, std::size_t open) {
    const std::string session = "phasegate://sessions/" + expected.session;
    const bool there = wanted <= open;
    read(client, session, open, true);
    read(client, session + "/phases/" + phase, open, there);
    read(client, session + "/phases/" + phase + "/tasks/1", open, there);
    read(client, session + "/phases/" + phase + "/tasks/2", open, false);
    read(client, session + "/phases/" + phase + "/phase.md", open, false);
    read(client, session + "/phases/" + phase + "/tasks/../1", open, false);
    const mcp::protocol::Peer peer{"ada", "tester", {}};
    RC_ASSERT(client.service().can_subscribe(session + "/phases/" + phase, peer) == there);
    RC_ASSERT(client.service().can_subscribe(session + "/phases/" + phase + "/tasks/1", peer) ==
              there);
  }

  /// Completion offers the phases that were reached, their tasks, and nothing else.
  void complete_names(test::House& client, const Expected& expected, std::size_t wanted,
                      const std::string& phase, std::size_t open) {
    using mcp::protocol::Completion;
    using Request = mcp::protocol::CompletionRequest;
    test::ClientCall call;
    const std::string session = "phasegate://sessions/{session_id}";
    const auto values = [&](const std::string& ref, const std::string& argument) {
      const auto outcome =
          client.service().complete({Request::Of::resource,
                                     ref,
                                     argument,
                                     "",
                                     {{"session_id", expected.session}, {"phase", phase}}},
                                    call.context());
      return std::get<Completion>(outcome).values;
    };
    const auto names = values(session + "/phases/{phase}", "phase");
    RC_ASSERT(names.size() == open + 1);
    for (std::size_t i = 0; i < names.size(); ++i) RC_ASSERT(names[i] == phases()[i].id);
    const auto tasks = values(session + "/phases/{phase}/tasks/{task_number}", "task_number");
    RC_ASSERT(tasks.size() == (wanted <= open ? 1U : 0U));
    const auto refused = client.service().complete(
        {Request::Of::resource, session + "/{x}", phase, "", {}}, call.context());
    check_no_leak(std::get<mcp::protocol::RpcError>(refused), open);
  }

  /// Asking a person and being told no changes nothing and shows nothing.
  void ask_to_cancel(test::House& client, const Expected& expected, std::size_t open) {
    using mcp::protocol::InputRequired;
    test::ClientCall first;
    const Json arguments{{"session_id", expected.session}};
    const auto outcome = client.service().call_tool("cancel_workflow", arguments, first.context());
    const auto* question = std::get_if<InputRequired>(&outcome);
    RC_ASSERT((question != nullptr) == (expected.reached < phases().size()));
    if (question == nullptr) {
      check_no_leak(std::get<mcp::protocol::ToolResult>(outcome), open);
      return;
    }
    check_no_leak(base::dump(*question->requests.at(0).params) + question->state, open);
    test::ClientCall retry({{"confirm", {{"action", "decline"}}}}, question->state, ids_.new_id(),
                           clock_.now().ms + 100'000);
    const auto answer = client.service().call_tool("cancel_workflow", arguments, retry.context());
    check_no_leak(std::get<mcp::protocol::ToolResult>(answer), open);
  }

  void start(std::size_t client) {
    const auto result = clients_[client]->call(
        "start_workflow",
        {{"workflow_type", "random"}, {"target_file", "t"}, {"options", {{"new", true}}}});
    RC_ASSERT(!result.is_error);
    check_no_leak(result, 0);
    sessions_.push_back({(*result.structured)["session_id"], 0, {}});
  }

  Json evidence_for(std::size_t index, bool good) const {
    Json evidence = Json::object();
    for (const auto& requirement : phases()[index].gate.requirements) {
      if (requirement.type == phases::ValueType::boolean) {
        evidence[requirement.name] = good;
      } else {
        evidence[requirement.name] = good ? 3 : 2;
      }
    }
    if (*rc::gen::inRange(0, 3) == 0) evidence["note"] = *rc::gen::inRange(0, 3);
    return evidence;
  }

  void act(test::House& client, Expected& expected, int action) {
    const std::size_t open = std::min(expected.reached, phases().size() - 1);
    const auto wanted = *rc::gen::inRange<std::size_t>(0, phases().size() + 1);
    const std::string phase = wanted < phases().size() ? phases()[wanted].id : "77";
    const Json session{{"session_id", expected.session}};
    Json with_phase = session;
    with_phase["phase"] = phase;
    if (action == 2) {
      check_no_leak(client.call("list_workflows", Json::object()), std::nullopt);
    } else if (action == 3) {
      check_no_leak(client.call("list_sessions", {{"status", "all"}}), std::nullopt);
    } else if (action == 4) {
      check_no_leak(client.call("get_workflow_state", session), open);
    } else if (action == 5) {
      const auto result = client.call("get_current_phase", session);
      check_no_leak(result, open);
      RC_ASSERT((*result.structured)["current_phase"] == phases()[open].id);
    } else if (action == 6) {
      const auto result = client.call("get_phase_content", with_phase);
      check_no_leak(result, open);
      RC_ASSERT(result.is_error == (wanted > open));
    } else if (action == 7) {
      with_phase["task_number"] = "1";
      const auto result = client.call("get_task", with_phase);
      check_no_leak(result, open);
      RC_ASSERT(result.is_error == (wanted > open));
    } else if (action == 8) {
      with_phase["file"] =
          *rc::gen::element(std::string("core/1.md"), std::string("core/B.md"),
                            std::string("../2/phase.md"), std::string("phases/3/task-1.md"));
      check_no_leak(client.call("get_task", with_phase), open);
    } else if (action == 9) {
      read_with_digest(client, "get_current_phase", session, open);
    } else if (action == 10) {
      read_with_digest(client, "get_phase_content", with_phase, open);
    } else if (action == 11) {
      with_phase["task_number"] = "1";
      read_with_digest(client, "get_task", with_phase, open);
    } else if (action == 12) {
      browse(client);
    } else if (action == 13) {
      read_session(client, expected, wanted, phase, open);
    } else if (action == 14) {
      complete_names(client, expected, wanted, phase, open);
    } else if (action == 15) {
      ask_to_cancel(client, expected, open);
    } else {
      complete(client, expected, wanted, action >= 18);
    }
  }

  void complete(test::House& client, Expected& expected, std::size_t wanted, bool good) {
    const bool current = *rc::gen::inRange(0, 2) == 0;
    const std::size_t index = current ? std::min(expected.reached, phases().size() - 1)
                                      : std::min(wanted, phases().size() - 1);
    const Json evidence = evidence_for(index, good);
    const auto result = client.call(
        "complete_phase",
        {{"session_id", expected.session}, {"phase", phases()[index].id}, {"evidence", evidence}});
    const bool passed = !result.is_error;
    RC_ASSERT((*result.structured)["checkpoint_passed"] == passed);
    const auto before = expected.accepted.find(index);
    if (before != expected.accepted.end()) {
      // Invariant 5: the same evidence is answered again, other evidence is refused.
      RC_ASSERT(passed == (before->second == evidence));
      if (passed) RC_ASSERT((*result.structured)["repeated"] == true);
    } else {
      // Invariant 2: only the open phase, only with what its gate requires.
      RC_ASSERT(passed == (index == expected.reached && good));
      if (passed) {
        expected.accepted[index] = evidence;
        ++expected.reached;
      }
    }
    check_no_leak(result, std::min(expected.reached, phases().size() - 1));
    const Json state =
        *client.call("get_workflow_state", {{"session_id", expected.session}}).structured;
    RC_ASSERT(state["progress"]["completed"].size() == expected.reached);
    RC_ASSERT((state["status"] == "completed") == (expected.reached == phases().size()));
  }

  test::TempFolder folder_;
  phases::LoadedWorkflow loaded_;
  test::MemoryWorkflows workflows_;
  base::ManualClock clock_;
  base::SeededIdSource ids_{99};
  std::vector<std::unique_ptr<test::House>> clients_;
  std::vector<Expected> sessions_;
  std::vector<std::string> digests_;  ///< seen so far, of any content of any session
};

TEST_CASE(
    "004-01, 004-48, 004-52: invariants 1, 2 and 5 hold for any calls, in any order, from any "
    "client") {
  CHECK(rc::check("no leak, no skip, once", [] {
    World world;
    const auto steps = *rc::gen::inRange(1, 60);
    for (int i = 0; i < steps; ++i) world.step();
  }));
}

}  // namespace
}  // namespace phasegate
