#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/settings.h"
#include "base/result.h"
#include "gating/engine/ports.h"
#include "rag/sources.h"
#include "state/state.h"

namespace phasegate::app {

/// Which documents of the project are searched: the default folders and those that
/// `.phasegate/project.yaml` names under `search:`, without whatever belongs to a workflow: the
/// places in which workflows are looked for, every text of a workflow that is found there or that a
/// session is pinned to, wherever a copy of it lies, and documents from which phases are made when
/// a run starts. One thread.
class SearchRules {
 public:
  /// All three must outlive it.
  SearchRules(const Settings& settings, gating::engine::ProjectDocuments& documents,
              state::Store& store)
      : settings_(settings), documents_(documents), store_(store) {}

  /// As it is now. Errors (`unsound_search`): the configuration is wrong there, so nobody knows
  /// what it leaves out. Throws StoreFailure.
  [[nodiscard]] base::Result<rag::SourceRules> now(
      const std::vector<gating::engine::FoundWorkflow>& workflows);
  /// Counts how often `now` has found other texts to be withheld.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  using Digests = std::set<std::string, std::less<>>;
  /// The digests of one workflow's texts, as long as it is the same.
  struct Known {
    std::shared_ptr<const phases::LoadedWorkflow> loaded;
    Digests digests;
  };

  void look_at_texts(const std::vector<gating::engine::FoundWorkflow>& workflows);

  const Settings& settings_;
  gating::engine::ProjectDocuments& documents_;
  state::Store& store_;
  std::map<const phases::LoadedWorkflow*, Known> found_;
  std::string stored_mark_;
  Digests stored_;
  Digests all_;
  std::uint64_t changes_ = 0;
};

/// Where the index lies, in the state folder. Worktrees and parts of a repository share that, and
/// so do servers that look for workflows in other places; each has an index of its own, so that
/// none holds what another leaves out.
[[nodiscard]] std::filesystem::path search_folder(const Settings& settings);

}  // namespace phasegate::app
