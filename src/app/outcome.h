#pragma once
#include <functional>
#include <string>

#include "base/result.h"

namespace phasegate::app {

/// The program's exit codes, part of its interface.
enum class ExitCode : int {
  ok = 0,
  not_ok = 1,       ///< what was asked about is not ok: errors found, session unknown
  usage = 2,        ///< the command line cannot be understood
  environment = 3,  ///< the surroundings do not allow it: the store cannot be used
  // Of `status --exit-code`; a session that is completed and ok is 0.
  session_active = 10,         ///< it is the assistant's turn
  session_awaits_person = 11,  ///< a decision is open
  session_awaits_checks = 12,  ///< evidence is being checked
  session_paused = 13,         ///< a person has stopped it for a while
  session_waits = 14,          ///< for something else
  session_partial = 20,        ///< completed, and a gate was weak, lenient or unproven
  session_rejected = 21,
  session_cancelled = 22,
  session_failed = 23,
};

/// What a command leaves behind; nothing has been written yet.
struct Outcome {
  ExitCode code = ExitCode::ok;
  std::string out;  ///< for standard output
  std::string err;  ///< for standard error
  /// Done once both are written, and never seen to fail; may be empty.
  std::function<void()> afterwards = {};
};

/// `phasegate: MESSAGE (where)` and the hint on a line of its own, with an exit code. Control
/// characters are escaped.
[[nodiscard]] Outcome failed(ExitCode code, const base::Error& error);

}  // namespace phasegate::app
