#pragma once
#include "gating/engine/ports.h"
#include "state/store_file.h"

namespace phasegate::state {

/// The engine's TrustBook on a StoreFile, which must outlive it. What the store's mark does not
/// vouch for does not count: if a row was put in, changed or taken out, nothing is trusted any
/// more, and who trusts a workflow next begins with an empty book.
class SqliteTrustBook final : public gating::engine::TrustBook {
 public:
  explicit SqliteTrustBook(StoreFile& file) : file_(file) {}

  [[nodiscard]] std::optional<gating::engine::TrustRecord> find(std::string_view digest) override;
  void trust(const gating::engine::TrustRecord& record) override;
  int revoke(std::string_view workflow) override;
  [[nodiscard]] std::vector<gating::engine::TrustRecord> trusted() override;

 private:
  /// The book as it was written by this class.
  [[nodiscard]] bool is_sound(Db& db);
  /// Empties the book first if it is not sound.
  template <typename Change>
  void change(Db& db, Change change);

  StoreFile& file_;
};

}  // namespace phasegate::state
