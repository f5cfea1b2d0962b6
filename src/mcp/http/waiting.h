#pragma once
#include <functional>
#include <memory>

#include "mcp/http/connection.h"
#include "mcp/http/watcher.h"

/// Connections at which nobody works: between two requests, and on their way out.
namespace phasegate::mcp::http {

/// A connection between two requests.
class IdleConnection final : public Watched {
 public:
  using Resume = std::function<void(std::unique_ptr<Connection>)>;

  /// `resume` is given the connection once its next request begins; after `idle_time` it is closed.
  IdleConnection(std::unique_ptr<Connection> connection, std::chrono::milliseconds idle_time,
                 Resume resume);

  [[nodiscard]] int fd() const override { return fd_; }
  [[nodiscard]] std::uint32_t events() const override;
  [[nodiscard]] TimePoint due_at() const override { return end_; }
  bool ready(std::uint32_t events) override;
  bool due() override { return false; }
  bool stop() override { return false; }
  void leave() override;
  [[nodiscard]] bool may_give_way() const override { return !input_waits(fd_); }

 private:
  std::unique_ptr<Connection> connection_;
  const int fd_;
  const TimePoint end_;
  const Resume resume_;
  bool resuming_ = false;
};

/// A connection whose last response is out while its client may still be sending: closed at once,
/// the client's bytes would be answered with a reset, which can destroy the response on its way.
class LingeringConnection final : public Watched {
 public:
  LingeringConnection(base::Descriptor socket, Slot slot);

  [[nodiscard]] int fd() const override { return socket_.get(); }
  [[nodiscard]] std::uint32_t events() const override;
  [[nodiscard]] TimePoint due_at() const override { return end_; }
  bool ready(std::uint32_t events) override;
  bool due() override { return false; }
  bool stop() override { return false; }

 private:
  const base::Descriptor socket_;
  const Slot slot_;
  const TimePoint end_;
  std::size_t bytes_left_;
};

}  // namespace phasegate::mcp::http
