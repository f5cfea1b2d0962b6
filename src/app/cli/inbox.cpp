#include "app/cli/inbox.h"

#include <algorithm>
#include <system_error>
#include <tuple>

#include "app/cli/text.h"
#include "base/text.h"
#include "gating/due.h"
#include "phases/decision.h"
#include "state/store_file.h"

namespace phasegate::app::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kKeyDigits = 16;
/// More projects than anybody has; whatever else fills the folder must not keep a person waiting.
constexpr std::size_t kFoldersMax = 10'000;

/// `web-0123456789abcdef` → `web`.
std::string name_of(const fs::path& folder) {
  std::string name = base::to_utf8(folder.filename().string());
  const std::size_t dash = name.rfind('-');
  const bool keyed = dash != std::string::npos && dash > 0 && name.size() - dash - 1 == kKeyDigits;
  return keyed ? name.substr(0, dash) : name;
}

std::vector<fs::path> folders_of(const Settings& settings, Inbox& inbox) {
  const bool everywhere = settings.state_from == "the default place";
  if (!everywhere) return {settings.state_folder};
  std::vector<fs::path> folders;
  std::error_code failed;
  const fs::path all = settings.state_folder.parent_path();
  fs::directory_iterator at(all, failed);
  if (failed && failed != std::errc::no_such_file_or_directory) {
    inbox.problems.push_back("the folder of all states cannot be read: " + failed.message());
  }
  for (const fs::directory_iterator end; !failed && at != end && folders.size() < kFoldersMax;
       at.increment(failed)) {
    std::error_code ignored;
    if (fs::exists(at->path() / state::kStoreFileName, ignored)) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace

void add_to_inbox(Inbox& inbox, const std::string& project, const std::string& root,
                  const std::string& state_option, const state::OpenRuns& open,
                  base::TimePoint now) {
  for (const state::OpenRun& one : open.runs) {
    const gating::RunState& run = one.run;
    InboxRow row;
    row.project = project;
    row.root = root;
    row.session = run.id;
    row.workflow = run.workflow;
    row.phase = run.current_phase;
    const phases::Phase* phase = one.workflow.find_phase(run.current_phase);
    const auto demand = phase == nullptr ? std::nullopt : phases::decision_demand(*phase);
    if (run.decision && demand) {
      InboxRow asked = row;
      asked.prompt = demand->prompt;
      asked.since = run.decision->opened_at;
      asked.answers = static_cast<int>(run.decision->answers.size());
      asked.needed = demand->count;
      asked.decide = "phasegate decide " + run.id;
      if (!root.empty()) asked.decide += " --root " + shell_word(root);
      asked.decide += state_option;
      inbox.decisions.push_back(std::move(asked));
    }
    if (run.paused) {
      row.state = "paused";
      row.reason = run.paused->reason;
      row.since = run.paused->at;
      inbox.others.push_back(std::move(row));
    } else if (gating::is_stalled(run, now)) {
      row.state = "stalled";
      row.since = run.updated_at;
      inbox.others.push_back(std::move(row));
    }
  }
  for (const std::string& problem : open.problems) {
    inbox.problems.push_back(project + ": " + problem);
  }
}

Inbox read_inbox(const Settings& settings, base::TimePoint now) {
  Inbox inbox;
  for (const fs::path& folder : folders_of(settings, inbox)) {
    const bool here = folder == settings.state_folder;
    const std::string name = here ? settings.project.name : name_of(folder);
    const auto open = state::read_open_runs(folder);
    if (!open) {
      inbox.problems.push_back(name + " is left out: " + open.error().message);
      continue;
    }
    std::error_code failed;
    std::string root = open->project_root;
    if (!root.empty() && !fs::is_directory(root, failed)) root.clear();
    if (root.empty() && here) root = settings.root.string();
    const bool named = settings.state_from != "the default place";
    add_to_inbox(inbox, name, root,
                 named ? " --state " + shell_word(folder.string()) : std::string(), *open, now);
  }
  const auto older = [](const InboxRow& a, const InboxRow& b) {
    return std::tie(a.since.ms, a.session) < std::tie(b.since.ms, b.session);
  };
  std::sort(inbox.decisions.begin(), inbox.decisions.end(), older);
  std::sort(inbox.others.begin(), inbox.others.end(), older);
  return inbox;
}

}  // namespace phasegate::app::cli
