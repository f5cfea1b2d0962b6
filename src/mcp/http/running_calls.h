#pragma once
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "mcp/http/http.h"
#include "mcp/protocol/exchange.h"
#include "mcp/protocol/jsonrpc.h"

namespace phasegate::mcp::http {

/// A request that is being answered and can be given up. Thread-safe.
class RunningCall {
 public:
  enum class Ended { no, withdrawn, stopped };

  explicit RunningCall(protocol::Message request) : request_(std::move(request)) {}

  [[nodiscard]] const protocol::Message& request() const { return request_; }
  /// `withdrawn`: the client does not want an answer any more. The first reason stays.
  void end(Ended why);
  [[nodiscard]] Ended ended() const;
  /// Waits; false if the call is given up before or meanwhile.
  [[nodiscard]] bool wait(std::chrono::milliseconds time) const;

 private:
  const protocol::Message request_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Ended ended_ = Ended::no;
};

/// The calls of one session, or of everybody without one. Thread-safe.
class RunningCalls {
 public:
  /// Registers a call for as long as somebody holds it. After stop() it is stopped at once.
  [[nodiscard]] std::shared_ptr<RunningCall> add(const protocol::Message& request);
  /// Withdraws what `notification` (a `notifications/cancelled`) names, if it is running.
  void withdraw(const protocol::Message& notification);
  /// Gives up all that run now or later.
  void stop();
  [[nodiscard]] bool empty() const;

 private:
  [[nodiscard]] std::vector<std::shared_ptr<RunningCall>> running() const;

  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<RunningCall>> calls_;
  bool stopped_ = false;
};

/// For an answer that is one body: nothing can be sent before it.
class BodyExchange final : public protocol::Exchange {
 public:
  explicit BodyExchange(const RunningCall& call) : call_(call) {}
  bool send(std::string) override { return false; }
  [[nodiscard]] bool cancelled() override;
  bool wait(std::chrono::milliseconds time) override { return call_.wait(time); }

 private:
  const RunningCall& call_;
};

/// For a legacy answer that is a stream: a client that is gone has not cancelled by that
/// (MCP 2025-11-25 §Sending Messages to the Server), only nothing more reaches it.
class LegacyStreamExchange final : public protocol::Exchange {
 public:
  LegacyStreamExchange(CallStream& stream, const RunningCall& call)
      : stream_(stream), call_(call) {}
  bool send(std::string line) override;
  [[nodiscard]] bool cancelled() override;
  [[nodiscard]] bool reachable() override { return !stream_.cancelled(); }
  bool wait(std::chrono::milliseconds time) override;

 private:
  CallStream& stream_;
  const RunningCall& call_;
  bool left_ = false;  ///< the client is gone
};

}  // namespace phasegate::mcp::http
