#include "app/cli/commands.h"
#include "app/cli/render.h"
#include "base/json.h"
#include "base/limits.h"

namespace phasegate::app::cli {
namespace {

namespace engine = gating::engine;

/// How many sessions are shown when nobody says how many.
constexpr std::size_t kNewestShown = 20;
constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);

std::size_t limit_of(const Invocation& invocation) {
  if (invocation.limit) return *invocation.limit;
  return invocation.open || invocation.all ? kNoLimit : kNewestShown;
}

engine::RunQuery query_of(const Invocation& invocation) {
  engine::RunQuery query;
  if (invocation.open) query.which = engine::RunQuery::Which::open;
  if (invocation.ended) query.which = engine::RunQuery::Which::ended;
  query.workflow = invocation.workflow.value_or("");
  query.branch = invocation.branch;
  query.limit = base::limits::kListItemsMax;
  return query;
}

}  // namespace

Outcome list_sessions(const Invocation& invocation, Program& program, const Page& page) {
  const std::size_t limit = limit_of(invocation);
  engine::RunQuery query = query_of(invocation);
  std::vector<engine::RunSummary> runs;
  bool more = false;
  do {
    auto found = program.engine().list(query);
    if (!found) return failed(ExitCode::not_ok, found.error());
    for (auto& run : found->runs) {
      // One more than is shown is looked for, to know whether there is one.
      more = more || runs.size() == limit;
      if (!more) runs.push_back(std::move(run));
    }
    query.cursor = found->next_cursor;
  } while (!more && !query.cursor.empty());

  if (invocation.json) {
    return {ExitCode::ok, base::dump_pretty(sessions_json(runs, more)) + "\n", ""};
  }
  const bool filtered =
      invocation.open || invocation.ended || invocation.workflow || invocation.branch;
  return {ExitCode::ok, sessions_text(runs, more, filtered, program.settings().options_here, page),
          ""};
}

}  // namespace phasegate::app::cli
