#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <future>
#include <list>
#include <mutex>
#include <thread>

namespace phasegate::mcp::http {

/// Threads for requests at work: made when they are needed, kept a while for the next request.
/// Owns its threads; finish() and the destructor wait for them.
class Workers {
 public:
  Workers(std::size_t threads_max, std::chrono::milliseconds idle_time)
      : threads_max_(threads_max), idle_time_(idle_time) {}
  ~Workers() { finish(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// A std::function could not hold what has one owner.
  using Job = std::packaged_task<void()>;

  /// Runs `job` on a thread; waits in line once all are at work. False after finish(), or if there
  /// is no thread to be had.
  bool run(Job job);
  /// Takes no more jobs, and returns once those that were taken are done.
  void finish();

  [[nodiscard]] std::size_t threads() const;

 private:
  using Threads = std::list<std::jthread>;
  void start_thread();
  void work(Threads::iterator self);

  const std::size_t threads_max_;
  const std::chrono::milliseconds idle_time_;
  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::deque<Job> jobs_;
  Threads threads_;
  Threads ended_;  ///< to be joined
  std::size_t idle_ = 0;
  bool finishing_ = false;
};

}  // namespace phasegate::mcp::http
