#include <doctest/doctest.h>

#include "base/json.h"
#include "tests/app/project.h"

using phasegate::base::Json;
using phasegate::test::contains;
using phasegate::test::Ended;
using phasegate::test::Project;
using phasegate::test::write_file;

namespace {

void write_standards(const Project& project) {
  write_file(project.root() / "standards" / "locks.md",
             "# Locks\n\n## Order\n\nTake mutexes in one order, by address.\n");
  write_file(project.root() / "usage" / "retry.md",
             "# Retries\n\nBack off exponentially, with jitter.\n");
}

Json search(const Project& project, const Json& arguments) {
  return project.call({{"search_standards", arguments}})[0];
}

}  // namespace

TEST_CASE("search: an assistant finds the passage of a standard over stdio") {
  const Project project;
  write_standards(project);
  const Json answer = search(project, {{"query", "in which order are mutexes taken?"}});
  REQUIRE(answer["results"].size() == 1);
  CHECK(answer["results"][0]["file"] == "standards/locks.md");
  CHECK(answer["results"][0]["section"] == "Locks / Order");
  CHECK(answer["query_time_ms"].get<double>() >= 0);
  CHECK_FALSE(phasegate::test::fs::exists(project.state_file()));
}

TEST_CASE("search: a session finds what it has reached, and nobody anything else of a workflow") {
  const Project project;
  write_standards(project);
  const std::string id = project.start();
  const Json plan_words = {{"query", "steps of the plan"}};
  const Json build_words = {{"query", "second phase build what the plan says"}};
  const auto found_in = [&](Json arguments, bool with_session) {
    if (with_session) arguments["session_id"] = id;
    std::string files;
    const Json answer = search(project, arguments);
    for (const Json& row : answer["results"]) {
      files += row.value("workflow", "") + ":" + row["file"].get<std::string>() + " ";
    }
    return files;
  };
  CHECK_FALSE(contains(found_in(plan_words, false), "two_steps:"));
  CHECK(contains(found_in(plan_words, true), "two_steps:phases/0/"));
  CHECK_FALSE(contains(found_in(build_words, true), "phases/1/"));
}

TEST_CASE("search: people search and see what is searched") {
  const Project project;
  project.be_sound();
  write_standards(project);
  write_file(project.root() / "standards" / "huge.md", std::string(5U << 20U, 'x'));
  write_file(project.root() / ".gitignore", "usage/drafts/\n");
  write_file(project.root() / "usage" / "drafts" / "idea.md", "# Idea\n\nJitter everything.\n");

  Ended ended = project.run({"index", "--status"});
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "nothing yet"));
  CHECK_FALSE(phasegate::test::fs::exists(project.state() / "search"));

  ended = project.run({"search", "jitter", "exponentially"});
  CHECK(ended.code == 0);
  CHECK(contains(ended.out, "usage/retry.md:1-3"));
  CHECK_FALSE(contains(ended.out, "idea.md"));

  const Json found = project.run_json({"search", "mutex", "--json", "--limit", "1"});
  REQUIRE(found["results"].size() == 1);
  CHECK(found["results"][0]["file"] == "standards/locks.md");
  CHECK(found["results"][0]["line_first"] == 1);

  const Json index = project.run_json({"index", "--json"});
  CHECK(index["files"] == 2);
  CHECK(index["left_out"].size() == 2);
  CHECK(project.run_json({"index", "--rebuild", "--json"})["added"] == 2);

  ended = project.run({"search", "zebra"});
  CHECK(ended.code == 1);
  CHECK(contains(ended.out, "Nothing found."));
  ended = project.run({"search", "???"});
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "phasegate: "));
  ended = project.run({"index", "--status", "--rebuild"});
  CHECK(ended.code == 2);
  CHECK(project.run({"search"}).code == 2);
}

