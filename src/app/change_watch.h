#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "app/changes.h"
#include "mcp/protocol/subscriptions.h"

namespace phasegate::app {

/// Tells whoever wants to know that a list or a session has changed, in this process or in another.
/// Owns a thread that sleeps as long as nobody wants to know anything, and otherwise looks every
/// limits::kChangesLookMs and whenever it is woken.
class ChangeWatch {
 public:
  /// Both must outlive it. Nothing is looked at before somebody wants to know.
  ChangeWatch(mcp::protocol::Subscriptions& subscriptions, Sights& sights);
  ~ChangeWatch();
  ChangeWatch(const ChangeWatch&) = delete;
  ChangeWatch& operator=(const ChangeWatch&) = delete;

  /// Something has changed in this process: look at once. Any thread.
  void wake();

 private:
  struct State;
  const std::shared_ptr<State> state_;
  std::jthread thread_;
};

}  // namespace phasegate::app
