#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/definition.h"
#include "gating/engine/ports.h"
#include "gating/repin.h"
#include "gating/run.h"
#include "gating/transition.h"
#include "gating/visibility.h"

namespace phasegate::gating::engine {

/// A run with the definition it is pinned to: what every answer about a run is made from.
struct RunView {
  RunState run;
  std::shared_ptr<const Definition> definition;

  [[nodiscard]] const phases::Workflow& workflow() const { return definition->workflow; }
  /// Position of the open phase from 0; of the last one once the run has ended.
  [[nodiscard]] std::size_t phase_index() const;
  [[nodiscard]] const phases::Phase& phase() const;
};

/// A task as the phase's content lists it.
struct TaskEntry {
  std::string number;
  std::string name;
  bool readable = true;  ///< false: its file is missing
};

/// A phase that the run may read.
struct PhaseView {
  RunView view;
  const phases::Phase* phase = nullptr;  ///< points into view.definition
  std::size_t index = 0;
  bool current = false;  ///< the open phase; otherwise a review of a completed one
  std::string content;   ///< the phase's text, valid UTF-8
  std::vector<TaskEntry> tasks;
  std::vector<std::string> links;      ///< shared files that its text links to, readable now
  const EvidenceGate* gate = nullptr;  ///< schema and example; points into view.definition
  /// For the open phase, and for the last one of a run that has ended: accepted evidence of all
  /// completed phases (004-08, 004-37). For a review: that phase's own.
  std::vector<ArtifactRow> artifacts;
};

struct TaskView {
  RunView view;
  const phases::Phase* phase = nullptr;
  const phases::Task* task = nullptr;  ///< null when a linked file was asked for
  std::string file;                    ///< path relative to the workflow's folder
  std::string content;
  std::vector<std::string> links;  ///< visible files that this text links to
};

struct StartRequest {
  std::string workflow;  ///< id or alias
  std::string target;    ///< normalised, may be empty
  std::string scope;     ///< the root within its worktree: targets are relative to it
  std::string branch;
  std::string worktree;
  const base::Json* input = nullptr;    ///< null: none
  const base::Json* options = nullptr;  ///< null: none; `options.new` forces a new run
  std::string principal;
};

struct StartReply {
  PhaseView phase;
  bool resumed = false;
  std::vector<std::string> extra_input;  ///< members of the input that the workflow does not name
  std::vector<RunSummary> also_open;     ///< other open runs of this workflow, newest first
};

struct CompleteRequest {
  std::string run_id;
  std::string phase;
  const base::Json* evidence = nullptr;  ///< not null
  std::optional<int> visit;
  std::optional<std::int64_t> version;
  std::string actor;
};

struct CompleteReply {
  Reply reply;
  RunView view;                    ///< after the transition
  std::optional<PhaseView> phase;  ///< the phase that is open now; nullopt if it is unreadable
  std::optional<base::Error> unreadable;  ///< why `phase` is missing although all is committed
};

struct CancelRequest {
  std::string run_id;
  std::string reason;  ///< may be empty
  std::string actor;
  std::string channel;                  ///< see Cancel
  std::optional<std::int64_t> version;  ///< the state version that was decided about
  std::optional<Once> once;             ///< used up in the same transaction
};

/// What a run would be given by its workflow as it is now. For people: it tells of all phases.
struct RepinView {
  RunView view;
  std::shared_ptr<const Definition> changed;  ///< what it would be pinned to
  RepinDifference difference;
};

struct RepinRequest {
  std::string run_id;
  std::string changed_hash;  ///< of the definition that was shown
  std::int64_t version = 0;  ///< of the state that was shown
  std::string actor;
};

/// Reading was refused: why, and the phase that is open instead.
struct ReadRefused {
  Refusal refusal;
  PhaseView open_phase;
};

struct EngineOptions {
  GatePolicy gates = GatePolicy::strict;
};

/// The one executor: loads, decides with the pure transition, commits, answers. Errors are values
/// (`unknown_session`, `invalid_argument`, `not_startable`, `not_found`, `too_large`, and the
/// WorkflowSource's); a store that fails throws StoreFailure. Not thread-safe: one per thread.
class Engine {
 public:
  struct Ports {
    WorkflowSource& workflows;
    RunStore& store;
    base::Clock& clock;
    base::IdSource& ids;
    /// Null: no document of the project can be had, and workflows that need one do not start.
    ProjectDocuments* documents = nullptr;
  };

