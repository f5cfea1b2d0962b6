#include "app/cli/events.h"

#include "app/cli/events_people.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::JournalRow;

/// Of one field's problem in the single line of `watch`.
constexpr std::size_t kProblemBytesShown = 160;
constexpr std::size_t kTitleBytesShown = 60;

std::string phase_words(const JournalRow& row, const phases::Workflow& workflow) {
  if (row.entry.phase.empty()) return "";
  std::string text = "phase " + shown_value(row.entry.phase);
  const auto index = workflow.phase_index(row.entry.phase);
  if (!index) return text;
  text += " (" + std::to_string(*index + 1) + " of " + std::to_string(workflow.phases.size()) + ")";
  const std::string& title = workflow.phases[*index].title;
  if (!title.empty()) text += " " + shown_short(title, kTitleBytesShown);
  return text;
}

std::string attempt_words(const JournalRow& row) {
  return row.entry.attempt > 0 ? ", attempt " + std::to_string(row.entry.attempt) : "";
}

std::string reason_of(const Json& data) {
  const auto reason = base::string_member(data, "reason");
  return reason && !reason->empty() ? ": " + shown_short(*reason, kProblemBytesShown) : "";
}

std::string refusal_words(const Json& data) {
  const Json* problems = base::find_member(data, "problems");
  if (problems == nullptr || !problems->is_array()) return "";
  const auto lines = problem_lines(*problems, kProblemBytesShown);
  return lines.empty() ? "" : ": " + base::joined(lines, "; ");
}

/// The checks that did not pass.
std::string check_words(const Json& data) {
  const Json* checks = base::find_member(data, "checks");
  if (checks == nullptr || !checks->is_array()) return "";
  std::vector<std::string> names;
  for (const Json& check : *checks) {
    const auto outcome = base::string_member(check, "outcome").value_or("");
    if (outcome == "passed" || outcome == "skipped") continue;
    names.push_back(shown_short(base::string_member(check, "name").value_or("") + ": " +
                                    base::string_member(check, "reason").value_or(""),
                                kProblemBytesShown));
  }
  return names.empty() ? "" : ": " + base::joined(names, "; ");
}

std::string acceptance_words(const Json& data) {
  std::string text;
  if (base::bool_member(data, "weak_gate").value_or(false)) text += ", weak gate";
  if (base::bool_member(data, "lenient").value_or(false)) text += ", lenient";
  return text;
}

}  // namespace

base::Result<Json> data_of(const JournalRow& row) {
  return base::parse_json(row.entry.data,
                          {base::limits::kMessageBytesMax, base::limits::kMessageDepthMax + 2});
}

Json event_json(const JournalRow& row) {
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
  return entry;
}

std::vector<std::string> problem_lines(const Json& problems, std::size_t bytes_max) {
  std::vector<std::string> lines;
  for (const Json& problem : problems) {
    const std::string field = base::string_member(problem, "field").value_or("");
    const std::string wanted = base::string_member(problem, "wanted").value_or("");
    const std::string got = base::string_member(problem, "got").value_or("");
    std::string line = field.empty() ? "evidence" : field;
    if (!wanted.empty()) line += ": wanted " + wanted;
    if (!got.empty()) line += ", got " + got;
    lines.push_back(shown_short(line, bytes_max));
  }
  return lines;
}

std::vector<std::string> check_lines(const Json& checks, std::size_t bytes_max) {
  std::vector<std::string> lines;
  for (const Json& check : checks) {
    std::string line = base::string_member(check, "name").value_or("") + " (" +
                       base::string_member(check, "subject").value_or("") +
                       "): " + base::string_member(check, "outcome").value_or("");
    const std::string reason = base::string_member(check, "reason").value_or("");
    if (!reason.empty()) line += ", " + reason;
    const auto code = base::integer_member(check, "exit_code");
    if (reason.empty() && code) line += ", exit code " + std::to_string(*code);
    const auto ms = base::integer_member(check, "duration_ms").value_or(0);
    if (ms > 0) line += ", " + std::to_string(ms) + " ms";
    if (base::bool_member(check, "reused").value_or(false)) line += ", reused";
    lines.push_back(shown_short(line, bytes_max));
  }
  return lines;
}

std::vector<std::string> evidence_lines(const Json& evidence, std::size_t bytes_max) {
  if (!evidence.is_object()) return {shown_short(base::dump(evidence), bytes_max)};
  std::vector<std::string> lines;
  for (const auto& [name, value] : evidence.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : base::dump(value);
    lines.push_back(shown(name) + ": " + shown_short(text, bytes_max));
  }
  return lines;
}

std::string event_line(const JournalRow& row, const phases::Workflow& workflow, const Page& page) {
  const auto read = data_of(row);
  const Json data = read ? *read : Json::object();
  const std::string& kind = row.entry.kind;
  const std::string phase = phase_words(row, workflow);
  const std::string attempt = attempt_words(row);
  if (const auto words = people_words(row, data, page)) {
    return (phase.empty() || kind.starts_with("run_") ? "" : phase + ": ") + *words + attempt;
  }
  if (kind == "run_started") {
    const std::string by = row.entry.actor.empty() ? "" : " by " + shown_value(row.entry.actor);
    return page.in(Tone::strong, "started") + by;
  }
  if (kind == "imported") {
    return page.in(Tone::caution, "taken in from another machine") + " by " +
           shown_value(row.entry.actor) +
           "; what stands above rests on the word of whoever made the file";
  }
  if (kind == "phase_entered") return phase + ": open";
  if (kind == "evidence_refused") {
    return phase + ": " + page.in(Tone::bad, "refused") + attempt + refusal_words(data);
  }
  if (kind == "evidence_submitted") {
    return phase + ": " + page.in(Tone::strong, "evidence is being checked") + attempt;
  }
  if (kind == "checks_failed") {
    return phase + ": " + page.in(Tone::bad, "checks failed") + attempt + check_words(data);
  }
  if (kind == "sequence_violation") {
    const auto requested = base::string_member(data, "requested_phase");
    return phase + ": " + page.in(Tone::bad, "refused") + ", evidence out of turn" +
           (requested ? " for phase " + shown_short(*requested, kTitleBytesShown) : "");
  }
  if (kind == "phase_completed") {
    return phase + ": " + page.in(Tone::good, "accepted") + attempt + acceptance_words(data);
  }
  if (kind == "decision_awaited") {
    return phase + ": " + page.in(Tone::caution, "waits for a person's decision");
  }
  if (kind == "run_waiting") return page.in(Tone::caution, "waits") + reason_of(data);
  if (kind == "run_completed") {
    const auto outcome = base::string_member(data, "outcome");
    return page.in(Tone::good, "completed") + (outcome ? " (" + shown_value(*outcome) + ")" : "");
  }
  if (kind == "run_cancelled") {
    const std::string by = row.entry.actor.empty() ? "" : " by " + shown_value(row.entry.actor);
    return page.in(Tone::caution, "cancelled") + by + reason_of(data);
  }
  if (kind == "run_repinned") {
    const std::string by = row.entry.actor.empty() ? "" : " by " + shown_value(row.entry.actor);
    return page.in(Tone::caution, "goes on with a changed workflow") + by;
  }
  return shown_value(kind) + (phase.empty() ? "" : ", " + phase) + attempt;
}

bool ends_session(const JournalRow& row) {
  const std::string& kind = row.entry.kind;
  return kind == "run_completed" || kind == "run_cancelled" || kind == "run_failed" ||
         kind == "run_rejected";
}

}  // namespace phasegate::app::cli
