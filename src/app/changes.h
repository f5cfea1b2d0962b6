#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mcp/protocol/subscriptions.h"
#include "mcp/tools/list_marks.h"

namespace phasegate::app {

/// What can be looked at for changes.
class Sights {
 public:
  virtual ~Sights() = default;
  /// Which lists are others than at the last look; none at the first.
  [[nodiscard]] virtual mcp::tools::ListMarks::Changed lists() = 0;
  /// True if a session may have changed since the last call; cheap.
  [[nodiscard]] virtual bool sessions_may_have_changed() = 0;
  /// The session's state version; nullopt: it cannot be read now, or there is none.
  [[nodiscard]] virtual std::optional<std::int64_t> version(const std::string& session) = 0;
};

/// What has changed of that which somebody wants to be told. Decides, and tells nobody itself. One
/// thread at a time.
class Changes {
 public:
  explicit Changes(Sights& sights) : sights_(sights) {}

  struct News {
    bool resources = false;
    bool prompts = false;
    std::vector<std::string> uris;
  };

  /// Remembers how what is newly wanted is now, so that no later change is missed.
  void expect(const mcp::protocol::Wants& wants);
  /// What has changed since. `at_once`: look although nothing may seem to have changed.
  [[nodiscard]] News look(const mcp::protocol::Wants& wants, bool at_once);

 private:
  Sights& sights_;
  std::map<std::string, std::int64_t, std::less<>> versions_;  ///< by URI
};

}  // namespace phasegate::app
