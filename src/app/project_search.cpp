#include "app/project_search.h"

#include <chrono>
#include <utility>

#include "app/search_rules.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/library.h"
#include "world/project_documents.h"

namespace phasegate::app {
namespace {

namespace limits = base::limits;
using gating::engine::StoreFailure;

/// Sessions whose texts somebody may ask for again.
constexpr std::size_t kSessionsRemembered = 64;

std::vector<gating::engine::FoundWorkflow> workflows_in(phases::Library& library) {
  std::vector<gating::engine::FoundWorkflow> found;
  for (phases::LibraryEntry& entry : library.list()) {
    found.push_back({std::move(entry.id), std::move(entry.place), std::move(entry.loaded)});
  }
  return found;
}

/// What the thread of an index needs to know the rules: a library, a store and a configuration of
/// its own, since each is for one thread.
class OwnRules {
 public:
  explicit OwnRules(const Settings& settings)
      : settings_(settings),
        library_(settings_.places),
        documents_(settings_.root),
        store_(state::open_store(settings_.state_folder)),
        rules_(settings_, documents_, *store_) {}
  OwnRules(const OwnRules&) = delete;
  OwnRules& operator=(const OwnRules&) = delete;

  [[nodiscard]] base::Result<rag::SourceRules> now() { return rules_.now(workflows_in(library_)); }

 private:
  const Settings settings_;
  phases::Library library_;
  world::ProjectFiles documents_;
  std::unique_ptr<state::Store> store_;
  SearchRules rules_;
};

}  // namespace

std::unique_ptr<rag::BackgroundIndex> background_index(const Settings& settings) {
  auto rules = std::make_shared<OwnRules>(settings);
  return std::make_unique<rag::BackgroundIndex>(search_folder(settings), settings.root,
                                                [rules] { return rules->now(); });
}

ProjectSearch::ProjectSearch(const Settings& settings, gating::engine::Engine& engine,
                             gating::engine::ProjectDocuments& documents, state::Store& store,
                             rag::BackgroundIndex* kept)
    : settings_(settings),
      engine_(engine),
      rules_(settings, documents, store),
      kept_(kept),
      finder_(search_folder(settings)) {}

base::Result<rag::SourceRules> ProjectSearch::rules() {
  return rules_.now(engine_.workflows());
}

base::Result<rag::SessionText> ProjectSearch::reached(const std::string& session_id,
                                                      const std::string& workflow) {
  const auto digest = digests_.find(session_id);
  const bool is_known = digest != digests_.end() && finder_.knows(digest->second);
  auto reached = engine_.reached_text(session_id, is_known ? digest->second : "");
  if (!reached) return reached.error();
  const phases::Workflow& pinned = reached->view.workflow();
  if (!workflow.empty() && workflow != pinned.id) {
    return base::Error{"wrong_workflow",
                       "this session is one of " + base::in_quotes(pinned.id) + ", not of " +
                           base::in_quotes(base::shortened(workflow, 80)),
                       "leave workflow out, or give the session_id of a session of it", "workflow"};
  }
  if (digests_.size() >= kSessionsRemembered) digests_.clear();
  digests_[session_id] = reached->digest;
  rag::SessionText text;
  text.workflow = pinned.id;
  text.digest = reached->digest;
  for (gating::engine::ReachedDocument& document : reached->documents) {
    text.documents.push_back(
        {std::move(document.path), std::move(document.phase), std::move(document.text)});
  }
  return text;
}

ProjectSearch::Refreshed ProjectSearch::refresh(const rag::SourceRules& rules) {
  Refreshed refreshed;
  if (kept_ == nullptr) {
    if (!own_) own_ = std::make_unique<rag::Indexer>(search_folder(settings_));
    try {
      refreshed.refused = own_->look(rules, [] { return true; }).listing.refused;
    } catch (const StoreFailure& failure) {
      refreshed.failed = failure.error();
    }
  } else {
    refreshed.complete = kept_->ready(limits::kSearchFirstWaitMs);
    rag::IndexState state = kept_->state();
    refreshed.refused = std::move(state.refused);
    refreshed.failed = std::move(state.failed);
  }
  refreshed.complete = refreshed.complete && !refreshed.failed;
  return refreshed;
}

base::Result<mcp::tools::Searched> ProjectSearch::search(const rag::SearchRequest& request,
                                                         const std::string& session_id) {
  if (session_id.empty() && !request.workflow.empty()) {
    return base::Error{"wrong_workflow", "texts of a workflow are found with a session only",
                       "give the session_id as well: what that session has reached is searched",
                       "session_id"};
  }
  std::optional<rag::SessionText> session;
  if (!session_id.empty()) {
    auto text = reached(session_id, request.workflow);
    if (!text) return text.error();
    session = std::move(text).value();
  }
  const auto source_rules = rules();
  if (!source_rules) return source_rules.error();
  if (rules_.changes() != dropped_) {
    finder_.drop_withheld(*source_rules);
    dropped_ = rules_.changes();
  }
  mcp::tools::Searched searched;
  const auto begun = std::chrono::steady_clock::now();
  constexpr int kTries = 2;
  for (int i = 0; i < kTries; ++i) {
    Refreshed refreshed = refresh(*source_rules);
    auto found = finder_.search(request, *source_rules, session ? &*session : nullptr);
    if (!found) return found.error();
    searched.answer = std::move(found).value();
    searched.refused = std::move(refreshed.refused);
    searched.failed = std::move(refreshed.failed);
    // An index that was found damaged is empty now; it is filled again.
    if (searched.answer.complete || searched.failed) {
      searched.answer.complete = searched.answer.complete && refreshed.complete;
      break;
    }
    if (kept_ != nullptr) {
      kept_->look_again();
      break;
    }
  }
  searched.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
  return searched;
}

}  // namespace phasegate::app
