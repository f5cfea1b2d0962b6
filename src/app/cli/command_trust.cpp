#include "app/cli/command_trust.h"

#include "app/cli/layout.h"
#include "app/cli/text.h"
#include "app/confirm_by_approver.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/project_commands.h"

namespace phasegate::app::cli {
namespace {

using gating::engine::TrustRecord;
using gating::engine::TrustView;
using phases::RunsCode;

constexpr std::size_t kDigestShown = 16;

base::Error for_people(base::Error error, const std::string& workflow, const std::string& options) {
  if (error.code == "not_startable") {
    error.message = "The files of " + base::in_quotes(workflow) + " have errors.";
    error.hint = "`phasegate validate " + shell_word(workflow) + options + "` shows them.";
  } else if (error.code == "unknown_workflow") {
    error.hint = "`phasegate workflows" + options + "` lists those that there are.";
  }
  if (error.code == "invalid_project") {
    error.hint = "Mend .phasegate/project.yaml; `phasegate validate " + shell_word(workflow) +
                 options + "` shows its lines.";
  } else if (error.code == "missing_command") {
    constexpr std::string_view kStart = "nothing was started; ";
    if (error.message.starts_with(kStart)) error.message.erase(0, kStart.size());
    error.hint =
        "Write it below commands of .phasegate/project.yaml, or mend the workflow; "
        "`phasegate validate " +
        shell_word(workflow) + options + "` shows where.";
  }
  error.where.clear();
  return error;
}

std::string runs_text(const RunsCode& one, const Page& page) {
  const std::string place = one.phase.empty() ? "named check" : "phase " + shown_value(one.phase);
  std::string text = wrapped(place + ", check " + shown_value(one.check) + " (" +
                                 std::string(phases::to_text(one.kind)) + "):",
                             page.width, 2, 4);
  // Whole and on a line of its own: what is trusted must not hide behind a line break or an
  // ellipsis.
  text += "      " + page.in(Tone::strong, shown(one.line)) + "\n";
  const auto line = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) text += wrapped(name + shown(value), page.width, 6, 8);
  };
  if (one.missing) {
    text += wrapped("the project names no such command yet: nothing is run", page.width, 6, 8);
  }
  line("in ", one.cwd);
  // Whole, as the line itself: a shell would take it for one.
  if (!one.input.empty()) {
    text += wrapped("reads from its standard input:", page.width, 6, 8);
    text += "        " + page.in(Tone::strong, shown(one.input)) + "\n";
  }
  for (const std::string& variable : one.env) line("with ", variable);
  line("reaches ", base::joined(one.hosts, ", "));
  line("reads ", base::joined(one.absolute, ", "));
  if (one.timeout_ms > 0) line("for at most ", std::to_string(one.timeout_ms / 1000) + " s");
  return text;
}

std::string path_of(const std::vector<std::string>& environment) {
  constexpr std::string_view kName = "PATH=";
  for (const std::string& variable : environment) {
    if (variable.starts_with(kName)) return variable.substr(kName.size());
  }
  return "";
}

std::string view_text(const TrustView& view, const Page& page) {
  std::string text =
      wrapped(base::in_quotes(view.workflow) +
                  " starts the following on this machine, as you, in this project, whenever an "
                  "assistant hands over evidence:",
              page.width, 0, 2) +
      "\n";
  for (const RunsCode& one : phases::what_runs(view.loaded->workflow)) text += runs_text(one, page);
  const std::string path = path_of(view.trusted ? view.remembered : view.environment);
  text += "\n" + wrapped(
                     "Programs are looked for in this PATH, and find the HOME and the places of "
                     "tools as " +
                         std::string(view.trusted ? "they were when it was trusted"
                                                  : "this terminal has them now") +
                         ", whoever asks for the check: " + (path.empty() ? "(none)" : shown(path)),
                     page.width, 0, 2);
  text += "\n" + wrapped("Content digest: " + view.digest.substr(0, kDigestShown) +
                             ". A changed workflow or .phasegate/project.yaml has another one and "
                             "is asked for again. What these programs read in turn, scripts of the "
                             "project among it, is not part of it.",
                         page.width, 0, 2);
  return text;
}

