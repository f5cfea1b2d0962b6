#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gating/engine/ports.h"
#include "state/definitions.h"
#include "state/run_rows.h"
#include "state/store_file.h"

namespace phasegate::state {

/// The engine's RunStore on a StoreFile, which must outlive it.
class SqliteRunStore final : public gating::engine::RunStore {
 public:
  /// `project_root`: kept with whatever is written about a run; empty: nothing is kept.
  explicit SqliteRunStore(StoreFile& file, std::string project_root = "")
      : file_(file), project_root_(std::move(project_root)) {}

  gating::engine::StartOutcome create_run(const gating::engine::StoredDefinition& definition,
                                          const gating::Transition& first, bool resume) override;
  std::optional<gating::Transition> transact(
      std::string_view run_id,
      const std::function<gating::Transition(const gating::RunState&)>& decide) override;
  gating::engine::OnceOutcome transact_once(
      std::string_view run_id, const gating::engine::Once& once, base::TimePoint now,
      const std::function<gating::Transition(const gating::RunState&)>& decide) override;
  std::optional<gating::Transition> transact_pinning(
      std::string_view run_id, const gating::engine::StoredDefinition& definition,
      const std::function<gating::Transition(const gating::RunState&)>& decide) override;
  std::optional<gating::Transition> transact_effect(
      std::string_view run_id, std::int64_t effect, const gating::engine::Owner& owner,
      const std::function<gating::Transition(const gating::RunState&)>& decide) override;
  bool use_once(const gating::engine::Once& once, base::TimePoint now) override;
  [[nodiscard]] std::unique_ptr<gating::engine::Reading> begin_reading() override;
  [[nodiscard]] std::optional<gating::RunState> load(std::string_view run_id) override;
  [[nodiscard]] base::Result<gating::engine::RunPage> list(
      const gating::engine::RunQuery& query) override;
  [[nodiscard]] std::optional<std::string> find_decision(std::string_view decision) override;
  [[nodiscard]] std::vector<std::string> due(base::TimePoint now, std::size_t limit) override;
  [[nodiscard]] std::optional<base::TimePoint> next_due(base::TimePoint after) override;
  [[nodiscard]] std::vector<gating::engine::JournalRow> journal(std::string_view run_id,
                                                                std::int64_t after,
                                                                std::size_t limit) override;
  [[nodiscard]] std::vector<gating::engine::ArtifactRow> artifacts(
      std::string_view run_id) override;
  [[nodiscard]] std::optional<gating::engine::StoredDefinition> definition(
      std::string_view hash) override;
  [[nodiscard]] std::optional<std::string> blob(std::string_view hash) override;

 private:
  using Decide = std::function<gating::Transition(const gating::RunState&)>;
  /// Decides and writes within the caller's transaction; nullopt: there is no such run.
  [[nodiscard]] std::optional<gating::Transition> decide_and_write(Db& db, StoreGuard& guard,
                                                                   std::string_view run_id,
                                                                   const Decide& decide);

  StoreFile& file_;
  std::string project_root_;
  VerifiedRuns runs_;
  VerifiedBlobs blobs_;
};

}  // namespace phasegate::state
