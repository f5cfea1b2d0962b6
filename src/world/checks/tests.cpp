#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/paths.h"
#include "base/text.h"
#include "world/checks/guarded_files.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/program.h"
#include "world/checks/repository.h"
#include "world/checks/started.h"
#include "world/checks/test_reports.h"
#include "world/checks/worktree.h"

namespace phasegate::world::checks {
namespace fs = std::filesystem;

using base::ProcessResult;
using gating::CheckOutcome;
using gating::CheckResult;
using End = ProcessResult::End;

namespace {

/// Exit codes of shells: what was to be run is no program, or is not there.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

/// One run of the command.
struct Ran {
  ProcessResult process;
  CheckResult result;           ///< what a `command` would be told
  bool program_absent = false;  ///< a file of the project, which was not there

  /// It ran, and said whether what it tests is so.
  [[nodiscard]] bool has_judged() const {
    return process.end == End::exited && process.code != kNotExecutable &&
           process.code != kNotFound;
  }
  [[nodiscard]] std::string end() const {
    if (process.end == End::exited) return "exit code " + std::to_string(process.code);
    return result.reason;
  }
};

/// Only what is a path of the project has its own file to be started.
bool is_absent(const base::ProcessRequest& request) {
  std::error_code failed;
  return !request.program.empty() && !fs::exists(request.program, failed);
}

class Tests {
 public:
  explicit Tests(const Ask& ask)
      : ask_(ask),
        parameters_(ask),
        files_(parameters_.texts("files")),
        ratchet_(parameters_.texts("ratchet")) {}

  CheckResult judge() {
    CheckResult result = verdict().value_or(passed(ask_));
    if (shown_) {
      // What was run and printed is told whatever came of it.
      CheckResult told = *shown_;
      told.outcome = result.outcome;
      told.reason = std::move(result.reason);
      told.hint = std::move(result.hint);
      result = std::move(told);
    }
    result.value = now_.to_json_text();
    return result;
  }

 private:
  using Verdict = std::optional<CheckResult>;  ///< none: nothing speaks against it so far

  Verdict verdict() {
    const bool now = parameters_.flag("passes_now", true) || !ratchet_.empty();
    const bool red = parameters_.has("fails_at");
    if (!now && !red) return unclear(ask_, "the check asks for nothing: passes_now is false");
    // A command that the project does not have is told before anything that it would bring along.
    auto prepared = program_of(ask_);
    if (auto* instead = std::get_if<CheckResult>(&prepared)) return std::move(*instead);
    if (red && files_.empty()) {
      return unclear(ask_, "fails_at needs to know which files are the tests",
                     "add files: GLOB to the check");
    }
    auto paths = report_paths(ask_);
    if (!paths) return broken(paths.error());
    paths_ = *std::move(paths);
    if (const auto apart = are_apart(ask_, paths_); !apart) return broken(apart.error());
    Verdict result = now ? passes_now() : std::nullopt;
    if (!result && !ratchet_.empty()) result = has_not_become_worse();
    if (!result && red) result = fails_at_start();
    return result;
  }

  [[nodiscard]] Verdict broken(const base::Error& error) const {
    return unclear(ask_, error.message, error.hint);
  }

  /// Runs the command in a root.
  std::variant<Ran, CheckResult> run_in(const fs::path& root) const {
    const Place place{root, ask_.place.environment, ask_.place.scratch};
    const Ask there{ask_.check, ask_.parameters, ask_.scene, place};
    auto prepared = program_of(there);
    if (auto* instead = std::get_if<CheckResult>(&prepared)) return std::move(*instead);
    const auto& program = std::get<Program>(prepared);
    Ran ran;
    ran.program_absent = is_absent(program.request);
    ran.process = base::run_process(program.request);
    ran.result = result_of(there, program, ran.process);
    return ran;
  }

  /// The same in a tree of the start. What keeps it from running there is about the start.
  std::variant<Ran, CheckResult> run_at_start(const fs::path& tree) const {
    auto run = run_in(tree);
    auto* instead = std::get_if<CheckResult>(&run);
    if (instead != nullptr && instead->outcome == CheckOutcome::errored) {
      instead->reason = "the tests cannot be run at the start: " + instead->reason;
    }
    return run;
  }

  Verdict passes_now() {
    const auto before = reports_before(ask_.place.root, paths_);
    if (!before) return broken(before.error());
    auto run = run_in(ask_.place.root);
    if (auto* instead = std::get_if<CheckResult>(&run)) return std::move(*instead);
    const auto& ran = std::get<Ran>(run);
    shown_ = ran.result;
    if (!ran.has_judged()) {
      return unclear(ask_, "the tests cannot be run: " + ran.end(),
                     ran.result.hint.empty() ? "run the command yourself and see what is missing"
                                             : ran.result.hint);
    }
    if (ran.process.code != 0) {
      return failed(ask_, "the tests fail: " + ran.end() + ", wanted exit code 0",
                    "make them pass without weakening what they demand");
    }
    auto measured = read_reports(ask_.place.root, paths_, *before);
    if (!measured) return failed(ask_, measured.error().message, measured.error().hint);
    now_ = *std::move(measured);
    const auto wrong = not_as_wanted(ask_, now_);
    if (!wrong) return broken(wrong.error());
    if (wrong->empty()) return std::nullopt;
    return failed(ask_, base::joined(*wrong, "; "));
  }

