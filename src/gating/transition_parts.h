#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "gating/transition.h"

/// What the parts of the transition function share. For them only: transition.h is the door.
namespace phasegate::gating {

/// The engine's own actor in the journal.
inline constexpr std::string_view kEngine = "engine";

[[nodiscard]] JournalEntry entry(std::string kind, const RunState& run, std::string actor,
                                 base::TimePoint at, const base::Json& data);
[[nodiscard]] JournalEntry entry(std::string kind, const RunState& run, std::string actor,
                                 base::TimePoint at);
/// Nothing changes.
[[nodiscard]] Transition refused(std::string phase, Refusal refusal);
/// A refusal in its three sentences.
[[nodiscard]] Refusal refusal_of(RefusalKind kind, std::string message, std::string reason,
                                 std::string action);

[[nodiscard]] std::optional<Refusal> refuse_stale(const RunState& run,
                                                  std::optional<std::int64_t> version);
[[nodiscard]] Refusal refuse_ended(const RunState& run);

/// What the journal keeps of a submission.
[[nodiscard]] base::Json submission_json(const SubmitEvidence& submit,
                                         const EvidenceVerdict& verdict);

/// Adds what the checks found to what the journal keeps, if there were any.
void add_checks(base::Json& data, const std::vector<CheckResult>& checks);

/// What was handed over, as it was kept. `evidence` is its parsed text and must outlive the result.
[[nodiscard]] SubmitEvidence submission_of(const RunState& run, const Pending& pending,
                                           const base::Json& evidence);

/// The state after a submission that was judged, before anything is made of the verdict: one more
/// attempt, nothing missing.
[[nodiscard]] RunState after_attempt(const RunState& run, base::TimePoint now);

/// A judged submission that does not open the gate: it is kept, the phase stays.
[[nodiscard]] Transition keep_shut(RunState next, const SubmitEvidence& submit,
                                   EvidenceVerdict verdict, Refusal refusal, JournalEntry line);

/// The evidence does not satisfy the gate: the attempt is kept, the phase stays (004-26, P-11).
/// `next`: as after_attempt leaves it.
[[nodiscard]] Transition refuse_evidence(RunState next, const SubmitEvidence& submit,
                                         EvidenceVerdict verdict, base::TimePoint now,
                                         const std::vector<CheckResult>& checks = {});

/// A submission that every stage has let through, with what it rests on.
struct Passed {
  const SubmitEvidence& submit;
  EvidenceVerdict verdict;
  bool lenient = false;
  std::vector<CheckResult> checks;
  std::vector<FileDigest> files;
  std::string entered;      ///< what is remembered of the entry into the following phase
  std::string decision_id;  ///< for a decision that has to be opened
};

/// What comes after evidence and checks: the gate opens, or a person must decide first. `next`: as
/// after_attempt leaves it.
[[nodiscard]] Transition decide(const Definition& definition, RunState next, Passed passed,
                                base::TimePoint now);

/// What became of a person's choice, for the phase that it lets through.
struct Decided {
  std::vector<std::string> deciders;  ///< as AcceptedPhase has them
  int authenticated = 0;              ///< how many of them are approvers
  std::string goto_phase;             ///< go on there; empty: with the following phase
  bool end = false;                   ///< the run ends here
};

/// Opens the gate: the phase is accepted, its evidence kept, the next one entered. `next`: as
/// after_attempt leaves it.
[[nodiscard]] Transition accept(const Definition& definition, RunState next, Passed passed,
                                const Decided& decided, base::TimePoint now);

/// Keeps what was handed over and asks people. `next`: as after_attempt leaves it.
[[nodiscard]] Transition await_decision(const Definition& definition, RunState next, Passed passed,
                                        base::TimePoint now);

/// Enters a phase: its visit, time and observations; a step that is a person's asks them at once.
void enter(const Definition& definition, RunState& next, Transition& out, const std::string& phase,
           const std::string& entered, const std::string& decision_id, base::TimePoint now);

/// Asks people at once if the current phase is a step of theirs.
void ask_at_entry(const Definition& definition, RunState& next, Transition& out,
                  const std::string& decision_id, base::TimePoint now);

/// What the run waits for, from what it holds: a pause, an open decision, or nothing. Leaves a run
/// that has ended or waits for phases that were never read as it is.
void settle_waiting(const Definition& definition, RunState& next);

/// Asks people about leaving the current phase: `decision` has what was handed over and an id.
void ask_people(const Definition& definition, RunState& next, Transition& out,
                OpenDecision decision, base::TimePoint now);

/// A way back to a phase that the run has been in.
struct WayBack {
  std::string phase;
  Feedback feedback;
  std::string entered;  ///< what is remembered of the entry
  std::string decision_id;
};

/// Goes back: what was accepted from there on counts no more, and the phase is entered once more.
/// `next`: with its version and time set. Refuses (`reopen_refused`, `too_many_visits`).
[[nodiscard]] Transition go_back(const Definition& definition, RunState next, const WayBack& way,
                                 base::TimePoint now);

/// Something that people are to be told.
[[nodiscard]] Effect notify(const RunState& run, std::string_view event, const base::Json& more,
                            base::TimePoint now);

/// Why failed checks keep the gate shut.
[[nodiscard]] Refusal checks_refusal(const RunState& run, const std::vector<CheckResult>& results);

/// Remembers `bytes` with the run: its key, or "" for nothing.
[[nodiscard]] std::string keep_blob(Transition& transition, const std::string& bytes);

/// See Command. Parts of transition().
[[nodiscard]] Transition submit(const Definition& definition, const RunState& run,
                                const SubmitEvidence& command, base::TimePoint now);
[[nodiscard]] Transition finish_checks(const Definition& definition, const RunState& run,
                                       const ChecksFinished& command, base::TimePoint now);
[[nodiscard]] Transition answer_decision(const Definition& definition, const RunState& run,
                                         const Decide& command, base::TimePoint now);
[[nodiscard]] Transition reopen(const Definition& definition, const RunState& run,
                                const Reopen& command, base::TimePoint now);
[[nodiscard]] Transition pause_run(const Definition& definition, const RunState& run,
                                   const PauseRun& command, base::TimePoint now);
[[nodiscard]] Transition tick(const Definition& definition, const RunState& run,
                              base::TimePoint now);

}  // namespace phasegate::gating