  Engine(Ports ports, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Every workflow that can be found, startable or not (`list_workflows`).
  [[nodiscard]] std::vector<FoundWorkflow> workflows();

  /// True if a run of it could be started: no finding is an error and every gate compiles.
  [[nodiscard]] bool can_start(const FoundWorkflow& found);

  /// Starts a run or resumes the open one with the same workflow, target, branch and input
  /// (004-38; ARCHITECTURE §7 start_workflow). Phases that come from a document of the project are
  /// read now and pinned with the rest; a run that is resumed keeps those it has. Errors beside the
  /// general ones: `invalid_input`, `invalid_tasks`, and those of ProjectDocuments.
  [[nodiscard]] base::Result<StartReply> start(const StartRequest& request);

  /// The run and its pinned definition (004-39). O(1) in the number of runs.
  [[nodiscard]] base::Result<RunView> view(std::string_view run_id);

  /// The open phase (or the last one of an ended run).
  [[nodiscard]] base::Result<PhaseView> current_phase(std::string_view run_id);

  /// A phase's content, or why it may not be read (004-07, 004-09, 004-10).
  [[nodiscard]] base::Result<std::variant<PhaseView, ReadRefused>> phase_content(
      std::string_view run_id, std::string_view phase);

  /// A task of the open or a completed phase, or (with `file`) a file that visible text links to.
  /// `file` may be written relative to the task's own folder or to the workflow's.
  [[nodiscard]] base::Result<std::variant<TaskView, ReadRefused>> task(std::string_view run_id,
                                                                       std::string_view phase,
                                                                       std::string_view task_number,
                                                                       std::string_view file);

  /// Through the gate, or told exactly what is missing (004-25 … 004-31).
  [[nodiscard]] base::Result<CompleteReply> complete_phase(const CompleteRequest& request);

  /// Ends an open run. Errors: `unknown_session`, `run_ended`, `stale_version`, `already_used`.
  [[nodiscard]] base::Result<RunView> cancel(const CancelRequest& request);
  /// What repin() would do, without doing it. Errors: `unknown_session`, `unknown_workflow` if the
  /// workflow is not there any more, `not_startable` if its files have errors.
  [[nodiscard]] base::Result<RepinView> repin_view(std::string_view run_id);
  /// Pins an open run to its workflow as it is now; to be called on a person's word only. Errors:
  /// those of repin_view, `stale_workflow` if it has changed since it was shown, `stale_version`,
  /// `repin_refused`.
  [[nodiscard]] base::Result<RunView> repin(const RepinRequest& request);
  /// Uses a token up by itself, for an answer that changes nothing; false if it was used before.
  bool use_once(const Once& once);

  /// Errors: `invalid_cursor`.
  [[nodiscard]] base::Result<RunPage> list(const RunQuery& query);
  [[nodiscard]] base::Result<std::vector<JournalRow>> journal(std::string_view run_id,
                                                              std::int64_t after,
                                                              std::size_t limit);
  [[nodiscard]] base::Result<std::vector<ArtifactRow>> artifacts(std::string_view run_id);

  /// 004's session file (004-33) as JSON: session_id, workflow_type, target_file, current_phase,
  /// completed_phases, phase_artifacts, checkpoints, created_at, updated_at, metadata.
  [[nodiscard]] base::Result<std::unique_ptr<base::Json>> export_session(std::string_view run_id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::gating::engine
