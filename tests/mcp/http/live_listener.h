#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "mcp/http/listener.h"

namespace phasegate::test {

/// Something that another thread says once, or counts.
class Latch {
 public:
  void count() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  /// Waits for it; false after a time that is only reached when something is broken.
  [[nodiscard]] bool wait(int wanted = 1) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(30), [&] { return count_ >= wanted; });
  }
  [[nodiscard]] int value() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

/// A handler made of functions.
class ScriptedHandler final : public mcp::http::Handler {
 public:
  std::function<std::optional<mcp::http::Response>(const mcp::http::RequestHead&)> on_refuse;
  std::function<mcp::http::Response(const mcp::http::Request&)> on_request;
  std::atomic<int> asked = 0;
  std::atomic<int> handled = 0;

  std::optional<mcp::http::Response> refuse(const mcp::http::RequestHead& head) override {
    ++asked;
    return on_refuse ? on_refuse(head) : std::nullopt;
  }
  mcp::http::Response handle(const mcp::http::Request& request) override {
    ++handled;
    return on_request ? on_request(request)
                      : text(request.head.method + " " + request.head.path + " " + request.body);
  }

  [[nodiscard]] static mcp::http::Response text(std::string body, int status = 200) {
    mcp::http::Response response;
    response.status = status;
    response.content_type = "text/plain";
    response.body = std::move(body);
    return response;
  }
};

/// A listener that runs on a thread of its own until it is stopped or goes out of scope.
class LiveListener {
 public:
  explicit LiveListener(mcp::http::ListenerLimits limits = mcp::http::default_limits(),
                        const std::string& address = "127.0.0.1:0")
      : listener_(handler, limits) {
    const auto wanted = mcp::http::parse_address(address);
    if (!wanted) throw std::runtime_error(wanted.error().message);
    auto bound = listener_.bind(*wanted);
    if (!bound) throw std::runtime_error(bound.error().message);
    address_ = *bound;
  }
  ~LiveListener() { stop(); }

  /// Separate, so that a test can give the handler its functions first.
  void run() {
    thread_ = std::jthread([this] { listener_.run(); });
  }
  void stop() {
    listener_.stop();
    if (thread_.joinable()) thread_.join();
  }

  [[nodiscard]] const mcp::http::Address& address() const { return address_; }
  [[nodiscard]] mcp::http::Listener& listener() { return listener_; }

  ScriptedHandler handler;

 private:
  mcp::http::Listener listener_;
  mcp::http::Address address_;
  std::jthread thread_;
};

}  // namespace phasegate::test
