#include <string>

#include "world/checks/kinds.h"
#include "world/checks/program.h"
#include "world/checks/verdict.h"

namespace phasegate::world::checks {

using gating::CheckOutcome;
using gating::CheckResult;

CheckResult check_command(const Ask& ask) {
  auto prepared = program_of(ask);
  if (auto* instead = std::get_if<CheckResult>(&prepared)) return std::move(*instead);
  const auto& program = std::get<Program>(prepared);
  const base::ProcessResult process = base::run_process(program.request);
  CheckResult result = result_of(ask, program, process);
  if (result.exit_code) result.value = std::to_string(*result.exit_code);
  // Of a program that did not come to its end, the output proves nothing.
  if (result.outcome == CheckOutcome::errored) return result;
  Verdict verdict(ask, std::move(result));
  verdict.matching("stdout_matches", "standard output", process.out, true);
  verdict.matching("stdout_lacks", "standard output", process.out, false);
  verdict.matching("stderr_matches", "standard error", process.err, true);
  verdict.matching("stderr_lacks", "standard error", process.err, false);
  verdict.json("stdout_json", "standard output", process.out);
  return verdict.result();
}

}  // namespace phasegate::world::checks
