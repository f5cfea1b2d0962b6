#include "app/settings.h"

#include <filesystem>

#include <doctest/doctest.h>

#include "base/text.h"
#include "tests/support/files.h"

namespace app = phasegate::app;
namespace cli = phasegate::app::cli;
namespace fs = std::filesystem;
using phasegate::test::TempFolder;

namespace {

app::Environment environment_in(const fs::path& folder, const fs::path& home) {
  app::Environment environment;
  environment.working_folder = folder;
  environment.home = home;
  return environment;
}

std::vector<std::string> names_of(const std::vector<phasegate::phases::Place>& places) {
  std::vector<std::string> names;
  for (const auto& place : places) names.push_back(place.name);
  return names;
}

}  // namespace

TEST_CASE("settings: the root is --root, then CLAUDE_PROJECT_DIR, then the working directory") {
  const TempFolder folder;
  fs::create_directories(folder.path() / "option");
  fs::create_directories(folder.path() / "claude");
  const fs::path root = fs::canonical(folder.path());
  app::Environment environment = environment_in(root, root / "home");
  cli::Invocation invocation;

  auto settings = app::resolve(invocation, environment);
  REQUIRE(settings.ok());
  CHECK(settings->root == root);
  CHECK(settings->root_from == "the working directory");
  CHECK(settings->options_here == "");
  CHECK(settings->options_anywhere == " --root " + root.string());

  environment.claude_project_dir = (root / "claude").string();
  settings = app::resolve(invocation, environment);
  REQUIRE(settings.ok());
  CHECK(settings->root == root / "claude");
  CHECK(settings->root_from == "CLAUDE_PROJECT_DIR");
  CHECK(settings->options_here == " --root " + (root / "claude").string());

  invocation.root = "option";  // relative to the working directory
  settings = app::resolve(invocation, environment);
  REQUIRE(settings.ok());
  CHECK(settings->root == root / "option");
  CHECK(settings->root_from == "--root");
}

TEST_CASE(
    "settings: a state folder of the default place keeps its approvers by whatever name (§6)") {
  const TempFolder folder;
  const fs::path root = fs::canonical(folder.path());
  const fs::path home = root / "home";
  const fs::path all = home / ".local" / "state" / "phasegate";
  const app::Environment environment = environment_in(root, home);
  const auto book_of = [&](const char* state) {
    cli::Invocation invocation;
    if (*state != '\0') invocation.state = state;
    const auto settings = app::resolve(invocation, environment);
    REQUIRE(settings.ok());
    return settings->approvers_folder;
  };
  const fs::path own = app::resolve({}, environment)->state_folder;
  CHECK(book_of("") == all);
  CHECK(book_of("elsewhere") == root / "elsewhere");
  // None of it exists yet; then all of it does.
  for (int round = 0; round < 2; ++round) {
    CHECK(book_of(own.c_str()) == all);
    CHECK(book_of("home/.local/state/phasegate") == all);
    CHECK(book_of("home/.local/state/phasegate/other/") == all);
    CHECK(book_of("home/x/../.local/state/phasegate/other") == all);
    fs::create_directories(own);
  }
  fs::create_directory_symlink(own, root / "link");
  CHECK(book_of("link") == all);
  // One project's state was moved to another disk.
  fs::remove(own);
  fs::create_directories(root / "disk");
  fs::create_directory_symlink(root / "disk", own);
  CHECK(book_of("") == all);
  CHECK(book_of("disk") == all);
  CHECK(book_of(own.c_str()) == all);
}

TEST_CASE("settings: a root that is no folder is refused, and it is said where it came from") {
  const TempFolder folder;
  folder.write("file", "");
  app::Environment environment = environment_in(folder.path(), folder.path());
  cli::Invocation invocation;
  for (const char* root : {"missing", "file", "file/below"}) {
    CAPTURE(root);
    invocation.root = root;
    const auto settings = app::resolve(invocation, environment);
    REQUIRE_FALSE(settings.ok());
    CHECK(settings.error().code == "usage");
    CHECK(settings.error().hint.find("--root") != std::string::npos);
  }
  invocation.root.reset();
  environment.claude_project_dir = "missing";
  const auto settings = app::resolve(invocation, environment);
  REQUIRE_FALSE(settings.ok());
  CHECK(settings.error().hint.find("CLAUDE_PROJECT_DIR") != std::string::npos);
}

