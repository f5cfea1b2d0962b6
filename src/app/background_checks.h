#pragma once
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/settings.h"
#include "gating/engine/verifier.h"

namespace phasegate::app {

/// Carries out checks on threads of their own, one per run that waits for some, each with a program
/// of its own. A thread ends when its run waits for nothing more. Ending this stops what runs: the
/// checks are given back, and whoever comes next carries them out.
class BackgroundChecks final : public gating::engine::Verifier {
 public:
  /// `changed` is called after every run that has gone on, from its thread.
  BackgroundChecks(const Settings& settings, std::function<void()> changed);
  ~BackgroundChecks() override;
  BackgroundChecks(const BackgroundChecks&) = delete;
  BackgroundChecks& operator=(const BackgroundChecks&) = delete;

  void begin(const std::string& run_id) override;
  std::optional<gating::Reply> wait(const std::string& run_id, std::int64_t wait_ms,
                                    const std::function<bool(const std::string&)>& tick) override;

 private:
  struct Job;
  [[nodiscard]] std::shared_ptr<Job> job_for(const std::string& run_id);
  void run(Job& job);
  void carry_out(Job& job);

  const Settings& settings_;
  std::function<void()> changed_;
  std::mutex mutex_;
  std::condition_variable something_;
  bool stopping_ = false;                             ///< guarded by mutex_
  std::map<std::string, std::shared_ptr<Job>> jobs_;  ///< by run; guarded by mutex_
};

}  // namespace phasegate::app
