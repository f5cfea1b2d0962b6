#include "app/cli/render.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::JournalRow;

constexpr std::size_t kDetailBytesShown = 160;

/// The journal is ours, yet evidence in it is not: it may be as large as a submission.
base::Result<Json> data_of(const JournalRow& row) {
  return base::parse_json(row.entry.data,
                          {base::limits::kMessageBytesMax, base::limits::kMessageDepthMax + 2});
}

/// Names of the fields that kept a gate shut, with what was wanted.
std::string problems_text(const Json& problems) {
  std::vector<std::string> parts;
  for (const Json& problem : problems) {
    const std::string field = base::string_member(problem, "field").value_or("");
    const std::string wanted = base::string_member(problem, "wanted").value_or("");
    const std::string got = base::string_member(problem, "got").value_or("");
    std::string part = field.empty() ? "evidence" : field;
    if (!wanted.empty()) part += ": wanted " + wanted;
    if (!got.empty()) part += ", got " + got;
    parts.push_back(shown_short(part, kDetailBytesShown));
  }
  return base::joined(parts, "; ");
}

/// The rest of an entry's data on one line: its members but for evidence and digests, which
/// `--json` prints whole.
std::string details_text(const JournalRow& row) {
  const auto data = data_of(row);
  if (!data) return "(unreadable: " + shown_short(data.error().message, kDetailBytesShown) + ")";
  std::vector<std::string> parts;
  for (const auto& [name, value] : data->items()) {
    if (name == "evidence" || name == "evidence_digest" || name == "definition") continue;
    if (name == "problems" && value.is_array()) {
      parts.push_back(problems_text(value));
    } else if (value.is_string()) {
      const std::string text = value.get<std::string>();
      if (!text.empty()) parts.push_back(shown(name) + " " + shown_short(text, kDetailBytesShown));
    } else if (value.is_boolean()) {
      if (value.get<bool>()) parts.push_back(shown(name));
    } else {
      parts.push_back(shown(name) + " " + shown_short(base::dump(value), kDetailBytesShown));
    }
  }
  return base::joined(parts, "; ");
}

std::string where_text(const JournalRow& row) {
  if (row.entry.phase.empty()) return "";
  std::string text = "phase " + shown(row.entry.phase);
  if (row.entry.visit > 1) text += ", visit " + std::to_string(row.entry.visit);
  if (row.entry.attempt > 0) text += ", attempt " + std::to_string(row.entry.attempt);
  return text;
}

}  // namespace

std::string history_text(const gating::RunState& run, const std::vector<JournalRow>& rows) {
  std::string text = "Session " + run.id + " of " + shown(run.workflow) + ", " +
                     std::string(gating::to_text(run.status)) + "\n\n";
  for (const JournalRow& row : rows) {
    std::string line = std::to_string(row.seq) + "  " + base::to_rfc3339(row.entry.at) + "  " +
                       shown(row.entry.kind);
    if (const std::string where = where_text(row); !where.empty()) line += "  " + where;
    if (!row.entry.actor.empty()) line += "  (" + shown(row.entry.actor) + ")";
    text += line + "\n";
    if (const std::string details = details_text(row); !details.empty()) {
      text += std::string(6, ' ') + details + "\n";
    }
  }
  return text;
}

Json history_json(const gating::RunState& run, const std::vector<JournalRow>& rows) {
  Json json = Json::object();
  json["session_id"] = run.id;
  json["workflow"] = run.workflow;
  json["status"] = gating::to_text(run.status);
  json["entries"] = Json::array();
  for (const JournalRow& row : rows) {
    Json entry = Json::object();
    entry["seq"] = row.seq;
    entry["at"] = base::to_rfc3339(row.entry.at);
    entry["kind"] = row.entry.kind;
    entry["phase"] = row.entry.phase;
    entry["visit"] = row.entry.visit;
    entry["attempt"] = row.entry.attempt;
    entry["actor"] = row.entry.actor;
    auto data = data_of(row);
    entry["data"] = data ? std::move(data).value() : Json(nullptr);
    json["entries"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace phasegate::app::cli
