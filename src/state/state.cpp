#include "state/state.h"

#include "state/outbox.h"
#include "state/run_store.h"
#include "state/store_file.h"
#include "state/stored_texts.h"
#include "state/trust_book.h"

namespace phasegate::state {
namespace {

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::filesystem::path& folder, const StoreOptions& options)
      : file_(folder, {options.busy_ms, options.pages_max}),
        runs_(file_, options.project_root),
        outbox_(file_),
        trust_(file_),
        texts_(file_) {}

  gating::engine::RunStore& runs() override { return runs_; }
  gating::engine::Outbox& outbox() override { return outbox_; }
  gating::engine::TrustBook& trust() override { return trust_; }
  StoredTexts& texts() override { return texts_; }

 private:
  StoreFile file_;
  SqliteRunStore runs_;
  SqliteOutbox outbox_;
  SqliteTrustBook trust_;
  StoredTexts texts_;
};

}  // namespace

std::unique_ptr<Store> open_store(const std::filesystem::path& folder,
                                  const StoreOptions& options) {
  return std::make_unique<SqliteStore>(folder, options);
}

}  // namespace phasegate::state
