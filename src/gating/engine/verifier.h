#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "gating/transition.h"

namespace phasegate::gating::engine {

/// Sees to it that the checks of pending evidence are carried out, by whatever thread, and lets a
/// call wait for them. Any number of calls may use one at once.
class Verifier {
 public:
  virtual ~Verifier() = default;

  /// Begins to carry out what the run waits for, unless somebody does already; returns at once.
  virtual void begin(const std::string& run_id) = 0;

  /// The same, and waits until the run waits for nothing more, for at most `wait_ms`, or until
  /// `tick`, called several times a second, says false. The reply is that of the checks, if this
  /// process has carried them out meanwhile; nullopt: see the run.
  virtual std::optional<Reply> wait(const std::string& run_id, std::int64_t wait_ms,
                                    const std::function<bool(const std::string&)>& tick) = 0;
};

}  // namespace phasegate::gating::engine
