#include "app/cli/command_audit.h"

#include <string>
#include <vector>

#include "app/cli/decision_input.h"
#include "app/cli/layout.h"
#include "app/cli/option_values.h"
#include "app/cli/render_audit.h"
#include "app/cli/session_lookup.h"
#include "app/cli/text.h"
#include "app/confirm_by_approver.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/named_commands.h"
#include "base/text.h"
#include "state/approvers/approver_book.h"
#include "state/seal/sealed_session.h"
#include "state/seal/upkeep.h"

namespace phasegate::app::cli {
namespace {

constexpr std::string_view kAccepting = "Accepting the state as it is";

/// The full id of the session that was typed. Errors: those of find_session; `pruned_session`.
base::Result<std::string> find_audited(const Settings& settings, std::string_view typed) {
  const auto look_up = [&](const std::string& prefix) -> base::Result<Candidates> {
    Candidates all;
    const std::size_t most = base::limits::kListItemsMax;
    for (std::string& id : state::sessions_beginning(settings.state_folder, prefix, most + 1)) {
      all.found.push_back({std::move(id), ""});
    }
    all.more = all.found.size() > most;
    if (all.more) all.found.pop_back();
    return all;
  };
  auto found = find_session_among(look_up, typed, settings.options_here);
  if (found && !look_up(*found)->found.empty()) return found;
  base::Error error = found ? unknown_session(*found, settings.options_here) : found.error();
  return missing_session(settings, typed, std::move(error));
}

Outcome show_audit(const Invocation& invocation, const Settings& settings, const Page& page,
                   const std::string& session) {
  auto report = state::audit(settings.state_folder, session);
  if (report.problem) {
    report.problem->hint = base::with_options(report.problem->hint, settings.options_here);
  }
  if (report.problem && !invocation.json) return failed(ExitCode::environment, *report.problem);
  const ExitCode code = report.problem   ? ExitCode::environment
                        : report.sound() ? ExitCode::ok
                                         : ExitCode::not_ok;
  if (invocation.json) {
    return {code, base::dump_pretty(audit_json(report, session)) + "\n", ""};
  }
  return {code, audit_text(report, session, page), ""};
}

Outcome export_audit(const Invocation& invocation, const Settings& settings, const Page& page,
                     const std::string& session) {
  state::AuditReport report;
  const auto sealed = state::read_sealed_session(settings.state_folder, session, report);
  if (report.problem) return failed(ExitCode::environment, *report.problem);
  if (!sealed) {
    return failed(ExitCode::not_ok, unknown_session(session, settings.options_here));
  }
  const ExitCode code = report.sound() ? ExitCode::ok : ExitCode::not_ok;
  const base::Json document = sealed_session_json(*sealed, report, page.now);
  if (invocation.json || invocation.format == "json") {
    return {code, base::dump_pretty(document) + "\n", ""};
  }
  return {code, sealed_session_markdown(document), ""};
}

Outcome rotate_key(const Settings& settings) {
  const auto number = state::rotate_seal_key(settings.state_folder);
  return {ExitCode::ok,
          "Key " + std::to_string(number) +
              " seals from now on. Those before it stay in seal-keys: what they have sealed "
              "verifies with them alone. Renew your own copy of the file.\n",
          ""};
}

/// A line each below the head; nothing if there are none.
std::string listed(const std::string& head, const std::vector<std::string>& lines,
                   const Page& page) {
  std::string text = lines.empty() ? "" : head;
  for (const std::string& one : lines) text += wrapped("- " + shown_value(one), page.width, 0, 2);
  return text;
}

Outcome accept(const Settings& settings, const Environment& environment, const Page& page,
               const Prompts& prompts) {
  const std::string command = "phasegate audit --accept" + settings.options_anywhere;
  const base::SystemClock clock;
  state::SqliteApproverBook book(settings.approvers_folder);
  const ApproverDesk desk{book, environment, prompts, clock};
  if (auto own = require_own_terminal(environment, kAccepting, command); !own) {
    return failed(ExitCode::not_ok, own.error());
  }
  if (auto can = can_be_confirmed(desk, kAccepting, command); !can) {
    return confirmation_failed(can.error());
  }
  const auto found = state::to_be_accepted(settings.state_folder);
  const std::string stays = listed("What no acceptance mends:\n", found.stays, page);
  if (found.mended.empty()) {
    return {ExitCode::not_ok,
            "Nothing to accept: the state is not older than it was, and no session is missing. "
            "What is wrong with single sessions cannot be accepted; `phasegate audit" +
                settings.options_here + "` names it.\n" + stays,
            ""};
  }
  std::string text = listed("What is found:\n", found.mended, page) + stays;
  text += wrapped(
      "Whoever accepts it says that the state is to be used as it is: what happened after it is "
      "lost. Every audit will show who accepted it, and when.",
      page.width, 0, 0);
  if (!says_yes(prompts, text + "Accept it? [y/N] ")) {
    return {ExitCode::not_ok, "Nothing was changed.\n", ""};
  }
  const auto actor = confirmed_actor(desk, kAccepting, command);
  if (!actor) return confirmation_failed(actor.error());
  const auto done = state::accept_as_it_is(settings.state_folder, *actor,
                                           base::joined(found.mended, "; "), clock.now(), &found);
  return {ExitCode::ok,
          "Accepted by " + shown(*actor) + ". The state can be written again.\n" +
              listed("Still found, by every audit:\n", done.stays, page),
          ""};
}

}  // namespace

Outcome audit_state(const Invocation& invocation, const Settings& settings,
                    const Environment& environment, const Page& page, const Prompts& prompts) {
  const bool changes = invocation.rotate_key || invocation.accept;
  if (invocation.report && invocation.argument.empty()) {
    return failed(ExitCode::usage,
                  usage_error("`audit --export` needs SESSION.",
                              "Write phasegate audit --export SESSION" + settings.options_here +
                                  "; `phasegate sessions` lists them."));
  }
  if (changes && !invocation.argument.empty()) {
    return failed(
        ExitCode::usage,
        usage_error("`--rotate-key` and `--accept` are about all sessions.", "Leave SESSION out."));
  }
  if (invocation.format && !invocation.report) {
    return failed(ExitCode::usage, usage_error("`--format` is of the report of `--export`.",
                                               "`--json` prints the audit itself as data."));
  }
  if (invocation.rotate_key) return rotate_key(settings);
  if (invocation.accept) return accept(settings, environment, page, prompts);
  std::string session;
  if (!invocation.argument.empty()) {
    auto found = find_audited(settings, invocation.argument);
    if (!found) return failed(ExitCode::not_ok, found.error());
    session = *std::move(found);
  }
  return invocation.report ? export_audit(invocation, settings, page, session)
                           : show_audit(invocation, settings, page, session);
}

}  // namespace phasegate::app::cli
