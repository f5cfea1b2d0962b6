#include "state/run_list.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "base/hash.h"
#include "base/limits.h"
#include "base/log.h"

namespace phasegate::state {
using gating::RunStatus;
using gating::engine::RunPage;
using gating::engine::RunQuery;
using gating::engine::RunSummary;
namespace {

/// Where a page ended: the last row's time and id.
struct Position {
  std::int64_t updated_ms = std::numeric_limits<std::int64_t>::max();
  std::string run_id;
};

constexpr std::size_t kCheckChars = 16;

/// Ties a cursor to its query, so that one from another list is refused instead of leaving a gap.
std::string cursor_check(const RunQuery& query, const Position& at) {
  return base::Digest()
      .add("cursor 2")
      .add(std::to_string(static_cast<int>(query.which)))
      .add(query.workflow)
      .add(query.branch ? "of branch" : "")
      .add(query.branch.value_or(""))
      .add(query.id_prefix)
      .add(std::to_string(at.updated_ms))
      .add(at.run_id)
      .hex()
      .substr(0, kCheckChars);
}

/// `<milliseconds>.<check>.<run id>`
std::string write_cursor(const RunQuery& query, const Position& at) {
  return std::to_string(at.updated_ms) + "." + cursor_check(query, at) + "." + at.run_id;
}

base::Result<Position> read_cursor(const RunQuery& query) {
  Position at;
  if (query.cursor.empty()) return at;
  const base::Error invalid{"invalid_cursor", "the cursor does not belong to this list",
                            "leave the cursor out to begin with the first page", "cursor"};
  if (query.cursor.size() > base::limits::kCursorBytesMax) return invalid;
  const char* const end = query.cursor.data() + query.cursor.size();
  const auto [stopped, failed] = std::from_chars(query.cursor.data(), end, at.updated_ms);
  const auto rest = std::string_view(stopped, static_cast<std::size_t>(end - stopped));
  if (failed != std::errc() || rest.size() < kCheckChars + 2) return invalid;
  if (rest.front() != '.' || rest[kCheckChars + 1] != '.') return invalid;
  at.run_id = rest.substr(kCheckChars + 2);
  if (write_cursor(query, at) != query.cursor) return invalid;
  return at;
}

constexpr std::string_view kColumns =
    "SELECT id, workflow, status, partial, current_phase, target, branch, phases_completed,"
    " created_at, updated_at FROM run WHERE ";
constexpr std::string_view kAfterCursor = " AND (updated_at, id) < (?1, ?2)";

std::string select_rows(bool open, const RunQuery& query) {
  std::string sql(kColumns);
  sql += open ? "open = 1" : "open = 0";
  if (!query.workflow.empty()) sql += " AND workflow = ?4";
  if (query.branch) sql += " AND branch = ?5";
  return sql.append(kAfterCursor);
}

/// The few rows whose id begins so are found by it and sorted; the signs keep SQLite from walking
/// through another index instead.
std::string select_by_id(const RunQuery& query) {
  std::string sql(kColumns);
  sql += "id >= ?6 AND id < ?7";
  if (query.which != RunQuery::Which::all) {
    sql += query.which == RunQuery::Which::open ? " AND +open = 1" : " AND +open = 0";
  }
  if (!query.workflow.empty()) sql += " AND +workflow = ?4";
  if (query.branch) sql += " AND +branch = ?5";
  return sql.append(kAfterCursor);
}

/// Behind every id that begins with `prefix`: ids are made of hexadecimal digits and dashes.
std::string end_of(const std::string& prefix) {
  return prefix + '~';
}

RunSummary read_summary(const Statement& row) {
  RunSummary run;
  run.id = row.text(0);
  run.workflow = row.text(1);
  if (const auto status = gating::run_status_from(row.text(2))) {
    run.status = *status;
  } else {
    // One damaged row must not hide the others; loading the run says what is wrong with it.
    base::log_error("state.damaged_row", {{"session", run.id}, {"status", row.text(2)}});
    run.status = RunStatus::failed;
  }
  run.partial = row.integer(3) != 0;
  run.current_phase = row.text(4);
  run.target = row.text(5);
  run.branch = row.text(6);
  run.phases_completed = row.integer(7);
  run.created_at = {row.integer(8)};
  run.updated_at = {row.integer(9)};
  return run;
}

}  // namespace

std::string page_sql(const RunQuery& query) {
  // Both halves of `all` come sorted from their index and are merged, so that no list sorts.
  std::string sql;
  if (!query.id_prefix.empty()) {
    sql = select_by_id(query);
  } else {
    if (query.which != RunQuery::Which::ended) sql = select_rows(true, query);
    if (query.which == RunQuery::Which::all) sql += " UNION ALL ";
    if (query.which != RunQuery::Which::open) sql += select_rows(false, query);
  }
  return sql + " ORDER BY updated_at DESC, id DESC LIMIT ?3";
}

base::Result<void> check_cursor(const RunQuery& query) {
  const auto at = read_cursor(query);
  if (!at) return at.error();
  return {};
}

base::Result<RunPage> list_runs(Db& db, const RunQuery& query) {
  const auto at = read_cursor(query);
  if (!at) return at.error();
  const std::size_t limit = std::clamp<std::size_t>(query.limit, 1, base::limits::kListItemsMax);
  Statement rows = db.prepare(page_sql(query));
  rows.bind_all(at->updated_ms, at->run_id, static_cast<std::int64_t>(limit) + 1);
  if (!query.workflow.empty()) rows.bind(4, query.workflow);
  if (query.branch) rows.bind(5, *query.branch);
  if (!query.id_prefix.empty()) rows.bind(6, query.id_prefix).bind(7, end_of(query.id_prefix));
  RunPage page;
  while (page.runs.size() < limit && rows.step()) page.runs.push_back(read_summary(rows));
  if (page.runs.size() == limit && rows.step()) {
    page.next_cursor = write_cursor(query, {page.runs.back().updated_at.ms, page.runs.back().id});
  }
  return page;
}

}  // namespace phasegate::state
