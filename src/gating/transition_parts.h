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
                                 base::TimePoint at, const base::Json& data = base::Json::object());
/// Nothing changes.
[[nodiscard]] Transition refused(std::string phase, Refusal refusal);

[[nodiscard]] std::optional<Refusal> refuse_stale(const RunState& run,
                                                  std::optional<std::int64_t> version);
[[nodiscard]] Refusal refuse_ended(const RunState& run);

/// What the journal keeps of a submission.
[[nodiscard]] base::Json submission_json(const SubmitEvidence& submit,
                                         const EvidenceVerdict& verdict);

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
  std::string entered;  ///< what is remembered of the entry into the following phase
};

/// What comes after evidence and checks: the gate opens, or a person must decide first. `next`: as
/// after_attempt leaves it.
[[nodiscard]] Transition decide(const Definition& definition, RunState next, Passed passed,
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

}  // namespace phasegate::gating
