#include "app/serving.h"

#include "app/change_watch.h"
#include "app/cli/watch_feed.h"
#include "app/environment.h"
#include "app/timekeeper.h"
#include "mcp/tools/tools.h"
#include "state/request_key.h"
#include "state/store_file.h"

namespace phasegate::app {

namespace protocol = mcp::protocol;

namespace {

protocol::ServerInfo server_info() {
  protocol::ServerInfo info;
  info.name = "phasegate";
  info.title = "phasegate";
  info.version = version();
  info.instructions = mcp::tools::instructions();
  return info;
}

base::Result<std::string> key_in(const std::filesystem::path& folder) {
  try {
    return state::request_key(folder);
  } catch (const gating::engine::StoreFailure& failure) {
    return failure.error();
  }
}

/// Looks through the desks that also answer calls, so that nothing is read twice.
class DeskSights final : public Sights {
 public:
  DeskSights(Desks& desks, const std::filesystem::path& state_folder)
      : desks_(desks), notice_(state_folder / state::kStoreFileName) {}

  mcp::tools::ListMarks::Changed lists() override {
    mcp::tools::ListMarks::Changed changed;
    desks_.with_engine([&](gating::engine::Engine& engine) { changed = marks_.look(engine); });
    return changed;
  }
  bool sessions_may_have_changed() override { return notice_.changed(); }
  std::optional<std::int64_t> version(const std::string& session) override {
    std::optional<std::int64_t> version;
    desks_.with_engine([&](gating::engine::Engine& engine) {
      try {
        if (const auto view = engine.view(session)) version = view->run.version;
      } catch (const gating::engine::StoreFailure&) {
        // Whoever reads the session is told why; here it only cannot be seen now.
        version.reset();
      }
    });
    return version;
  }

 private:
  Desks& desks_;
  cli::ChangeNotice notice_;
  mcp::tools::ListMarks marks_;
};

}  // namespace

struct Serving::State {
  State(const Settings& settings, std::size_t desks_most)
      : desks(settings, desks_most),
        seal([folder = settings.state_folder] { return key_in(folder); }),
        server(server_info(), {desks, subscriptions, seal, clock, ids}),
        sights(desks, settings.state_folder),
        watch(subscriptions, sights),
        timekeeper(settings) {
    desks.on_change([this] {
      watch.wake();
      timekeeper.wake();
    });
  }

  Desks desks;
  protocol::Subscriptions subscriptions;
  protocol::RequestSeal seal;
  base::SystemClock clock;
  base::SystemIdSource ids;
  protocol::Server server;
  DeskSights sights;
  ChangeWatch watch;
  Timekeeper timekeeper;
};

Serving::Serving(const Settings& settings, std::size_t desks_most)
    : state_(std::make_unique<State>(settings, desks_most)) {}
Serving::~Serving() = default;

protocol::Server& Serving::server() {
  return state_->server;
}
Desks& Serving::desks() {
  return state_->desks;
}
protocol::RequestSeal& Serving::seal() {
  return state_->seal;
}
base::Clock& Serving::clock() {
  return state_->clock;
}
base::IdSource& Serving::ids() {
  return state_->ids;
}

}  // namespace phasegate::app
