#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "mcp/http/connection.h"
#include "mcp/http/http.h"
#include "mcp/http/watcher.h"

namespace phasegate::mcp::http {

/// The half of an open stream that its handler holds. What is sent goes out at once as far as the
/// socket takes it; the rest waits here for the watcher, which is then poked.
class StreamSender final : public OpenStream {
 public:
  struct Bounds {
    bool chunked;
    std::size_t bytes_max;                ///< that may wait
    std::chrono::milliseconds heartbeat;  ///< of a silent stream
    std::chrono::milliseconds end_time;   ///< for the last words
  };

  /// `id`: under which it is, or will be, watched.
  StreamSender(base::Descriptor socket, Bounds bounds, std::uint64_t id,
               std::shared_ptr<Pokes> pokes);

  bool send(std::string line) override;
  void close(std::string line) override;

  // For the watcher.
  [[nodiscard]] int fd() const { return fd_; }
  /// Sends what waits, as far as it goes. False: the stream is over.
  bool flush();
  [[nodiscard]] bool waiting() const;
  [[nodiscard]] TimePoint due_at() const;
  /// Heartbeat, or the end of the time for the last words. False: the stream is over.
  bool due();
  /// Closes the socket; nothing can be sent from now on.
  void end();

 private:
  enum class State { open, closing, over };
  void add(std::string_view bytes);
  [[nodiscard]] bool flush_locked();

  mutable std::mutex mutex_;
  base::Descriptor socket_;
  const int fd_;
  const Bounds bounds_;
  const std::uint64_t id_;
  const std::shared_ptr<Pokes> pokes_;  ///< a handler may hold this longer than the listener lives
  State state_ = State::open;
  std::string pending_;
  std::size_t sent_ = 0;  ///< of `pending_`
  TimePoint due_at_;
};

/// The half that is watched.
class WatchedStream final : public Watched {
 public:
  WatchedStream(std::shared_ptr<StreamSender> sender, Slot slot, std::shared_ptr<void> place,
                std::function<void()> gone)
      : sender_(std::move(sender)),
        slot_(std::move(slot)),
        place_(std::move(place)),
        gone_(std::move(gone)) {}
  ~WatchedStream() override;

  [[nodiscard]] int fd() const override { return sender_->fd(); }
  [[nodiscard]] std::uint32_t events() const override;
  [[nodiscard]] TimePoint due_at() const override { return sender_->due_at(); }
  bool ready(std::uint32_t events) override;
  bool due() override { return sender_->due(); }
  bool stop() override;

 private:
  std::shared_ptr<StreamSender> sender_;
  Slot slot_;
  std::shared_ptr<void> place_;
  std::function<void()> gone_;
};

}  // namespace phasegate::mcp::http
