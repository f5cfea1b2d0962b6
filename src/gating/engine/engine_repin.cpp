#include "base/text.h"
#include "gating/engine/engine.h"
#include "gating/engine/engine_state.h"

namespace phasegate::gating::engine {

using base::Error;
using base::Result;

Result<Engine::State::Changed> Engine::State::changed_for(std::string_view run_id) {
  auto view = load(run_id);
  if (!view) return view.error();
  auto found = ports.workflows.find(view->run.workflow);
  if (!found) return found.error();
  // Another workflow that took the name as an alias is not the one the run was started with.
  if (found->id != view->run.workflow) {
    return Error{"unknown_workflow",
                 "there is no workflow " + base::in_quotes(view->run.workflow) + " any more",
                 "its sessions go on as they are", ""};
  }
  if (definition_for(*found->loaded) == nullptr) return not_startable(found->id);
  auto loaded = with_project(found->loaded);
  if (!loaded) return loaded.error();
  auto changed = definition_for(**loaded);
  if (changed == nullptr) return not_startable(found->id);
  return Changed{std::move(view).value(), std::move(loaded).value(), std::move(changed)};
}

Result<RepinView> Engine::repin_view(std::string_view run_id) {
  auto found = state_->changed_for(run_id);
  if (!found) return found.error();
  RepinView shown;
  shown.difference = repin_difference(*found->view.definition, *found->definition, found->view.run);
  shown.view = std::move(found->view);
  shown.changed = std::move(found->definition);
  return shown;
}

Result<RunView> Engine::repin(const RepinRequest& request) {
  auto found = state_->changed_for(request.run_id);
  if (!found) return found.error();
  if (found->definition->hash != request.changed_hash) {
    return Error{"stale_workflow", "The workflow has changed since it was shown",
                 "look at the difference again", ""};
  }
  Repin command;
  command.definition = found->definition;
  command.actor = request.actor;
  command.version = request.version;
  const base::TimePoint now = state_->ports.clock.now();
  auto done = state_->ports.store.transact_pinning(
      request.run_id, stored(*found->loaded), [&](const RunState& run) {
        // The version tells whether the run is still as it was shown, its definition included.
        return state_->decided(*found->view.definition, run, command, now);
      });
  if (!done) return unknown_session(request.run_id);
  if (const auto& refusal = done->reply.refusal) {
    return Error{std::string(to_text(refusal->kind)), refusal->message + ": " + refusal->reason,
                 refusal->required_action, ""};
  }
  return RunView{std::move(*done->next), found->definition, {}};
}

}  // namespace phasegate::gating::engine
