#include "app/cli/command_approvers.h"

#include <algorithm>
#include <utility>

#include "app/cli/layout.h"
#include "app/cli/option_values.h"
#include "app/cli/text.h"
#include "app/confirm_by_approver.h"
#include "base/json.h"
#include "base/text.h"
#include "state/approvers/secret_rules.h"
#include "world/project.h"

namespace phasegate::app::cli {
namespace {

using base::Error;
using base::Result;
using gating::engine::Approver;
using state::ChangeBy;
using state::Enrolment;
using state::Secret;

constexpr std::string_view kWhat = "Who decides";
constexpr int kTriesMax = 3;

/// What the parts of the command share.
struct Call {
  const Invocation& invocation;
  Program& program;
  const Page& page;
  const AskPerson& ask;
  ApproverDesk desk;
  std::vector<Enrolment> enrolled;
  std::string name;  ///< as it was typed
};

Outcome list(const Call& call) {
  if (call.invocation.json) {
    base::Json approvers = base::Json::array();
    for (const Enrolment& one : call.enrolled) {
      approvers.push_back(
          {{"name", one.approver.name},
           {"roles", one.approver.roles},
           {"since", base::to_rfc3339(one.approver.since)},
           {"by", one.approver.enrolled_by},
           {"fingerprint", one.approver.fingerprint},
           {"locked_until",
            one.locked_until ? base::Json(base::to_rfc3339(*one.locked_until)) : base::Json()}});
    }
    base::Json document = base::Json::object();
    document["approvers"] = std::move(approvers);
    return {ExitCode::ok, base::dump_pretty(document) + "\n", ""};
  }
  if (call.enrolled.empty()) {
    return {
        ExitCode::ok,
        wrapped("Nobody is enrolled: gates that ask for a person wait.", call.page.width, 0, 2) +
            "On a terminal: phasegate approvers add NAME" + call.program.settings().options_here +
            "\n",
        ""};
  }
  std::vector<std::vector<std::string>> rows;
  for (const Enrolment& one : call.enrolled) {
    rows.push_back({one.approver.name, base::joined(one.approver.roles, ", "),
                    moment(one.approver.since, call.page), shown_value(one.approver.enrolled_by),
                    one.approver.fingerprint,
                    one.locked_until ? "locked until " + clock_time(*one.locked_until) : ""});
  }
  return {ExitCode::ok,
          table({{"NAME", 0, 0},
                 {"ROLES", 4, 8},
                 {"SINCE", 1, 0},
                 {"BY", 2, 0},
                 {"FINGERPRINT", 3, 0},
                 {"", 0, 0}},
                rows, call.page.width),
          ""};
}

const Enrolment* find(const Call& call, std::string_view name) {
  const std::string wanted = base::lowered(name);
  const auto found = std::find_if(
      call.enrolled.begin(), call.enrolled.end(),
      [&](const Enrolment& one) { return base::lowered(one.approver.name) == wanted; });
  return found == call.enrolled.end() ? nullptr : &*found;
}

Error not_enrolled(const Call& call) {
  std::vector<std::string> names;
  names.reserve(call.enrolled.size());
  for (const Enrolment& one : call.enrolled) names.push_back(one.approver.name);
  const auto nearest = base::nearest_name(call.name, names);
  return {"unknown_approver", base::in_quotes(call.name) + " is not enrolled.",
          nearest
              ? "Did you mean `" + *nearest + "`?"
              : "`phasegate approvers" + call.program.settings().options_here + "` lists who is.",
          ""};
}

/// Asks for a secret twice, until it may be taken.
Result<Secret> ask_new_secret(const Call& call, const std::string& before) {
  std::string first = before;
  for (int tries = 1;; ++tries) {
    auto secret = call.desk.prompts.secret(first + "New secret of " + call.name + ": ");
    if (!secret) return secret;
    if (auto good = state::check_new_secret(call.name, secret->view()); !good) {
      if (tries == kTriesMax) return good.error();
      first = good.error().message + " " + good.error().hint + "\n";
      continue;
    }
    auto again = call.desk.prompts.secret("The same again: ");
    if (!again) return again;
    if (again->view() == secret->view()) return secret;
    if (tries == kTriesMax) {
      return Error{"not_the_same", "The two were not the same.", "Nothing was changed.", ""};
    }
    first = "The two were not the same.\n";
  }
}

/// Who makes a change: nobody but the user while nobody is enrolled, else who gives their secret.
Result<ChangeBy> changer(const Call& call, std::string_view preferred) {
  ChangeBy by{world::principal(), std::nullopt};
  if (call.enrolled.empty()) return by;
  auto approver = confirm_by_approver(call.desk, preferred);
  if (!approver) return std::move(approver).error();
  by.approver = *std::move(approver);
  return by;
}

std::string fingerprint_text(const Approver& approver) {
  return "Fingerprint " + approver.fingerprint +
         ": every decision is recorded with it, and another secret has another one.\n";
}

Outcome add(const Call& call) {
  if (auto name = state::compared_name("name", call.name); !name) {
    return confirmation_failed(name.error());
  }
  if (auto roles = state::kept_roles(call.invocation.roles); !roles) {
    return confirmation_failed(roles.error());
  }
  if (const Enrolment* there = find(call, call.name)) {
    return failed(
        ExitCode::not_ok,
        {"already_enrolled", base::in_quotes(there->approver.name) + " is enrolled already.",
         "phasegate approvers passwd " + there->approver.name +
             " sets another secret; for other roles remove them first.",
         ""});
  }
  const auto by = changer(call, "");
  if (!by) return confirmation_failed(by.error());
  const auto secret =
      ask_new_secret(call, call.enrolled.empty() ? "Nobody is enrolled yet. From now on, whoever "
                                                   "changes the list is asked for this secret.\n"
                                                 : "");
  if (!secret) return confirmation_failed(secret.error());
  const auto added = call.program.approvers().add(call.name, call.invocation.roles, secret->view(),
                                                  *by, call.desk.clock.now());
  if (!added) return confirmation_failed(added.error());
  return {ExitCode::ok, added->name + " may decide now.\n" + fingerprint_text(*added), ""};
}

Outcome remove(const Call& call) {
  const Enrolment* one = find(call, call.name);
  if (one == nullptr) return failed(ExitCode::not_ok, not_enrolled(call));
  const auto by = changer(call, call.name);
  if (!by) return confirmation_failed(by.error());
  const std::string& name = one->approver.name;
  const bool last = call.enrolled.size() == 1;
  if (last && (!call.ask(name +
                         " is the only one who may decide. Without anybody, runs that come "
                         "to a gate that asks for a person wait, and the next one is "
                         "enrolled by whoever sits at a terminal.\nRemove " +
                         name + "? [y/N] ") ||
               !call.ask("Really, so that nobody may decide? [y/N] "))) {
    return {ExitCode::not_ok, "Nothing was changed.\n", ""};
  }
  if (auto removed = call.program.approvers().remove(name, *by); !removed) {
    return confirmation_failed(removed.error());
  }
  return {ExitCode::ok,
          name + " may not decide any more." + (last ? " Nobody is enrolled now." : "") + "\n", ""};
}

Outcome change_secret(const Call& call) {
  const Enrolment* one = find(call, call.name);
  if (one == nullptr) return failed(ExitCode::not_ok, not_enrolled(call));
  const auto by = changer(call, call.name);
  if (!by) return confirmation_failed(by.error());
  const auto secret = ask_new_secret(call, "");
  if (!secret) return confirmation_failed(secret.error());
  const auto changed =
      call.program.approvers().set_secret(call.name, secret->view(), *by, call.desk.clock.now());
  if (!changed) return confirmation_failed(changed.error());
  return {ExitCode::ok, changed->name + " has another secret now.\n" + fingerprint_text(*changed),
          ""};
}

Result<void> check_words(const Invocation& invocation, const std::string& part) {
  const std::string& name = invocation.second_argument;
  const std::string see = "`phasegate help approvers` says more.";
  if (part == "list" && !name.empty()) {
    return usage_error(
        "`approvers list` takes no name; " + base::in_quotes(name) + " is one too many.", see);
  }
  if (part != "list" && name.empty()) {
    return usage_error(
        "`approvers " + part + "` is used like this: phasegate approvers " + part + " NAME.", see);
  }
  if (part != "list" && invocation.json) return usage_error("--json goes with list here.", see);
  if (part != "add" && !invocation.roles.empty()) {
    return usage_error("--role is no option of `approvers " + part + "`.", see);
  }
  return {};
}

}  // namespace

Outcome change_approvers(const Invocation& invocation, Program& program,
                         const Environment& environment, const Page& page, const AskPerson& ask,
                         const Prompts& prompts) {
  const std::string part = invocation.argument.empty() ? "list" : invocation.argument;
  if (auto good = check_words(invocation, part); !good) {
    return failed(ExitCode::usage, good.error());
  }
  const std::string& name = invocation.second_argument;
  if (part != "list") {
    std::string command = "phasegate approvers " + part + " " + shell_word(name);
    for (const std::string& role : invocation.roles) command += " --role " + shell_word(role);
    const auto own =
        require_own_terminal(environment, kWhat, command + program.settings().options_anywhere);
    if (!own) return failed(ExitCode::not_ok, own.error());
  }
  const base::SystemClock clock;
  auto enrolled = program.approvers().enrolments(clock.now());
  if (!enrolled) return confirmation_failed(enrolled.error());
  const Call call{
      invocation,           program, page, ask, {program.approvers(), environment, prompts, clock},
      *std::move(enrolled), name};
  if (part == "add") return add(call);
  if (part == "remove") return remove(call);
  if (part == "passwd") return change_secret(call);
  return list(call);
}

}  // namespace phasegate::app::cli
