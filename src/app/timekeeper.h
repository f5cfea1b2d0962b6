#pragma once
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "app/settings.h"

namespace phasegate::app {

/// Does what falls due while a server runs: reminds of decisions, finds sessions that nobody goes
/// on with, and tells people of what has happened. A thread of its own with a program of its own;
/// other processes on the same store may do the same, and each thing is done by one of them.
class Timekeeper {
 public:
  /// `settings` must outlive it. Nothing is looked at in the first moments: what only asks a server
  /// what it is has gone by then.
  explicit Timekeeper(const Settings& settings);
  /// Stops what it is doing; what it was telling somebody is told again by whoever comes next.
  ~Timekeeper() = default;
  Timekeeper(const Timekeeper&) = delete;
  Timekeeper& operator=(const Timekeeper&) = delete;

  /// Something has happened in this process that people may want to know. Any thread; costs little.
  void wake();

 private:
  void run(const std::stop_token& stop);

  const Settings& settings_;
  std::mutex mutex_;
  std::condition_variable_any something_;
  bool awake_ = false;   ///< guarded by mutex_
  std::jthread thread_;  ///< last: it uses the others
};

}  // namespace phasegate::app
