#pragma once
#include <doctest/doctest.h>

#include "app/cli/invocation.h"
#include "app/environment.h"
#include "app/settings.h"
#include "tests/app/project.h"

namespace phasegate::test {

/// What a command in the project's folder works with.
[[nodiscard]] inline app::Settings settings_of(const Project& project) {
  app::cli::Invocation invocation;
  invocation.state = project.state().string();
  app::Environment environment;
  environment.working_folder = project.root();
  auto settings = app::resolve(invocation, environment);
  REQUIRE(settings.ok());
  return *settings;
}

}  // namespace phasegate::test
