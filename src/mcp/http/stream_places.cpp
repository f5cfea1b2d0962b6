#include "mcp/http/stream_places.h"

namespace phasegate::mcp::http {

std::variant<std::shared_ptr<void>, Refusal> StreamPlaces::take(const std::string& client) {
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(client);
  if (found != taken_.end() && found->second >= limits_.streams_per_client_max) {
    return Refusal{429, "You have " + std::to_string(found->second) +
                            " open streams, the most there may be. Close one first."};
  }
  if (all_ >= limits_.streams_max) {
    return Refusal{503, "The server has " + std::to_string(all_) +
                            " open streams, the most there may be. Try again later."};
  }
  ++all_;
  ++taken_[client];
  return std::shared_ptr<void>(
      this, [client](void* places) { static_cast<StreamPlaces*>(places)->give_back(client); });
}

void StreamPlaces::give_back(const std::string& client) {
  const std::lock_guard lock(mutex_);
  --all_;
  const auto found = taken_.find(client);
  if (--found->second == 0) taken_.erase(found);
}

}  // namespace phasegate::mcp::http
