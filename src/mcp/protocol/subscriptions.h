#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/protocol/exchange.h"

namespace phasegate::mcp::protocol {

/// Which changes somebody wants to be told (MCP 2026-07-28 §subscriptions/listen).
struct Wants {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::vector<std::string> resource_uris;
};

/// Who is to be told of which change: the listen streams of modern clients and the sessions of
/// legacy ones. Thread-safe. One per server; the service announces, transports deliver.
class Subscriptions {
 public:
  enum class Change { tools, prompts, resources };

  Subscriptions();
  ~Subscriptions();
  Subscriptions(const Subscriptions&) = delete;
  Subscriptions& operator=(const Subscriptions&) = delete;

  /// Ends a subscription when it is destroyed.
  class Handle {
   public:
    Handle() = default;
    Handle(Handle&&) noexcept = default;
    Handle& operator=(Handle&&) noexcept;
    ~Handle();

   private:
    friend class Subscriptions;
    std::shared_ptr<void> entry_;
  };

  /// Tells `sink` of the changes in `wants`. `id` is the JSON text of the listen request's id, with
  /// which every notification is tagged; empty for a legacy session, whose are not. `first`, unless
  /// it is empty, is sent before any of them, and none is missed in between. A sink that fails is
  /// told nothing more.
  [[nodiscard]] Handle add(Wants wants, std::string id, std::weak_ptr<Sink> sink,
                           std::string first = "");
  /// Replaces what is wanted.
  void change(const Handle& handle, Wants wants);

  /// A list has changed.
  void announce(Change change);
  /// A resource has changed.
  void announce_resource(std::string_view uri);

  /// Everything that anybody wants now, each URI once, sorted.
  [[nodiscard]] Wants wanted() const;
  /// Calls `changed` whenever wanted() may have become another, from whatever thread brought it
  /// about, holding no lock. At most one; null takes it away.
  void on_wanted_changed(std::function<void()> changed);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace phasegate::mcp::protocol
