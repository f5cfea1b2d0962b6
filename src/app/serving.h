#pragma once
#include <cstddef>
#include <memory>

#include "app/desks.h"
#include "app/settings.h"
#include "base/clock.h"
#include "base/ids.h"
#include "mcp/protocol/request_state.h"
#include "mcp/protocol/server.h"

namespace phasegate::app {

/// The product's MCP server for one project, ready for a transport: service, subscriptions, the
/// seal with the installation's key, and the watch that tells of changes. Making one touches
/// nothing on disk.
class Serving {
 public:
  /// `desks_most`: how many calls may be at work at once.
  Serving(const Settings& settings, std::size_t desks_most);
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  [[nodiscard]] mcp::protocol::Server& server();
  /// What answers, for other doors to the same project.
  [[nodiscard]] Desks& desks();
  [[nodiscard]] mcp::protocol::RequestSeal& seal();
  [[nodiscard]] base::Clock& clock();
  [[nodiscard]] base::IdSource& ids();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::app
