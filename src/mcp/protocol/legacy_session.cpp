#include "mcp/protocol/legacy_session.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>

#include "base/json.h"
#include "base/limits.h"
#include "mcp/protocol/notification.h"

namespace phasegate::mcp::protocol {
namespace {

/// How long a waiting call may take to notice that it was cancelled.
constexpr std::chrono::milliseconds kCancelledEvery{50};

}  // namespace

struct LegacySession::State {
  explicit State(Subscriptions& registry) : subscriptions(registry) {}

  struct Waiting {
    bool answered = false;
    Answered result;
  };

  Subscriptions& subscriptions;
  mutable std::mutex mutex;
  std::condition_variable answered;
  std::optional<Revision> revision;
  Peer peer;
  Wants wants;
  std::optional<LogLevel> log_level;
  std::weak_ptr<Sink> stream;
  Subscriptions::Handle handle;
  std::map<std::string, Waiting> waiting;  ///< by the id of our request, as JSON text
  std::uint64_t asked = 0;

  std::mutex registering;  ///< before the other lock: one at a time registers

  /// Registers anew what is wanted where. One at a time, so that what was known last is also what
  /// is registered last: a stream may come while something is subscribed to. The handle before is
  /// let go without a lock.
  void subscribe_again() {
    Subscriptions::Handle fresh;
    const std::lock_guard in_order(registering);
    std::weak_ptr<Sink> sink;
    Wants now;
    {
      const std::lock_guard lock(mutex);
      sink = stream;
      now = wants;
    }
    fresh = subscriptions.add(std::move(now), "", std::move(sink));
    const std::lock_guard lock(mutex);
    std::swap(handle, fresh);
  }
};

LegacySession::LegacySession(Subscriptions& subscriptions, std::string principal)
    : state_(std::make_unique<State>(subscriptions)) {
  state_->peer.principal = std::move(principal);
}

LegacySession::~LegacySession() = default;

void LegacySession::set_stream(std::weak_ptr<Sink> stream) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stream = std::move(stream);
  }
  state_->subscribe_again();
}

std::optional<Revision> LegacySession::revision() const {
  const std::lock_guard lock(state_->mutex);
  return state_->revision;
}

Peer LegacySession::peer() const {
  const std::lock_guard lock(state_->mutex);
  return state_->peer;
}

void LegacySession::negotiated(Revision revision, std::string client_name,
                               ClientCapabilities capabilities, Wants wants) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->revision = revision;
    state_->peer.client_name = std::move(client_name);
    state_->peer.capabilities = capabilities;
    state_->wants = std::move(wants);
    state_->log_level.reset();
  }
  state_->subscribe_again();
}

std::optional<LogLevel> LegacySession::log_level() const {
  const std::lock_guard lock(state_->mutex);
  return state_->log_level;
}

void LegacySession::set_log_level(LogLevel level) {
  const std::lock_guard lock(state_->mutex);
  state_->log_level = level;
}

bool LegacySession::subscribe(std::string uri) {
  {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::string>& uris = state_->wants.resource_uris;
    if (std::ranges::find(uris, uri) != uris.end()) return true;
    if (uris.size() >= base::limits::kSubscriptionsMax) return false;
    uris.push_back(std::move(uri));
  }
  state_->subscribe_again();
  return true;
}

void LegacySession::unsubscribe(std::string_view uri) {
  {
    const std::lock_guard lock(state_->mutex);
    std::erase(state_->wants.resource_uris, uri);
  }
  state_->subscribe_again();
}

LegacySession::Ask LegacySession::begin_ask(std::string_view method, const base::Json* params) {
  const std::lock_guard lock(state_->mutex);
  Ask ask;
  ask.id = "\"phasegate-" + std::to_string(++state_->asked) + "\"";
  ask.line = request(ask.id, method, params);
  state_->waiting.emplace(ask.id, State::Waiting{});
  return ask;
}

LegacySession::Answered LegacySession::await(const Ask& ask,
                                             std::chrono::steady_clock::time_point deadline,
                                             Exchange& exchange) {
  std::unique_lock lock(state_->mutex);
  State::Waiting& waiting = state_->waiting.at(ask.id);
  while (!waiting.answered) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= deadline) break;
    state_->answered.wait_until(lock, std::min(deadline, now + kCancelledEvery));
    if (waiting.answered) break;
    lock.unlock();
    const bool over = exchange.cancelled() || !exchange.reachable();
    lock.lock();
    if (over) break;
  }
  Answered result = std::move(waiting.result);
  state_->waiting.erase(ask.id);
  return result;
}

void LegacySession::responded(const Message& response) {
  const std::lock_guard lock(state_->mutex);
  const auto waiting = state_->waiting.find(response.id);
  if (waiting == state_->waiting.end() || waiting->second.answered) return;
  const base::Json* result = base::find_member(*response.document, "result");
  if (result != nullptr && result->is_object()) {
    // A part of the message, which it keeps alive.
    waiting->second.result = std::shared_ptr<const base::Json>(response.document, result);
  }
  waiting->second.answered = true;
  state_->answered.notify_all();
}

}  // namespace phasegate::mcp::protocol