  /// The commit from which the run began, in a new tree of its own.
  base::Result<fs::path> tree_of_start() {
    if (!repository_) {
      const auto started = read_started(ask_.scene.started);
      if (!started) return started.error();
      auto repository = Repository::open(ask_.place, ask_.scene.go_on);
      if (!repository) return since_start(repository.error(), ask_.scene.started);
      auto commit = start_commit(*repository, *started);
      if (!commit) return commit.error();
      repository_.emplace(std::move(repository).value());
      commit_ = *std::move(commit);
    }
    return repository_->check_out(commit_);
  }

  /// What the command measures at the start; nothing of anything where the project had no tests
  /// then: no file that `files` names, or not the project's own program that runs them. That they
  /// could not be measured for another reason is no licence.
  Verdict measure_start(Measured& start, bool& had_tests) {
    const auto tree = tree_of_start();
    if (!tree) return broken(tree.error());
    const Measured nothing{JunitReport{}, 0.0};
    had_tests = false;
    start = nothing;
    if (!files_.empty()) {
      const auto found = guarded_files(files_, {*tree, ask_.place.environment, ask_.place.scratch});
      if (!found) return broken(found.error());
      if (found->empty()) return std::nullopt;
    }
    const ReportPaths needed = reports_of(ratchet_, paths_);
    const auto before = reports_before(*tree, needed);
    if (!before) return broken(before.error());
    auto run = run_at_start(*tree);
    if (auto* instead = std::get_if<CheckResult>(&run)) return std::move(*instead);
    const auto& ran = std::get<Ran>(run);
    if (ran.program_absent) return program_is_new();
    had_tests = true;
    auto measured = read_reports(*tree, needed, *before);
    if (!measured) {
      return unclear(ask_,
                     "nothing was measured at the start to compare with (" + ran.end() +
                         "): " + measured.error().message,
                     "the command must write its reports at the commit of the start, too");
    }
    start = *std::move(measured);
    return std::nullopt;
  }

  /// The program that runs the tests was not there at the start. That is so where the work brings
  /// it along; one that git does not keep, such as one that is built, was there and cannot be
  /// asked.
  Verdict program_is_new() {
    const auto program = base::normalised_relative(parameters_.texts("argv").front());
    if (!program) return broken(program.error());
    const auto changed = repository_->differing(commit_, Repository::Ignored::gitignore_only);
    if (!changed) return broken(changed.error());
    if (std::find(changed->begin(), changed->end(), *program) != changed->end()) {
      return std::nullopt;
    }
    return unclear(ask_,
                   "nothing was measured at the start to compare with: " + shown_path(*program) +
                       " is in no commit, so it is not in the start's tree",
                   "let the command build what it runs, or name a program that git keeps");
  }

  Verdict has_not_become_worse() {
    Measured start;
    bool had_tests = false;
    if (auto verdict = measure_start(start, had_tests)) return verdict;
    const auto worse = worse_than(ratchet_, now_, start);
    if (!worse) return broken(worse.error());
    if (worse->empty()) return std::nullopt;
    return failed(
        ask_, base::joined(*worse, "; ") + (had_tests ? "" : " (the project had no tests then)"));
  }

  Verdict fails_at_start() {
    const auto tree = tree_of_start();
    if (!tree) return broken(tree.error());
    const auto changed = lay_over(files_, ask_.place, *tree);
    if (!changed) return broken(changed.error());
    if (!*changed) {
      return failed(ask_, "no test was added or changed since the run began",
                    "write the test first that shows what is missing");
    }
    auto run = run_at_start(*tree);
    if (auto* instead = std::get_if<CheckResult>(&run)) return std::move(*instead);
    const auto& ran = std::get<Ran>(run);
    const bool red = ran.has_judged() && ran.process.code != 0;
    if (!red || !shown_) shown_ = ran.result;
    if (red) return std::nullopt;
    if (!ran.has_judged()) {
      return unclear(ask_, "the tests cannot be run at the start: " + ran.end(),
                     "the command must run at the commit from which the run began");
    }
    return failed(ask_, "the tests pass already at the start: they do not show what was missing",
                  "add a test that fails without the change");
  }

  const Ask& ask_;
  Parameters parameters_;
  std::vector<std::string> files_;
  std::vector<std::string> ratchet_;
  ReportPaths paths_;
  Measured now_;
  std::optional<CheckResult> shown_;  ///< of the run that the result tells of
  std::optional<Repository> repository_;
  std::string commit_;
};

}  // namespace

CheckResult check_tests(const Ask& ask) {
  return Tests(ask).judge();
}

}  // namespace phasegate::world::checks