TEST_CASE("search: the folders that the project names are searched, and nothing outside") {
  const Project project;
  write_file(project.root() / "handbook" / "style.md", "# Style\n\nPrefer zebra stripes.\n");
  write_file(project.root() / "handbook" / "old" / "style.md", "# Style\n\nZebra dots.\n");
  write_file(project.root() / ".phasegate" / "project.yaml",
             "search:\n  folders: [handbook]\n  exclude: [\"handbook/old/**\"]\n");
  Json found = project.run_json({"search", "zebra", "--json"});
  REQUIRE(found["results"].size() == 1);
  CHECK(found["results"][0]["file"] == "handbook/style.md");

  write_file(project.root() / ".phasegate" / "project.yaml",
             "search:\n  folders: [.phasegate/workflows]\n");
  const Ended refused = project.run({"search", "plan"});
  CHECK(refused.code == 1);
  CHECK_FALSE(contains(refused.out, "phases/"));

  write_file(project.root() / ".phasegate" / "project.yaml", "search:\n  folderz: [handbook]\n");
  const Ended broken = project.run({"search", "zebra"});
  CHECK(broken.code == 1);
  CHECK(contains(broken.err, "project.yaml"));
}

TEST_CASE("search: a project without documents says where they are looked for") {
  const Project project;
  const Ended ended = project.run({"search", "anything"});
  CHECK(ended.code == 1);
  CHECK(contains(ended.out, "standards/"));
  const Json answer = search(project, {{"query", "anything"}});
  CHECK(answer["results"].empty());
  CHECK(contains(answer["next_call"].get<std::string>(), "standards/"));
}

TEST_CASE("search: two roots and two sets of workflows on one state do not share an index") {
  const Project project;
  project.be_sound();
  write_standards(project);
  write_file(project.root() / "part" / "standards" / "own.md", "# Own\n\nGiraffes are tall.\n");
  const auto found = [&](std::vector<std::string> options, const std::string& word) {
    options.insert(options.begin(), {"search", word, "--json"});
    const Ended ended = project.run(std::move(options));
    return Project::parsed(ended.out)["results"].size();
  };
  const std::string part = (project.root() / "part").string();
  for (int i = 0; i < 2; ++i) {
    CHECK(found({}, "mutexes") == 1);
    CHECK(found({}, "giraffes") == 0);
    CHECK(found({"--root", part}, "giraffes") == 1);
    CHECK(found({"--root", part}, "mutexes") == 0);
  }
  // What one server may search belongs to another one's workflows.
  write_file(project.root() / ".phasegate" / "project.yaml", "search:\n  folders: [flows]\n");
  write_file(project.root() / "flows" / "tall.md",
             "# Tall\n\n## Phase 1: Look\n\nLook.\n\n## Phase 2: Rhododendron\n\nPlant it.\n");
  const std::string flows = (project.root() / "flows").string();
  CHECK(found({}, "rhododendron") == 1);
  const Json other =
      Project::parsed(project.run({"search", "rhododendrn", "--json", "--workflows", flows}).out);
  CHECK(other["results"].empty());
  CHECK(other["corrected"].empty());
}

TEST_CASE("search: a text that a session is pinned to is not found in another place either") {
  const Project project;
  project.be_sound();
  const auto phase = project.root() / ".phasegate/workflows/two_steps/phases/1/phase.md";
  write_file(phase, "# Phase 1: Canary\n\nWrite about rhododendrons.\n");
  static_cast<void>(project.start());
  phasegate::test::fs::create_directories(project.root() / "standards");
  phasegate::test::fs::copy_file(phase, project.root() / "standards" / "old.md");
  write_file(phase, "# Phase 1: Canary\n\nWrite about something else.\n");
  const Ended ended = project.run({"search", "rhododendrons"});
  CHECK(ended.code == 1);
  CHECK_FALSE(contains(ended.out, "old.md"));
}

TEST_CASE("search: a hostile project stays within the bounds of an answer") {
  const Project project;
  project.be_sound();
  std::string config = "search:\n  folders:\n";
  for (int i = 0; i < 60; ++i) config += "    - \"../" + std::string(200, 'x') + "\"\n";
  const std::string deep = std::string(200, 'd') + "/" + std::string(200, 'e') + "/";
  for (int i = 0; i < 20; ++i) {
    write_file(project.root() / "standards" / (deep + std::to_string(i)) / "same.md",
               "# " + std::string(3000, 't') + "\n\nzebra crossing\n");
  }
  const auto answer = search(project, {{"query", "zebra"}, {"n_results", 20}});
  CHECK(phasegate::base::dump(answer).size() <= 10U << 10U);
  write_file(project.root() / ".phasegate" / "project.yaml", config);
  const auto refused = search(project, {{"query", "zebra"}, {"n_results", 20}});
  CHECK(phasegate::base::dump(refused).size() <= 10U << 10U);
}
