#include "rag/background_index.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/limits.h"
#include "base/log.h"
#include "gating/engine/ports.h"
#include "rag/indexer.h"
#include "rag/watcher.h"

namespace phasegate::rag {
namespace {

namespace limits = base::limits;

/// Between two looks where the system tells nothing by itself.
constexpr std::int64_t kUnwatchedLookMs = 2000;
/// After a failure (no room, no rights) before it is tried again.
constexpr std::int64_t kFailedLookMs = 5000;

}  // namespace

struct BackgroundIndex::State {
  State(std::filesystem::path index_folder, std::filesystem::path project_root, Rules source_rules)
      : folder(std::move(index_folder)),
        root(std::move(project_root)),
        rules(std::move(source_rules)) {}

  void run(const std::stop_token& stop);
  void work(Indexer& indexer, Watcher& watcher, const std::stop_token& stop);
  void look_at_all(Indexer& indexer, Watcher& watcher, const std::stop_token& stop);
  void look_at_some(Indexer& indexer, Changed found, const std::stop_token& stop);
  [[nodiscard]] SourceRules rules_now();
  static void note(const LookReport& report);
  void failed(base::Error why);
  [[nodiscard]] std::int64_t patience();

  const std::filesystem::path folder;
  const std::filesystem::path root;
  const Rules rules;

  mutable std::mutex mutex;
  std::condition_variable news;
  IndexState seen;                   ///< guarded by mutex
  std::uint64_t looks_wanted = 0;    ///< guarded by mutex
  std::uint64_t looks_done = 0;      ///< guarded by mutex: as many were wanted when it began
  std::int64_t look_ms = 0;          ///< guarded by mutex: that the last look took
  Watcher* interruptible = nullptr;  ///< guarded by mutex
  std::jthread thread;               ///< started under mutex

