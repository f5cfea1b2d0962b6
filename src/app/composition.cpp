#include "app/composition.h"

#include "base/clock.h"
#include "base/ids.h"
#include "phases/library.h"
#include "state/evidence_key.h"
#include "state/state.h"
#include "world/notify/notifier.h"
#include "world/project_documents.h"
#include "world/project_world.h"
#include "world/this_process.h"

namespace phasegate::app {
namespace {

namespace engine = gating::engine;

/// The library as the engine sees it.
class LibrarySource final : public engine::WorkflowSource {
 public:
  explicit LibrarySource(phases::Library& library) : library_(library) {}

  std::vector<engine::FoundWorkflow> list() override {
    std::vector<engine::FoundWorkflow> found;
    for (phases::LibraryEntry& entry : library_.list()) found.push_back(converted(entry));
    return found;
  }

  base::Result<engine::FoundWorkflow> find(std::string_view id_or_alias) override {
    auto entry = library_.find(id_or_alias);
    if (!entry) return std::move(entry).error();
    return converted(*entry);
  }

 private:
  static engine::FoundWorkflow converted(phases::LibraryEntry& entry) {
    return {std::move(entry.id), std::move(entry.place), std::move(entry.loaded)};
  }

  phases::Library& library_;
};

}  // namespace

struct Program::State {
  State(const Settings& wanted, gating::engine::Verifier* checks, rag::BackgroundIndex* index)
      : settings(wanted),
        library(wanted.places),
        source(library),
        store(state::open_store(wanted.state_folder, {.project_root = wanted.root.string()})),
        approvers(wanted.approvers_folder),
        documents(wanted.root),
        world(wanted.root, wanted.state_folder / "scratch"),
        notifier(wanted.notify_file, wanted.root.filename().string(), wanted.options_anywhere,
                 wanted.decision_page),
        engine({source, store->runs(), clock, ids, &documents, &world, &store->outbox(),
                &store->trust(), checks, world::this_process(), world::is_gone, &approvers,
                &notifier, [folder = wanted.state_folder] { return state::evidence_key(folder); }},
               {wanted.gates}),
        search(settings, engine, documents, *store, index) {}

  Settings settings;
  phases::Library library;
  LibrarySource source;
  std::unique_ptr<state::Store> store;
  state::SqliteApproverBook approvers;
  base::SystemClock clock;
  base::SystemIdSource ids;
  world::ProjectFiles documents;
  world::ProjectWorld world;
  world::UserNotifier notifier;
  gating::engine::Engine engine;
  ProjectSearch search;
};

Program::Program(const Settings& settings, gating::engine::Verifier* checks,
                 rag::BackgroundIndex* index)
    : state_(std::make_unique<State>(settings, checks, index)) {}
Program::~Program() = default;

gating::engine::Engine& Program::engine() {
  return state_->engine;
}

ProjectSearch& Program::search() {
  return state_->search;
}

state::SqliteApproverBook& Program::approvers() {
  return state_->approvers;
}

const std::vector<phases::Finding>& Program::place_findings() const {
  return state_->library.findings();
}

const Settings& Program::settings() const {
  return state_->settings;
}

}  // namespace phasegate::app
