#include <algorithm>
#include <array>
#include <string_view>

#include "app/cli/doubts.h"
#include "app/cli/events.h"
#include "app/cli/events_people.h"
#include "app/cli/layout.h"
#include "app/cli/render.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::JournalRow;

constexpr std::size_t kDetailBytesShown = 160;
constexpr std::size_t kEverything = static_cast<std::size_t>(-1);
constexpr std::size_t kDetailIndent = 6;

Tone tone_of_kind(const std::string& kind) {
  if (const auto tone = people_tone(kind)) return *tone;
  if (kind == "evidence_refused" || kind == "checks_failed" || kind == "sequence_violation")
    return Tone::bad;
  if (kind == "phase_completed" || kind == "run_completed") return Tone::good;
  if (kind == "decision_awaited" || kind == "run_waiting" || kind == "run_cancelled" ||
      kind == "run_repinned") {
    return Tone::caution;
  }
  return Tone::strong;
}

/// Accepted evidence is what the session was for; that of refused attempts only fills the page.
bool shows_evidence(const JournalRow& row, bool full) {
  return full || row.entry.kind == "phase_completed";
}

/// Members that people_words tells, or that only a record needs.
bool is_said(const std::string& name) {
  static constexpr std::array<std::string_view, 8> kSaid = {
      "shown_digest", "decision",  "prompt", "label",
      "to_phase",     "reminders", "reason", "no_longer_accepted"};
  return std::find(kSaid.begin(), kSaid.end(), name) != kSaid.end();
}

/// The rest of an entry's data, a line each.
std::vector<std::string> details_of(const JournalRow& row, bool full) {
  const std::size_t bytes_max = full ? kEverything : kDetailBytesShown;
  const auto data = data_of(row);
  if (!data) return {"(unreadable: " + shown_short(data.error().message, kDetailBytesShown) + ")"};
  std::vector<std::string> lines;
  const auto words = people_words(row, *data, Page());
  if (words) lines.push_back(*words);
  const auto add_all = [&lines](const std::vector<std::string>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  for (const auto& [name, value] : data->items()) {
    if (name == "evidence_digest" || name == "definition") continue;
    // What the words have said already, and what only a record needs.
    if (words && !full && is_said(name)) continue;
    if (name == "evidence") {
      if (shows_evidence(row, full)) add_all(evidence_lines(value, bytes_max));
    } else if (name == "problems" && value.is_array()) {
      add_all(problem_lines(value, bytes_max));
    } else if (name == "checks" && value.is_array()) {
      add_all(check_lines(value, bytes_max));
    } else if (value.is_string()) {
      const std::string text = value.get<std::string>();
      if (!text.empty()) lines.push_back(shown(name) + " " + shown_short(text, bytes_max));
    } else if (value.is_boolean()) {
      if (value.get<bool>()) lines.push_back(shown(name));
    } else {
      lines.push_back(shown(name) + " " + shown_short(base::dump(value), bytes_max));
    }
  }
  return lines;
}

std::string where_text(const JournalRow& row) {
  if (row.entry.phase.empty()) return "";
  std::string text = "phase " + shown_value(row.entry.phase);
  if (row.entry.visit > 1) text += ", visit " + std::to_string(row.entry.visit);
  if (row.entry.attempt > 0) text += ", attempt " + std::to_string(row.entry.attempt);
  return text;
}

}  // namespace

std::string history_text(const gating::RunState& run, const std::vector<JournalRow>& rows,
                         const HistoryOptions& options, const Page& page) {
  std::string text = wrapped("Session " + run.id + " of " + shown_value(run.workflow) + ", " +
                                 std::string(gating::to_text(run.status)) +
                                 (options.was_found ? " (the open session that changed last)" : ""),
                             page.width, 0, 2) +
                     "\n";
  const std::size_t digits = rows.empty() ? 1 : std::to_string(rows.back().seq).size();
  for (const JournalRow& row : rows) {
    const std::string number = std::to_string(row.seq);
    std::string line = clock_time(row.entry.at) + "  " +
                       page.in(tone_of_kind(row.entry.kind), shown_value(row.entry.kind));
    if (const std::string where = where_text(row); !where.empty()) line += "  " + where;
    if (!row.entry.actor.empty()) line += "  (" + shown_value(row.entry.actor) + ")";
    text += wrapped(number + "  " + line, page.width, digits - std::min(digits, number.size()),
                    kDetailIndent);
    for (const std::string& detail : details_of(row, options.full)) {
      text += wrapped(detail, page.width, kDetailIndent, kDetailIndent + 2);
    }
    if (!options.approvers) continue;
    if (const auto doubt = doubt_about(row, *options.approvers, true)) {
      text += wrapped(page.in(Tone::bad, "look at this: " + *doubt), page.width, kDetailIndent,
                      kDetailIndent + 2);
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
  for (const JournalRow& row : rows) json["entries"].push_back(event_json(row));
  return json;
}

}  // namespace phasegate::app::cli
