#include <algorithm>

#include "app/cli/assistant_tools.h"
#include "app/cli/commands.h"
#include "app/cli/layout.h"
#include "app/cli/text.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/engine/ports.h"
#include "phases/builtin.h"

namespace phasegate::app::cli {
namespace {

/// More would not help anybody to choose.
constexpr std::size_t kSessionsOffered = 50;
constexpr std::size_t kWordsBytes = 60;

/// Only what any shell takes for a name and nothing else: ids of workflows are names of files,
/// which anybody may have made.
bool is_plain(std::string_view name) {
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

std::string entry(const std::string& name, const std::string& about) {
  if (!is_plain(name)) return "";
  return name + "\t" + shown_short(about, kWordsBytes) + "\n";
}

std::string sessions(gating::engine::Engine& engine, std::string_view what, const Page& page) {
  gating::engine::RunQuery query;
  if (what != "sessions") query.which = gating::engine::RunQuery::Which::open;
  query.limit = kSessionsOffered;
  const auto found = engine.list(query);
  std::string text;
  if (!found) return text;
  for (const auto& run : found->runs) {
    if (what == "waiting-sessions" && run.status != gating::RunStatus::waiting) continue;
    std::string about = run.workflow + ", " + std::string(gating::to_text(run.status)) + ", " +
                        ago(run.updated_at, page.now);
    if (!run.target.empty()) about += ", " + run.target;
    // Whole ids: what is completed must not turn ambiguous.
    text += entry(run.id, about);
  }
  return text;
}

std::string workflows(gating::engine::Engine& engine) {
  std::string text;
  for (const auto& found : engine.workflows()) {
    text += entry(found.id, found.loaded->workflow.title);
  }
  return text;
}

std::string tools(Program& program) {
  std::string text;
  const auto provider = assistant_tools(program);
  const auto listed = provider->tools();
  for (const auto& tool : *listed) {
    text += entry(tool.name, tool.description.substr(0, tool.description.find('\n')));
  }
  return text;
}

}  // namespace

Outcome complete(const Invocation& invocation, const Settings& settings, const Page& page) {
  // Nobody can be told anything while a command is being typed.
  try {
    const std::string& what = invocation.argument;
    if (what == "built-in") {
      std::string text;
      for (const phases::BuiltinWorkflow& one : phases::builtin_workflows()) {
        text += entry(std::string(one.id), "");
      }
      return {ExitCode::ok, text, ""};
    }
    Program program(settings);
    if (what == "tools") return {ExitCode::ok, tools(program), ""};
    if (what == "workflows") return {ExitCode::ok, workflows(program.engine()), ""};
    return {ExitCode::ok, sessions(program.engine(), what, page), ""};
  } catch (const gating::engine::StoreFailure&) {
    return {};
  }
}

}  // namespace phasegate::app::cli
