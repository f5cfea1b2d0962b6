#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace phasegate::gating::engine {

/// Something that somebody is to be told of.
struct Notification {
  std::string id;       ///< the same for every try
  std::string target;   ///< who, by the name in the user's configuration
  std::string event;    ///< `decision_opened`, …, see kNotify
  std::string session;  ///< run id
  std::string payload;  ///< JSON text, see kNotify
};

/// What came of one try.
struct Delivery {
  enum class End {
    delivered,
    failed,   ///< may be tried again
    refused,  ///< trying again is of no use: there is no such target any more
    stopped,  ///< `go_on` said so
  };
  End end = End::failed;
  std::string why;  ///< one sentence part without addresses and secrets; empty for delivered
};

/// Tells people outside of what has happened to runs. Methods never throw.
class Notifier {
 public:
  virtual ~Notifier() = default;
  /// Tells this configuration from others: processes with another one leave its notifications to
  /// those that have it. A short name without spaces.
  [[nodiscard]] virtual std::string channel() = 0;
  /// The names of those who want to be told of this event.
  [[nodiscard]] virtual std::vector<std::string> targets(std::string_view event) = 0;
  /// Tries once, for at most limits::kNotifyMsMax. `go_on` is asked now and then and may be empty.
  [[nodiscard]] virtual Delivery deliver(const Notification& notification,
                                         const std::function<bool()>& go_on) = 0;
};

struct TellWish {
  std::string run_id;           ///< of this run only; empty: of any
  std::function<bool()> go_on;  ///< asked now and then; false: give it back
};

/// What came of telling somebody.
struct Told {
  std::string run_id;
  std::string event;
  std::string target;
  Delivery delivery;
  int tries = 1;
  /// When it is tried again; nullopt: it was delivered, or is given up.
  std::optional<base::TimePoint> again;
};

/// How long to wait after so many tries that failed, in milliseconds; nullopt: give up.
[[nodiscard]] std::optional<std::int64_t> retry_after_ms(int tries);

}  // namespace phasegate::gating::engine
