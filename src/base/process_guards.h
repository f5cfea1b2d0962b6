#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include <sys/types.h>

#include "base/descriptor.h"
#include "base/process.h"
#include "base/process_guard.h"
#include "base/process_work.h"

/// The server's side of guards: one of them, and those that wait for work (decision 27).
namespace phasegate::base {

/// A running guard; nothing of it, nor of its program, is left when this is gone.
class Guard {
 public:
  /// Forks one that has room for work of `bytes`; nullptr leaves errno set. Cost: the fork, which
  /// grows with this process's memory.
  [[nodiscard]] static std::unique_ptr<Guard> start(std::size_t bytes);
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard();

  /// Hands it its next program. False, and nothing is started, if it is not there any more.
  [[nodiscard]] bool give(const WorkTexts& texts, const WorkFiles& files) const;
  /// The next report, or nullopt if there will be none. Waits for it.
  [[nodiscard]] std::optional<GuardReport> report() const;
  /// Asks it to end the program.
  void ask() const;
  /// For a guard that does not answer.
  void kill() const;
  /// After its death: kills what is left of its session.
  void sweep() const;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int channel() const { return channel_.get(); }
  [[nodiscard]] std::size_t room() const { return space_.bytes(); }
  [[nodiscard]] std::chrono::steady_clock::time_point born() const { return born_; }

 private:
  Guard(pid_t pid, Descriptor channel, Workspace space)
      : pid_(pid), channel_(std::move(channel)), space_(std::move(space)) {}

  pid_t pid_;
  Descriptor channel_;
  Workspace space_;
  std::chrono::steady_clock::time_point born_ = std::chrono::steady_clock::now();
};

struct GuardPoolSettings {
  std::size_t idle_max = 2;
  std::chrono::milliseconds idle_time{5'000};  ///< without work, then it is ended
  /// A guard keeps the memory and the settings (umask, limits) that we had when it was forked.
  std::chrono::milliseconds age_max{60'000};
};

/// Guards that wait for work. Thread-safe. While any are idle, a thread is there that ends them in
/// time; the pool may go before it.
class GuardPool {
 public:
  explicit GuardPool(GuardPoolSettings settings = {});
  GuardPool(const GuardPool&) = delete;
  GuardPool& operator=(const GuardPool&) = delete;
  ~GuardPool();

  /// An idle guard with room for `bytes`, which may have died meanwhile; nullptr if there is none.
  [[nodiscard]] std::unique_ptr<Guard> take(std::size_t bytes);
  /// Only for a guard that said it can be used again. It is ended if nobody needs it.
  void put(std::unique_ptr<Guard> guard);
  /// Ends those that are idle, and from now on each that is put back. Returns when they are gone.
  void close();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// This process's pool; it is closed at exit. After a fork the child has one of its own.
[[nodiscard]] GuardPool& idle_guards();

/// As in process.h, with the guards of `pool`.
[[nodiscard]] ProcessResult run_process(const ProcessRequest& request, GuardPool& pool);

}  // namespace phasegate::base
