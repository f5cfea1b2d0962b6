#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "mcp/http/http.h"
#include "mcp/http/running_calls.h"
#include "mcp/protocol/legacy_session.h"

namespace phasegate::mcp::http {

/// A legacy client between its handshake and its end (MCP 2025-11-25 §Session Management).
/// Thread-safe: its requests come on as many connections as it likes.
class Session {
 public:
  Session(protocol::Subscriptions& subscriptions, std::string id, std::string principal)
      : legacy(subscriptions, principal), id_(std::move(id)), principal_(std::move(principal)) {}

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::string& principal() const { return principal_; }

  /// Makes `stream` the one that takes what belongs to no request. The one before it is closed: a
  /// client that lost its connection without the server noticing must get through, and a message
  /// may go out on one stream only.
  void attach(const std::shared_ptr<OpenStream>& stream);
  [[nodiscard]] bool has_stream() const;
  /// Stops what runs, and ends the stream.
  void close();

  protocol::LegacySession legacy;
  RunningCalls calls;
  std::atomic<std::int64_t> used_ms{0};  ///< when it was last asked for something

 private:
  [[nodiscard]] std::shared_ptr<OpenStream> stream() const;

  const std::string id_;
  const std::string principal_;
  mutable std::mutex mutex_;
  std::weak_ptr<OpenStream> stream_;
  bool closed_ = false;
};

/// The sessions that exist. Thread-safe.
class Sessions {
 public:
  struct Bounds {
    std::size_t sessions_max;
    std::int64_t idle_ms;
  };
  Sessions(protocol::Subscriptions& subscriptions, Bounds bounds, base::Clock& clock,
           base::IdSource& ids);

  /// A session that nobody can name yet, for its handshake.
  [[nodiscard]] std::shared_ptr<Session> make(const std::string& principal);
  /// From now on find() finds it. If there are too many then, one ends: the longest unused of the
  /// same principal, else of all, those first that have neither a stream nor a running call.
  void keep(std::shared_ptr<Session> session);
  /// The session, if it exists and belongs to `principal`; another's is as unknown as none.
  [[nodiscard]] std::shared_ptr<Session> find(const std::string& id, std::string_view principal);
  /// Ends a session that find() found.
  void end(const Session& session);

  /// Stops what runs in every session, and ends the streams.
  void close();

 private:
  using Ended = std::vector<std::shared_ptr<Session>>;
  [[nodiscard]] bool expired(const Session& session) const;
  void take_expired(Ended& ended);
  void take_least_used(std::string_view principal, Ended& ended);

  protocol::Subscriptions& subscriptions_;
  const Bounds bounds_;
  base::Clock& clock_;
  base::IdSource& ids_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Session>> sessions_;
  bool closed_ = false;
};

}  // namespace phasegate::mcp::http
