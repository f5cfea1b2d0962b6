#include "app/desks.h"

#include <algorithm>
#include <utility>

#include "app/cli/assistant_tools.h"
#include "base/json.h"
#include "mcp/tools/tools.h"

namespace phasegate::app {

namespace protocol = mcp::protocol;

namespace {

/// True if what is handed over may be asked about: the open step asks a person, or the one that
/// follows is a person's own.
bool may_ask(const gating::engine::RunView& view) {
  const auto& phases = view.workflow().phases;
  const std::size_t next = view.phase_index() + 1;
  return phases::asks_a_person(view.phase()) || (next < phases.size() && phases[next].by_person);
}

/// True if a workflow here asks people: starting it may find a session that waits for them.
bool people_decide(Desks& desks) {
  bool any = false;
  desks.with_engine([&](gating::engine::Engine& engine) {
    const auto found = engine.workflows();
    any = std::any_of(found.begin(), found.end(), [](const auto& workflow) {
      const auto& phases = workflow.loaded->workflow.phases;
      return std::any_of(phases.begin(), phases.end(), phases::asks_a_person);
    });
  });
  return any;
}

/// True if the call hands something over in a session of which `what` is true.
bool hands_over(Desks& desks, std::string_view name, const base::Json& arguments,
                bool (*what)(const gating::engine::RunView&)) {
  if (name != "complete_phase") return false;
  const auto session = base::string_member(arguments, "session_id");
  if (!session) return false;
  bool is_true = false;
  desks.with_engine([&](gating::engine::Engine& engine) {
    try {
      const auto view = engine.view(*session);
      is_true = view && what(*view);
    } catch (const gating::engine::StoreFailure&) {
      // The call itself says so.
      is_true = false;
    }
  });
  return is_true;
}

}  // namespace

struct Desks::Desk {
  Desk(const Settings& settings, gating::engine::Verifier& checks, rag::BackgroundIndex& index)
      : program(settings, &checks, &index), service(cli::assistant_tools(program)) {}

  Program program;
  std::unique_ptr<protocol::Service> service;
};

/// A desk for as long as it lives.
class Desks::Loan {
 public:
  explicit Loan(Desks& desks) : desks_(desks) {
    std::unique_lock lock(desks.mutex_);
    desks.free_again_.wait(lock, [&] { return !desks.free_.empty() || desks.made_ < desks.most_; });
    if (!desks.free_.empty()) {
      desk_ = std::move(desks.free_.back());
      desks.free_.pop_back();
      return;
    }
    ++desks.made_;
    lock.unlock();
    try {
      desk_ = std::make_unique<Desk>(desks.settings_, desks.checks_, *desks.index_);
    } catch (...) {
      lock.lock();
      --desks.made_;
      desks.free_again_.notify_one();
      throw;
    }
  }
  ~Loan() {
    const std::lock_guard lock(desks_.mutex_);
    desks_.free_.push_back(std::move(desk_));
    desks_.free_again_.notify_one();
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  [[nodiscard]] protocol::Service& service() { return *desk_->service; }
  [[nodiscard]] Program& program() { return desk_->program; }

 private:
  Desks& desks_;
  std::unique_ptr<Desk> desk_;
};

Desks::Desks(const Settings& settings, std::size_t most)
    : settings_(settings),
      index_(background_index(settings_)),
      checks_(settings, [this] { tell_change(); }),
      most_(std::max<std::size_t>(1, most)) {
  // So that giving a desk back needs no memory.
  free_.reserve(most_);
}
Desks::~Desks() = default;

void Desks::with_engine(const std::function<void(gating::engine::Engine&)>& work) {
  with_program([&](Program& program) { work(program.engine()); });
}

void Desks::with_program(const std::function<void(Program&)>& work) {
  Loan desk(*this);
  work(desk.program());
}

std::size_t Desks::count() {
  const std::lock_guard lock(mutex_);
  return made_;
}

protocol::Offer Desks::offer() const {
  return mcp::tools::offered();
}

std::shared_ptr<const std::vector<protocol::ToolDefinition>> Desks::tools() {
  return mcp::tools::offered_tools();
}

protocol::Outcome<protocol::ToolResult> Desks::call_tool(std::string_view name,
                                                         const base::Json& arguments,
                                                         protocol::CallContext& context) {
  auto outcome = Loan(*this).service().call_tool(name, arguments, context);
  const auto offered = tools();
  const bool reads_only = std::any_of(
      offered->begin(), offered->end(),
      [&](const protocol::ToolDefinition& tool) { return tool.name == name && tool.read_only; });
  if (!reads_only) tell_change();
  return outcome;
}

void Desks::tell_change() const {
  if (changed_) changed_();
}

bool Desks::call_waits(std::string_view name, const base::Json& arguments) {
  return hands_over(*this, name, arguments, gating::engine::may_take_long);
}

bool Desks::call_asks(std::string_view name, const base::Json& arguments) {
  if (name == "start_workflow") return people_decide(*this);
  return hands_over(*this, name, arguments, may_ask);
}

protocol::Listed<protocol::Resource> Desks::resources(std::string_view cursor,
                                                      protocol::CallContext& context) {
  return Loan(*this).service().resources(cursor, context);
}

protocol::Listed<protocol::ResourceTemplate> Desks::resource_templates(
    std::string_view cursor, protocol::CallContext& context) {
  return Loan(*this).service().resource_templates(cursor, context);
}

protocol::Outcome<protocol::ReadResult> Desks::read_resource(std::string_view uri,
                                                             protocol::CallContext& context) {
  return Loan(*this).service().read_resource(uri, context);
}

bool Desks::can_subscribe(std::string_view uri, const protocol::Peer& peer) {
  return Loan(*this).service().can_subscribe(uri, peer);
}

protocol::Listed<protocol::Prompt> Desks::prompts(std::string_view cursor,
                                                  protocol::CallContext& context) {
  return Loan(*this).service().prompts(cursor, context);
}

protocol::Outcome<protocol::PromptResult> Desks::get_prompt(std::string_view name,
                                                            const base::Json& arguments,
                                                            protocol::CallContext& context) {
  return Loan(*this).service().get_prompt(name, arguments, context);
}

std::variant<protocol::Completion, protocol::RpcError> Desks::complete(
    const protocol::CompletionRequest& request, protocol::CallContext& context) {
  return Loan(*this).service().complete(request, context);
}

}  // namespace phasegate::app
