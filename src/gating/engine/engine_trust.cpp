#include "base/json.h"
#include "base/text.h"
#include "gating/engine/engine.h"
#include "gating/engine/engine_state.h"
#include "gating/engine/project_file.h"
#include "phases/project_commands.h"
#include "phases/project_lint.h"

namespace phasegate::gating::engine {

using base::Error;
using base::Json;
using base::Result;

namespace {

constexpr std::size_t kFindingsNamedMax = 5;

/// The configuration's lines are the project's own, so the message may tell of them.
Error invalid_project(const phases::ProjectConfig& config) {
  std::vector<std::string> named;
  std::size_t errors = 0;
  for (const phases::Finding& finding : config.findings) {
    if (finding.severity != phases::Severity::error || ++errors > kFindingsNamedMax) continue;
    named.push_back(finding.message + " (" + phases::to_text(finding.source) + ")" +
                    (finding.hint.empty() ? "" : ": " + finding.hint));
  }
  std::string message = "the project's commands cannot be read: " + base::joined(named, "; ");
  if (errors > named.size()) {
    message += "; and " + std::to_string(errors - named.size()) + " more";
  }
  return Error{"invalid_project", std::move(message),
               "ask the person you work for to mend .phasegate/project.yaml; nothing was started",
               ""};
}

/// Names the command only: it is the project's, and tells of no phase.
Error missing_command(const phases::LackingCommand& lack, bool has_file) {
  const std::string name = base::in_quotes(base::shortened(lack.name, 60));
  std::string message = "nothing was started; the project has no command " + name;
  message += has_file ? " in .phasegate/project.yaml" : ": there is no .phasegate/project.yaml";
  if (!lack.nearest.empty()) message += "; the nearest is " + base::in_quotes(lack.nearest);
  return Error{"missing_command", std::move(message),
               "ask the person you work for to write " + name +
                   " below commands of .phasegate/project.yaml, or to mend the workflow",
               ""};
}

Json shown(const phases::Workflow& workflow) {
  Json list = Json::array();
  for (const phases::RunsCode& one : phases::what_runs(workflow)) {
    Json row = {{"phase", one.phase}, {"check", one.check}, {"runs", one.line}};
    if (!one.cwd.empty()) row["cwd"] = one.cwd;
    if (!one.env.empty()) row["env"] = one.env;
    if (!one.input.empty()) row["stdin"] = one.input;
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace

Result<std::shared_ptr<const phases::LoadedWorkflow>> Engine::State::with_project(
    const std::shared_ptr<const phases::LoadedWorkflow>& loaded) {
  if (!phases::uses_project(loaded->workflow)) return loaded;
  const auto config = project_file(ports.documents);
  if (config && !config->sound_for_checks) return invalid_project(*config);
  if (const auto lack = phases::lacking_command(loaded->workflow, config)) {
    return missing_command(*lack, config.has_value());
  }
  return std::make_shared<const phases::LoadedWorkflow>(phases::with_project(*loaded, config));
}

Result<TrustView> Engine::State::trust_view(std::string_view workflow) {
  auto found = ports.workflows.find(workflow);
  if (!found) return found.error();
  if (definition_for(*found->loaded) == nullptr) return not_startable(found->id);
  auto loaded = with_project(found->loaded);
  if (!loaded) return loaded.error();
  TrustView view;
  view.workflow = found->id;
  view.digest = (*loaded)->content_hash;
  view.needed = phases::needs_trust((*loaded)->workflow);
  if (ports.world != nullptr) view.environment = ports.world->environment();
  if (view.needed && ports.trust != nullptr) {
    if (auto record = ports.trust->find(view.digest)) {
      view.trusted = true;
      view.remembered = std::move(record->environment);
    }
  }
  view.loaded = std::move(loaded).value();
  return view;
}

std::optional<TrustRecord> Engine::State::trust_of(const RunView& view) {
  if (ports.trust == nullptr || !phases::needs_trust(view.workflow())) return std::nullopt;
  // The hash of what is pinned covers all that it runs.
  const RunState& run = view.run;
  if (auto record = ports.trust->find(run.definition_hash)) return record;
  if (run.trust.empty() || run.trust == run.definition_hash) return std::nullopt;
  // A workflow whose phases came from a document was trusted before it had them.
  auto record = ports.trust->find(run.trust);
  if (record && record->shown == base::dump(shown(view.workflow()))) return record;
  return std::nullopt;
}

std::string Engine::State::how_to_trust(const RunView& view) {
  const std::string trust = "`phasegate trust " + view.workflow().id + "`";
  const auto found = ports.workflows.find(view.run.workflow);
  const auto here = found ? with_project(found->loaded)
                          : Result<std::shared_ptr<const phases::LoadedWorkflow>>(found.error());
  if (here && ((*here)->content_hash == view.run.definition_hash ||
               (*here)->content_hash == view.run.trust)) {
    return "ask the person you work for to run " + trust;
  }
  return "the session's workflow is not the one that lies here now: ask the person you work for to "
         "run `phasegate repin " +
         view.run.id + "`, and then " + trust;
}

Result<TrustView> Engine::trust_view(std::string_view workflow) {
  return state_->trust_view(workflow);
}

Result<TrustView> Engine::trust(std::string_view workflow, std::string_view digest,
                                const std::string& principal) {
  auto view = state_->trust_view(workflow);
  if (!view) return view;
  if (view->digest != digest) {
    return Error{"stale_workflow",
                 "The workflow or the project's commands have changed since "
                 "they were shown",
                 "look at what would run again", ""};
  }
  if (state_->ports.trust == nullptr || !view->needed) return view;
  state_->ports.trust->trust({view->digest, view->workflow,
                              base::dump(shown(view->loaded->workflow)), principal,
                              state_->ports.clock.now(), view->environment});
  view->trusted = true;
  view->remembered = view->environment;
  return view;
}

int Engine::revoke_trust(std::string_view workflow) {
  return state_->ports.trust == nullptr ? 0 : state_->ports.trust->revoke(workflow);
}

std::vector<TrustRecord> Engine::trusted() {
  return state_->ports.trust == nullptr ? std::vector<TrustRecord>()
                                        : state_->ports.trust->trusted();
}

}  // namespace phasegate::gating::engine