TEST_CASE("settings: state lies where --state says, then PHASEGATE_STATE, then below the home") {
  const TempFolder folder;
  const fs::path root = fs::canonical(folder.path());
  app::Environment environment = environment_in(root, root / "home");
  cli::Invocation invocation;

  auto settings = app::resolve(invocation, environment);
  REQUIRE(settings.ok());
  CHECK(settings->state_from == "the default place");
  CHECK(settings->state_folder.string().starts_with((root / "home").string()));
  CHECK_FALSE(fs::exists(root / "home"));  // nothing is made by looking

  environment.phasegate_state = "from environment";
  settings = app::resolve(invocation, environment);
  REQUIRE(settings.ok());
  CHECK(settings->state_from == "PHASEGATE_STATE");
  CHECK(settings->state_folder == root / "from environment");
  CHECK(settings->options_here == " --state '" + (root / "from environment").string() + "'");

  invocation.state = "sub/../here";
  settings = app::resolve(invocation, environment);
  REQUIRE(settings.ok());
  CHECK(settings->state_from == "--state");
  CHECK(settings->state_folder == root / "here");

  environment.phasegate_state.clear();
  environment.home.clear();
  CHECK(app::resolve(invocation, environment).ok());
  invocation.state.reset();
  settings = app::resolve(invocation, environment);
  REQUIRE_FALSE(settings.ok());
  CHECK(settings.error().code == "no_home");
}

TEST_CASE("settings: a client gets every option that leads to the same place") {
  const TempFolder folder;
  const fs::path root = fs::canonical(folder.path());
  cli::Invocation invocation;
  invocation.workflows = {"flows"};
  invocation.state = "s";
  invocation.gates = phasegate::gating::GatePolicy::as_written;
  const auto settings = app::resolve(invocation, environment_in(root, root));
  REQUIRE(settings.ok());
  CHECK(settings->client_arguments ==
        std::vector<std::string>{"mcp", "--root", root.string(), "--state", (root / "s").string(),
                                 "--workflows", (root / "flows").string(), "--gates",
                                 "as-written"});
}

TEST_CASE("workflow places: nearest first, each once, named without foreign absolute paths") {
  const fs::path root = "/p/project";
  const fs::path home = "/h/me";
  const auto places = app::workflow_places(
      {"mine", "/h/me/flows/", "/other/place/flows", ".phasegate/workflows"}, root, root, home);
  CHECK(phasegate::base::joined(names_of(places), " ") ==
        "mine ~/flows .../flows .phasegate/workflows .praxis-os/workflows .agent-os/workflows "
        "~/.config/phasegate/workflows built-in");
  CHECK(places[0].folder == "/p/project/mine");
  CHECK(places[2].folder == "/other/place/flows");
  CHECK(places[6].folder == "/h/me/.config/phasegate/workflows");
  CHECK(places.back().built_in);

  CHECK(names_of(app::workflow_places({}, root, root, {})).size() == 4);
}

TEST_CASE("workflow places: a linked folder keeps the name under which people know it") {
  const TempFolder folder;
  const fs::path root = fs::canonical(folder.path()) / "project";
  fs::create_directories(root / ".phasegate");
  fs::create_directories(fs::canonical(folder.path()) / "elsewhere");
  fs::create_directory_symlink(fs::canonical(folder.path()) / "elsewhere",
                               root / ".phasegate" / "workflows");
  const auto places = app::workflow_places({}, root, root, "/h/me");
  CHECK(places[0].name == ".phasegate/workflows");
  CHECK(places[0].folder == fs::canonical(folder.path()) / "elsewhere");
}
