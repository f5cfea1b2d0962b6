#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/page.h"
#include "app/settings.h"
#include "base/json_fwd.h"
#include "gating/run.h"
#include "phases/workflow.h"
#include "state/open_runs.h"

/// What waits for a person, over all projects of a user.
namespace phasegate::app::cli {

struct InboxRow {
  std::string project;  ///< its name
  std::string root;     ///< empty: not known, or gone
  std::string session;
  std::string workflow;
  std::string phase;
  std::string prompt;  ///< of a decision
  std::string state;   ///< of others: `paused`, `stalled`
  std::string reason;  ///< of a pause; may be empty
  base::TimePoint since;
  int answers = 0;
  int needed = 1;
  std::string decide;  ///< the command that decides; of a decision
};

struct Inbox {
  std::vector<InboxRow> decisions;    ///< the oldest first
  std::vector<InboxRow> others;       ///< paused, or without a change for long; the oldest first
  std::vector<std::string> problems;  ///< what could not be read, a sentence each
};

/// Adds what waits in one store. `state_option`: completes the commands, as Settings says.
void add_to_inbox(Inbox& inbox, const std::string& project, const std::string& root,
                  const std::string& state_option, const state::OpenRuns& open,
                  base::TimePoint now);

/// Everything in the state folders: all of the default place, or the one that was named.
[[nodiscard]] Inbox read_inbox(const Settings& settings, base::TimePoint now);

[[nodiscard]] std::string inbox_text(const Inbox& inbox, const Page& page);
[[nodiscard]] base::Json inbox_json(const Inbox& inbox);

}  // namespace phasegate::app::cli
