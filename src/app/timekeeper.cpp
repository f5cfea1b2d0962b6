#include "app/timekeeper.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>

#include "app/composition.h"
#include "base/log.h"
#include "gating/engine/engine.h"
#include "state/prune.h"

namespace phasegate::app {

namespace {

using Milliseconds = std::chrono::milliseconds;

/// Between two looks, however much happens: a server that is busy has better things to do.
constexpr Milliseconds kPause{500};
/// What other processes do is seen so late at most.
constexpr Milliseconds kLook{5'000};

Milliseconds until(std::optional<base::TimePoint> due, base::TimePoint now) {
  if (!due) return kLook;
  return std::clamp(Milliseconds(due->ms - now.ms), Milliseconds(0), kLook);
}

/// Removes the oldest ended sessions beyond those that are kept, a few at a time; true if there may
/// be more, for which it is to be called with `begun`. The last time it clears away as well what no
/// session uses any more.
bool prune_some(state::Pruner& pruner, bool begun, base::TimePoint now) {
  if (!begun && !pruner.is_due()) return false;
  state::PruneWish wish;
  wish.who = "phasegate";
  wish.now = now;
  const state::Pruned done = pruner.prune(wish);
  for (const state::DamagedItem& one : done.damaged) {
    base::log_warning("state.not_pruned", {{"session", one.run_id}, {"why", one.message}});
  }
  return done.more && !done.sessions.empty();
}

}  // namespace

Timekeeper::Timekeeper(const Settings& settings)
    : settings_(settings), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Timekeeper::wake() {
  {
    const std::lock_guard lock(mutex_);
    if (awake_) return;
    awake_ = true;
  }
  something_.notify_one();
}

void Timekeeper::run(const std::stop_token& stop) {
  base::SystemClock clock;
  Milliseconds wait = kPause;
  std::string last_problem;
  std::optional<Program> program;
  state::Pruner pruner(settings_.state_folder);
  bool pruning = false;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      (void)something_.wait_for(lock, stop, kPause, [] { return false; });
      (void)something_.wait_for(lock, stop, wait, [this] { return awake_; });
      awake_ = false;
    }
    if (stop.stop_requested()) return;
    try {
      if (!program) program.emplace(settings_);
      gating::engine::Engine& engine = program->engine();
      engine.pass_time();
      const gating::engine::TellWish wish{"", [&] { return !stop.stop_requested(); }};
      while (!stop.stop_requested()) {
        if (!engine.tell(wish)) break;
      }
      wait = until(engine.next_due(), clock.now());
      pruning = prune_some(pruner, pruning, clock.now());
      if (pruning) wait = Milliseconds(0);
      last_problem.clear();
    } catch (const std::exception& problem) {
      // A store that cannot be used now may be usable later; said once.
      if (last_problem != problem.what()) {
        last_problem = problem.what();
        base::log_warning("time.not_kept", {{"why", last_problem}});
      }
      program.reset();
      wait = kLook;
    }
  }
}

}  // namespace phasegate::app
