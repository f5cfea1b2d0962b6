#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
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
#include "gating/engine/approvers.h"
#include "gating/engine/checks.h"
#include "gating/engine/notifier.h"
#include "gating/engine/ports.h"
#include "gating/engine/verifier.h"
#include "gating/repin.h"
#include "gating/run.h"
#include "gating/transition.h"
#include "gating/visibility.h"

namespace phasegate::gating::engine {

/// A run with the definition it is pinned to: what every answer about a run is made from.
struct RunView {
  RunState run;
  std::shared_ptr<const Definition> definition;
  /// Who carries out the checks of pending evidence, and how far that is; without an owner nobody
  /// does. Nullopt: nothing pends.
  std::optional<OutboxRow> effect = {};
  /// While a person is to decide: how many are enrolled who could; nullopt: it cannot be told.
  std::optional<std::size_t> approvers = {};

  [[nodiscard]] const phases::Workflow& workflow() const { return definition->workflow; }
  /// Position of the open phase from 0; of the last one once the run has ended.
  [[nodiscard]] std::size_t phase_index() const;
  [[nodiscard]] const phases::Phase& phase() const;
};

/// True if the open phase has checks that start programs or wait for others.
[[nodiscard]] bool may_take_long(const RunView& view);

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

/// A text that a run may be shown.
struct ReachedDocument {
  std::string path;   ///< relative to the workflow's folder
  std::string phase;  ///< id of the phase it belongs to; empty: shared, a reached text links to it
  std::string text;   ///< valid UTF-8
};

/// Everything that a run may be shown of its workflow's texts, for who searches them.
struct ReachedText {
  RunView view;
  std::string digest;                      ///< changes with what has been reached
  std::vector<ReachedDocument> documents;  ///< by path; empty if the caller knows this digest
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
  /// Called several times a second while checks run; false: the caller does not wait any longer.
  std::function<bool(const std::string& progress)> tick = {};
};

struct CompleteReply {
  Reply reply;
  RunView view;                    ///< after the transition
  std::optional<PhaseView> phase;  ///< the phase that is open now; nullopt if it is unreadable
  std::optional<base::Error> unreadable;  ///< why `phase` is missing although all is committed
};

/// Carrying out what runs wait for.
struct WorkWish {
  std::string run_id;           ///< empty: any run
  std::function<bool()> go_on;  ///< asked now and then; false: give it back
  std::function<void(const std::string& progress)> progress;
  std::function<bool()> told;  ///< at the end: somebody waits and will be told the result
};

/// What was carried out.
struct WorkDone {
  std::string run_id;
  std::string phase;
  int deliveries = 1;       ///< more than 1: somebody had begun it and was gone
  bool given_back = false;  ///< go_on said so, or another process had taken it over
  Reply reply;              ///< of the run, unless given back
};

/// A workflow that runs code, for a person to decide about.
struct TrustView {
  std::string workflow;
  std::string digest;
  bool needed = false;  ///< false: it runs nothing
  bool trusted = false;
  std::shared_ptr<const phases::LoadedWorkflow> loaded;  ///< with the project's commands
  std::vector<std::string> environment;  ///< what trusting now would have programs be given
  std::vector<std::string> remembered;   ///< what they are given, if it is trusted
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

/// A value that a person is shown before they decide.
struct ShownValue {
  std::string name;     ///< the evidence's field, or the expression that the author wrote
  std::string value;    ///< JSON text; for an expression that could not be told, empty
  std::string problem;  ///< why it could not be told; empty: it could
};

/// What a person decides about. For people: nothing here is withheld from them.
struct DecisionView {
  RunView view;
  const phases::Phase* phase = nullptr;  ///< points into view.definition
  phases::DecisionDemand demand;
  OpenDecision decision;
  std::vector<ShownValue> shown;
  /// Files that the evidence names and that are not any more as they were when it was checked.
  std::vector<std::string> changed_files;
  std::string digest;  ///< SHA-256 of all of it: what DecideRequest::shown_digest has to be
  /// What World::observe_start saw when the run began; may be empty. Not part of the digest.
  std::string started;
};

struct DecideRequest {
  std::string run_id;
  std::string decision;      ///< id of the decision that was shown
  std::string option;        ///< id
  std::string input;         ///< UTF-8; may be empty
  std::string shown_digest;  ///< of the DecisionView that was shown
  /// Whose secret ApproverBook::verify has just found to be right; nullopt: through the assistant's
  /// client.
  std::optional<Approver> approver;
  std::string channel;  ///< `terminal`, `web`, `client`
};

struct DecideReply {
  Reply reply;
  RunView view;  ///< after the transition
};

struct ReopenRequest {
  std::string run_id;
  std::string phase;
  std::string reason;
  Approver approver;  ///< as in DecideRequest
  std::string channel;
  std::int64_t version = 0;  ///< of the state that was shown
};

struct PauseRequest {
  std::string run_id;
  bool pause = true;  ///< false: goes on
  std::string reason;
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
    /// Null: gates with checks stay shut.
    World* world = nullptr;
    Outbox* outbox = nullptr;
    /// Null: nothing that runs code is trusted.
    TrustBook* trust = nullptr;
    /// Null: complete_phase carries out the checks itself, however long they take.
    Verifier* verifier = nullptr;
    /// This process, and who else is there.
    Owner owner = {};
    std::function<bool(const Owner&)> gone = {};
    /// Null: nobody is enrolled, and what needs an approver waits. Only looked at to say so.
    ApproverBook* approvers = nullptr;
    /// Null: nobody is told of anything.
    Notifier* notifier = nullptr;
    /// The key of the digests that take the place of secret evidence; only asked for it where a
    /// workflow has some. May throw StoreFailure. Empty: such evidence is not taken.
    std::function<std::string()> secret_key = {};
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
  /// general ones: `invalid_input`, `invalid_tasks`, `not_trusted`, `invalid_project`,
  /// `missing_command`, `backup_failed`, and those of ProjectDocuments.
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

