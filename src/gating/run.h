#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/alias_names.h"
#include "gating/check_result.h"

namespace phasegate::gating {

/// `waiting` is never an error and never "completed".
enum class RunStatus { active, waiting, completed, rejected, failed, cancelled };
[[nodiscard]] std::string_view to_text(RunStatus status);
[[nodiscard]] std::optional<RunStatus> run_status_from(std::string_view text);
/// active or waiting
[[nodiscard]] bool is_open(RunStatus status);

/// How strictly gates are taken. `as_written` honours an author's `strict: false`; such passes are
/// marked everywhere and the outcome is `partial`.
enum class GatePolicy { strict, as_written };
[[nodiscard]] std::string_view to_text(GatePolicy policy);
[[nodiscard]] std::optional<GatePolicy> gate_policy_from(std::string_view text);

/// A file that evidence names, as it was when the gate opened.
struct FileDigest {
  std::string path;    ///< below the project's root
  std::string sha256;  ///< of its bytes

  friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

/// A gate that opened: what was handed over and how sure we are of it.
struct AcceptedPhase {
  std::string phase;
  int visit = 1;
  int attempt = 1;              ///< which try within the visit passed
  std::string evidence_digest;  ///< SHA-256 of the canonical evidence
  base::TimePoint accepted_at;
  int self_attested = 0;               ///< fields that rest on the sender's word alone
  int checked = 0;                     ///< fields and facts that the engine verified itself
  int decided = 0;                     ///< decisions by people
  bool weak = false;                   ///< the documents required nothing
  bool lenient = false;                ///< passed under leniency the author wrote down
  int skipped = 0;                     ///< checks that were not carried out (`if_missing: skip`)
  std::vector<FileDigest> files = {};  ///< that the evidence names
  bool stale = false;  ///< one of them has changed since, as of the last gate that was judged
  /// Who decided, and how: `approver:ada`, `client` for an answer that proves nothing.
  std::vector<std::string> deciders = {};
  /// The phase that a decision chose to go on with; empty: the following one.
  std::string went_to = {};
  /// The run has gone back since: it counts no more, and what it handed over is stale.
  bool reopened = false;

  friend bool operator==(const AcceptedPhase&, const AcceptedPhase&) = default;
};

/// Why a run waits, for programs and for people.
struct Waiting {
  std::string code;    ///< `decision`, `paused`, `dynamic_unsupported`; empty: not waiting
  std::string reason;  ///< one sentence

  friend bool operator==(const Waiting&, const Waiting&) = default;
};

/// Evidence that is as required and waits for the engine's own checks.
struct Pending {
  int attempt = 1;
  std::string evidence;  ///< JSON text, under the published names
  std::string evidence_digest;
  std::vector<AliasTaken> aliases_taken;
  std::string actor;
  base::TimePoint since;

  friend bool operator==(const Pending&, const Pending&) = default;
};

/// What came of the checks of the last attempt in this visit that was not accepted.
struct Verified {
  int attempt = 1;
  std::string evidence_digest;
  std::vector<CheckResult> results;
  /// The sender has been told: the same evidence again is a new attempt. Until then it is answered
  /// with these results.
  bool told = false;
  base::TimePoint at;

  friend bool operator==(const Verified&, const Verified&) = default;
};

/// One person's word about an open decision.
struct DecisionAnswer {
  std::string option;
  std::string input;
  std::string approver;      ///< enrolled name; empty: an answer through the assistant's client
  std::string fingerprint;   ///< of the approver's enrolment
  std::string channel;       ///< `terminal`, `web`, `client`
  std::string shown_digest;  ///< SHA-256 of what was shown
  base::TimePoint at;

  friend bool operator==(const DecisionAnswer&, const DecisionAnswer&) = default;
};

/// A choice that a person is to make. What was handed over is kept until then.
struct OpenDecision {
  std::string id;      ///< UUIDv4: says which decision is meant, and authorises nobody
  Pending submission;  ///< without evidence where the step is nothing but a decision
  bool lenient = false;
  std::vector<CheckResult> checks;  ///< that let it through
  std::vector<FileDigest> files;    ///< that the evidence names, as they were checked
  /// Approvers who have chosen a way forward, where it takes several of them.
  std::vector<DecisionAnswer> answers;
  base::TimePoint opened_at;
  int reminders = 0;
  base::TimePoint reminded_at;  ///< when `reminders` is not 0

