#include "app/composition.h"

#include "base/clock.h"
#include "base/ids.h"
#include "phases/library.h"
#include "state/state.h"
#include "world/project_documents.h"

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
  explicit State(const Settings& wanted)
      : settings(wanted),
        library(wanted.places),
        source(library),
        store(state::open_store(wanted.state_folder)),
        documents(wanted.root),
        engine({source, store->runs(), clock, ids, &documents}, {wanted.gates}) {}

  Settings settings;
  phases::Library library;
  LibrarySource source;
  std::unique_ptr<state::Store> store;
  base::SystemClock clock;
  base::SystemIdSource ids;
  world::ProjectFiles documents;
  gating::engine::Engine engine;
};

Program::Program(const Settings& settings) : state_(std::make_unique<State>(settings)) {}
Program::~Program() = default;

gating::engine::Engine& Program::engine() {
  return state_->engine;
}

const std::vector<phases::Finding>& Program::place_findings() const {
  return state_->library.findings();
}

const Settings& Program::settings() const {
  return state_->settings;
}

}  // namespace phasegate::app
