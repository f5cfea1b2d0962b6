#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>

#include "mcp/http/listener.h"
#include "mcp/http/request_head.h"

namespace phasegate::mcp::http {

/// How many open streams there are, of each client and of all.
class StreamPlaces {
 public:
  explicit StreamPlaces(const ListenerLimits& limits) : limits_(limits) {}

  /// A place, which is given back when its last owner is gone, or why there is none.
  [[nodiscard]] std::variant<std::shared_ptr<void>, Refusal> take(const std::string& client);

 private:
  void give_back(const std::string& client);

  const ListenerLimits& limits_;
  std::mutex mutex_;
  std::map<std::string, std::size_t> taken_;
  std::size_t all_ = 0;
};

}  // namespace phasegate::mcp::http
