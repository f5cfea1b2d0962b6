#pragma once
#include "gating/engine/ports.h"
#include "state/store_file.h"

namespace phasegate::state {

/// The engine's TrustBook on a StoreFile, which must outlive it.
class SqliteTrustBook final : public gating::engine::TrustBook {
 public:
  explicit SqliteTrustBook(StoreFile& file) : file_(file) {}

  [[nodiscard]] std::optional<gating::engine::TrustRecord> find(std::string_view digest) override;
  void trust(const gating::engine::TrustRecord& record) override;
  int revoke(std::string_view workflow) override;
  [[nodiscard]] std::vector<gating::engine::TrustRecord> trusted() override;

 private:
  StoreFile& file_;
};

}  // namespace phasegate::state
