#include "world/project_world.h"

#include <exception>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/check_json.h"
#include "world/checks/environment.h"
#include "world/checks/inputs.h"
#include "world/checks/observations.h"
#include "world/database/backups.h"

namespace phasegate::world {

using checks::Ask;
using gating::CheckResult;
using gating::engine::CheckScene;
using phases::CheckKind;

ProjectWorld::ProjectWorld(std::filesystem::path root, std::filesystem::path scratch)
    : place_{std::move(root), checks::filtered_environment(), std::move(scratch)} {}

checks::Place ProjectWorld::place_for(const CheckScene& scene) const {
  if (scene.environment.empty()) return place_;
  return {place_.root, checks::with_the_moment(scene.environment, place_.environment),
          place_.scratch};
}

std::vector<std::string> ProjectWorld::environment() {
  return checks::lasting(place_.environment);
}

CheckResult ProjectWorld::run(const phases::Check& check, const CheckScene& scene) {
  const auto parameters = phases::parameters_of(check);
  if (!parameters) return gating::errored(check, parameters.error().message);
  const checks::Place place = place_for(scene);
  const Ask ask{check, *parameters, scene, place};
  switch (check.kind) {
    case CheckKind::file:
      return checks::check_file(ask);
    case CheckKind::command:
      return checks::check_command(ask);
    case CheckKind::tests:
      return checks::check_tests(ask);
    case CheckKind::json:
      return checks::check_json(ask);
    case CheckKind::sqlite:
      return checks::check_sqlite(ask);
    case CheckKind::git:
      return checks::check_git(ask);
    case CheckKind::count:
      return checks::check_count(ask);
    case CheckKind::http:
      return checks::check_http(ask);
    case CheckKind::junit:
      return checks::check_junit(ask);
    case CheckKind::coverage:
      return checks::check_coverage(ask);
    case CheckKind::guard:
      return checks::check_guard(ask);
    case CheckKind::expr:
      break;
  }
  return gating::errored(check, "the engine evaluates expressions itself");
}

std::string ProjectWorld::observe_start(const phases::Workflow& workflow) {
  return checks::observe_start(workflow, place_);
}

std::string ProjectWorld::observe_entry(const phases::Phase& phase, const base::Json& scope) {
  return checks::observe_entry(phase, scope, place_);
}

std::vector<gating::FileDigest> ProjectWorld::digests(const std::vector<std::string>& paths) {
  return checks::file_digests(paths, place_);
}

std::string ProjectWorld::inputs_digest(const phases::Check& check, const CheckScene& scene) {
  const auto parameters = phases::parameters_of(check);
  return parameters ? checks::inputs_digest({check, *parameters, scene, place_for(scene)}) : "";
}

base::Result<bool> ProjectWorld::back_up(const phases::Workflow& workflow,
                                         const std::string& run_id) {
  try {
    const base::SystemClock clock;
    for (const phases::ProtectedDatabase& one : workflow.protect) {
      auto copied = database::back_up(place_.root, one, run_id, clock);
      if (copied) continue;
      base::Error error = std::move(copied).error();
      error.message = "the database " + base::in_quotes(one.path) +
                      ", which is copied before a run begins, was not: " + error.message;
      error.code = "backup_failed";
      return error;
    }
    return true;
  } catch (const std::exception& problem) {
    return base::Error{"backup_failed",
                       std::string("the databases could not be copied: ") + problem.what(), "", ""};
  }
}

}  // namespace phasegate::world
