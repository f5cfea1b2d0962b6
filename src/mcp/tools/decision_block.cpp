#include "mcp/tools/decision_block.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/named_commands.h"
#include "base/text.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::Feedback;
using gating::RunState;
using gating::engine::RunView;

namespace {

constexpr std::size_t kPromptBytesShown = 300;
constexpr std::size_t kInputBytesShown = 600;
constexpr std::string_view kPersonDecides = "The person decides in a terminal";
constexpr const char* kStop =
    "STOP here and end your turn: this is not approved, and no evidence, call or waiting of yours "
    "approves it. Do not decide, do not run the command and do not answer for the person. Tell "
    "them "
    "what waits, and how they decide.";

std::string short_text(const std::string& text, std::size_t bytes_max) {
  return base::in_quotes(base::shortened(text, bytes_max));
}

void add_decision(Answer& answer, const RunView& view) {
  const RunState& run = view.run;
  const auto demand = phases::decision_demand(view.phase());
  Json block = {{"decision_id", run.decision->id},
                {"since", base::to_rfc3339(run.decision->opened_at)}};
  std::string line = "Waiting for a person's decision about phase " + run.current_phase +
                     ", since " + base::to_rfc3339(run.decision->opened_at);
  if (demand) {
    block["prompt"] = base::shortened(demand->prompt, kPromptBytesShown);
    line += ": " + short_text(demand->prompt, kPromptBytesShown);
    if (demand->count > 1) {
      block["decided"] = run.decision->answers.size();
      block["needed"] = demand->count;
      line += " (" + std::to_string(run.decision->answers.size()) + " of " +
              std::to_string(demand->count) + " have decided)";
    }
  }
  answer.line(line + ".");
  const std::string command = "`phasegate decide " + run.id + "`";
  block["person_runs"] = command;
  block["stop"] = kStop;
  std::string how = std::string(kPersonDecides) + " of their own with " + command + ".";
  if (view.approvers == 0U) {
    block["nobody_enrolled"] = "`phasegate approvers add NAME`";
    how +=
        " Nobody is enrolled who could decide: a person enrols first, in a terminal of their "
        "own, with `phasegate approvers add NAME`.";
  } else if (!view.approvers) {
    block["approvers_unreadable"] = "`phasegate doctor`";
    how += " Who may decide cannot be read, so nobody can for now: `phasegate doctor` says why.";
  }
  answer.line(how);
  answer.line(kStop);
  answer.structured()["decision"] = std::move(block);
}

std::string who(const std::string& by) {
  return by == "client" ? std::string("somebody through the client (unauthenticated)") : by;
}

void add_feedback(Answer& answer, const Feedback& feedback) {
  Json block = {{"by", feedback.by},
                {"at", base::to_rfc3339(feedback.at)},
                {"from_phase", feedback.from_phase},
                {"said", base::shortened(feedback.input, kInputBytesShown)}};
  answer.structured()["sent_back"] = std::move(block);
  answer.line("Sent back by " + who(feedback.by) + " at " + base::to_rfc3339(feedback.at) +
              " from phase " + feedback.from_phase +
              (feedback.input.empty() ? std::string(".")
                                      : ": " + short_text(feedback.input, kInputBytesShown)));
}

/// Every text of the object that names a command.
void complete(Json& json, std::string_view options) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    if (text.find("`phasegate ") != std::string::npos) text = base::with_options(text, options);
  } else if (json.is_object()) {
    for (auto& [name, value] : json.items()) complete(value, options);
  }
}

}  // namespace

void add_people(Answer& answer, const RunView& view) {
  const RunState& run = view.run;
  if (!gating::is_open(run.status)) return;
  if (run.feedback) add_feedback(answer, *run.feedback);
  if (run.paused) {
    answer.structured()["paused_since"] = base::to_rfc3339(run.paused->at);
    answer.line("Paused by " + run.paused->by + " since " + base::to_rfc3339(run.paused->at) +
                ": stop here; a person goes on with `phasegate resume " + run.id + "`.");
  }
  if (run.decision) add_decision(answer, view);
}

std::string feedback_text(const RunState& run) {
  if (!run.feedback || run.feedback->input.empty()) return "";
  return "## Sent back by " + who(run.feedback->by) + " from phase " + run.feedback->from_phase +
         "\n\n" + run.feedback->input + "\n\n";
}

void complete_for_people(protocol::ToolResult& result, const ToolContext& context) {
  if (result.structured == nullptr) return;
  // Only what this file has made; other texts may hold such words as they are.
  if (!result.structured->contains("decision") && !result.structured->contains("paused_since")) {
    return;
  }
  Json structured = *result.structured;
  std::string page;
  if (const auto block = structured.find("decision"); block != structured.end()) {
    complete(*block, context.command_options);
    const auto id = base::string_member(*block, "decision_id");
    if (id && !context.decision_page.empty()) {
      page = context.decision_page + *id;
      (*block)["page"] = page;
    }
  }
  result.structured = std::make_shared<const Json>(std::move(structured));
  std::string text;
  std::string_view rest = result.text;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    const std::string_view line = rest.substr(0, end == std::string_view::npos ? rest.size() : end);
    const bool decides = line.starts_with(kPersonDecides);
    const bool ours = decides || line.starts_with("Paused by ");
    text += ours ? base::with_options(line, context.command_options) : std::string(line);
    if (decides && !page.empty()) text += " Or on this page, with their secret: " + page;
    if (end == std::string_view::npos) break;
    text += '\n';
    rest.remove_prefix(end + 1);
  }
  result.text = std::move(text);
}

}  // namespace phasegate::mcp::tools