  friend bool operator==(const OpenDecision&, const OpenDecision&) = default;
};

/// Why a phase is open again: what the person said who sent it back.
struct Feedback {
  std::string from_phase;  ///< in which they decided
  std::string option;      ///< label of what they chose; empty: the phase was reopened
  std::string input;       ///< in their own words; may be empty
  std::string by;          ///< `approver:ada`, `client`
  base::TimePoint at;

  friend bool operator==(const Feedback&, const Feedback&) = default;
};

/// A person has stopped the run for a while.
struct Pause {
  std::string reason;  ///< may be empty
  std::string by;
  base::TimePoint at;

  friend bool operator==(const Pause&, const Pause&) = default;
};

/// The state of a run: the checkpoint that is committed after every transition (004 state).
struct RunState {
  std::string id;               ///< UUIDv4, the session id
  std::string workflow;         ///< workflow id
  std::string definition_hash;  ///< the pinned definition
  RunStatus status = RunStatus::active;
  bool partial = false;  ///< outcome: some gate was weak or lenient
  Waiting waiting;
  std::string current_phase;         ///< id of the open phase; the last one once the run has ended
  int visit = 1;                     ///< of the current phase
  int attempts = 0;                  ///< submissions in this visit that were judged
  std::vector<std::string> missing;  ///< fields the last refused submission lacked, capped
  std::vector<AcceptedPhase> accepted;
  std::optional<Pending> pending;        ///< checks are to be carried out, or are being carried out
  std::optional<Verified> verified;      ///< of the current visit
  std::optional<OpenDecision> decision;  ///< about leaving the current phase
  std::optional<Feedback> feedback;      ///< about the current visit
  std::optional<Pause> paused;
  /// How often each phase was entered, where it was more than once or where it was left otherwise
  /// than by being accepted; phases are text that the run has reached.
  std::map<std::string, int> visits;
  std::optional<base::TimePoint> due_at;  ///< when the command Tick has something to do (due.h)
  bool told_stalled = false;              ///< people know that nobody has gone on with it
  std::string started;         ///< hash of the blob of what was observed at the start, or empty
  std::string entered;         ///< the same of the entry into the current phase
  base::TimePoint entered_at;  ///< into the current phase
  /// Digest of the workflow that a person trusted when it began, before it had phases of a
  /// document; empty: it ran nothing, or was pinned anew or taken in since. Trust in what is pinned
  /// goes first.
  std::string trust;
  GatePolicy gates = GatePolicy::strict;

  std::string target;          ///< normalised target_file, may be empty
  std::string branch;          ///< git branch at the start, may be empty
  std::string worktree;        ///< worktree root relative to the project or absolute, may be empty
  std::string input = "null";  ///< JSON text
  std::string options = "{}";  ///< JSON text, everything the start was given
  std::string resume_key;      ///< digest of workflow, target, branch, input; empty: never resumed
  std::string principal;       ///< who started it: the operating system's user
  std::string end_reason;      ///< why it was cancelled or failed
  int repins = 0;              ///< how often it was pinned to a changed workflow

  base::TimePoint created_at;
  base::TimePoint updated_at;
  std::int64_t version = 1;  ///< counts transitions

  friend bool operator==(const RunState&, const RunState&) = default;

  /// The accepted completion of this phase that counts: of its latest visit and not reopened since;
  /// or null.
  [[nodiscard]] const AcceptedPhase* find_accepted(std::string_view phase) const;
  /// Those that count, in the order of acceptance.
  [[nodiscard]] std::vector<const AcceptedPhase*> completed() const;
  /// How often the phase was entered; 0: never.
  [[nodiscard]] int visits_of(std::string_view phase) const;
};

/// What gates that opened rest on, counted in fields and decisions (invariant 7).
struct Assurance {
  int self_attested = 0;
  int checked = 0;
  int decided = 0;
};
/// The sum over all phases that a run has passed.
[[nodiscard]] Assurance assurance_of(const RunState& run);
/// `5 self-attested, 0 checked, 0 decided`
[[nodiscard]] std::string to_text(const Assurance& assurance);

/// The checkpoint as it is stored. Reading it back gives an equal RunState.
[[nodiscard]] base::Json to_json(const RunState& run);
/// Errors (`damaged_state`): anything missing, wrong-typed or unknown. Never partly filled.
[[nodiscard]] base::Result<RunState> run_state_from_json(const base::Json& json);

}  // namespace phasegate::gating
