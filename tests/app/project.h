#pragma once
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "tests/support/files.h"
#include "tests/support/program.h"

namespace phasegate::test {

using base::Json;
namespace fs = std::filesystem;

/// A project with one sound and one broken workflow, and a place for its state.
class Project {
 public:
  explicit Project(const char* name = "project") : name_(name) {
    fs::create_directories(root() / ".phasegate");
    fs::copy(fixture("app_flows"), root() / ".phasegate" / "workflows",
             fs::copy_options::recursive);
  }

  [[nodiscard]] fs::path root() const { return folder_.path() / name_; }
  [[nodiscard]] fs::path state() const { return folder_.path() / "state"; }
  [[nodiscard]] fs::path state_file() const { return state() / "state.db"; }

  /// Takes the broken workflow away.
  void be_sound() const { fs::remove_all(root() / ".phasegate" / "workflows" / "broken"); }

  /// Makes it a git repository with this branch checked out.
  void be_on_branch(const std::string& branch) const {
    write_file(root() / ".git" / "HEAD", "ref: refs/heads/" + branch + "\n");
    fs::create_directories(root() / ".git" / "objects");
    fs::create_directories(root() / ".git" / "refs" / "heads");
  }

  [[nodiscard]] ToRun to_run(std::vector<std::string> arguments) const {
    ToRun to_run;
    to_run.arguments = std::move(arguments);
    to_run.folder = root();
    to_run.variables["PHASEGATE_STATE"] = state().string();
    return to_run;
  }

  [[nodiscard]] Ended run(std::vector<std::string> arguments) const {
    return run_program(phasegate_binary(), to_run(std::move(arguments)));
  }

  [[nodiscard]] Json run_json(std::vector<std::string> arguments, int code = 0) const {
    const Ended ended = run(std::move(arguments));
    CAPTURE(ended.out);
    CAPTURE(ended.err);
    CHECK(ended.code == code);
    return parsed(ended.out);
  }

  /// Calls tools over stdio, one after another; the structured results.
  [[nodiscard]] std::vector<Json> call(
      const std::vector<std::pair<std::string, Json>>& calls) const {
    ToRun serve = to_run({});
    serve.input =
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
        R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})"
        "\n";
    int id = 0;
    for (const auto& [tool, arguments] : calls) {
      Json request = Json::object();
      request["jsonrpc"] = "2.0";
      request["id"] = ++id;
      request["method"] = "tools/call";
      request["params"] = Json::object();
      request["params"]["name"] = tool;
      request["params"]["arguments"] = arguments;
      serve.input += base::dump(request) + "\n";
    }
    const Ended ended = run_program(phasegate_binary(), serve);
    CHECK_MESSAGE(ended.code == 0, ended.err);
    std::vector<Json> results;
    std::istringstream lines(ended.out);
    for (std::string line; std::getline(lines, line);) results.push_back(parsed(line));
    REQUIRE(results.size() == calls.size() + 1);
    results.erase(results.begin());
    for (Json& result : results) {
      REQUIRE_MESSAGE(result.contains("result"), base::dump(result));
      result = result["result"]["structuredContent"];
    }
    return results;
  }

  [[nodiscard]] std::string start(const char* target = "") const {
    Json arguments = Json::object();
    arguments["workflow_type"] = "two_steps";
    if (*target != '\0') arguments["target_file"] = target;
    const auto results = call({{"start_workflow", arguments}});
    const auto id = base::string_member(results[0], "session_id");
    REQUIRE_MESSAGE(id.has_value(), base::dump(results[0]));
    return *id;
  }

  [[nodiscard]] static Json parsed(const std::string& text) {
    auto json = base::parse_json(text, {1U << 24U, 64});
    REQUIRE_MESSAGE(json.ok(), text);
    return std::move(json).value();
  }

 private:
  TempFolder folder_;
  std::string name_;
};

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A program of the system's; empty: it is not installed.
inline std::string find_program(const char* name) {
  for (const char* folder : {"/usr/bin/", "/bin/", "/usr/local/bin/"}) {
    std::error_code ignored;
    if (fs::exists(std::string(folder) + name, ignored)) return std::string(folder) + name;
  }
  return "";
}

/// The workflow of this id in what `workflows --json` or `validate --json` printed.
inline Json workflow_of(const Json& document, std::string_view id) {
  for (const Json& workflow : document["workflows"]) {
    if (workflow["id"] == id) return workflow;
  }
  return nullptr;
}

}  // namespace phasegate::test
