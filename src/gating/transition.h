#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/json_fwd.h"
#include "gating/definition.h"
#include "gating/evidence.h"
#include "gating/run.h"

namespace phasegate::gating {

// ── Commands: everything that can happen to a run ────────────────────────────────────────────────

/// Begins a run. Ids and times come from outside, so that the decision stays repeatable.
struct Start {
  std::string run_id;
  std::string target;
  std::string branch;
  std::string worktree;
  std::string input = "null";
  std::string options = "{}";
  std::string resume_key;
  std::string principal;
  GatePolicy gates = GatePolicy::strict;
  std::string started;      ///< what of the project must be remembered from now on; empty: nothing
  std::string entered;      ///< the same for the first phase
  std::string trust;        ///< digest of what a person has trusted, see RunState
  std::string decision_id;  ///< UUIDv4 for the decision that this may open
};

/// Hands over the evidence of a phase (004-25).
struct SubmitEvidence {
  std::string phase;
  const base::Json* evidence = nullptr;  ///< not owned, not null
  std::string evidence_digest;           ///< SHA-256 of its canonical text
  std::string evidence_text;             ///< its compact text, for the journal and the artifact
  /// Fields that were sent under other names; `evidence` has the published ones.
  std::vector<AliasTaken> aliases_taken;
  std::optional<int> visit;             ///< must be named once a phase was entered twice
  std::optional<std::int64_t> version;  ///< the state version the sender saw
  std::string actor;                    ///< principal
  /// The state version at which evidence was pending and nobody was going to check it, since its
  /// effect was gone: somebody has removed it. Nullopt: not known to be so.
  std::optional<std::int64_t> checks_lost;
  std::string decision_id;  ///< UUIDv4 for the decision that this may open
  /// Keys the digests that take the place of secret values (secrets.h). Must not be empty where the
  /// workflow has a secret field: nothing is taken then.
  std::string secret_key;
};

/// What came of the checks of a phase's pending evidence: the engine's own word, never a client's.
struct ChecksFinished {
  std::string phase;
  int visit = 1;
  int attempt = 1;
  std::string evidence_digest;
  std::vector<CheckResult> results;  ///< one per check that was due
  std::vector<FileDigest> files;     ///< that the evidence names, as they were checked
  /// Earlier phases whose files have changed since their gates opened.
  std::vector<std::string> stale;
  /// What must be remembered of the entry into the following phase; empty: nothing.
  std::string entered;
  /// Somebody waits for the answer and is given it.
  bool told = false;
  std::string decision_id;  ///< UUIDv4 for the decision that this may open
};

/// A person's word about the open decision (ARCHITECTURE §6). Whoever makes the command has seen to
/// it that the secret was the approver's.
struct Decide {
  std::string decision;  ///< id of the open decision
  std::string option;    ///< id of the chosen option
  std::string input;     ///< may be empty
  std::string approver;  ///< enrolled name; empty: through the assistant's client, unauthenticated
  std::string fingerprint;
  std::vector<std::string> roles;  ///< of the approver
  std::string channel;             ///< `terminal`, `web`, `client`
  std::string shown_digest;        ///< SHA-256 of what was shown
  /// What must be remembered of the entry into the phase that this leads to; empty: nothing.
  std::string entered;
  std::string decision_id;  ///< UUIDv4 for the decision that this may open
  std::optional<std::int64_t> version;
};

/// Goes back to a phase that was completed, by an approver's word (P-10).
struct Reopen {
  std::string phase;
  std::string reason;  ///< not empty: whoever works on it again must know why
  std::string approver;
  std::string fingerprint;
  std::string channel;
  std::string entered;
  std::string decision_id;
  std::optional<std::int64_t> version;
};

/// Stops an open run for a while, or goes on, by a person's word.
struct PauseRun {
  bool pause = true;   ///< false: goes on
  std::string reason;  ///< may be empty
  std::string actor;
  std::optional<std::int64_t> version;
};

/// Time has passed: people are reminded of a decision, or told that a run is stalled (due.h). It
/// leaves the run's version and its time of change as they are: nobody is refused because of it.
struct Tick {};

/// People could not be told of something: nothing but a line in the journal.
struct Untold {
  std::string event;   ///< see kNotify
  std::string target;  ///< who should have been told, by the name in the user's configuration
  std::string reason;
};

/// Ends an open run by a person's word.
struct Cancel {
  std::string reason;
  std::string actor;
  /// `client`: asked for and confirmed through an assistant's client, which is no proof that it was
  /// a person, so that it is journalled as unauthenticated; empty: on the command line.
  std::string channel;
  std::optional<std::int64_t> version;
};

/// Pins an open run to a changed workflow, by a person's word (see repin_difference).
struct Repin {
  std::shared_ptr<const Definition> definition;  ///< not null
  std::string actor;
  std::optional<std::int64_t> version;
};

using Command = std::variant<SubmitEvidence, ChecksFinished, Cancel, Repin, Decide, Reopen,
                             PauseRun, Tick, Untold>;

// ── What comes out ───────────────────────────────────────────────────────────────────────────────

/// One line of the append-only record, written in the transaction of its transition.
struct JournalEntry {
  std::string kind;  ///< run_started, evidence_refused, sequence_violation, phase_completed,
                     ///< run_waiting, run_completed, …
  std::string phase;
  int visit = 0;
  int attempt = 0;
  std::string actor;
  std::string data = "{}";  ///< JSON text
  base::TimePoint at;

  friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

/// Something to be done outside after the commit; kept in the outbox until an owner has done it.
struct Effect {
  std::string kind;
  std::string phase;
  int attempt = 0;
  std::string payload = "{}";  ///< JSON text

  friend bool operator==(const Effect&, const Effect&) = default;
};

/// Effect::kind of the checks of pending evidence. Its payload is an object with `visit` and
/// `evidence_digest`.
inline constexpr std::string_view kRunChecks = "run_checks";
/// Effect::kind of telling people; in the outbox with the channel of who tells them (`notify:…`).
/// Its payload is an object with `event` (`decision_opened`, `decision_reminded`,
/// `decision_decided`, `run_completed`, `run_rejected`, `run_cancelled`, `run_stalled`), `at_ms`
/// and what belongs to it; never evidence or a secret.
inline constexpr std::string_view kNotify = "notify";

/// Evidence that was accepted, kept for later phases (004-27).
struct NewArtifact {
  std::string phase;
  int visit = 1;
  std::string evidence;  ///< JSON text
  std::string digest;

  friend bool operator==(const NewArtifact&, const NewArtifact&) = default;
};

enum class RefusalKind {
  phase_sequence_violation,  ///< not the current phase (004-10, P-3, P-4)
  incomplete_checkpoint,     ///< the evidence does not satisfy the gate (004-31)
  checks_failed,             ///< the evidence does, but what the engine saw does not
  verifying,                 ///< other evidence for the phase is being checked
  superseded,                ///< results for evidence that the run no longer waits for
  decision_required,         ///< other evidence is with a person who is to decide about it
  run_ended,
  run_waiting,  ///< all phases are done, the run waits for something else
  stale_version,
  wrong_visit,
  repin_refused,     ///< the changed workflow does not fit what the run has completed
  decision_closed,   ///< the decision is not open (any more)
  invalid_decision,  ///< an option that is not offered, or an input that is missing or not taken
  not_authorised,    ///< not this approver, or not through this channel
  paused,            ///< a person has stopped the run for a while
  reopen_refused,    ///< the run was never in that phase, or cannot go back
  too_many_visits,   ///< limits::kVisitsMax
};
[[nodiscard]] std::string_view to_text(RefusalKind kind);

/// Why a command changed nothing that the sender wanted changed.
struct Refusal {
  RefusalKind kind = RefusalKind::phase_sequence_violation;
  std::string message;          ///< what was refused: `Cannot access Phase 3`
  std::string reason;           ///< why: `Currently on Phase 1`
  std::string required_action;  ///< what to do instead
  /// Set when the phase was accepted earlier with other evidence.
  std::optional<base::TimePoint> accepted_at;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

struct Reply {
  enum class Kind {
    started,
    verifying,  ///< the evidence is as required and kept; the engine's checks decide
    waiting,    ///< the evidence and the checks are as required; people decide
    accepted,
    repeated,
    refused,
    cancelled,
    repinned,
    sent_back,  ///< the run goes on at this phase or an earlier one
    rejected,   ///< a person has ended the run
    reopened,
    paused,
    resumed,
    unchanged,  ///< there was nothing to do
  };
  Kind kind = Kind::refused;
  std::string phase;                      ///< the phase the command spoke of
  std::optional<Refusal> refusal;         ///< set exactly when kind is refused
  EvidenceVerdict verdict;                ///< of a submission that was judged
  std::optional<AcceptedPhase> accepted;  ///< for accepted and repeated
  std::vector<CheckResult> checks;        ///< of the attempt that was judged

  friend bool operator==(const Reply&, const Reply&) = default;
};

struct Transition {
  /// The state to commit; nullopt: nothing changes and nothing is written.
  std::optional<RunState> next;
  std::vector<JournalEntry> journal;
  std::vector<Effect> effects;
  std::optional<NewArtifact> artifact;
  std::map<std::string, std::string> blobs;  ///< to be kept with the run, by SHA-256
  Reply reply;

  friend bool operator==(const Transition&, const Transition&) = default;
};

/// The first state of a run. Total and deterministic.
[[nodiscard]] Transition begin(const Definition& definition, const Start& start,
                               base::TimePoint now);

/// What a command does to a run (ARCHITECTURE §3 "The transition function"): pure, total,
/// deterministic. A refusal is a Reply, never an exception. The run's time never goes back: `now`
/// earlier than the last transition counts as that transition's time. Evidence under other names of
/// its requirements is renamed first, so that what is kept, its digest included, carries the
/// published names.
/// Cost: linear in the evidence and the phase's requirements.
[[nodiscard]] Transition transition(const Definition& definition, const RunState& run,
                                    const Command& command, base::TimePoint now);

/// Why reading `phase` is refused, or nullopt if the run may read it: the current phase and
/// completed ones may be read, all others may not (004-03 … 004-06). Unknown phases are refused in
/// the same words as later ones, so that asking tells nothing about the workflow.
[[nodiscard]] std::optional<Refusal> refuse_reading(const Definition& definition,
                                                    const RunState& run, std::string_view phase);

}  // namespace phasegate::gating
