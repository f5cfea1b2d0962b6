#include <algorithm>

#include "app/cli/layout.h"
#include "app/cli/outside_text.h"
#include "app/cli/render.h"
#include "app/cli/render_people.h"
#include "app/cli/requirement_text.h"
#include "app/cli/text.h"
#include "base/text.h"
#include "gating/definition.h"
#include "gating/evidence.h"
#include "phases/requirement_words.h"

namespace phasegate::app::cli {
namespace {

using gating::AcceptedPhase;
using gating::RunState;
using gating::RunStatus;
using gating::engine::RunView;

constexpr std::size_t kTitleBytesShown = 80;
constexpr std::size_t kReasonBytesShown = 500;
constexpr std::size_t kInputBytesShown = 500;

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string accepted_text(const AcceptedPhase& accepted, const Page& page) {
  std::string text = "accepted " + moment(accepted.accepted_at, page);
  if (accepted.attempt > 1) text += " at attempt " + std::to_string(accepted.attempt);
  text +=
      ": " + to_text(gating::Assurance{accepted.self_attested, accepted.checked, accepted.decided});
  for (const std::string& decider : accepted.deciders) {
    text += ", decided by " + person_text(decider);
  }
  if (accepted.weak) text += ", weak gate";
  if (accepted.lenient) text += ", lenient";
  if (accepted.skipped > 0) {
    text += ", " + base::counted(static_cast<std::size_t>(accepted.skipped), "check") + " left out";
  }
  if (accepted.stale) text += ", stale: a file that its evidence names has changed since";
  return text;
}

/// A field that the last evidence lacked is marked, so that it stands out without colours, too.
std::string asked_for_text(const RunView& view, const Page& page) {
  Entries entries;
  bool some_missing = false;
  std::vector<std::string> named;
  for (const phases::Requirement& requirement : view.phase().gate.requirements) {
    const bool missing = is_missing(view.run, requirement.name);
    some_missing = some_missing || missing;
    named.push_back(requirement.name);
    const std::string name = shown_value(requirement.name);
    entries.emplace_back(missing ? page.in(Tone::bad, "! " + name) : "  " + name,
                         shown_value(phases::type_and_rules(requirement)));
  }
  std::string text;
  if (!entries.empty()) {
    const char* head = some_missing
                           ? "its gate asks for (! was not as required at the last attempt):"
                           : "its gate asks for:";
    text += wrapped(head, page.width, 6, 6) + definitions(entries, 6, page.width);
  }
  // What was missed and is no field of the gate: the evidence as a whole.
  std::vector<std::string> others;
  for (const std::string& name : view.run.missing) {
    if (std::find(named.begin(), named.end(), name) != named.end()) continue;
    others.push_back(name.empty() ? "the evidence as a whole" : shown_value(name));
  }
  if (!others.empty()) {
    text += wrapped("not as required at the last attempt: " + base::joined(others, ", "),
                    page.width, 6, 8);
  }
  return text;
}

std::string check_entry(const gating::CheckResult& result, const Page& page) {
  const Tone tone = result.lets_through() ? Tone::good : Tone::bad;
  std::string text = page.in(tone, gating::to_text(result.outcome)) + " " +
                     shown_value(result.name) + ": " +
                     shown_short(result.subject, kTitleBytesShown);
  if (!result.reason.empty()) text += " – " + shown_short(result.reason, kReasonBytesShown);
  return wrapped(text, page.width, 8, 10);
}

/// What the server looks at itself, and what it saw last.
std::string checks_text(const RunView& view, const Page& page) {
  const auto& checks = view.definition->checks[view.phase_index()].checks();
  std::string text;
  if (view.run.pending) {
    std::string line = "checks of attempt " + std::to_string(view.run.pending->attempt) +
                       (view.effect && view.effect->owner
                            ? " are being carried out since "
                            : " wait to be carried out (phasegate work does it) since ") +
                       moment(view.run.pending->since, page);
    if (view.effect && !view.effect->progress.empty()) line += ", now " + view.effect->progress;
    return wrapped(shown_value(line), page.width, 6, 8);
  }
  if (view.run.verified) {
    text += wrapped("checks at attempt " + std::to_string(view.run.verified->attempt) + ":",
                    page.width, 6, 6);
    for (const gating::CheckResult& result : view.run.verified->results) {
      text += check_entry(result, page);
    }
    return text;
  }
  for (const phases::Check& check : checks) {
    text += wrapped(
        shown_value(check.name) + ": " + shown_short(phases::subject_of(check), kTitleBytesShown),
        page.width, 8, 10);
  }
  return text.empty() ? text : wrapped("the server looks itself at:", page.width, 6, 6) + text;
}

std::string open_phase_text(const RunView& view, const Page& page) {
  const auto attempts = static_cast<std::size_t>(view.run.attempts);
  std::string text = wrapped(
      attempts > 0 ? base::counted(attempts, "attempt") + " so far" : "nothing handed over yet",
      page.width, 6, 6);
  text += feedback_text(view, page);
  text += asked_for_text(view, page);
  text += checks_text(view, page);
  for (const std::string& mark : gate_marks(view.phase().gate)) {
    text += wrapped(shown_value(mark), page.width, 6, 8);
  }
  if (const std::string mark = decision_mark(view.phase()); !mark.empty()) {
    text += wrapped(shown_value(mark), page.width, 6, 8);
  }
  return text;
}

std::string phase_text(const RunView& view, const phases::Phase& phase, const Page& page) {
  const std::string_view state = phase_state(view, phase);
  const std::string name =
      shown_value(phase.id) + "  " + shown_short(phase.title, kTitleBytesShown);
  if (state == "accepted") {
    return wrapped(page.in(Tone::good, "[x]") + " " + name, page.width, 2, 6) +
           wrapped(accepted_text(*view.run.find_accepted(phase.id), page), page.width, 6, 8);
  }
  if (state == "open") {
    return wrapped(page.in(Tone::strong, "[>] " + name), page.width, 2, 6) +
           open_phase_text(view, page);
  }
  return wrapped(page.in(Tone::faint, "[ ] " + name), page.width, 2, 6);
}

std::string phases_text(const RunView& view, bool all, const Page& page) {
  std::string text;
  std::size_t hidden = 0;
  const bool show_ahead = all || view.workflow().outline;
  for (const phases::Phase& phase : view.workflow().phases) {
    if (phase_state(view, phase) == "ahead" && !show_ahead) {
      ++hidden;
    } else {
      text += phase_text(view, phase, page);
    }
  }
  if (hidden > 0) {
    text += wrapped(page.in(Tone::faint, "[ ] " + base::counted(hidden, "phase") +
                                             " still to come (--all names them)"),
                    page.width, 2, 6);
  }
  if (!view.workflow().dynamic_reason.empty()) {
    text += wrapped(page.in(Tone::faint, "[ ] and phases that are not known in advance"),
                    page.width, 2, 6);
  }
  return text;
}

std::string state_text(const RunView& view, const Page& page) {
  const RunState& run = view.run;
  const std::string word(gating::to_text(run.status));
  std::string text = run.status == RunStatus::active      ? page.in(Tone::strong, word)
                     : run.status == RunStatus::completed ? page.in(Tone::good, word)
                                                          : page.in(Tone::caution, word);
  if (run.status == RunStatus::completed) text += run.partial ? " (partial)" : " (ok)";
  if (gating::is_open(run.status)) {
    text += ", in phase " + shown_value(run.current_phase) + " (" +
            std::to_string(view.phase_index() + 1) + " of " +
            std::to_string(view.workflow().phases.size()) + ")";
  }
  return text;
}

std::string waits_text(const RunState& run) {
  if (!gating::is_open(run.status)) return "";
  if (run.pending && !run.paused) return "checks";
  if (run.status == RunStatus::active) return "the assistant";
  const std::string reason = shown_short(run.waiting.reason, kReasonBytesShown);
  return waits_for(run) == "person" ? "a person: " + reason : reason;
}

std::string head_text(const RunView& view, const StatusOptions& options, const Page& page) {
  const RunState& run = view.run;
  Entries head;
  const auto line = [&](const char* name, const std::string& value) {
    if (!value.empty()) head.emplace_back(name, value);
  };
  line("Session", run.id + (options.was_found ? " (the open session that changed last)" : ""));
  std::string workflow = shown_value(run.workflow);
  if (!view.workflow().version.empty()) workflow += " " + shown_value(view.workflow().version);
  line("Workflow", workflow);
  line("State", state_text(view, page));
  line("Waits for", waits_text(run));
  for (const auto& [name, value] : people_rows(view, page)) line(name.c_str(), value);
  line("Ended", shown_short(run.end_reason, kReasonBytesShown));
  line("Target", shown_value(run.target));
  if (run.input != "null") line("Input", shown_short(run.input, kInputBytesShown));
  line("Branch", shown_value(run.branch));
  line("Worktree", shown_value(run.worktree));
  line("Started", moment(run.created_at, page) +
                      (run.principal.empty() ? "" : " by " + shown_value(run.principal)));
  line("Changed", moment(run.updated_at, page));
  if (run.repins > 0) {
    line("Pinned", "anew to a changed workflow, " +
                       base::counted(static_cast<std::size_t>(run.repins), "time") +
                       "; `phasegate history` says when");
  }
  line("Rests on", to_text(gating::assurance_of(run)));
  for (const std::string& doubt : options.doubts) line("Look at", page.in(Tone::bad, doubt));
  if (run.gates == gating::GatePolicy::as_written) {
    line("Gates", "as written: a gate that asks for leniency lets incomplete evidence pass");
  }
  if (run.partial) line("Outcome", "partial: a gate was weak or lenient, or checks were left out");
  return definitions(head, 0, page.width);
}

std::string next_text(const RunView& view, const StatusOptions& options, const Page& page) {
  const RunState& run = view.run;
  const std::string tail = " " + run.id + shown(options.options);
  Entries next;
  if (run.status == RunStatus::active) {
    next.emplace_back("To go on:", "tell your assistant to go on with session " + run.id);
    next.emplace_back("To follow it:", "phasegate watch" + tail);
  }
  if (run.paused) next.emplace_back("To go on:", "phasegate resume" + tail);
  if (run.decision && gating::is_open(run.status)) {
    next.emplace_back("To decide:", "phasegate decide" + tail);
  }
  if (gating::is_open(run.status)) next.emplace_back("To end it:", "phasegate cancel" + tail);
  next.emplace_back("What happened:", "phasegate history" + tail);
  std::string text;
  // A command that is broken across lines cannot be copied, so it stands whole on a line of its
  // own.
  for (const auto& [name, what] : next) {
    const std::string line = name + std::string(16 - name.size(), ' ') + what;
    text += display_width(line) <= page.width ? line + "\n" : name + "\n  " + what + "\n";
  }
  return text;
}

}  // namespace

std::string_view phase_state(const RunView& view, const phases::Phase& phase) {
  if (view.run.find_accepted(phase.id) != nullptr) return "accepted";
  if (phase.id != view.run.current_phase) return "ahead";
  return gating::is_open(view.run.status) ? "open" : "not_completed";
}

std::string_view waits_for(const RunState& run) {
  if (gating::is_open(run.status) && (run.paused || run.decision)) return "person";
  if (run.pending) return "checks";
  return run.status == RunStatus::active ? "assistant" : "nothing";
}

bool is_missing(const RunState& run, std::string_view field) {
  return std::find(run.missing.begin(), run.missing.end(), field) != run.missing.end();
}

std::string status_text(const RunView& view, const StatusOptions& options, const Page& page) {
  return head_text(view, options, page) + "\nPhases:\n" + phases_text(view, options.all, page) +
         "\n" + next_text(view, options, page);
}

}  // namespace phasegate::app::cli