  // The thread's own.
  std::multimap<std::string, std::string> linked;
  bool checked = false;
};

BackgroundIndex::BackgroundIndex(std::filesystem::path folder, std::filesystem::path root,
                                 Rules rules)
    : state_(std::make_unique<State>(std::move(folder), std::move(root), std::move(rules))) {}

BackgroundIndex::~BackgroundIndex() {
  std::jthread thread;
  {
    const std::lock_guard lock(state_->mutex);
    state_->thread.request_stop();
    if (state_->interruptible != nullptr) state_->interruptible->interrupt();
    thread = std::move(state_->thread);
  }
  state_->news.notify_all();
}

bool BackgroundIndex::ready(std::int64_t wait_ms) {
  std::unique_lock lock(state_->mutex);
  if (!state_->seen.begun) {
    state_->looks_wanted = 1;
    state_->thread =
        std::jthread([state = state_.get()](const std::stop_token& stop) { state->run(stop); });
    state_->seen.begun = true;
  }
  state_->news.wait_for(lock, std::chrono::milliseconds(wait_ms),
                        [&] { return state_->seen.looked || state_->seen.failed.has_value(); });
  return state_->seen.looked;
}

void BackgroundIndex::look_again() {
  const std::lock_guard lock(state_->mutex);
  ++state_->looks_wanted;
  if (state_->interruptible != nullptr) state_->interruptible->interrupt();
}

IndexState BackgroundIndex::state() const {
  const std::lock_guard lock(state_->mutex);
  return state_->seen;
}

void BackgroundIndex::State::run(const std::stop_token& stop) {
  Indexer indexer(folder);
  Watcher watcher(root);
  {
    const std::lock_guard lock(mutex);
    interruptible = &watcher;
  }
  while (!stop.stop_requested()) {
    try {
      work(indexer, watcher, stop);
      continue;
    } catch (const gating::engine::StoreFailure& failure) {
      failed(failure.error());
    } catch (const std::exception& failure) {
      // Nothing that happens here may end the server.
      failed({"index_failed", std::string("the search index cannot be kept: ") + failure.what(),
              "a person should look at the server's log", ""});
    }
    static_cast<void>(watcher.next(kFailedLookMs, kFailedLookMs, kFailedLookMs));
  }
  const std::lock_guard lock(mutex);
  interruptible = nullptr;
}

void BackgroundIndex::State::failed(base::Error why) {
  base::log_warning("the search index cannot be brought up to date", {{"why", why.message}});
  {
    const std::lock_guard lock(mutex);
    seen.failed = std::move(why);
  }
  news.notify_all();
}

void BackgroundIndex::State::work(Indexer& indexer, Watcher& watcher, const std::stop_token& stop) {
  look_at_all(indexer, watcher, stop);
  if (!checked && !stop.stop_requested()) {
    // After the first look, which nobody should have to wait longer for.
    checked = true;
    if (const std::string problem = indexer.check(); !problem.empty()) {
      base::log_warning("the search index is damaged and is made anew", {{"why", problem}});
      static_cast<void>(indexer.rebuild(rules_now(), [&] { return !stop.stop_requested(); }));
    }
  }
  while (!stop.stop_requested()) {
    bool everything = false;
    {
      const std::lock_guard lock(mutex);
      everything = looks_done < looks_wanted;
    }
    if (!everything) {
      auto found = watcher.next(patience(), limits::kSearchSettleMs, limits::kSearchSettleMostMs);
      if (stop.stop_requested()) return;
      if (found && !found->everything) {
        look_at_some(indexer, *std::move(found), stop);
        continue;
      }
    }
    look_at_all(indexer, watcher, stop);
    if (indexer.index().is_worn()) {
      static_cast<void>(indexer.rebuild(rules_now(), [&] { return !stop.stop_requested(); }));
    }
  }
}

std::int64_t BackgroundIndex::State::patience() {
  const std::lock_guard lock(mutex);
  // A look at a large project may take longer than the pause before it should.
  return seen.watching ? limits::kSearchLookMs : std::max(kUnwatchedLookMs, 4 * look_ms);
}

SourceRules BackgroundIndex::State::rules_now() {
  auto now = rules();
  if (!now) throw gating::engine::StoreFailure(now.error());
  return std::move(now).value();
}

void BackgroundIndex::State::look_at_all(Indexer& indexer, Watcher& watcher,
                                         const std::stop_token& stop) {
  std::uint64_t wanted = 0;
  {
    const std::lock_guard lock(mutex);
    wanted = looks_wanted;
  }
  const SourceRules now = rules_now();
  const auto begun = std::chrono::steady_clock::now();
  const LookReport report = indexer.look(now, [&] { return !stop.stop_requested(); });
  if (!report.finished) return;
  // A folder that was not watched before means one more look, so that no change between the two is
  // missed.
  watcher.watch(report.listing.folders, report.listing.sources);
  linked = report.listing.linked;
  {
    const std::lock_guard lock(mutex);
    seen.looked = true;
    seen.watching = watcher.complete();
    seen.refused = report.listing.refused;
    seen.failed.reset();
    looks_done = wanted;
    look_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                  std::chrono::steady_clock::now() - begun)
                  .count();
  }
  news.notify_all();
  note(report);
}

void BackgroundIndex::State::look_at_some(Indexer& indexer, Changed found,
                                          const std::stop_token& stop) {
  std::set<std::string> folders = found.folders;
  const auto add_links_from = [&](const std::string& changed) {
    const auto [first, last] = linked.equal_range(changed);
    for (auto link = first; link != last; ++link) folders.insert(link->second);
  };
  for (const std::string& changed : found.folders) add_links_from(changed);
  for (const std::string& file : found.files) {
    const auto slash = file.rfind('/');
    add_links_from(slash == std::string::npos ? std::string() : file.substr(0, slash));
  }
  note(indexer.look_in(rules_now(), folders, found.files, [&] { return !stop.stop_requested(); }));
}

void BackgroundIndex::State::note(const LookReport& report) {
  if (!report.any()) return;
  base::log_info("the search index has changed", {{"added", std::to_string(report.added)},
                                                  {"changed", std::to_string(report.changed)},
                                                  {"removed", std::to_string(report.removed)}});
}

}  // namespace phasegate::rag
