#include <algorithm>
#include <charconv>

#include "base/json.h"
#include "base/json_write.h"
#include "base/limits.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/handlers.h"
#include "mcp/tools/run_block.h"
#include "mcp/tools/workflow_row.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::engine::RunQuery;

namespace {

constexpr std::size_t kSessionsByDefault = 10;
constexpr std::size_t kRowBytesMax = 8U << 10U;

base::Result<std::size_t> offset_of(const std::string& cursor, std::size_t total) {
  if (cursor.empty()) return std::size_t{0};
  std::size_t offset = 0;
  const auto [end, failed] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), offset);
  if (failed != std::errc() || end != cursor.data() + cursor.size() || offset > total) {
    return base::Error{"invalid_cursor", "this cursor comes from no earlier page",
                       "call again without cursor", "cursor"};
  }
  return offset;
}

}  // namespace

protocol::ToolResult list_workflows(const Hands& hands, const Arguments& arguments) {
  const auto all = hands.engine.workflows();
  const auto offset = offset_of(arguments.text("cursor"), all.size());
  if (!offset) return error_result(offset.error());
  Answer answer;
  Json rows = Json::array();
  std::size_t next = *offset;
  std::size_t used = 0;
  for (; next < all.size() && rows.size() < base::limits::kListItemsMax; ++next) {
    WorkflowRow row =
        workflow_row(all[next], hands.engine.can_start(all[next]), hands.context.command_options);
    used += std::max(base::dump_size(*row.json), row.text.size());
    if (used > kRowBytesMax && !rows.empty()) break;
    answer.line(row.text);
    rows.push_back(std::move(*row.json));
  }
  Json& out = answer.structured();
  out["count"] = all.size();
  out["workflows"] = std::move(rows);
  if (next < all.size()) {
    out["next_cursor"] = std::to_string(next);
    answer.line("… more: list_workflows with cursor=\"" + std::to_string(next) + "\"");
  }
  const std::string what_now =
      all.empty()
          ? "no workflows found: put one into .phasegate/workflows, or start the server with "
            "--workflows DIR"
          : "start_workflow(workflow_type, target_file, input)";
  out["next_call"] = what_now;
  answer.line((all.empty() ? "No workflow: " : "Next call: ") + what_now);
  return std::move(answer).finish();
}

protocol::ToolResult list_sessions(const Hands& hands, const Arguments& arguments) {
  RunQuery query;
  const std::string status = arguments.text("status");
  query.which = status == "all"     ? RunQuery::Which::all
                : status == "ended" ? RunQuery::Which::ended
                                    : RunQuery::Which::open;
  query.limit = static_cast<std::size_t>(
      arguments.integer("limit").value_or(static_cast<std::int64_t>(kSessionsByDefault)));
  query.cursor = arguments.text("cursor");
  const auto page = hands.engine.list(query);
  if (!page) return error_result(page.error());
  Answer answer;
  Json rows = Json::array();
  for (const auto& run : page->runs) {
    rows.push_back(summary_json(run));
    answer.line(summary_line(run));
  }
  Json& out = answer.structured();
  out["count"] = rows.size();
  out["sessions"] = std::move(rows);
  if (!page->next_cursor.empty()) {
    out["next_cursor"] = page->next_cursor;
    answer.line("… more: list_sessions with cursor=\"" + page->next_cursor + "\"");
  }
  const bool any_active = std::any_of(page->runs.begin(), page->runs.end(), [](const auto& run) {
    return run.status == gating::RunStatus::active;
  });
  const std::string what_now = any_active
                                   ? "get_current_phase(session_id) goes on with an open session"
                                   : "list_workflows, then start_workflow: no open session here";
  out["next_call"] = what_now;
  answer.line("Next call: " + what_now);
  return std::move(answer).finish();
}

}  // namespace phasegate::mcp::tools
