#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json_fwd.h"
#include "gating/check_result.h"
#include "gating/expression.h"
#include "gating/run.h"
#include "phases/workflow.h"

/// The engine's edge to what is really so: world/ implements it.
namespace phasegate::gating::engine {

/// What a check is told about the run that it is for.
struct CheckScene {
  /// What expressions and templates read, an object:
  /// `input`; `evidence`; `steps.<phase>.{output, evidence, stale, visits}` of passed phases;
  /// `checks.<name>.{passed, outcome, value, exit_code}` of this gate's earlier checks;
  /// `run.{id, workflow, phase, visit, attempt, target, branch}`; `args` and `arg` (the first) in a
  /// named check that is called.
  const base::Json& scope;
  /// What World::observe_start saw when the run began; empty: nothing was seen then, and what needs
  /// it errs.
  std::string_view started;
  /// What World::observe_entry saw when the phase was entered; empty as above.
  std::string_view entered;
  base::TimePoint entered_at;  ///< when the phase was entered
  std::string run_id;
  /// Calls a named check; for expressions among the parameters.
  CheckCaller named;
  std::vector<std::string> callable;  ///< the names that `named` knows
  /// Asked now and then while something takes long; false: give up, the outcome is `errored`.
  std::function<bool()> go_on;
  /// What programs are given, as a person's World::environment was when they trusted the workflow;
  /// empty: this process's.
  std::vector<std::string> environment = {};
};

/// The ports that look at the project on a workflow's behalf. Nothing here throws for what it
/// finds; whatever cannot be looked at is not passed. One object per thread.
class World {
 public:
  virtual ~World() = default;

  /// Carries out a check of any kind but `expr`, in the project's root. Fills everything but `at`,
  /// `reused` and `inputs_digest`. Paths stay within the root, links resolved first, unless the
  /// definition itself names an absolute path. Time is bounded by the check's timeout.
  [[nodiscard]] virtual CheckResult run(const phases::Check& check, const CheckScene& scene) = 0;

  /// What must be remembered when a run begins, as JSON text: the commit and what differed from it,
  /// digests of the files that `protected` checks name. Called before the run exists. Empty if no
  /// check of the workflow needs any of it.
  [[nodiscard]] virtual std::string observe_start(const phases::Workflow& workflow) = 0;
  /// The same when a phase is entered: digests of the files whose change it demands. `scope` as in
  /// a scene, without evidence.
  [[nodiscard]] virtual std::string observe_entry(const phases::Phase& phase,
                                                  const base::Json& scope) = 0;

  /// The files as they are now, in the order of `paths` and each once; what is no file below the
  /// root is left out.
  [[nodiscard]] virtual std::vector<FileDigest> digests(const std::vector<std::string>& paths) = 0;

  /// What a check with `cache: inputs` depends on, digested: its definition, its expanded
  /// parameters and the contents of the files of its `inputs`. Empty: it cannot be told, nothing is
  /// reused.
  [[nodiscard]] virtual std::string inputs_digest(const phases::Check& check,
                                                  const CheckScene& scene) = 0;

  /// What programs would be given from this process, `NAME=value` each, as it may be remembered:
  /// the places of programs and tools, no secrets.
  [[nodiscard]] virtual std::vector<std::string> environment() = 0;

  /// Copies the databases that the workflow protects, before the run exists (003-61). Errors: why a
  /// copy could not be made or verified; the run does not start then.
  [[nodiscard]] virtual base::Result<bool> back_up(const phases::Workflow& workflow,
                                                   const std::string& run_id) = 0;
};

}  // namespace phasegate::gating::engine
