#pragma once
#include <thread>

#include "base/descriptor.h"

namespace phasegate::app {

/// Ends the process, with exit code 0, if it has not ended by itself within limits::kStopGraceMs
/// after a signal: a call may wait for the database, or be many calls in one. What was committed
/// stays, what was not has not been acknowledged. Its thread sleeps until the signal comes.
class LastResort {
 public:
  /// `stop_fd` becomes readable by a signal. Throws std::system_error.
  explicit LastResort(int stop_fd);
  /// All is well: the end has come by itself.
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

 private:
  base::Descriptor finished_;
  std::thread thread_;
};

}  // namespace phasegate::app
