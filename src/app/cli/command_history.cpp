#include "app/cli/commands.h"
#include "app/cli/render.h"
#include "app/cli/session_lookup.h"
#include "base/json.h"

namespace phasegate::app::cli {
namespace {

constexpr std::size_t kRowsPerRead = 200;

}  // namespace

Outcome show_history(const Invocation& invocation, Program& program, const Page& page) {
  gating::engine::Engine& engine = program.engine();
  const std::string& options = program.settings().options_here;
  const auto id = find_session_or_newest(engine, invocation.argument, options);
  if (!id) {
    return failed(ExitCode::not_ok,
                  missing_session(program.settings(), invocation.argument, id.error()));
  }
  const auto view = engine.view(*id);
  if (!view)
    return failed(ExitCode::not_ok,
                  missing_session(program.settings(), *id, session_error(view.error(), options)));

  std::vector<gating::engine::JournalRow> rows;
  for (;;) {
    auto read = engine.journal(*id, rows.empty() ? 0 : rows.back().seq, kRowsPerRead);
    if (!read)
      return failed(ExitCode::not_ok,
                    missing_session(program.settings(), *id, session_error(read.error(), options)));
    if (read->empty()) break;
    for (auto& row : *read) rows.push_back(std::move(row));
  }
  if (invocation.json) {
    return {ExitCode::ok, base::dump_pretty(history_json(view->run, rows)) + "\n", ""};
  }
  HistoryOptions how{invocation.full, invocation.argument.empty()};
  if (auto approvers = program.approvers().list()) how.approvers = *std::move(approvers);
  return {ExitCode::ok, history_text(view->run, rows, how, page), ""};
}

}  // namespace phasegate::app::cli
