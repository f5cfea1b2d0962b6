#pragma once
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gating/definition.h"
#include "gating/engine/ports.h"

namespace phasegate::gating::engine {

/// Definitions by content hash, parsed once and kept, least recently used out first
/// (limits::kDefinitionsCachedMax). They never change, so nothing has to be invalidated.
class Definitions {
 public:
  explicit Definitions(RunStore& store) : store_(store) {}

  /// The stored definition. Throws StoreFailure `damaged` if it is missing or cannot be read: a
  /// run never falls back to the workflow's files.
  [[nodiscard]] std::shared_ptr<const Definition> get(std::string_view hash);
  /// Remembers one that was just made from files.
  void remember(const std::shared_ptr<const Definition>& definition);
  /// A remembered definition, or null.
  [[nodiscard]] std::shared_ptr<const Definition> find(std::string_view hash);

 private:
  using Order = std::list<std::shared_ptr<const Definition>>;
  RunStore& store_;
  Order order_;  // most recently used first
  std::unordered_map<std::string, Order::iterator> by_hash_;
};

}  // namespace phasegate::gating::engine
