#include "app/cli/events_people.h"

#include <array>
#include <utility>
#include <vector>

#include "app/cli/outside_text.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::engine::JournalRow;

constexpr std::size_t kWordsBytesShown = 200;

constexpr std::array<std::pair<std::string_view, Tone>, 11> kTones = {{
    {"evidence_kept", Tone::strong},
    {"decision_opened", Tone::caution},
    {"decision_answered", Tone::strong},
    {"decision_reminded", Tone::caution},
    {"phase_reopened", Tone::caution},
    {"reopen_demanded", Tone::caution},
    {"run_rejected", Tone::bad},
    {"run_paused", Tone::caution},
    {"run_resumed", Tone::strong},
    {"run_stalled", Tone::caution},
    {"notification_lost", Tone::bad},
}};

std::string text_of(const Json& data, const char* member) {
  return shown_short(base::string_member(data, member).value_or(""), kWordsBytesShown);
}

std::string behind_colon(const std::string& text) {
  return text.empty() ? "" : ": " + text;
}

std::string answer_words(const std::string& who, const Json& data) {
  std::string label = text_of(data, "label");
  if (label.empty()) label = text_of(data, "option");
  std::string text = "decided by " + who + ": " + label;
  if (const std::string input = text_of(data, "input"); !input.empty()) {
    text += ", who said: " + input;
  }
  return text;
}

std::string reopened_words(const Json& data) {
  std::string text = "goes back to phase " + text_of(data, "to_phase");
  const Json* gone = base::find_member(data, "no_longer_accepted");
  std::vector<std::string> phases;
  if (gone != nullptr && gone->is_array()) {
    for (const Json& one : *gone) {
      if (one.is_string()) phases.push_back(shown_value(one.get<std::string>()));
    }
  }
  if (!phases.empty()) text += "; accepted no more: " + base::joined(phases, ", ");
  return text;
}

}  // namespace

std::optional<Tone> people_tone(const std::string& kind) {
  for (const auto& [name, tone] : kTones) {
    if (name == kind) return tone;
  }
  return std::nullopt;
}

std::optional<std::string> people_words(const JournalRow& row, const Json& data, const Page& page) {
  const std::string& kind = row.entry.kind;
  const auto tone = people_tone(kind);
  if (!tone) return std::nullopt;
  const std::string who = row.entry.actor.empty() ? "somebody" : person_text(row.entry.actor);
  std::string text;
  if (kind == "evidence_kept") {
    text = "evidence is as required and kept for a person";
  } else if (kind == "decision_opened") {
    text = "a person is asked" + behind_colon(text_of(data, "prompt"));
  } else if (kind == "decision_answered") {
    text = answer_words(who, data);
  } else if (kind == "decision_reminded") {
    const auto times = base::integer_member(data, "reminders").value_or(1);
    text = "people were reminded of the decision, " +
           base::counted(static_cast<std::size_t>(times < 0 ? 0 : times), "time");
  } else if (kind == "phase_reopened") {
    text = reopened_words(data);
  } else if (kind == "reopen_demanded") {
    text = "reopened by " + who + behind_colon(text_of(data, "reason"));
  } else if (kind == "run_rejected") {
    text = "rejected" + behind_colon(text_of(data, "reason"));
  } else if (kind == "run_stalled") {
    text = "nobody has gone on with it for a while";
  } else if (kind == "notification_lost") {
    text = text_of(data, "target") + " could not be told (" + text_of(data, "event") + ")" +
           behind_colon(text_of(data, "reason"));
  } else if (kind == "run_paused") {
    text = "paused by " + who + behind_colon(text_of(data, "reason"));
  } else {
    text = "resumed by " + who;
  }
  return page.in(*tone, text);
}

}  // namespace phasegate::app::cli
