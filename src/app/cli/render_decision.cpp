#include "app/cli/render_decision.h"

#include <algorithm>

#include "app/cli/layout.h"
#include "app/cli/outside_text.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/definition.h"

namespace phasegate::app::cli {
namespace {

using gating::engine::DecisionView;
using phases::DecisionEffect;
using phases::DecisionInput;
using phases::DecisionOption;
using world::ChangedFile;
using world::Changes;

constexpr std::size_t kTitleBytesShown = 200;
constexpr std::size_t kFilesShown = 50;
constexpr std::size_t kIndent = 2;

std::string heading(const char* text, const Page& page) {
  return "\n" + page.in(Tone::strong, text) + "\n";
}

/// Fields of the evidence that rest on the sender's word, counted as the gate will count them.
gating::Assurance rests_on(const DecisionView& view) {
  gating::Assurance sum;
  const std::size_t index = view.view.phase_index();
  const auto evidence =
      base::parse_json(view.decision.submission.evidence,
                       {2 * base::limits::kEvidenceBytesMax, base::limits::kMessageDepthMax});
  if (evidence && !view.phase->by_person) {
    for (const auto& field : view.view.definition->gates[index].judge(*evidence).self_attested) {
      if (!view.view.definition->checks[index].backed().contains(field)) ++sum.self_attested;
    }
  }
  for (const gating::CheckResult& result : view.decision.checks) {
    if (result.outcome == gating::CheckOutcome::passed) ++sum.checked;
  }
  return sum;
}

std::string needs_text(const DecisionView& view) {
  const phases::DecisionDemand& demand = view.demand;
  std::vector<std::string> needs;
  if (demand.count > 1) {
    needs.push_back(std::to_string(view.decision.answers.size()) + " of " +
                    std::to_string(demand.count) + " approvers have decided");
  }
  if (!demand.role.empty()) needs.push_back("the role " + shown_value(demand.role));
  if (demand.not_submitter) needs.emplace_back("somebody else than who handed it over");
  return base::joined(needs, "; ");
}

std::string handed_over_text(const DecisionView& view, const Page& page) {
  if (view.phase->by_person) return "nothing: the phase is this decision alone";
  const gating::Pending& submission = view.decision.submission;
  std::string text = moment(submission.since, page);
  if (!submission.actor.empty()) text += " by " + shown_value(submission.actor);
  text += ", attempt " + std::to_string(submission.attempt);
  if (view.decision.lenient) text += "; incomplete, which the workflow allows";
  return text;
}

std::string head_text(const DecisionView& view, const Page& page) {
  const gating::RunState& run = view.view.run;
  std::string phase = shown_value(run.current_phase) + " (" +
                      std::to_string(view.view.phase_index() + 1) + " of " +
                      std::to_string(view.view.workflow().phases.size()) + ") " +
                      shown_short(view.phase->title, kTitleBytesShown);
  if (run.visit > 1) phase += ", visit " + std::to_string(run.visit);
  std::vector<std::pair<std::string, std::string>> head;
  const auto line = [&](const char* name, const std::string& value) {
    if (!value.empty()) head.emplace_back(name, value);
  };
  line("Session", run.id);
  line("Workflow", shown_value(run.workflow));
  line("Target", shown_value(run.target));
  line("Branch", shown_value(run.branch));
  line("Phase", phase);
  line("Handed over", handed_over_text(view, page));
  line("Asked", moment(view.decision.opened_at, page));
  const gating::Assurance sum = rests_on(view);
  line("Rests on", std::to_string(sum.self_attested) + " self-attested, " +
                       std::to_string(sum.checked) + " checked");
  line("Needs", needs_text(view));
  if (view.phase->gate.weak) line("Gate", "weak: the documents require nothing");
  if (run.paused)
    line("Paused", moment(run.paused->at, page) + " by " + person_text(run.paused->by));
  return definitions(head, 0, page.width);
}

std::string values_text(const DecisionView& view, bool full, const Page& page) {
  if (view.shown.empty()) return "";
  std::string text =
      heading(view.demand.show.empty() ? "What was handed over" : "To be looked at", page);
  for (const gating::engine::ShownValue& value : view.shown) {
    if (value.problem.empty()) {
      text += named_value(value.name, value.value, kIndent, full, page);
    } else {
      text += wrapped(shown_value(value.name) + ": " +
                          page.in(Tone::bad, "cannot be told: " + shown_value(value.problem)),
                      page.width, kIndent, kIndent + 2);
    }
  }
  return text;
}

std::string checks_text(const DecisionView& view, bool full, const Page& page) {
  if (view.decision.checks.empty()) return "";
  std::string text = heading("What was checked", page);
  for (const gating::CheckResult& result : view.decision.checks) {
    const Tone tone = result.outcome == gating::CheckOutcome::passed ? Tone::good : Tone::caution;
    std::string line = page.in(tone, gating::to_text(result.outcome)) + " " +
                       shown_value(result.name) + ": " + shown_value(result.subject);
    if (!result.value.empty()) line += " = " + shown_value(result.value);
    if (!result.reason.empty()) line += " – " + shown_value(result.reason);
    if (result.reused) line += " (an earlier result that still counts)";
    text += wrapped(line, page.width, kIndent, kIndent + 2);
    if (full && !result.output_tail.empty()) {
      text += quoted_block(result.output_tail, kIndent + 2, full, page);
    }
  }
  return text;
}

std::string stale_text(const DecisionView& view, const Page& page) {
  if (view.changed_files.empty()) return "";
  std::string text = "\n" + page.in(Tone::bad, "Changed since they were checked") + "\n";
  for (const std::string& file : view.changed_files) {
    text += wrapped(page.in(Tone::bad, "!") + " " + shown_value(file), page.width, kIndent, 4);
  }
  return text;
}

std::string counts_text(std::int64_t added, std::int64_t removed) {
  return "+" + std::to_string(added) + " -" + std::to_string(removed);
}

std::string since_text(const Changes& changes) {
  const std::string commit = changes.commit.substr(0, 12);
  switch (changes.since) {
    case Changes::Since::observed:
      return "since the session began, at commit " + commit;
    case Changes::Since::by_date:
      return "since commit " + commit +
             ", by its date the last one before the session began; what was not committed then is "
             "among it";
    case Changes::Since::newest:
      return "since the newest commit, " + commit + "; all commits are newer than the session";
  }
  return "";
}

std::string changes_text(const base::Result<Changes>& changes, bool full, const Page& page) {
  std::string text = heading("Changed files", page);
  if (!changes) {
    return text + wrapped("cannot be told: " + shown_value(changes.error().message), page.width,
                          kIndent, kIndent);
  }
  text += wrapped(base::counted(changes->files.size(), "file") + ", " +
                      counts_text(changes->lines_added, changes->lines_removed) + " lines, " +
                      since_text(*changes),
                  page.width, kIndent, kIndent);
  std::size_t count = 0;
  for (const ChangedFile& file : changes->files) {
    if (!full && count++ == kFilesShown) {
      text += wrapped("… and " + std::to_string(changes->files.size() - kFilesShown) +
                          " more; --full shows them",
                      page.width, kIndent, kIndent);
      break;
    }
    const char* mark = file.kind == ChangedFile::Kind::added     ? "new     "
                       : file.kind == ChangedFile::Kind::removed ? "removed "
                                                                 : "changed ";
    std::string line = mark + shown_value(file.path);
    if (file.counted) line += "  " + counts_text(file.lines_added, file.lines_removed);
    text += wrapped(line, page.width, kIndent, kIndent + 8);
  }
  return text;
}

std::string earlier_text(const DecisionView& view, bool full, const Page& page) {
  std::string text;
  if (const auto& feedback = view.view.run.feedback) {
    text += heading("Why this phase was open again", page);
    std::string line = person_text(feedback->by) + ", " + moment(feedback->at, page) +
                       ", in phase " + shown_value(feedback->from_phase);
    if (!feedback->option.empty()) {
      line += ": " + base::in_quotes(shown_value(feedback->option));
    }
    text += wrapped(line, page.width, kIndent, kIndent + 2);
    if (!feedback->input.empty()) text += quoted_block(feedback->input, kIndent + 2, full, page);
  }
  if (view.decision.answers.empty()) return text;
  text += heading("What others have decided", page);
  for (const gating::DecisionAnswer& answer : view.decision.answers) {
    const std::string who =
        answer.approver.empty() ? person_text("client") : shown_value(answer.approver);
    text += wrapped(who + ", " + moment(answer.at, page) + ": " + shown_value(answer.option),
                    page.width, kIndent, kIndent + 2);
    if (!answer.input.empty()) text += quoted_block(answer.input, kIndent + 2, full, page);
  }
  return text;
}

std::string options_text(const DecisionView& view, const Page& page) {
  std::string text = heading("Options", page);
  std::vector<std::pair<std::string, std::string>> entries;
  std::size_t number = 0;
  for (const DecisionOption& option : view.demand.options) {
    std::string what =
        shown_short(option.label, kTitleBytesShown) + " – " + effect_text(view, option);
    if (option.input == DecisionInput::required) what += "; asks for words";
    entries.emplace_back(std::to_string(++number) + "  " + shown_value(option.id), what);
  }
  return text + definitions(entries, kIndent, page.width);
}

}  // namespace

std::string effect_text(const DecisionView& view, const DecisionOption& option) {
  const auto& workflow = view.view.workflow();
  switch (option.effect) {
    case DecisionEffect::proceed:
      return view.view.phase_index() + 1 < workflow.phases.size()
                 ? "the gate opens, and the next phase begins"
                 : "the gate opens, and the session is completed";
    case DecisionEffect::go_to: {
      const auto there = workflow.phase_index(option.phase);
      const std::string phase = "phase " + shown_value(option.phase);
      if (there && *there > view.view.phase_index()) {
        return "the gate opens, and the session goes on in " + phase;
      }
      if (there && *there == view.view.phase_index()) return phase + " is open again";
      return phase + " is open again; what was accepted from there on counts no more";
    }
    case DecisionEffect::completed:
      return "the gate opens, and the session is completed here";
    case DecisionEffect::rejected:
      return "the session ends as rejected";
    case DecisionEffect::cancelled:
      return "the session ends as cancelled";
  }
  return "";
}

std::string decision_text(const DecisionView& view, const base::Result<Changes>& changes, bool full,
                          const Page& page) {
  return head_text(view, page) + values_text(view, full, page) + checks_text(view, full, page) +
         stale_text(view, page) + changes_text(changes, full, page) +
         earlier_text(view, full, page) + heading("To be decided", page) +
         quoted_block(view.demand.prompt, kIndent, true, page) + options_text(view, page);
}

std::string decided_text(const gating::engine::DecideReply& reply, const DecisionView& view,
                         const DecisionOption& option, const std::string& options,
                         const Page& page) {
  using Kind = gating::Reply::Kind;
  const gating::RunState& run = reply.view.run;
  const auto line = [&](const std::string& text) { return wrapped(text, page.width, 0, 2); };
  const std::string left = "phase " + shown_value(view.view.run.current_phase);
  const std::string now = "phase " + shown_value(run.current_phase);
  std::string text;
  switch (reply.reply.kind) {
    case Kind::waiting:
      text = line("Kept: " + std::to_string(run.decision ? run.decision->answers.size() : 0) +
                  " of " + std::to_string(view.demand.count) +
                  " have decided. The session waits on, for another approver:") +
             "  phasegate decide " + run.id + shown(options) + "\n";
      break;
    case Kind::sent_back:
      text = line("Sent back: " + now + " is open again.") +
             line("The assistant is told with its next call that a person chose " +
                  base::in_quotes(shown_short(option.label, kTitleBytesShown)) +
                  ", and what they said with it.");
      break;
    case Kind::rejected:
    case Kind::cancelled:
      text = line("The session has ended: " + std::string(gating::to_text(run.status)) + ".") +
             line("The assistant is told so with its next call, and why.");
      break;
    default:
      if (run.status == gating::RunStatus::completed) {
        text = line("Accepted: " + left + ". The session is completed" +
                    (run.partial ? " (partial)." : "."));
      } else {
        text = line("Accepted: " + left + ". The session goes on in " + now + ".") +
               line("The assistant is given it with its next call.");
      }
  }
  if (run.paused) {
    text += line("It is paused: phasegate resume " + run.id + shown(options));
  } else if (run.decision && reply.reply.kind != Kind::waiting) {
    text += line("It waits for a decision again: phasegate decide " + run.id + shown(options));
  }
  return text;
}

}  // namespace phasegate::app::cli
