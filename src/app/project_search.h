#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/search_rules.h"
#include "app/settings.h"
#include "gating/engine/engine.h"
#include "mcp/tools/document_search.h"
#include "rag/background_index.h"
#include "rag/finder.h"
#include "rag/indexer.h"

namespace phasegate::app {

/// Keeps the index of a project for a server: see rag::BackgroundIndex. `settings` is copied.
[[nodiscard]] std::unique_ptr<rag::BackgroundIndex> background_index(const Settings& settings);

/// Searches the documents of a project and what a session has reached of its workflow. One thread.
class ProjectSearch final : public mcp::tools::DocumentSearch {
 public:
  /// The references must outlive it. `kept`: who keeps the index; null: it is
  /// brought up to date before each search.
  ProjectSearch(const Settings& settings, gating::engine::Engine& engine,
                gating::engine::ProjectDocuments& documents, state::Store& store,
                rag::BackgroundIndex* kept);

  [[nodiscard]] base::Result<mcp::tools::Searched> search(const rag::SearchRequest& request,
                                                          const std::string& session_id) override;
  /// What is searched. Errors: those of SearchRules::now.
  [[nodiscard]] base::Result<rag::SourceRules> rules();

 private:
  /// How the index is when a search begins.
  struct Refreshed {
    bool complete = true;
    std::vector<base::Error> refused;
    std::optional<base::Error> failed;  ///< why it cannot be brought up to date
  };

  [[nodiscard]] base::Result<rag::SessionText> reached(const std::string& session_id,
                                                       const std::string& workflow);
  /// Brings the index up to date, or waits for who does.
  [[nodiscard]] Refreshed refresh(const rag::SourceRules& rules);

  const Settings& settings_;
  gating::engine::Engine& engine_;
  SearchRules rules_;
  rag::BackgroundIndex* kept_;
  std::unique_ptr<rag::Indexer> own_;  ///< without `kept`
  rag::Finder finder_;
  std::uint64_t dropped_ = 0;                   ///< SearchRules::changes when that was last done
  std::map<std::string, std::string> digests_;  ///< of reached texts, by session
};

}  // namespace phasegate::app
