#include "app/cli/session_lookup.h"

#include <utility>
#include <vector>

#include "app/cli/page.h"
#include "app/cli/text.h"
#include "base/ids.h"
#include "base/limits.h"
#include "base/text.h"
#include "state/tombstones.h"

namespace phasegate::app::cli {
namespace {

constexpr std::size_t kPrefixCharsMin = 4;
constexpr std::size_t kIdChars = 36;
constexpr std::size_t kCandidatesShown = 10;
constexpr std::size_t kNameBytesShown = 80;

bool may_begin_an_id(std::string_view text) {
  return text.size() <= kIdChars &&
         text.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

}  // namespace

base::Error unknown_session(std::string_view typed, std::string_view options) {
  return {"unknown_session",
          "There is no session " + base::in_quotes(base::shortened(typed, kNameBytesShown)) +
              " in this project.",
          "`phasegate sessions --all" + std::string(options) + "` lists them.", ""};
}

base::Result<std::string> find_session_among(const LookUpSessions& look_up, std::string_view typed,
                                             std::string_view options) {
  const std::string wanted = base::lowered(typed);
  if (base::is_id(wanted)) return wanted;
  if (!may_begin_an_id(wanted)) return unknown_session(typed, options);
  if (wanted.size() < kPrefixCharsMin) {
    return base::Error{"unknown_session",
                       base::in_quotes(base::shortened(typed, kNameBytesShown)) +
                           " is too short to name a session.",
                       "Give at least " + std::to_string(kPrefixCharsMin) +
                           " characters of its id; `phasegate sessions --all" +
                           std::string(options) + "` lists them.",
                       ""};
  }
  const auto all = look_up(wanted);
  if (!all) return all.error();
  const std::vector<Candidate>& found = all->found;
  if (found.empty()) return unknown_session(typed, options);
  if (found.size() == 1) return found.front().id;
  std::string candidates;
  for (std::size_t i = 0; i < found.size() && i < kCandidatesShown; ++i) {
    candidates += (i == 0 ? "" : ", ") + found[i].id;
    if (!found[i].workflow.empty()) candidates += " (" + found[i].workflow + ")";
  }
  if (all->more || found.size() > kCandidatesShown) candidates += ", …";
  return base::Error{"ambiguous_session",
                     (all->more ? "More than " : "") + base::counted(found.size(), "session") +
                         " begin with " + base::in_quotes(typed) + ".",
                     "Give more characters: " + candidates + ".", ""};
}

base::Result<std::string> find_session(gating::engine::Engine& engine, std::string_view typed,
                                       std::string_view options) {
  const auto look_up = [&](const std::string& prefix) -> base::Result<Candidates> {
    gating::engine::RunQuery query;
    query.id_prefix = prefix;
    query.limit = base::limits::kListItemsMax;
    const auto page = engine.list(query);
    if (!page) return page.error();
    Candidates all;
    for (const gating::engine::RunSummary& run : page->runs) {
      all.found.push_back({run.id, run.workflow});
    }
    all.more = !page->next_cursor.empty();
    return all;
  };
  return find_session_among(look_up, typed, options);
}

base::Result<std::string> find_session_or_newest(gating::engine::Engine& engine,
                                                 std::string_view typed, std::string_view options) {
  if (!typed.empty()) return find_session(engine, typed, options);
  gating::engine::RunQuery query;
  query.which = gating::engine::RunQuery::Which::open;
  query.limit = 1;
  auto page = engine.list(query);
  if (!page) return std::move(page).error();
  if (!page->runs.empty()) return page->runs.front().id;
  return base::Error{"no_open_session", "No session is open in this project.",
                     "`phasegate sessions" + std::string(options) +
                         "` lists those that have ended; name one of them to see it.",
                     ""};
}

base::Error session_error(base::Error error, std::string_view options) {
  if (error.code == "unknown_session") {
    error.hint = "`phasegate sessions --all" + std::string(options) + "` lists them.";
  }
  return error;
}

base::Error missing_session(const Settings& settings, std::string_view typed, base::Error error) {
  if (error.code != "unknown_session" || typed.size() < kPrefixCharsMin) return error;
  const auto pruned = state::find_pruned(settings.state_folder, base::lowered(typed));
  if (!pruned) return error;
  return {"pruned_session",
          "Session " + pruned->id + " (" + shown_short(pruned->workflow, kNameBytesShown) + ", " +
              pruned->status + " on " + clock_time(pruned->ended_at) + ") was pruned on " +
              clock_time(pruned->pruned_at) + " by " +
              shown_short(pruned->pruned_by, kNameBytesShown) + ": its history of " +
              base::counted(static_cast<std::size_t>(pruned->journal_head), "entry", "entries") +
              " is gone.",
          "A copy from before may have it: `phasegate backup --list" + settings.options_here + "`.",
          ""};
}

}  // namespace phasegate::app::cli
