#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "mcp/protocol/exchange.h"
#include "mcp/protocol/peer.h"

namespace phasegate::mcp::protocol {

/// In rising order (MCP 2025-11-25 §Logging).
enum class LogLevel { debug, info, notice, warning, error, critical, alert, emergency };
[[nodiscard]] std::string_view log_level_name(LogLevel level);
[[nodiscard]] std::optional<LogLevel> log_level_of(std::string_view name);

/// Something that only the client's side can give, asked for by a handler.
struct InputRequest {
  enum class Kind { elicitation_form, elicitation_url, sampling, roots };
  std::string key;  ///< under which its answer is found
  Kind kind = Kind::elicitation_form;
  std::shared_ptr<const base::Json> params;  ///< as of the request's method; null: none
};

/// A handler's way to say: not without these answers. The handler is then called again from its
/// beginning, with the same arguments, the answers and `state`: over both eras alike, and perhaps
/// in another process (MCP 2026-07-28 §Multi round-trip requests). It must have changed nothing.
struct InputRequired {
  std::vector<InputRequest> requests;  ///< may be empty only if `state` is not
  std::string state;                   ///< for the next round; not secret, but cannot be forged
};

/// What earlier rounds of the same call have brought.
struct Round {
  /// Answers by key, as the client gave them: `{"action": …, "content": …}` for elicitation. An
  /// object, or null in the first round; it may lack keys that were asked for and have others. An
  /// elicitation that timed out or failed has the action `cancel`.
  std::shared_ptr<const base::Json> responses;
  std::string state;  ///< of the round before
  /// Names this retry; empty in the first round and where the round before gave no `state`. A
  /// handler that must count an answer only once gives a state, and uses this up in the same
  /// transaction as what the answers bring about.
  std::string once;
  /// When `once` no longer has to be remembered: UTC milliseconds.
  std::int64_t once_until_ms = 0;

  /// True if there is neither an answer nor a state.
  [[nodiscard]] bool first() const;
};

/// What a request's envelope asks for and what a handler may do while it answers.
class CallContext {
 public:
  struct Wishes {
    std::string progress_token;         ///< JSON text, empty: no progress is wanted
    std::optional<LogLevel> log_level;  ///< nothing is logged without
  };

  CallContext(const Peer& peer, const Round& round, Wishes wishes, Exchange& exchange)
      : peer_(peer), round_(round), wishes_(std::move(wishes)), exchange_(exchange) {}

  [[nodiscard]] const Peer& peer() const { return peer_; }
  [[nodiscard]] const Round& round() const { return round_; }

  /// Reports progress, if the client asked for it. `progress` has to grow; what does not is left
  /// out (MCP 2026-07-28 §Progress). `total` of 0: unknown.
  void progress(double progress, double total, std::string_view message);
  /// Logs to the client, if it asked for this level. Never secrets or internals.
  void log(LogLevel level, std::string_view logger, const base::Json& data);

  [[nodiscard]] bool cancelled() { return exchange_.cancelled(); }
  /// Waits; false if the call was cancelled.
  bool wait(std::chrono::milliseconds time) { return exchange_.wait(time); }

 private:
  const Peer& peer_;
  const Round& round_;
  Wishes wishes_;
  Exchange& exchange_;
  std::optional<double> reported_;
};

}  // namespace phasegate::mcp::protocol
