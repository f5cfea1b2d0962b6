#pragma once
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "mcp/protocol/line_queue.h"
#include "mcp/protocol/server.h"

namespace phasegate::mcp::protocol {

/// Calls over stdio that take longer than a moment, each on a thread of its own. Used by one
/// thread, which owns the others and joins them.
class CallThreads {
 public:
  using Work = std::function<std::optional<Answer>(Exchange&)>;

  explicit CallThreads(LineQueue& lines) : lines_(lines) {}
  /// Waits for every call.
  ~CallThreads();
  CallThreads(const CallThreads&) = delete;
  CallThreads& operator=(const CallThreads&) = delete;

  /// False if limits::kCallsAtOnceMax run already.
  [[nodiscard]] bool full() const;
  [[nodiscard]] bool empty() const { return calls_.empty(); }
  /// `id` is the request's, as JSON text. When `work` has ended its answer is put among the lines,
  /// unless the call was cancelled.
  void start(std::string id, Work work);
  /// The client no longer wants the answer to the request `id`; nothing more is sent for it.
  void cancel(std::string_view id);
  /// Everything has to come to an end; the answers are still sent.
  void stop();
  /// Forgets calls that have ended.
  void collect();

 private:
  struct Call;
  LineQueue& lines_;
  std::list<std::shared_ptr<Call>> calls_;
};

}  // namespace phasegate::mcp::protocol
