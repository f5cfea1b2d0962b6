#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "gating/engine/definitions.h"
#include "gating/engine/engine.h"
#include "gating/engine/ports.h"

namespace phasegate::gating::engine {

/// What a run started now is pinned to, ready to run and as it is kept.
struct Pinned {
  std::shared_ptr<const Definition> definition;
  StoredDefinition stored;
};

/// The inside of the engine: engine.cpp changes runs, engine_reading.cpp shows them.
struct Engine::State {
  State(Ports given_ports, EngineOptions given_options)
      : ports(given_ports), options(given_options), definitions(given_ports.store) {}

  /// The definition that a run started now would be pinned to, compiled once; null if none can be.
  [[nodiscard]] std::shared_ptr<const Definition> definition_for(
      const phases::LoadedWorkflow& loaded);

  /// The workflow with the commands of the project's configuration. Errors: `invalid_project`,
  /// `missing_command` for one that it cannot do without.
  [[nodiscard]] base::Result<std::shared_ptr<const phases::LoadedWorkflow>> with_project(
      const std::shared_ptr<const phases::LoadedWorkflow>& loaded);

  /// A found workflow as a run started now would have it, and what a person has to say of it.
  /// Errors: those of WorkflowSource, `not_startable`, `invalid_project`,
  /// `missing_command`.
  [[nodiscard]] base::Result<TrustView> trust_view(std::string_view workflow);

  /// What a person said of all that the definition runs that the run is pinned to; nullopt: nobody
  /// trusts it. What the run itself says of it counts only where its phases came from a document:
  /// then what runs must be word by word what was shown.
  [[nodiscard]] std::optional<TrustRecord> trust_of(const RunView& view);
  /// What the assistant is to ask for where there is no trust_of: the next command. Reads the
  /// workflow's files.
  [[nodiscard]] std::string how_to_trust(const RunView& view);

  /// Files that a phase's evidence names, by the requirements that ask for paths.
  [[nodiscard]] static std::vector<std::string> files_of(const phases::Phase& phase,
                                                         const base::Json& evidence);
  /// Earlier phases whose files are not any more what they were when their gates opened.
  [[nodiscard]] std::vector<std::string> stale_phases(const RunState& run);

  /// What is to be remembered of the entry into the phase behind the run's current one.
  [[nodiscard]] std::string next_entry(const RunView& view, const base::Json& scope);
  /// The same for a phase by its id; empty for one that there is not.
  [[nodiscard]] std::string entry_into(const RunView& view, std::string_view phase,
                                       const base::Json& scope);
  /// What a command does to a run, as it is committed: see transition().
  [[nodiscard]] Transition decided(const Definition& definition, const RunState& run,
                                   const Command& command, base::TimePoint now) const;
  /// The same with what people are to be told of it addressed to each who wants to know; without it
  /// if there is nobody: what is in the outbox has to have a taker.
  [[nodiscard]] Transition addressed(Transition done) const;
  /// Effect::kind of what this process tells people. Requires a notifier.
  [[nodiscard]] std::string notify_kind() const;
  /// How many are enrolled who could decide; nullopt: it cannot be told.
  [[nodiscard]] std::optional<std::size_t> approvers_enrolled();
  /// An id for a decision that a transition may open; empty where the workflow asks nobody.
  [[nodiscard]] std::string decision_id_for(const phases::Workflow& workflow);

  /// What the digests of secret values are keyed with; empty where the workflow has none. Errors:
  /// `no_secret_key`.
  [[nodiscard]] base::Result<std::string> secret_key_for(const phases::Workflow& workflow) const;

  /// See Engine::work.
  [[nodiscard]] base::Result<std::optional<WorkDone>> work(const WorkWish& wish);
  /// An answer with the phase that is open now, as far as it can be read.
  [[nodiscard]] CompleteReply answer(RunView view, Reply reply);
  /// Waits for the checks of evidence with this digest, or carries them out, and answers with what
  /// has come of them, or that they go on.
  [[nodiscard]] base::Result<CompleteReply> verified(const CompleteRequest& request,
                                                     const std::string& digest, Reply reply);

  /// The same with the phases that come from a document of the project; the folder that `input`
  /// names for it is normalised. `loaded` itself can be started. Errors: see with_document.
  [[nodiscard]] base::Result<Pinned> pinned_for(const phases::LoadedWorkflow& loaded,
                                                base::Json& input);

  /// The newest open run of the workflow with this key. Linear in its open runs.
  [[nodiscard]] std::optional<std::string> open_run(const std::string& workflow,
                                                    const std::string& resume_key);

  /// The run with its definition. Errors: `invalid_argument`, `unknown_session`.
  [[nodiscard]] base::Result<RunView> load(std::string_view run_id);

  /// The run, and its workflow as it lies in its place now. Errors as Engine::repin_view.
  struct Changed {
    RunView view;
    std::shared_ptr<const phases::LoadedWorkflow> loaded;
    std::shared_ptr<const Definition> definition;
  };
  [[nodiscard]] base::Result<Changed> changed_for(std::string_view run_id);

  /// The text of a document of the pinned definition; what is no UTF-8 is replaced, so that an
  /// answer can always be written.
  [[nodiscard]] std::string text_of(const RunView& view, const std::string& path);

  /// Files of no phase that this document links to.
  [[nodiscard]] static std::vector<std::string> shared_links(const RunView& view,
                                                             const Visible& shown,
                                                             const std::string& path);

  /// A phase as it may be read, with the artifacts of those before it or its own.
  [[nodiscard]] PhaseView show(RunView view, std::size_t index, bool all_artifacts = false);

  /// The open phase, or the last one of a run that has ended.
  [[nodiscard]] PhaseView show_open(RunView view);

  /// Runs that were due and could not be loaded; not tried again by this process.
  std::set<std::string> not_loadable;
  Ports ports;
  EngineOptions options;
  Definitions definitions;
};

[[nodiscard]] base::Error unknown_session(std::string_view run_id);
[[nodiscard]] base::Error not_startable(const std::string& workflow_id);
/// A workflow as it is kept with the runs that are pinned to it.
[[nodiscard]] StoredDefinition stored(const phases::LoadedWorkflow& loaded);

}  // namespace phasegate::gating::engine
