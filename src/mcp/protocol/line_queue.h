#pragma once
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "mcp/protocol/exchange.h"

namespace phasegate::mcp::protocol {

/// Lines on their way to the one thread that writes the pipe: the sink of every listener and of
/// every call that runs on a thread of its own.
class LineQueue final : public Sink {
 public:
  /// Throws std::system_error if there are no descriptors left.
  LineQueue();
  ~LineQueue() override;
  LineQueue(const LineQueue&) = delete;
  LineQueue& operator=(const LineQueue&) = delete;

  /// Refuses what would bring the queue over limits::kQueuedBytesMax.
  bool send(std::string line) override;
  /// The same without limit, for answers: they have been bounded by their requests.
  void put(std::string line);
  /// The next line; for the writing thread.
  [[nodiscard]] std::optional<std::string> take();
  /// Makes fd() readable although there is no line.
  void wake();
  /// Readable when there may be lines; take() them until there are none, after drain().
  [[nodiscard]] int fd() const { return fd_; }
  void drain();

 private:
  [[nodiscard]] bool add(std::string line, std::size_t bytes_max);

  int fd_;
  std::mutex mutex_;
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
};

}  // namespace phasegate::mcp::protocol
