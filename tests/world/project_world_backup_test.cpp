#include <doctest/doctest.h>

#include "phases/workflow.h"
#include "tests/world/database/support.h"
#include "world/project_world.h"

using namespace phasegate;
using test::Databases;
using test::has_text;

TEST_CASE(
    "project world: all databases that a workflow protects are copied, or the run is refused") {
  Databases project;
  project.make("data/project.db");
  project.make("other.db");
  world::ProjectWorld world(project.root(), project.root() / "scratch");
  phases::Workflow workflow;
  CHECK(world.back_up(workflow, "run-1").ok());
  workflow.protect = {{"data/project.db", 2, {}}, {"other.db", 2, {}}, {"later/new.db", 2, {}}};
  for (int i = 0; i < 3; ++i) {
    const auto done = world.back_up(workflow, "run-1");
    CHECK_MESSAGE(done.ok(), (done.ok() ? "" : base::to_text(done.error())));
  }
  CHECK(project.names("data/backups").size() == 3);
  CHECK(project.names("backups").size() == 3);
  project.folder.write("other.db", std::string(4000, 'x'));
  const auto refused = world.back_up(workflow, "run-2");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "backup_failed");
  CHECK(has_text(refused.error().message, "\"other.db\""));
}
