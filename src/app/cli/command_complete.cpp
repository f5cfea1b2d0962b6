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

std::string entry(const std::string& name, const std::string& about) {
  return shown(name) + "\t" + shown_short(about, kWordsBytes) + "\n";
}

std::string sessions(gating::engine::Engine& engine, bool only_open, const Page& page) {
  gating::engine::RunQuery query;
  if (only_open) query.which = gating::engine::RunQuery::Which::open;
  query.limit = kSessionsOffered;
  const auto found = engine.list(query);
  std::string text;
  if (!found) return text;
  for (const auto& run : found->runs) {
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
    if (what == "workflows") return {ExitCode::ok, workflows(program.engine()), ""};
    return {ExitCode::ok, sessions(program.engine(), what == "open-sessions", page), ""};
  } catch (const gating::engine::StoreFailure&) {
    return {};
  }
}

}  // namespace phasegate::app::cli
