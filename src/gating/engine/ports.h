#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "gating/run.h"
#include "gating/transition.h"
#include "phases/workflow.h"

/// The engine's edges: everything it reaches lies behind an interface declared here.
namespace phasegate::gating::engine {

// ── Workflows ────────────────────────────────────────────────────────────────────────────────────

/// A workflow as the library found it.
struct FoundWorkflow {
  std::string id;
  std::string place;  ///< where it lies, in words for people: `.phasegate/workflows`
  std::shared_ptr<const phases::LoadedWorkflow> loaded;
};

/// Where definitions come from.
class WorkflowSource {
 public:
  virtual ~WorkflowSource() = default;
  /// Every workflow, startable or not, by id.
  [[nodiscard]] virtual std::vector<FoundWorkflow> list() = 0;
  /// By id or alias. Errors: `unknown_workflow`, `invalid_argument`, `ambiguous_workflow`.
  [[nodiscard]] virtual base::Result<FoundWorkflow> find(std::string_view id_or_alias) = 0;
};

// ── The project ──────────────────────────────────────────────────────────────────────────────────

/// A document of the project, as it is at this moment.
struct ProjectDocument {
  std::string path;  ///< below the project's root, normalised
  std::string text;  ///< its bytes, whatever they are
};

/// Documents that are the project's and not a workflow's, such as a spec's tasks.md.
class ProjectDocuments {
 public:
  virtual ~ProjectDocuments() = default;
  /// The document `file` in `folder`, which is a path below the project's root, or one that leads
  /// there, or the document itself. Never anything outside the root, however it is written or
  /// linked. Errors: `invalid_argument`, `not_found`, `outside_root`, `not_a_file`, `too_large`,
  /// `unreadable`; their messages name no path outside the root but the one that was given.
  [[nodiscard]] virtual base::Result<ProjectDocument> read(std::string_view folder,
                                                           std::string_view file) = 0;
};

// ── The store ────────────────────────────────────────────────────────────────────────────────────

/// The store cannot do its work: `busy`, `read_only`, `disk_full`, `io_error`, `damaged`,
/// `newer_version`, `not_a_database`. Thrown, since no caller can decide anything about it; caught
/// where an answer is made. Nothing of the interrupted call was committed.
class StoreFailure : public std::runtime_error {
 public:
  explicit StoreFailure(base::Error error)
      : std::runtime_error(base::to_text(error)), error_(std::move(error)) {}
  [[nodiscard]] const base::Error& error() const { return error_; }

 private:
  base::Error error_;
};

/// A definition as it is kept: the model's JSON and the bytes of every document, by hash.
struct StoredDefinition {
  std::string hash;
  int model_version = phases::Workflow::kModelVersion;
  std::string model;  ///< JSON text of phases::Workflow
  std::map<std::string, std::string> blobs;
};

/// What a row of a list shows; a subset of RunState.
struct RunSummary {
  std::string id;
  std::string workflow;
  RunStatus status = RunStatus::active;
  bool partial = false;
  std::string current_phase;
  std::string target;
  std::string branch;
  std::int64_t phases_completed = 0;
  base::TimePoint created_at;
  base::TimePoint updated_at;

  friend bool operator==(const RunSummary&, const RunSummary&) = default;
};

struct RunQuery {
  enum class Which { open, ended, all };
  Which which = Which::all;
  std::string workflow;    ///< empty: any
  std::size_t limit = 20;  ///< 1 … limits::kListItemsMax
  std::string cursor;      ///< from RunPage::next_cursor; empty: from the newest
  /// Of this git branch only; empty: those without one.
  std::optional<std::string> branch = std::nullopt;
  /// Those whose id begins so, in small letters; empty: any.
  std::string id_prefix = {};
};

/// Newest change first.
struct RunPage {
  std::vector<RunSummary> runs;
  std::string next_cursor;  ///< empty: no more
};

/// A journal entry as it was kept; `seq` counts from 1 within its run without gaps.
struct JournalRow {
  std::int64_t seq = 0;
  JournalEntry entry;

  friend bool operator==(const JournalRow&, const JournalRow&) = default;
};

struct ArtifactRow {
  NewArtifact artifact;
  base::TimePoint accepted_at;
  bool stale = false;

  friend bool operator==(const ArtifactRow&, const ArtifactRow&) = default;
};

/// Who may carry out an effect: a process, told apart from a later one with the same pid.
struct Owner {
  std::string boot_id;
  std::int64_t pid = 0;
  std::int64_t process_start = 0;  ///< clock ticks since boot, from /proc

