#include "app/cli/render_people.h"

#include "app/cli/layout.h"
#include "app/cli/outside_text.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/text.h"
#include "gating/due.h"
#include "phases/decision.h"

namespace phasegate::app::cli {
namespace {

using base::Json;
using gating::RunState;
using gating::engine::RunView;

constexpr std::size_t kLabelBytesShown = 200;
constexpr std::size_t kReasonBytesShown = 500;

std::string options_text(const phases::DecisionDemand& demand) {
  std::vector<std::string> options;
  for (const phases::DecisionOption& option : demand.options) {
    options.push_back(shown_value(option.id) + " (" + shown_short(option.label, kLabelBytesShown) +
                      ")");
  }
  return base::joined(options, ", ");
}

std::string answers_text(const RunState& run, const phases::DecisionDemand& demand) {
  std::string text = std::to_string(run.decision->answers.size()) + " of " +
                     std::to_string(demand.count) + " have decided";
  for (const gating::DecisionAnswer& answer : run.decision->answers) {
    text += "; " + shown_value(answer.approver) + ": " + shown_value(answer.option);
  }
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> people_rows(const RunView& view,
                                                             const Page& page) {
  const RunState& run = view.run;
  std::vector<std::pair<std::string, std::string>> rows;
  const auto demand = phases::decision_demand(view.phase());
  if (gating::is_open(run.status) && run.decision && demand) {
    rows.emplace_back("To decide", shown_value(demand->prompt));
    rows.emplace_back("Options", options_text(*demand));
    rows.emplace_back("Asked", moment(run.decision->opened_at, page));
    if (demand->count > 1) rows.emplace_back("Answers", answers_text(run, *demand));
    if (!demand->role.empty()) rows.emplace_back("Role", shown_value(demand->role));
  }
  if (run.paused) {
    std::string text = moment(run.paused->at, page) + " by " + person_text(run.paused->by);
    if (!run.paused->reason.empty()) {
      text += ": " + shown_short(run.paused->reason, kReasonBytesShown);
    }
    rows.emplace_back("Paused", text);
  }
  if (gating::is_stalled(run, page.now)) {
    rows.emplace_back(
        "Stalled", page.in(Tone::bad, "nothing has changed since " + clock_time(run.updated_at)));
  }
  return rows;
}

std::string feedback_text(const RunView& view, const Page& page) {
  const auto& feedback = view.run.feedback;
  if (!feedback || !gating::is_open(view.run.status)) return "";
  std::string line = feedback->option.empty() ? "reopened by " : "sent back by ";
  line += person_text(feedback->by) + " " + moment(feedback->at, page);
  if (!feedback->option.empty()) {
    line += " with " + base::in_quotes(shown_short(feedback->option, kLabelBytesShown));
  }
  std::string text = wrapped(line + (feedback->input.empty() ? "" : ":"), page.width, 6, 8);
  if (!feedback->input.empty()) text += quoted_block(feedback->input, 8, false, page);
  return text;
}

Json feedback_json(const RunState& run) {
  if (!run.feedback) return nullptr;
  return {{"by", run.feedback->by},
          {"from_phase", run.feedback->from_phase},
          {"option", run.feedback->option},
          {"input", run.feedback->input},
          {"at", base::to_rfc3339(run.feedback->at)}};
}

void add_people(Json& json, const RunView& view, base::TimePoint now) {
  const RunState& run = view.run;
  json["decision"] = nullptr;
  const auto demand = phases::decision_demand(view.phase());
  if (gating::is_open(run.status) && run.decision && demand) {
    Json options = Json::array();
    for (const phases::DecisionOption& option : demand->options) {
      options.push_back({{"id", option.id},
                         {"label", option.label},
                         {"effect", phases::to_text(option.effect)},
                         {"input", phases::to_text(option.input)}});
    }
    json["decision"] = {{"id", run.decision->id},
                        {"prompt", demand->prompt},
                        {"since", base::to_rfc3339(run.decision->opened_at)},
                        {"answers", run.decision->answers.size()},
                        {"needed", demand->count},
                        {"role", demand->role},
                        {"reminders", run.decision->reminders},
                        {"options", std::move(options)}};
  }
  json["feedback"] = feedback_json(run);
  json["paused"] = nullptr;
  if (run.paused) {
    json["paused"] = {{"by", run.paused->by},
                      {"reason", run.paused->reason},
                      {"at", base::to_rfc3339(run.paused->at)}};
  }
  json["stalled"] = gating::is_stalled(run, now);
}

}  // namespace phasegate::app::cli