Outcome list(Program& program, bool json, const Page& page) {
  const std::vector<TrustRecord> records = program.engine().trusted();
  if (json) {
    base::Json rows = base::Json::array();
    for (const TrustRecord& record : records) {
      const auto runs = base::parse_json(record.shown, {1U << 20U, 16});
      rows.push_back({{"workflow", record.workflow},
                      {"digest", record.digest},
                      {"by", record.principal},
                      {"at", base::to_rfc3339(record.at)},
                      {"runs", runs ? *runs : base::Json()},
                      {"environment", record.environment}});
    }
    return {ExitCode::ok, base::dump_pretty(rows) + "\n", ""};
  }
  if (records.empty()) return {ExitCode::ok, "No workflow is trusted to run programs here.\n", ""};
  std::vector<std::vector<std::string>> rows;
  for (const TrustRecord& record : records) {
    rows.push_back({shown_value(record.workflow), record.digest.substr(0, kDigestShown),
                    shown_value(record.principal), moment(record.at, page)});
  }
  return {ExitCode::ok,
          table({{"WORKFLOW", 0, 0}, {"DIGEST", 2, 0}, {"BY", 1, 0}, {"SINCE", 3, 0}}, rows,
                page.width),
          ""};
}

}  // namespace

Outcome trust_workflow(const Invocation& invocation, Program& program,
                       const Environment& environment, const Page& page,
                       const std::function<bool(const std::string&)>& ask, const Prompts& prompts) {
  const Settings& settings = program.settings();
  const std::string& options = settings.options_here;
  const std::string& workflow = invocation.argument;
  if (invocation.json && !invocation.list) {
    return failed(ExitCode::usage,
                  {"usage", "--json goes with --list here.",
                   "Without it what a workflow would run is shown to a person.", ""});
  }
  if (invocation.list) return list(program, invocation.json, page);
  if (workflow.empty()) {
    return failed(ExitCode::usage, {"usage", "Which workflow is missing.",
                                    "Write phasegate trust WORKFLOW, or --list.", ""});
  }
  const bool on_terminal = environment.stdin_is_terminal && environment.stdout_is_terminal;
  gating::engine::Engine& engine = program.engine();
  auto view = engine.trust_view(workflow);
  if (!view && !invocation.revoke) {
    return failed(ExitCode::not_ok, for_people(view.error(), workflow, options));
  }
  if (!invocation.revoke && !view->needed) {
    return {ExitCode::ok, base::in_quotes(workflow) + " runs nothing, so it needs no trust.\n", ""};
  }
  if (!on_terminal) {
    Outcome outcome =
        failed(ExitCode::not_ok,
               {"terminal_needed", "What may run here is a person's to say, on a terminal.",
                "There: phasegate trust " + shell_word(workflow) +
                    (invocation.revoke ? " --revoke" : "") + settings.options_anywhere,
                ""});
    if (!invocation.revoke) outcome.out = view_text(*view, page);
    return outcome;
  }
  if (invocation.revoke) {
    const std::string id = view ? view->workflow : workflow;
    const int count = engine.revoke_trust(id);
    if (count == 0) {
      return failed(ExitCode::not_ok,
                    {"not_trusted", base::in_quotes(id) + " was not trusted.",
                     "`phasegate trust --list" + options + "` shows what is.", ""});
    }
    return {ExitCode::ok,
            base::in_quotes(id) +
                " may not run anything any more. Its open sessions stay; their gates stay shut.\n",
            ""};
  }
  if (view->trusted && view->environment == view->remembered) {
    return {ExitCode::ok, view_text(*view, page) + "\nIt is trusted already.\n", ""};
  }
  const base::SystemClock clock;
  const ApproverDesk desk{program.approvers(), environment, prompts, clock};
  constexpr std::string_view kWhat = "What may run here";
  const std::string command = "phasegate trust " + shell_word(workflow) + settings.options_anywhere;
  if (auto able = can_be_confirmed(desk, kWhat, command); !able) {
    return confirmation_failed(able.error());
  }
  const std::string question =
      view->trusted ? "It is trusted already. Shall its programs find what this terminal has now "
                      "instead (PATH " +
                          shown(path_of(view->environment)) + ")? [y/N] "
                    : std::string("May it run this here? [y/N] ");
  if (!ask(view_text(*view, page) + "\n" + question)) {
    return {ExitCode::not_ok,
            view->trusted ? "Nothing was changed.\n"
                          : "Nothing was changed: it may not run anything.\n",
            ""};
  }
  const auto actor = confirmed_actor(desk, kWhat, command);
  if (!actor) return confirmation_failed(actor.error());
  const auto done = engine.trust(workflow, view->digest, *actor);
  if (!done) return failed(ExitCode::not_ok, for_people(done.error(), workflow, options));
  return {ExitCode::ok, base::in_quotes(view->workflow) + " is trusted; it can be started now.\n",
          ""};
}

}  // namespace phasegate::app::cli
