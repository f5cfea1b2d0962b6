#include "app/cli/commands.h"
#include "app/cli/render.h"
#include "base/json.h"
#include "base/limits.h"

namespace phasegate::app::cli {
namespace {

namespace engine = gating::engine;

/// How many sessions are shown when nobody asks for all.
constexpr std::size_t kNewestShown = 20;

}  // namespace

Outcome list_sessions(const Invocation& invocation, Program& program) {
  engine::RunQuery query;
  query.which = invocation.open ? engine::RunQuery::Which::open : engine::RunQuery::Which::all;
  const bool everything = invocation.open || invocation.all;
  query.limit = everything ? base::limits::kListItemsMax : kNewestShown;

  std::vector<engine::RunSummary> runs;
  do {
    auto page = program.engine().list(query);
    if (!page) return failed(ExitCode::not_ok, page.error());
    for (auto& run : page->runs) runs.push_back(std::move(run));
    query.cursor = page->next_cursor;
  } while (everything && !query.cursor.empty());

  const bool more = !query.cursor.empty();
  if (invocation.json) {
    return {ExitCode::ok, base::dump_pretty(sessions_json(runs, more)) + "\n", ""};
  }
  return {ExitCode::ok, sessions_text(runs, more, program.settings().options_here), ""};
}

}  // namespace phasegate::app::cli