  /// The texts that the run has reached (invariant 1), those of its open phase included. A caller
  /// that still has those of `known_digest` is not given them again. Without texts O(documents).
  [[nodiscard]] base::Result<ReachedText> reached_text(std::string_view run_id,
                                                       std::string_view known_digest);

  /// Through the gate, or told exactly what is missing (004-25 … 004-31). Secret values are digests
  /// from here on. Errors beside the general ones: `no_secret_key`.
  [[nodiscard]] base::Result<CompleteReply> complete_phase(const CompleteRequest& request);

  /// Carries out the next effect that nobody else carries out; nullopt: there is none. It counts
  /// once: its result is committed together with its removal. Errors: of a run that cannot be
  /// loaded.
  [[nodiscard]] base::Result<std::optional<WorkDone>> work(const WorkWish& wish);

  /// Lets time pass for the runs that are due: reminds of decisions, and finds what is stalled. How
  /// many have changed. A run that cannot be loaded is left out, and logged once.
  std::size_t pass_time();
  /// Tells somebody of something: the oldest notification that is due and that nobody else
  /// delivers; nullopt: there is none. What fails is tried again later, some times, then it is
  /// journalled.
  [[nodiscard]] std::optional<Told> tell(const TellWish& wish);
  /// When the next notification can be told; nullopt: nobody is to be told of anything.
  [[nodiscard]] std::optional<base::TimePoint> next_to_tell();
  /// When pass_time or tell have something to do, as far as it is known now; nullopt: never.
  [[nodiscard]] std::optional<base::TimePoint> next_due();

  /// What trusting the workflow would mean, as it and the project's commands are now. Errors: those
  /// of WorkflowSource, `not_startable`, and for the project's configuration `invalid_project` and
  /// `missing_command`.
  [[nodiscard]] base::Result<TrustView> trust_view(std::string_view workflow);
  /// Trusts what was shown; to be called on a person's word only. Errors: those of trust_view, and
  /// `stale_workflow` if it is not what has this digest any more.
  [[nodiscard]] base::Result<TrustView> trust(std::string_view workflow, std::string_view digest,
                                              const std::string& principal);
  /// How many decisions were taken back.
  int revoke_trust(std::string_view workflow);
  [[nodiscard]] std::vector<TrustRecord> trusted();

  /// What a person is to decide about. Errors: those of view, `no_decision` (which says what the
  /// run does instead).
  [[nodiscard]] base::Result<DecisionView> decision_view(std::string_view run_id);
  /// The same by the decision's id, which identifies it and authorises nobody. Errors: those of
  /// view, `unknown_decision` in the same words for one that never was and one that is closed.
  /// Logarithmic in the number of decisions.
  [[nodiscard]] base::Result<DecisionView> find_decision(std::string_view decision);
  /// A person's word. Nothing is done unless what was shown is what is there. Errors: those of
  /// decision_view, `decision_closed`, `stale_decision` if something has changed since it was
  /// shown, `invalid_decision`, `not_authorised`.
  [[nodiscard]] base::Result<DecideReply> decide(const DecideRequest& request);
  /// Goes back to a phase that the run has been in (P-10). Errors: those of view, `reopen_refused`,
  /// `stale_version`, `too_many_visits`, `not_authorised`.
  [[nodiscard]] base::Result<DecideReply> reopen(const ReopenRequest& request);
  /// Stops an open run for a while, or goes on. Errors: those of view, `run_ended`, `not_paused`,
  /// `already_paused`.
  [[nodiscard]] base::Result<RunView> pause(const PauseRequest& request);

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
  /// See RunStore. Errors: those of view for a session that is not known.
  [[nodiscard]] base::Result<std::vector<JournalRow>> journal_end(std::string_view run_id,
                                                                  std::size_t limit);
  [[nodiscard]] base::Result<std::vector<JournalRow>> journal_of_people(std::string_view run_id,
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
