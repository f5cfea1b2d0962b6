#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "gating/engine/ports.h"
#include "state/store_file.h"

namespace phasegate::state {

/// Removes an effect within the caller's transaction; false if `owner` does not hold it.
[[nodiscard]] bool remove_effect(Db& db, std::int64_t id, const gating::engine::Owner& owner);

/// The engine's Outbox on a StoreFile, which must outlive it. An owner that claims again after its
/// own lease expired gets the effect a second time; `deliveries` tells the two apart.
class SqliteOutbox final : public gating::engine::Outbox {
 public:
  explicit SqliteOutbox(StoreFile& file) : file_(file) {}

  [[nodiscard]] std::optional<gating::engine::OutboxRow> claim(
      const gating::engine::Owner& owner, base::TimePoint now, std::int64_t lease_ms,
      const gating::engine::ClaimWish& wish = {}) override;
  bool heartbeat(std::int64_t id, const gating::engine::Owner& owner, base::TimePoint now,
                 std::int64_t lease_ms, std::string_view progress = "") override;
  [[nodiscard]] std::optional<gating::engine::OutboxRow> find(std::string_view run_id,
                                                              std::string_view kind) override;
  bool defer(std::int64_t id, const gating::engine::Owner& owner, base::TimePoint until) override;
  [[nodiscard]] std::optional<base::TimePoint> next_due(std::string_view kind) override;
  bool finish(std::int64_t id, const gating::engine::Owner& owner) override;
  void release_all(const gating::engine::Owner& owner) override;

 private:
  StoreFile& file_;
};

}  // namespace phasegate::state
