#include <algorithm>
#include <map>
#include <set>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "app/cli/assistant_tools.h"
#include "app/composition.h"
#include "app/settings.h"
#include "base/json.h"
#include "mcp/protocol/local_call.h"
#include "tests/support/files.h"

/// Invariant 1 for searching, from the outside: a workflow's folder on disk in which every text has
/// two words of its own, copies of it wherever a project may have some, and any queries at any
/// moment. The first word is what is asked for; the second, beside it in the same text, is what
/// nobody may be told before.
namespace phasegate {
namespace {

using base::Json;
namespace fs = std::filesystem;

constexpr std::size_t kPhases = 3;
/// Where in a phase a text stands. `linked` is a shared file that the phase's text links to.
const std::vector<std::string> kPlaces = {"title", "heading",  "prose",  "code",
                                          "task",  "evidence", "linked", "aside"};

/// Neither is a part of any other, nor shares a stem with one.
std::string word(const char* kind, std::size_t phase, std::size_t place) {
  std::string made = kind;
  made += static_cast<char>('b' + phase);
  for (const std::size_t digit : {place / 4, place % 4}) made += static_cast<char>('o' + digit);
  return made + "quux";
}
std::string key(std::size_t phase, std::size_t place) {
  return word("key", phase, place);
}
std::string kept(std::size_t phase, std::size_t place) {
  return word("zec", phase, place);
}
std::string both(std::size_t phase, std::size_t place) {
  return key(phase, place) + " " + kept(phase, place);
}

std::string phase_text(std::size_t i) {
  const std::string n = std::to_string(i + 1);
  return "# Phase " + n + ": " + both(i, 0) + "\n\n## " + both(i, 1) + "\n\n" + both(i, 2) +
         "\n\n```sh\nrun " + both(i, 3) + "\n```\n\nSee [guide](../../core/guide-" + n + ".md).\n";
}

/// A project with the workflow, and every way in which its texts may lie among documents.
class Project {
 public:
  Project() {
    Json phases = Json::array();
    for (std::size_t i = 0; i < kPhases; ++i) {
      const std::string n = std::to_string(i + 1);
      const std::string folder = flow() + "/phases/" + n;
      write(folder + "/phase.md", phase_text(i));
      write(folder + "/task-1.md", "# Task 1\n\n" + both(i, 4) + "\n");
      write(folder + "/gate-definition.yaml", "evidence_schema:\n  done_" + n +
                                                  ":\n    type: boolean\n    required: true\n" +
                                                  "    description: \"" + both(i, 5) + "\"\n");
      write(flow() + "/core/guide-" + n + ".md", "# Guide\n\n" + both(i, 6) + "\n");
      write(folder + "/aside.md", "# Aside\n\n" + both(i, 7) + "\n");
      phases.push_back({{"phase_number", i + 1},
                        {"phase_name", both(i, 0)},
                        {"tasks", {{{"task_number", 1}, {"name", "one"}, {"file", "task-1.md"}}}}});
    }
    write(flow() + "/metadata.json", base::dump(Json{{"workflow_type", "secret"},
                                                     {"name", "Secret"},
                                                     {"version", "1"},
                                                     {"description", "d"},
                                                     {"total_phases", kPhases},
                                                     {"phases", phases}}));
    write(flow() + "/README.md", "# Readme\n\nkeyreadme zecreadme\n");
    copy_into_documents();
    write("standards/open.md", "# Open\n\nEverybody may read about widgets.\n");
    write(".phasegate/project.yaml", "search:\n  folders: [., docs, .phasegate/workflows]\n");
  }

  [[nodiscard]] fs::path root() const { return fs::canonical(folder_.path() / "project"); }
  [[nodiscard]] fs::path state() const { return folder_.path() / "state"; }

 private:
  static std::string flow() { return ".phasegate/workflows/secret"; }

  void write(const std::string& path, const std::string& text) {
    test::write_file(folder_.path() / "project" / path, text);
  }

  void copy_into_documents() {
    const fs::path project = folder_.path() / "project";
    fs::create_directories(project / "standards");
    fs::create_directories(project / "docs");
    for (std::size_t i = 0; i < kPhases; ++i) {
      const std::string n = std::to_string(i + 1);
      const fs::path phase = project / flow() / "phases" / n / "phase.md";
      fs::copy_file(phase, project / "standards" / ("copy-" + n + ".md"));
      fs::create_hard_link(phase, project / "standards" / ("hard-" + n + ".md"));
      fs::create_symlink(phase, project / "standards" / ("link-" + n + ".md"));
    }
    fs::create_directory_symlink(project / flow(), project / "standards" / "flow");
    fs::copy(project / flow(), project / "docs" / "moved", fs::copy_options::recursive);
    write("docs/feature/tasks.md", "# Tasks\n\nkeytasks zectasks\n");
  }

  test::TempFolder folder_;
};

app::Settings settings_of(const Project& project) {
  app::cli::Invocation invocation;
  invocation.state = project.state().string();
  app::Environment environment;
  environment.working_folder = project.root();
  auto settings = app::resolve(invocation, environment);
  REQUIRE(settings.ok());
  return *settings;
}

class Client {
 public:
  explicit Client(const app::Settings& settings)
      : program_(settings), tools_(app::cli::assistant_tools(program_)) {}

  mcp::protocol::ToolResult call(const std::string& tool, const Json& arguments) {
    mcp::protocol::LocalCall call("ada", "test");
    return std::get<mcp::protocol::ToolResult>(tools_->call_tool(tool, arguments, call.context()));
  }

