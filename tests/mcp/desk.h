#pragma once
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "base/json.h"
#include "tests/support/house.h"

namespace phasegate::test {

/// The tools over workflows in memory and a store in a folder of its own.
struct Desk {
  TempFolder folder;
  MemoryWorkflows workflows;
  base::ManualClock clock;
  base::SeededIdSource ids{11};
  House house{folder.path() / "state", workflows, clock, ids};

  explicit Desk(phases::LoadedWorkflow loaded) { workflows.put(std::move(loaded)); }

  base::Json ok(const std::string& tool, const base::Json& arguments) {
    const auto result = house.call(tool, arguments);
    REQUIRE_MESSAGE(!result.is_error, result.text);
    return *result.structured;
  }
  base::Json refused(const std::string& tool, const base::Json& arguments) {
    const auto result = house.call(tool, arguments);
    REQUIRE_MESSAGE(result.is_error, result.text);
    return *result.structured;
  }
  std::string start(const std::string& workflow) {
    return ok("start_workflow", {{"workflow_type", workflow}})["session_id"];
  }
};

}  // namespace phasegate::test
