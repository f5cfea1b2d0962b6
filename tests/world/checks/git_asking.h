#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "phases/check_json.h"
#include "tests/support/git_project.h"
#include "world/checks/kinds.h"
#include "world/checks/observations.h"

namespace phasegate::test {

/// A check on a project and what was observed when its run began.
class Asking {
 public:
  explicit Asking(const GitProject& project, std::filesystem::path root = {})
      : place_{root.empty() ? project.root() : std::move(root), project.environment(),
               project.scratch()} {}

  /// Begins a run of a workflow with these checks.
  void start(const std::vector<phases::Check>& checks) {
    phases::Workflow workflow;
    workflow.phases.emplace_back().gate.checks = checks;
    started_ = world::checks::observe_start(workflow, place_);
  }
  void start(const phases::Check& check) { start(std::vector{check}); }

  [[nodiscard]] gating::CheckResult run(gating::CheckResult (*kind)(const world::checks::Ask&),
                                        const phases::Check& check) const {
    const auto parameters = phases::parameters_of(check);
    const gating::engine::CheckScene scene{scope, started_, "", {}, "run", {}, {}, {}};
    return kind({check, *parameters, scene, place_});
  }

  [[nodiscard]] const std::string& started() const { return started_; }
  void forget() { started_.clear(); }
  [[nodiscard]] const world::checks::Place& place() const { return place_; }

  base::Json scope = base::Json::object();

 private:
  world::checks::Place place_;
  std::string started_;
};

[[nodiscard]] inline phases::Check check_of(phases::CheckKind kind, const base::Json& parameters) {
  phases::Check check;
  check.name = "it";
  check.kind = kind;
  check.parameters = base::dump(parameters);
  return check;
}

}  // namespace phasegate::test
