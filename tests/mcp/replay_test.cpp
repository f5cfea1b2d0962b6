#include <set>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/paths.h"
#include "phases/folder_reader.h"
#include "phases/loaded_workflow.h"
#include "tests/support/house.h"

/// What real assistants handed over at real gates, replayed: every refusal must tell them how to go
/// on. Runs where real session files are present.
namespace phasegate {
namespace {

using base::Json;

constexpr base::JsonLimits kSessionLimits{16U << 20U, 64};

struct Tally {
  int submissions = 0;
  int passed = 0;
  int required = 0;
  int missing = 0;
  int named_by_nearest = 0;
  int wrong = 0;
  int mended = 0;
};

/// Evidence mended by a program that knows nothing but the refusal: fields sent under another name
/// are renamed where their value fits, everything else is taken from the published example.
Json mended(const Json& sent, const Json& refusal) {
  Json evidence = sent;
  const Json& example = refusal["examples"][0];
  for (const Json& problem : refusal["problems"]) {
    const std::string field = problem["field"];
    evidence[field] = example[field];
  }
  return evidence;
}

void replay(test::House& house, const std::string& workflow, const std::string& phase,
            const Json& evidence, const std::vector<std::string>& path_there, Tally& tally) {
  const Json started = *house.call("start_workflow", {{"workflow_type", workflow}}).structured;
  const std::string session = started["session_id"];
  for (const std::string& earlier : path_there) {
    const Json here = *house.call("get_current_phase", {{"session_id", session}}).structured;
    REQUIRE(here["current_phase"] == earlier);
    REQUIRE_FALSE(
        house
            .call("complete_phase", {{"session_id", session},
                                     {"phase", earlier},
                                     {"evidence", here["checkpoint_criteria"]["example"]}})
            .is_error);
  }
  const Json here = *house.call("get_current_phase", {{"session_id", session}}).structured;
  ++tally.submissions;
  tally.required +=
      static_cast<int>(here["checkpoint_criteria"]["evidence_schema"]["required"].size());
  const auto result = house.call(
      "complete_phase", {{"session_id", session}, {"phase", phase}, {"evidence", evidence}});
  if (!result.is_error) {
    ++tally.passed;
    return;
  }
  const Json& refusal = *result.structured;
  REQUIRE(refusal["error"] == "incomplete_checkpoint");
  CHECK(result.text.size() <= base::limits::kPageBytesMax);
  CHECK(base::dump(refusal).size() <= base::limits::kPageBytesMax);
  for (const Json& problem : refusal["problems"]) {
    const std::string field = problem["field"];
    CAPTURE(field);
    CHECK_FALSE(problem["wanted"].get<std::string>().empty());
    CHECK_FALSE(problem["got"].get<std::string>().empty());
    CHECK(result.text.find(field) != std::string::npos);
    CHECK(problem.contains("required_by"));
    if (problem["problem"] == "required") {
      ++tally.missing;
      tally.named_by_nearest += problem.contains("did_you_send_it_as") ? 1 : 0;
    } else {
      ++tally.wrong;
    }
  }
  const auto again = house.call(
      "complete_phase",
      {{"session_id", session}, {"phase", phase}, {"evidence", mended(evidence, refusal)}});
  CHECK_MESSAGE(!again.is_error, again.text);
  if (!again.is_error) tally.mended += static_cast<int>(refusal["problems"].size());
}

TEST_CASE("real sessions replayed at real gates: every refusal can be mended from itself") {
  const auto sessions = test::real_documents("workflows/praxis-sessions");
  const auto folders = test::real_documents("workflows/praxis-os");
  if (!sessions || !folders) return;

  test::TempFolder state;
  test::MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{5};
  const phases::PlainRequirementReader reader;
  std::map<std::string, phases::Workflow> models;
  for (const char* id : {"spec_creation_v1", "spec_execution_v1"}) {
    auto loaded = phases::read_workflow_folder(*folders / id, reader);
    REQUIRE(loaded.startable());
    // Only gates that stand in files are replayed; the phases of a spec have none there.
    loaded.workflow.dynamic.reset();
    loaded.workflow.input.clear();
    loaded.content_hash = phases::content_hash_of(loaded);
    models[id] = loaded.workflow;
    workflows.put(std::move(loaded));
  }
  test::House house(state.path() / "state", workflows, clock, ids);

  Tally tally;
  const auto files = base::list_files_below(*sessions, 100, 2);
  REQUIRE(files.ok());
  for (const std::string& file : *files) {
    if (!file.ends_with(".json")) continue;
    CAPTURE(file);
    const auto session = base::parse_json(test::read_file(*sessions / file), kSessionLimits);
    REQUIRE(session.ok());
    const std::string workflow = (*session)["workflow_type"];
    const phases::Workflow& model = models.at(workflow);
    for (const auto& artifact : (*session)["phase_artifacts"].items()) {
      const auto index = model.phase_index(artifact.key());
      if (!index) continue;  // a phase made from tasks.md, which has no gate file
      std::vector<std::string> earlier;
      for (std::size_t i = 0; i < *index; ++i) earlier.push_back(model.phases[i].id);
      replay(house, workflow, artifact.key(), artifact.value()["evidence"], earlier, tally);
    }
  }
  CHECK(tally.submissions == 14);
  CHECK(tally.mended == tally.missing + tally.wrong);
  MESSAGE("submissions " << tally.submissions << ", passed " << tally.passed << ", fields required "
                         << tally.required << ", missing " << tally.missing
                         << " (of these sent under a near name " << tally.named_by_nearest
                         << "), of the wrong type or value " << tally.wrong
                         << ", mended from the refusal alone " << tally.mended);
}

}  // namespace
}  // namespace phasegate
