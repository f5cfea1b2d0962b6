#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json_fwd.h"
#include "base/result.h"
#include "phases/check.h"

namespace phasegate::gating {

/// What came of a check. Only `passed` opens anything; `skipped` is a leniency that the author
/// wrote down (`if_missing: skip`) and makes the run's outcome `partial`.
enum class CheckOutcome { passed, failed, errored, skipped };
[[nodiscard]] std::string_view to_text(CheckOutcome outcome);
[[nodiscard]] std::optional<CheckOutcome> check_outcome_from(std::string_view text);

/// What the engine saw for itself: kept in the journal, shown in refusals and in the status.
struct CheckResult {
  std::string name;
  phases::CheckKind kind = phases::CheckKind::expr;
  CheckOutcome outcome = CheckOutcome::errored;
  std::string subject;  ///< what was run or looked at: phases::subject_of, expanded
  /// Why it is not passed, one sentence: `coverage is 71.4 %, wanted at least 80 %`. Empty if
  /// passed.
  std::string reason;
  std::string error;  ///< what the author says when it fails; may be empty
  std::string hint;   ///< what to do about it; may be empty
  std::optional<int> exit_code;
  std::string output_tail;    ///< last lines of what a program printed, valid UTF-8
  std::string output_digest;  ///< SHA-256 of all of it; empty: nothing was run
  /// What it found, as JSON text: a count, a percentage, a row. Empty: nothing to tell.
  std::string value;
  std::int64_t duration_ms = 0;
  base::TimePoint at;
  std::string inputs_digest;       ///< of what it depends on, with `cache: inputs`
  std::string environment_digest;  ///< of the environment that a program was given
  bool reused = false;             ///< `cache: inputs`: an earlier result that still counts
  phases::Source source;

  friend bool operator==(const CheckResult&, const CheckResult&) = default;
  /// passed or skipped
  [[nodiscard]] bool lets_through() const;
};

[[nodiscard]] base::Json to_json(const CheckResult& result);
/// Errors (`damaged_state`): anything missing, wrong-typed or unknown.
[[nodiscard]] base::Result<CheckResult> check_result_from_json(const base::Json& json);

/// A result made where no check could run at all. The outcome is `errored`.
[[nodiscard]] CheckResult errored(const phases::Check& check, std::string reason,
                                  std::string hint = "");

}  // namespace phasegate::gating
