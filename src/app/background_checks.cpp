#include "app/background_checks.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "app/composition.h"
#include "base/log.h"
#include "gating/engine/engine.h"

namespace phasegate::app {

using gating::Reply;
using gating::engine::WorkWish;

namespace {

/// Short enough that a call that is not wanted any more ends before the program does.
constexpr std::chrono::milliseconds kTick{200};
/// Between two looks at a run whose checks another process carries out.
constexpr std::chrono::milliseconds kLook{250};

}  // namespace

struct BackgroundChecks::Job {
  explicit Job(std::string id) : run_id(std::move(id)) {}

  const std::string run_id;
  std::jthread thread;
  // Guarded by the owner's mutex.
  std::string progress;
  std::optional<Reply> reply;
  int waiting = 0;  ///< calls that will be told the result
  bool done = false;
};

BackgroundChecks::BackgroundChecks(const Settings& settings, std::function<void()> changed)
    : settings_(settings), changed_(std::move(changed)) {}

BackgroundChecks::~BackgroundChecks() {
  std::map<std::string, std::shared_ptr<Job>> jobs;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    jobs.swap(jobs_);
  }
  something_.notify_all();
  // Joined here, without the lock that they need to come to their end.
  for (auto& [id, job] : jobs) {
    if (job->thread.joinable()) job->thread.join();
  }
}

void BackgroundChecks::carry_out(Job& job) {
  Program program(settings_);
  gating::engine::Engine& engine = program.engine();
  const auto stopping = [this] {
    const std::lock_guard lock(mutex_);
    return stopping_;
  };
  WorkWish wish;
  wish.run_id = job.run_id;
  wish.go_on = [&] { return !stopping(); };
  wish.progress = [&](const std::string& progress) {
    const std::lock_guard lock(mutex_);
    job.progress = progress;
  };
  wish.told = [&] {
    const std::lock_guard lock(mutex_);
    return job.waiting > 0;
  };
  while (!stopping()) {
    const auto done = engine.work(wish);
    if (!done) {
      base::log_error("checks.not_carried_out",
                      {{"session", job.run_id}, {"why", done.error().message}});
      return;
    }
    if (*done && !(*done)->given_back) {
      const std::lock_guard lock(mutex_);
      job.reply = (*done)->reply;
    }
    const auto view = engine.view(job.run_id);
    if (!view || !view->run.pending) return;
    if (*done) continue;
    // Another process carries them out; should it go away, they are taken over.
    std::unique_lock lock(mutex_);
    something_.wait_for(lock, kLook, [this] { return stopping_; });
  }
}

void BackgroundChecks::run(Job& job) {
  try {
    carry_out(job);
  } catch (const std::exception& problem) {
    base::log_error("checks.not_carried_out", {{"session", job.run_id}, {"why", problem.what()}});
  }
  {
    const std::lock_guard lock(mutex_);
    job.done = true;
  }
  something_.notify_all();
  if (changed_) changed_();
}

std::shared_ptr<BackgroundChecks::Job> BackgroundChecks::job_for(const std::string& run_id) {
  // Those that are done go once the lock is free again: their threads are joined then.
  std::vector<std::shared_ptr<Job>> over;
  const std::lock_guard lock(mutex_);
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    if (job->second->done && job->second->waiting == 0) {
      over.push_back(std::move(job->second));
      job = jobs_.erase(job);
    } else {
      ++job;
    }
  }
  auto& job = jobs_[run_id];
  if (job != nullptr && !job->done) return job;
  if (job != nullptr) over.push_back(std::move(job));
  job = std::make_shared<Job>(run_id);
  if (!stopping_) {
    job->thread = std::jthread([this, mine = job.get()] { run(*mine); });
  }
  return job;
}

void BackgroundChecks::begin(const std::string& run_id) {
  (void)job_for(run_id);
}

std::optional<Reply> BackgroundChecks::wait(const std::string& run_id, std::int64_t wait_ms,
                                            const std::function<bool(const std::string&)>& tick) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(wait_ms);
  const auto job = job_for(run_id);
  std::unique_lock lock(mutex_);
  ++job->waiting;
  while (!job->done && !stopping_ && Clock::now() < until) {
    const auto next = std::min<Clock::time_point>(until, Clock::now() + kTick);
    if (something_.wait_until(lock, next, [&] { return job->done || stopping_; })) break;
    const std::string progress = job->progress;
    lock.unlock();
    const bool goes_on = !tick || tick(progress);
    lock.lock();
    if (!goes_on) break;
  }
  --job->waiting;
  return job->done ? job->reply : std::nullopt;
}

}  // namespace phasegate::app
