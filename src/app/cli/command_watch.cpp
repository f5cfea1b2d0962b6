#include <cerrno>
#include <climits>
#include <cstring>

#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/events.h"
#include "app/cli/layout.h"
#include "app/cli/session_lookup.h"
#include "app/cli/short_ids.h"
#include "app/cli/text.h"
#include "app/cli/watch_feed.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "base/json.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

/// Four looks a second are as good as at once for a person, and cost next to nothing.
constexpr int kLookEveryMs = 250;

std::string json_line(const WatchedEvent& event) {
  base::Json json = base::Json::object();
  json["session_id"] = event.session;
  json["workflow"] = event.definition->workflow.id;
  json.update(event_json(event.row));
  return base::with_visible_controls(base::dump(json)) + "\n";
}

/// `08:00:00Z  phase 1 …`, with the session in front where several are followed.
std::string text_line(const WatchedEvent& event, bool many, const Page& page) {
  const std::string time = clock_time(event.row.entry.at).substr(11);
  std::string line = page.in(Tone::faint, time) + "  ";
  if (many) {
    line += short_id(event.session) + " " + shown_short(event.definition->workflow.id, 40) + "  ";
  }
  return wrapped(line + event_line(event.row, event.definition->workflow, page), page.width, 0, 11);
}

std::string opening(const Invocation& invocation, const WatchFeed& feed, const std::string& session,
                    const Page& page) {
  if (invocation.json) return "";
  const std::string what =
      invocation.all ? "Following every open session (" + std::to_string(feed.followed()) + " now)"
                     : "Following session " + session;
  return wrapped(page.in(Tone::faint, what + "; Ctrl-C ends this."), page.width, 0, 2);
}

/// Whether to go on, after something was written.
enum class Next { go_on, end };

/// Writes piece by piece, so that it can be interrupted where nobody reads.
Next write_out(std::string_view text, const Interrupt& interrupt, Outcome& outcome) {
  while (!text.empty()) {
    if (interrupt.wait_to_write(STDOUT_FILENO) != Interrupt::Woken::may_write) return Next::end;
    const std::string_view piece = text.substr(0, PIPE_BUF);
    const Written result = write_all(STDOUT_FILENO, piece);
    if (result == Written::failed) {
      outcome = failed(
          ExitCode::environment,
          {"unwritable", std::string("The output cannot be written: ") + std::strerror(errno) + ".",
           "", ""});
    }
    if (result != Written::all) return Next::end;
    text.remove_prefix(piece.size());
  }
  return Next::go_on;
}

}  // namespace

Outcome watch(const Invocation& invocation, Program& program, const Environment& environment,
              const Page& page) {
  const std::string& options = program.settings().options_here;
  if (invocation.all && !invocation.argument.empty()) {
    return failed(ExitCode::usage, {"usage", "--all follows every open session; one is named, too.",
                                    "Leave one of them out.", ""});
  }
  const Interrupt interrupt;
  WatchFeed feed(program.engine(), invocation.full);
  std::string session;
  if (invocation.all) {
    feed.follow_all_open();
  } else {
    const auto id = find_session_or_newest(program.engine(), invocation.argument, options);
    if (!id) return failed(ExitCode::not_ok, id.error());
    session = *id;
    if (auto followed = feed.follow(session); !followed) {
      return failed(ExitCode::not_ok, session_error(followed.error(), options));
    }
  }
  ChangeNotice notice(program.settings().state_folder / "state.db");
  Outcome outcome;
  bool is_first = true;
  while (feed.goes_on()) {
    if (notice.changed() || is_first) {
      const auto events = feed.news();
      if (!events) return failed(ExitCode::not_ok, session_error(events.error(), options));
      std::string text = is_first ? opening(invocation, feed, session, page) : "";
      for (const WatchedEvent& event : *events) {
        text += invocation.json ? json_line(event) : text_line(event, invocation.all, page);
      }
      if (write_out(text, interrupt, outcome) == Next::end) return outcome;
      is_first = false;
      if (!feed.goes_on()) break;
    }
    const Interrupt::Woken woken = interrupt.wait_ms(STDOUT_FILENO, kLookEveryMs);
    if (woken == Interrupt::Woken::reader_is_gone) return outcome;
    if (woken == Interrupt::Woken::asked_to_end) {
      // The terminal has written ^C where the next prompt should begin.
      if (environment.stdout_is_terminal) outcome.out = "\n";
      return outcome;
    }
  }
  return outcome;
}

}  // namespace phasegate::app::cli
