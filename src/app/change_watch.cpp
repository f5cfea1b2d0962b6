#include "app/change_watch.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>

#include "base/limits.h"
#include "base/log.h"

namespace phasegate::app {

using mcp::protocol::Subscriptions;
using mcp::protocol::Wants;

namespace {

bool wants_nothing(const Wants& wants) {
  return !wants.prompts && !wants.resources && wants.resource_uris.empty();
}

}  // namespace

/// Shared with the callback, which may still run while the watch ends.
struct ChangeWatch::State {
  State(Subscriptions& to, Sights& sights) : subscriptions(to), changes(sights) {}

  Subscriptions& subscriptions;

  std::atomic<std::uint64_t> asked = 0;  ///< how often it was asked what is wanted

  std::mutex looking;  ///< held while changes, or what they look at, is used; guards what follows
  Changes changes;
  Wants wants;               ///< as of the newest asking
  std::uint64_t newest = 0;  ///< of asked
  bool ended = false;

  std::mutex waiting;
  std::condition_variable_any woken;
  bool awake = false;     ///< guarded by waiting
  bool listened = false;  ///< guarded by waiting: somebody wants to know something

  void wake() {
    const std::lock_guard lock(waiting);
    awake = true;
    woken.notify_all();
  }

  /// Somebody wants to know something else from now on. What is wanted newly is looked at before
  /// they are told that they will be, so that they miss nothing.
  void wanted_changed() {
    const std::uint64_t number = ++asked;
    // Not under the lock: who asks may be the last to hold a subscription that has just ended, and
    // is then told of that before he has his answer.
    Wants now = subscriptions.wanted();
    const std::lock_guard in_order(looking);
    if (ended || number < newest) return;
    newest = number;
    wants = std::move(now);
    guarded([&] { changes.expect(wants); });
    const std::lock_guard lock(waiting);
    listened = !wants_nothing(wants);
    awake = true;
    woken.notify_all();
  }

  /// What cannot be looked at now is looked at again later.
  template <typename Look>
  static void guarded(const Look& look) {
    try {
      look();
    } catch (const std::exception& problem) {
      base::log_warning("changes.unseen", {{"cause", problem.what()}});
    }
  }

  void look(bool at_once) {
    Changes::News news;
    {
      const std::lock_guard lock(looking);
      guarded([&] { news = changes.look(wants, at_once); });
    }
    if (news.resources) subscriptions.announce(Subscriptions::Change::resources);
    if (news.prompts) subscriptions.announce(Subscriptions::Change::prompts);
    for (const std::string& uri : news.uris) subscriptions.announce_resource(uri);
  }

  void run(const std::stop_token& stop) {
    const std::chrono::milliseconds pause(base::limits::kChangesLookMs);
    while (!stop.stop_requested()) {
      bool at_once = false;
      {
        std::unique_lock lock(waiting);
        if (listened) {
          woken.wait_for(lock, stop, pause, [&] { return awake; });
        } else {
          woken.wait(lock, stop, [&] { return awake && listened; });
        }
        at_once = awake;
        awake = false;
        if (!listened) continue;
      }
      if (!stop.stop_requested()) look(at_once);
    }
  }
};

ChangeWatch::ChangeWatch(Subscriptions& subscriptions, Sights& sights)
    : state_(std::make_shared<State>(subscriptions, sights)) {
  thread_ = std::jthread([state = state_](const std::stop_token& stop) { state->run(stop); });
  subscriptions.on_wanted_changed([state = state_] { state->wanted_changed(); });
}

ChangeWatch::~ChangeWatch() {
  state_->subscriptions.on_wanted_changed(nullptr);
  thread_.request_stop();
  const std::lock_guard lock(state_->looking);
  state_->ended = true;
}

void ChangeWatch::wake() {
  state_->wake();
}

}  // namespace phasegate::app