  friend bool operator==(const Owner&, const Owner&) = default;
};

struct OutboxRow {
  std::int64_t id = 0;
  std::string run_id;
  Effect effect;
  std::optional<Owner> owner;
  base::TimePoint lease_until;  ///< meaningful only with an owner
  int deliveries = 0;           ///< how often it was claimed
  std::string progress;         ///< what its owner last said of it; may be empty
};

/// Which effects a process may take.
struct ClaimWish {
  std::string run_id;  ///< of this run only; empty: of any
  std::string kind;    ///< of this kind only; empty: of any
  /// Tells that an owner's process is not there any more, so that its lease need not be awaited.
  /// Empty: leases alone tell.
  std::function<bool(const Owner&)> gone;
};

/// A person's word that what a workflow runs may be run here (ARCHITECTURE §5).
struct TrustRecord {
  std::string digest;    ///< content hash of the workflow with the project's commands
  std::string workflow;  ///< its id
  std::string shown;     ///< JSON text: what the person was shown
  std::string principal;
  base::TimePoint at;
  /// World::environment of the person who said so: what its programs are given from then on.
  std::vector<std::string> environment;

  friend bool operator==(const TrustRecord&, const TrustRecord&) = default;
};

/// What people trust in this project. Every method may throw StoreFailure.
class TrustBook {
 public:
  virtual ~TrustBook() = default;
  /// What was said of the workflow with this content hash; nullopt: it is not trusted.
  [[nodiscard]] virtual std::optional<TrustRecord> find(std::string_view digest) = 0;
  /// Takes the place of an earlier record of the same digest.
  virtual void trust(const TrustRecord& record) = 0;
  /// Takes back everything about the workflow with this id; how many records there were.
  virtual int revoke(std::string_view workflow) = 0;
  /// Newest first.
  [[nodiscard]] virtual std::vector<TrustRecord> trusted() = 0;
};

struct StartOutcome {
  std::string run_id;
  bool resumed = false;
};

/// Something that counts once, whoever comes with it, from however many processes.
struct Once {
  std::string token;
  std::int64_t until_ms = 0;  ///< UTC; afterwards it counts as used, and is forgotten
};

struct OnceOutcome {
  bool already_used = false;             ///< the token had been used: nothing was written
  std::optional<Transition> transition;  ///< nullopt if it had been, or if there is no such run
};

/// While it lives, everything that its store reads is of one moment.
class Reading {
 public:
  virtual ~Reading() = default;
};

/// What has happened, durably. Every method may throw StoreFailure. What a call has written is on
/// disk when it returns. Any number of processes use one store.
class RunStore {
 public:
  virtual ~RunStore() = default;

  /// Keeps definition and blobs (unless the hash is known) and the run's first state, journal and
  /// effects in one transaction. If `first.next->resume_key` is not empty, `resume` is true and an
  /// open run has the same key, nothing is written and that run is the outcome.
  virtual StartOutcome create_run(const StoredDefinition& definition, const Transition& first,
                                  bool resume) = 0;

  /// Loads the run inside a write transaction, lets `decide` say what happens, and commits state,
  /// journal, effects and artifact together, or nothing if `decide` leaves `next` empty.
  /// Nullopt: there is no such run. Between processes these transactions follow each other.
  virtual std::optional<Transition> transact(
      std::string_view run_id, const std::function<Transition(const RunState&)>& decide) = 0;

  /// The same for something that counts once: the token is used up in the same transaction,
  /// whatever `decide` says, also if that is a refusal. Nothing is asked if it was used before or
  /// `now` is after its time. What `decide` throws, and a run that does not exist, leave it unused.
  virtual OnceOutcome transact_once(std::string_view run_id, const Once& once, base::TimePoint now,
                                    const std::function<Transition(const RunState&)>& decide) = 0;
  /// The same, and keeps the definition in the same transaction unless its hash is known: what
  /// `decide` pins the run to is there when the run is. Nothing is kept if `next` is left empty.
  virtual std::optional<Transition> transact_pinning(
      std::string_view run_id, const StoredDefinition& definition,
      const std::function<Transition(const RunState&)>& decide) = 0;
  /// The same for the result of an effect, which is removed in the same transaction. Nothing is
  /// asked and nothing written if `owner` does not hold it any more; nullopt then, and if there is
  /// no such run. The effect is removed also if `next` is left empty.
  virtual std::optional<Transition> transact_effect(
      std::string_view run_id, std::int64_t effect, const Owner& owner,
      const std::function<Transition(const RunState&)>& decide) = 0;
  /// Uses a token up by itself; false if it was used before or `now` is after its time.
  virtual bool use_once(const Once& once, base::TimePoint now) = 0;

