#include "app/confirm_by_approver.h"

#include <algorithm>
#include <vector>

#include "app/cli/text.h"
#include "base/text.h"
#include "world/project.h"

namespace phasegate::app {
namespace {

using base::Error;
using base::Result;
using gating::engine::Approver;

constexpr int kTriesMax = 3;

const Approver* find(const std::vector<Approver>& approvers, std::string_view name) {
  const std::string wanted = base::lowered(name);
  const auto found = std::find_if(
      approvers.begin(), approvers.end(),
      [&](const Approver& approver) { return base::lowered(approver.name) == wanted; });
  return found == approvers.end() ? nullptr : &*found;
}

Result<std::string> ask_name(const ApproverDesk& desk, const std::vector<Approver>& approvers,
                             std::string_view preferred, const std::string& before) {
  if (approvers.size() == 1) return approvers.front().name;
  const Approver* usual = find(approvers, preferred);
  if (usual == nullptr) usual = find(approvers, world::principal());
  const std::string name = usual == nullptr ? "" : usual->name;
  auto given = desk.prompts.line(before + (name.empty() ? std::string("Name of an approver: ")
                                                        : "Name of an approver [" + name + "]: "));
  if (!given && given.error().code == "nothing_given" && !name.empty()) return name;
  return given;
}

}  // namespace

Result<void> require_own_terminal(const Environment& environment, std::string_view what,
                                  const std::string& command) {
  if (!environment.assistant_variable.empty()) {
    return Error{"terminal_needed",
                 std::string(what) + " is a person's to say. This terminal is an assistant's (" +
                     environment.assistant_variable + " is set), which sees what is typed in it.",
                 "In a terminal of the person's own: " + command, ""};
  }
  if (environment.stdin_is_terminal && environment.stdout_is_terminal) return {};
  return Error{"terminal_needed", std::string(what) + " is a person's to say, on a terminal.",
               "There: " + command, ""};
}

Result<Approver> confirm_by_approver(const ApproverDesk& desk, std::string_view preferred) {
  const auto approvers = desk.book.list();
  if (!approvers) return approvers.error();
  if (approvers->empty()) {
    return Error{"no_approvers", "Nobody is enrolled who could decide.",
                 "On a terminal: phasegate approvers add NAME", ""};
  }
  std::string before;
  for (int tries = 1;; ++tries) {
    const bool one = approvers->size() == 1;
    const auto name = ask_name(desk, *approvers, preferred, one ? "" : before);
    if (!name) return name.error();
    auto secret = desk.prompts.secret((one ? before : "") + "Secret of " +
                                      cli::shown_short(*name, 64) + ": ");
    if (!secret) return std::move(secret).error();
    auto approver = desk.book.verify(*name, secret->view(), desk.clock.now());
    if (approver || approver.error().code != "wrong_secret" || tries == kTriesMax) return approver;
    before = "That is not right. ";
  }
}

Result<void> can_be_confirmed(const ApproverDesk& desk, std::string_view what,
                              const std::string& command) {
  const auto approvers = desk.book.list();
  if (!approvers) return approvers.error();
  if (approvers->empty()) return {};
  return require_own_terminal(desk.environment, what, command);
}

Result<std::string> confirmed_actor(const ApproverDesk& desk, std::string_view what,
                                    const std::string& command) {
  if (auto able = can_be_confirmed(desk, what, command); !able) return std::move(able).error();
  const auto approver = confirm_by_approver(desk);
  if (approver) return "approver:" + approver->name;
  if (approver.error().code == "no_approvers") return world::principal();
  return approver.error();
}

Outcome confirmation_failed(const Error& error) {
  const bool surroundings = error.code == "approvers_unreadable";
  return failed(surroundings ? ExitCode::environment : ExitCode::not_ok, error);
}

}  // namespace phasegate::app
