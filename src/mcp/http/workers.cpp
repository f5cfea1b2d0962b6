#include "mcp/http/workers.h"

#include <system_error>
#include <utility>

#include "base/log.h"

namespace phasegate::mcp::http {

bool Workers::run(Job job) {
  Threads ended;  // joined outside of the lock
  const std::lock_guard lock(mutex_);
  if (finishing_) return false;
  ended.splice(ended.end(), ended_);
  if (idle_ <= jobs_.size() && threads_.size() < threads_max_) start_thread();
  if (threads_.empty()) return false;
  jobs_.push_back(std::move(job));
  work_.notify_one();
  return true;
}

void Workers::start_thread() {
  const auto self = threads_.emplace(threads_.end());
  try {
    *self = std::jthread([this, self] { work(self); });
  } catch (const std::system_error& error) {
    base::log_error("http.no_thread", {{"error", error.what()}});
    threads_.erase(self);
  }
}

void Workers::work(Threads::iterator self) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (!jobs_.empty()) {
      {
        Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job();
      }
      lock.lock();
      continue;
    }
    if (finishing_) return;
    ++idle_;
    const bool woken =
        work_.wait_for(lock, idle_time_, [this] { return finishing_ || !jobs_.empty(); });
    --idle_;
    if (!woken) {
      ended_.splice(ended_.end(), threads_, self);
      return;
    }
  }
}

void Workers::finish() {
  Threads threads;
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
    threads.splice(threads.end(), threads_);
    threads.splice(threads.end(), ended_);
  }
  work_.notify_all();
}

std::size_t Workers::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

}  // namespace phasegate::mcp::http
