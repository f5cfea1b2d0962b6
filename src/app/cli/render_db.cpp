#include "app/cli/render_db.h"

#include "app/cli/layout.h"
#include "app/cli/text.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using world::database::Blob;
using world::database::Value;

constexpr std::size_t kCellBytesMax = 400;
constexpr std::size_t kColumnWidthMin = 8;

std::string cell(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return base::number_text(*number);
  if (const auto* text = std::get_if<std::string>(&value)) {
    return text->empty() ? "''" : shown_short(base::to_utf8(*text), kCellBytesMax);
  }
  if (const auto* blob = std::get_if<Blob>(&value)) {
    return "(" + base::counted(blob->bytes.size(), "byte") + ")";
  }
  return "NULL";
}

Json value_json(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) return base::to_utf8(*text);
  if (const auto* blob = std::get_if<Blob>(&value)) {
    Json bytes = Json::object();
    bytes["base64"] = base::base64(blob->bytes);
    return bytes;
  }
  return nullptr;
}

std::string day_and_time(const std::string& created_at) {
  const auto time = base::from_rfc3339(created_at);
  return time ? clock_time(*time) : std::string("not in the list");
}

}  // namespace

std::string size_text(std::int64_t bytes) {
  constexpr std::int64_t kStep = 1024;
  if (bytes < kStep) return std::to_string(bytes) + " B";
  const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
  std::int64_t tenths = bytes * 10 / kStep;
  std::size_t unit = 0;
  while (tenths >= kStep * 10 && unit < 3) {
    tenths /= kStep;
    ++unit;
  }
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + units[unit];
}

std::string rows_text(const world::database::Rows& rows, const Page& page) {
  if (rows.columns.empty()) return "";
  std::vector<Column> columns;
  for (const std::string& name : rows.columns) {
    columns.push_back({shown_short(base::to_utf8(name), kCellBytesMax), 0, kColumnWidthMin});
  }
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows.rows) {
    std::vector<std::string> line;
    for (const Value& value : row) line.push_back(cell(value));
    cells.push_back(std::move(line));
  }
  std::string text = cells.empty() ? "" : table(columns, cells, page.width) + "\n";
  text += base::counted(rows.rows.size(), "row");
  if (rows.cut) text += " shown; there are more: ask with LIMIT and OFFSET";
  return text + "\n";
}

Json rows_json(const world::database::Rows& rows) {
  Json json = Json::object();
  json["columns"] = Json::array();
  for (const std::string& name : rows.columns) json["columns"].push_back(base::to_utf8(name));
  json["rows"] = Json::array();
  for (const auto& row : rows.rows) {
    Json line = Json::array();
    for (const Value& value : row) line.push_back(value_json(value));
    json["rows"].push_back(std::move(line));
  }
  json["more"] = rows.cut;
  return json;
}

std::string confirmation_text(const std::string& file, const std::string& sql,
                              const world::database::Confirmation& confirmation, const Page& page) {
  std::string text =
      "In " + shown(file) + ", the statement\n\n" + wrapped(shown(sql), page.width, 4, 4) +
      "\ndeletes " +
      page.in(Tone::bad, base::counted(static_cast<std::size_t>(confirmation.loss.rows), "row")) +
      ":\n\n";
  std::vector<std::vector<std::string>> cells;
  for (const auto& one : confirmation.tables) {
    cells.push_back({shown(one.name), std::to_string(one.before), std::to_string(one.after),
                     one.before > 0 && one.after == 0 ? page.in(Tone::bad, "every row") : ""});
  }
  return text + table({{"table"}, {"rows now"}, {"afterwards"}, {" "}}, cells, page.width);
}

Json backup_json(const world::database::Backup& backup) {
  const auto or_null = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(base::to_utf8(text));
  };
  Json json = Json::object();
  json["id"] = or_null(backup.id);
  json["created_at"] = or_null(backup.created_at);
  json["path"] = base::to_utf8(backup.path);
  json["workflow_run_id"] = or_null(backup.run_id);
  json["size_bytes"] = backup.size_bytes;
  json["sha256"] = or_null(backup.sha256);
  return json;
}

std::string backups_text(const std::string& file, const world::database::BackupList& list,
                         const Page& page) {
  std::string text;
  if (!list.problem.empty()) {
    text += wrapped(page.in(Tone::caution, "Note: ") + shown(list.problem) + ".", page.width, 0, 0);
  }
  if (list.backups.empty()) return text + "There are no copies of " + shown(file) + ".\n";
  std::vector<std::vector<std::string>> cells;
  for (const auto& backup : list.backups) {
    cells.push_back({shown(backup.path), day_and_time(backup.created_at),
                     size_text(backup.size_bytes), shown(backup.run_id)});
  }
  return text + "In " + shown(list.folder) + ", oldest first:\n\n" +
         table({{"copy"}, {"made"}, {"size", 2}, {"for session", 1}}, cells, page.width);
}

}  // namespace phasegate::app::cli
