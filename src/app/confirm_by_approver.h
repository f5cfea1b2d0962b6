#pragma once
#include <string>
#include <string_view>

#include "app/environment.h"
#include "app/outcome.h"
#include "app/secret_prompt.h"
#include "base/clock.h"
#include "base/result.h"
#include "gating/engine/approvers.h"

namespace phasegate::app {

/// Everything that asking an approver takes.
struct ApproverDesk {
  gating::engine::ApproverBook& book;
  const Environment& environment;
  const Prompts& prompts;
  const base::Clock& clock;
};

/// Refuses (`terminal_needed`) where input or output is no terminal, and where the terminal is an
/// assistant's (see assistant_environment.h). `what` begins the sentence (`What may run here`),
/// `command` is what a person types.
[[nodiscard]] base::Result<void> require_own_terminal(const Environment& environment,
                                                      std::string_view what,
                                                      const std::string& command);

/// Asks for an approver's name and secret, three times at most. The name is not asked for if only
/// one is enrolled; otherwise an empty line stands for `preferred`, or else for the operating
/// system's user if that name is enrolled. Errors: those of ApproverBook and of Prompts; every
/// wrong secret has counted.
[[nodiscard]] base::Result<gating::engine::Approver> confirm_by_approver(
    const ApproverDesk& desk, std::string_view preferred = "");

/// For what only a person at a terminal may do, and only an approver once somebody is enrolled:
/// asks for name and secret then. Who did it, for the records: `approver:NAME`, or while nobody is
/// enrolled the operating system's user. Errors: as confirm_by_approver, and `terminal_needed` if
/// somebody is enrolled and the terminal is an assistant's.
[[nodiscard]] base::Result<std::string> confirmed_actor(const ApproverDesk& desk,
                                                        std::string_view what,
                                                        const std::string& command);

/// Whether confirmed_actor could succeed, before a person is shown what it is about: its errors but
/// for those of the asking.
[[nodiscard]] base::Result<void> can_be_confirmed(const ApproverDesk& desk, std::string_view what,
                                                  const std::string& command);

/// Such an error with the exit code that fits.
[[nodiscard]] Outcome confirmation_failed(const base::Error& error);

}  // namespace phasegate::app
