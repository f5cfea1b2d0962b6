#include "app/cli/layout.h"
#include "app/cli/render.h"
#include "app/cli/short_ids.h"
#include "app/cli/text.h"
#include "base/json.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::RunStatus;
using gating::engine::RunSummary;

constexpr std::size_t kCellBytesShown = 200;

std::string state_of(const RunSummary& run, const Page& page) {
  const std::string text(gating::to_text(run.status));
  switch (run.status) {
    case RunStatus::active:
      return page.in(Tone::strong, text);
    case RunStatus::waiting:
      return page.in(Tone::caution, text);
    case RunStatus::completed:
      return run.partial ? page.in(Tone::caution, "partial") : page.in(Tone::good, text);
    case RunStatus::rejected:
    case RunStatus::failed:
      return page.in(Tone::bad, text);
    case RunStatus::cancelled:
      return page.in(Tone::faint, text);
  }
  return text;
}

}  // namespace

std::string sessions_text(const std::vector<RunSummary>& runs, bool more, bool filtered,
                          std::string_view options, const Page& page) {
  if (runs.empty()) {
    if (!filtered) return "No sessions.\n";
    return "No such sessions.\n" +
           wrapped("All of them: phasegate sessions --all" + shown(options), page.width, 0, 2);
  }
  std::vector<std::string> ids;
  ids.reserve(runs.size());
  for (const RunSummary& run : runs) ids.push_back(run.id);
  ids = short_ids(ids);
  // What says least about a session goes first where there is no room for all.
  const std::vector<Column> columns = {
      {"SESSION", 0, 0},   {"STATE", 7, 0},   {"PHASE", 5, 6},  {"DONE", 2, 0},
      {"WORKFLOW", 6, 12}, {"TARGET", 3, 10}, {"BRANCH", 1, 8}, {"CHANGED", 4, 0},
  };
  std::vector<std::vector<std::string>> rows;
  rows.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunSummary& run = runs[i];
    rows.push_back({ids[i], state_of(run, page), shown_short(run.current_phase, kCellBytesShown),
                    std::to_string(run.phases_completed),
                    shown_short(run.workflow, kCellBytesShown),
                    shown_short(run.target, kCellBytesShown),
                    shown_short(run.branch, kCellBytesShown), ago(run.updated_at, page.now)});
  }
  std::string text = table(columns, rows, page.width);
  if (more) {
    text += wrapped("There are more: phasegate sessions --all" + shown(options), page.width, 0, 2);
  }
  return text;
}

Json sessions_json(const std::vector<RunSummary>& runs, bool more) {
  Json json = Json::object();
  json["sessions"] = Json::array();
  for (const RunSummary& run : runs) {
    Json row = Json::object();
    row["session_id"] = run.id;
    row["workflow"] = run.workflow;
    row["status"] = gating::to_text(run.status);
    row["partial"] = run.partial;
    row["current_phase"] = run.current_phase;
    row["phases_completed"] = run.phases_completed;
    row["target_file"] = run.target;
    row["branch"] = run.branch;
    row["created_at"] = base::to_rfc3339(run.created_at);
    row["updated_at"] = base::to_rfc3339(run.updated_at);
    json["sessions"].push_back(std::move(row));
  }
  json["more"] = more;
  return json;
}

}  // namespace phasegate::app::cli
