#include <string>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "phases/workflow_json.h"
#include "tests/support/house.h"

namespace phasegate::gating::engine {
namespace {

using base::Json;

phases::LoadedWorkflow with_inputs(bool closed) {
  auto loaded = test::workflow("w", {test::phase("a", {test::text("note"), test::text("log")}),
                                     test::phase("b", {test::text("x")})});
  loaded.workflow.input = {test::text("target_file"), test::optional(test::integer("count", 2))};
  loaded.workflow.input_closed = closed;
  loaded.workflow.phases[0].gate.requirements[1].artifact = false;
  loaded.content_hash = base::sha256_hex(base::dump(phases::to_json(loaded.workflow)));
  return loaded;
}

struct Bench {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{11};
  test::House house;

  explicit Bench(bool closed = false) : house(folder.path() / "state", made(closed), clock, ids) {}

  base::Result<StartReply> start(const Json& input, const std::string& target = "") {
    StartRequest request;
    request.workflow = "w";
    request.target = target;
    request.input = &input;
    request.principal = "ada";
    return house.engine().start(request);
  }

 private:
  test::MemoryWorkflows& made(bool closed) {
    workflows.put(with_inputs(closed));
    return workflows;
  }
};

TEST_CASE("start: the input is judged by what the workflow declares") {
  struct Case {
    const char* input;
    const char* target;
    bool closed;
    const char* refused;  ///< part of the message; empty: accepted
  };
  const Case cases[] = {
      {R"({"target_file":"a.cpp"})", "", false, ""},
      {R"({"target_file":"a.cpp","count":2})", "", true, ""},
      {R"({"target_file":"a.cpp","other":1})", "", false, ""},
      {"null", "a.cpp", false, ""},
      {R"({"count":3})", "a.cpp", false, ""},
      {"null", "", false, "target_file (required"},
      {"{}", "", false, "target_file (required"},
      {R"({"target_file":"a","count":1})", "", false, "at least 2"},
      {R"({"target_file":7})", "", false, "expected string, got integer"},
      {R"({"taget_file":"a"})", "", false, "did you send it as \"taget_file\""},
      {R"({"target_file":"a","other":1})", "", true, "\"other\" is no input"},
      {"[]", "", false, "wanted an object"},
      {R"("a text")", "", false, "target_file (required"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.input);
    Bench bench(c.closed);
    const auto started = bench.start(Json::parse(c.input), c.target);
    const std::string refused(c.refused);
    CHECK(started.ok() == refused.empty());
    if (started.ok()) continue;
    CHECK(started.error().code == "invalid_input");
    CHECK(started.error().message.find(refused) != std::string::npos);
    CHECK(started.error().hint.find("\"target_file\"") != std::string::npos);
  }
}

TEST_CASE("start: the target fills an input of that name, and unasked members are named") {
  Bench bench;
  const auto started = bench.start(Json{{"other", 1}}, "src/a.cpp");
  REQUIRE(started.ok());
  CHECK(Json::parse(started->phase.view.run.input) ==
        Json{{"other", 1}, {"target_file", "src/a.cpp"}});
  CHECK(started->extra_input == std::vector<std::string>{"other"});
}

TEST_CASE("start: a plain text is the member text") {
  test::TempFolder folder;
  test::MemoryWorkflows workflows;
  auto loaded = test::workflow("w", {test::phase("a", {test::text("note")})});
  loaded.workflow.input = {test::text("text")};
  workflows.put(loaded);
  base::ManualClock clock;
  base::SeededIdSource ids(3);
  test::House house(folder.path() / "state", workflows, clock, ids);
  const Json input = "make it blue";
  StartRequest request;
  request.workflow = "w";
  request.input = &input;
  const auto started = house.engine().start(request);
  REQUIRE(started.ok());
  CHECK(started->phase.view.run.input == R"({"text":"make it blue"})");
}

TEST_CASE("artifacts: a field marked artifact: false is kept, yet not handed on") {
  Bench bench;
  const auto started = bench.start(Json{{"target_file", "a"}});
  REQUIRE(started.ok());
  const std::string id = started->phase.view.run.id;
  const Json evidence{{"note", "short"}, {"log", "a long log"}};
  CompleteRequest request{id, "a", &evidence, std::nullopt, std::nullopt, "ada"};
  const auto completed = bench.house.engine().complete_phase(request);
  REQUIRE(completed.ok());
  REQUIRE(completed->phase.has_value());
  REQUIRE(completed->phase->artifacts.size() == 1);
  CHECK(completed->phase->artifacts[0].artifact.evidence == R"({"note":"short"})");
  const auto review = bench.house.engine().phase_content(id, "a");
  REQUIRE(review.ok());
  CHECK(std::get<PhaseView>(*review).artifacts[0].artifact.evidence == base::dump(evidence));
  CHECK(bench.house.engine().artifacts(id)->front().artifact.evidence == base::dump(evidence));
}

}  // namespace
}  // namespace phasegate::gating::engine
