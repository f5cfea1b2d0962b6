#pragma once
#include <memory>
#include <string>

#include "app/project_search.h"
#include "app/settings.h"
#include "gating/engine/engine.h"
#include "state/approvers/approver_book.h"

namespace phasegate::app {

/// The rooms, wired together for one project. Making one touches nothing on disk: the store is
/// opened by the first call that needs it, workflow folders are read when somebody asks for them.
class Program {
 public:
  /// `checks`: carries out checks for the engine's calls, which it must outlive; null: the calls do
  /// it themselves. `index`: who keeps the search index, likewise; null: each search looks at the
  /// files first.
  explicit Program(const Settings& settings, gating::engine::Verifier* checks = nullptr,
                   rag::BackgroundIndex* index = nullptr);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] gating::engine::Engine& engine();
  /// Searches the project's documents; touches nothing until it is asked.
  [[nodiscard]] ProjectSearch& search();
  /// Who may decide; touches nothing until it is asked.
  [[nodiscard]] state::SqliteApproverBook& approvers();
  /// What is wrong with the workflow places, as of the last time they were read.
  [[nodiscard]] const std::vector<phases::Finding>& place_findings() const;
  [[nodiscard]] const Settings& settings() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::app
