#include "app/cli/watch_feed.h"

#include <algorithm>
#include <tuple>

#include <sys/stat.h>

#include "app/cli/events.h"
#include "base/limits.h"

namespace phasegate::app::cli {
namespace {

constexpr std::size_t kEntriesBefore = 10;
constexpr std::size_t kRowsPerRead = 200;
/// After so many calls without a change it is looked anyway.
constexpr int kQuietCallsMax = 8;

std::string stamp_of(const std::filesystem::path& file) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) return "-";
  return std::to_string(found.st_size) + ":" + std::to_string(found.st_mtim.tv_sec) + ":" +
         std::to_string(found.st_mtim.tv_nsec) + ":" + std::to_string(found.st_ino);
}

}  // namespace

WatchFeed::WatchFeed(gating::engine::Engine& engine, bool full) : engine_(engine), full_(full) {}

base::Result<void> WatchFeed::follow(const std::string& session) {
  const auto view = engine_.view(session);
  if (!view) return view.error();
  Followed followed{view->definition, 0};
  if (!full_) {
    const auto last = engine_.journal_end(session, kEntriesBefore);
    if (!last) return last.error();
    if (!last->empty()) followed.seen = last->front().seq - 1;
  }
  followed_[session] = std::move(followed);
  return {};
}

void WatchFeed::follow_all_open() {
  all_open_ = true;
}

base::Result<void> WatchFeed::find_open(bool is_new) {
  gating::engine::RunQuery query;
  query.which = gating::engine::RunQuery::Which::open;
  query.limit = base::limits::kListItemsMax;
  do {
    const auto page = engine_.list(query);
    if (!page) return page.error();
    for (const auto& run : page->runs) {
      if (followed_.contains(run.id) || ended_.contains(run.id)) continue;
      // A session that cannot be read keeps nobody from following the others.
      if (!follow(run.id)) {
        ended_[run.id] = true;
      } else if (is_new) {
        followed_[run.id].seen = 0;
      }
    }
    query.cursor = page->next_cursor;
  } while (!query.cursor.empty());
  return {};
}

base::Result<std::vector<WatchedEvent>> WatchFeed::news() {
  if (all_open_) {
    if (auto found = find_open(asked_before_); !found) return std::move(found).error();
  }
  asked_before_ = true;
  std::vector<WatchedEvent> events;
  std::vector<std::string> gone;
  for (auto& [session, followed] : followed_) {
    bool ended = false;
    for (;;) {
      auto rows = engine_.journal(session, followed.seen, kRowsPerRead);
      if (!rows) return std::move(rows).error();
      if (rows->empty()) break;
      followed.seen = rows->back().seq;
      for (auto& row : *rows) {
        ended = ended || ends_session(row);
        events.push_back({std::move(row), session, followed.definition});
      }
    }
    if (ended) gone.push_back(session);
  }
  for (const std::string& session : gone) {
    followed_.erase(session);
    ended_[session] = true;
  }
  std::sort(events.begin(), events.end(), [](const WatchedEvent& a, const WatchedEvent& b) {
    return std::tie(a.row.entry.at, a.session, a.row.seq) <
           std::tie(b.row.entry.at, b.session, b.row.seq);
  });
  return events;
}

bool ChangeNotice::changed() {
  const std::string stamp = stamp_of(database_) + " " + stamp_of(database_.string() + "-wal");
  if (stamp == last_ && ++quiet_calls_ < kQuietCallsMax) return false;
  last_ = stamp;
  quiet_calls_ = 0;
  return true;
}

}  // namespace phasegate::app::cli