  /// Begins a reading, for an answer that takes several reads. They cost less within one, and no
  /// writer gets between them. Nothing may be written while it lives. Null if there is nothing to
  /// read, if one has begun already, or if the store has no such thing.
  [[nodiscard]] virtual std::unique_ptr<Reading> begin_reading() { return nullptr; }

  [[nodiscard]] virtual std::optional<RunState> load(std::string_view run_id) = 0;
  /// One page, newest change first. A run that changes between two pages moves to the front and may
  /// be missed behind it. Logarithmic in the number of runs; with an `id_prefix`, also linear in
  /// the runs that have it. Errors: `invalid_cursor` for a cursor that this query did not give out.
  [[nodiscard]] virtual base::Result<RunPage> list(const RunQuery& query) = 0;
  /// The run that was asked to decide this, open or not any more; nullopt: no run ever was.
  /// Logarithmic in the number of decisions.
  [[nodiscard]] virtual std::optional<std::string> find_decision(std::string_view decision) = 0;
  /// Runs for which time alone changes something by now (RunState::due_at), the one that has been
  /// due for longest first, at most `limit`. Logarithmic in the number of runs.
  [[nodiscard]] virtual std::vector<std::string> due(base::TimePoint now, std::size_t limit) = 0;
  /// When the next run will be due after this moment; nullopt: none will. Logarithmic.
  [[nodiscard]] virtual std::optional<base::TimePoint> next_due(base::TimePoint after) = 0;
  /// Entries with seq > after, in order, at most `limit`.
  [[nodiscard]] virtual std::vector<JournalRow> journal(std::string_view run_id, std::int64_t after,
                                                        std::size_t limit) = 0;
  /// The last entries, in order, at most `limit`; whatever the length of the journal.
  [[nodiscard]] virtual std::vector<JournalRow> journal_end(std::string_view run_id,
                                                            std::size_t limit) = 0;
  /// As journal(), but only what people have said (`decision_answered`, `reopen_demanded`). Linear
  /// in those, whatever the length of the journal.
  [[nodiscard]] virtual std::vector<JournalRow> journal_of_people(std::string_view run_id,
                                                                  std::int64_t after,
                                                                  std::size_t limit) = 0;
  /// Artifacts of all completed phases in the order of acceptance.
  [[nodiscard]] virtual std::vector<ArtifactRow> artifacts(std::string_view run_id) = 0;

  /// The model's JSON text and version, without blobs; nullopt if unknown.
  [[nodiscard]] virtual std::optional<StoredDefinition> definition(std::string_view hash) = 0;
  [[nodiscard]] virtual std::optional<std::string> blob(std::string_view hash) = 0;
};

/// Effects that wait for an owner. Delivery is at least once (ARCHITECTURE §3).
class Outbox {
 public:
  virtual ~Outbox() = default;
  /// Takes an effect that is wished for and without owner, with an expired lease, or whose owner is
  /// gone, for `lease_ms`: the one that could be taken for longest, which is the oldest of those
  /// that nobody has had yet. What was deferred has no owner, but a lease. With a kind,
  /// logarithmic in the effects that wait.
  [[nodiscard]] virtual std::optional<OutboxRow> claim(const Owner& owner, base::TimePoint now,
                                                       std::int64_t lease_ms,
                                                       const ClaimWish& wish = {}) = 0;
  /// Extends the lease and says how far it is; false if another owner has taken the effect over.
  virtual bool heartbeat(std::int64_t id, const Owner& owner, base::TimePoint now,
                         std::int64_t lease_ms, std::string_view progress = "") = 0;
  /// Gives it back, not to be taken before `until`; false if `owner` no longer holds it.
  virtual bool defer(std::int64_t id, const Owner& owner, base::TimePoint until) = 0;
  /// When the next effect of this kind can be taken, as far as nobody finishes it before; nullopt:
  /// there is none.
  [[nodiscard]] virtual std::optional<base::TimePoint> next_due(std::string_view kind) = 0;
  /// The oldest effect of this kind of the run, whoever holds it; nullopt: there is none.
  [[nodiscard]] virtual std::optional<OutboxRow> find(std::string_view run_id,
                                                      std::string_view kind) = 0;
  /// Removes the effect; false if `owner` no longer holds it: its result must not count.
  virtual bool finish(std::int64_t id, const Owner& owner) = 0;
  /// Gives back everything `owner` holds, when its process ends.
  virtual void release_all(const Owner& owner) = 0;
};

}  // namespace phasegate::gating::engine