  /// What the answer says, but for the question itself.
  std::string answered(const Json& arguments) {
    const auto result = call("search_standards", arguments);
    Json out = *result.structured;
    out.erase("query");
    return base::dump(out) + result.text;
  }

 private:
  app::Program program_;
  std::unique_ptr<mcp::protocol::Service> tools_;
};

/// A text is the session's once its phase is reached; `aside` is named by nothing, and evidence is
/// no document.
bool may_be_found(std::size_t phase, std::size_t place, std::optional<std::size_t> reached) {
  return reached && phase <= *reached && kPlaces[place] != "evidence";
}

void check_all(Client& client, const std::string& session, std::optional<std::size_t> reached) {
  for (std::size_t phase = 0; phase < kPhases; ++phase) {
    for (std::size_t place = 0; place < kPlaces.size(); ++place) {
      CAPTURE(phase);
      CAPTURE(kPlaces[place]);
      Json arguments{{"query", key(phase, place)}, {"n_results", 20}};
      if (!session.empty()) arguments["session_id"] = session;
      const std::string answer = client.answered(arguments);
      const bool told = answer.find(kept(phase, place)) != std::string::npos;
      if (!may_be_found(phase, place, reached)) CHECK_FALSE_MESSAGE(told, answer);
      // What was reached is found, but for a file in a phase's folder that nothing names.
      if (may_be_found(phase, place, reached) && kPlaces[place] != "aside") {
        CHECK_MESSAGE(told, answer);
      }
    }
  }
  for (const char* unlinked : {"readme", "tasks"}) {
    Json arguments{{"query", std::string("key") + unlinked}, {"n_results", 20}};
    if (!session.empty()) arguments["session_id"] = session;
    CHECK(client.answered(arguments).find(std::string("zec") + unlinked) == std::string::npos);
  }
}

std::string start(Client& client) {
  const auto started = client.call("start_workflow", {{"workflow_type", "secret"}});
  REQUIRE_MESSAGE(!started.is_error, started.text);
  return (*started.structured)["session_id"];
}

void complete(Client& client, const std::string& session, std::size_t phase) {
  const std::string n = std::to_string(phase + 1);
  const auto done =
      client.call("complete_phase",
                  {{"session_id", session}, {"phase", n}, {"evidence", {{"done_" + n, true}}}});
  REQUIRE_MESSAGE(!done.is_error, done.text);
}

TEST_CASE("invariant 1: a search finds of a workflow what the session has reached, nothing else") {
  const Project project;
  const app::Settings settings = settings_of(project);
  Client client(settings);
  Client other(settings);
  check_all(client, "", std::nullopt);
  CHECK(client.answered({{"query", "widgets"}}).find("Everybody may read") != std::string::npos);
  const std::string session = start(client);
  for (std::size_t phase = 0; phase < kPhases; ++phase) {
    check_all(client, session, phase);
    check_all(other, session, phase);
    check_all(other, "", std::nullopt);
    complete(client, session, phase);
  }
  check_all(client, session, kPhases - 1);
}

/// A query as somebody makes it who wants to know what is to come: words of texts, cut, misspelt,
/// quoted, many or few.
std::string random_query() {
  std::string query;
  const auto words = *rc::gen::inRange(1, 8);
  for (int i = 0; i < words; ++i) {
    const auto phase = *rc::gen::inRange<std::size_t>(0, kPhases);
    const auto place = *rc::gen::inRange<std::size_t>(0, kPlaces.size());
    std::string made = key(phase, place);
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
        made.erase(*rc::gen::inRange<std::size_t>(0, made.size()), 1);
        break;
      case 1:
        made = made.substr(0, *rc::gen::inRange<std::size_t>(1, made.size()));
        break;
      case 2:
        made = "\"" + made + "\"";
        break;
      case 3:
        made = *rc::gen::element<std::string>("phase", "task", "guide", "widgets", "the", "*");
        break;
      default:
        break;
    }
    query += made + " ";
  }
  return query;
}

TEST_CASE("invariant 1: no query, filter or page tells a word of what was not reached") {
  const Project project;
  const app::Settings settings = settings_of(project);
  Client client(settings);
  const std::string session = start(client);
  std::size_t reached = 0;
  const bool held = rc::check([&] {
    if (reached + 1 < kPhases && *rc::gen::inRange(0, 40) == 0)
      complete(client, session, reached++);
    const bool with_session = *rc::gen::arbitrary<bool>();
    Json arguments{{"query", random_query()}, {"n_results", *rc::gen::inRange(1, 21)}};
    if (with_session) arguments["session_id"] = session;
    if (with_session && *rc::gen::inRange(0, 4) == 0) arguments["workflow"] = "secret";
    if (*rc::gen::inRange(0, 4) == 0) {
      arguments["filter_phase"] = std::to_string(*rc::gen::inRange(0, 5));
    }
    if (*rc::gen::inRange(0, 6) == 0) {
      arguments["filter_tags"] = {*rc::gen::element<std::string>("docs", "core", "phases")};
    }
    if (*rc::gen::inRange(0, 6) == 0) arguments["max_tokens"] = 50;
    const std::string answer = client.answered(arguments);
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      for (std::size_t place = 0; place < kPlaces.size(); ++place) {
        const auto told = with_session ? std::optional(reached) : std::nullopt;
        if (may_be_found(phase, place, told)) continue;
        RC_ASSERT(answer.find(kept(phase, place)) == std::string::npos);
      }
    }
  });
  CHECK(held);
}

}  // namespace
}  // namespace phasegate
