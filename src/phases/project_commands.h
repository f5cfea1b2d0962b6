#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "phases/project_config.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// True if a check of a gate or a named one takes something of the project's own file: a command by
/// name (`project: test`), its protected files, its hosts. O(checks).
[[nodiscard]] bool uses_project(const Workflow& workflow);

/// The workflow as it is carried out in this project. A check with `project: NAME` gets the members
/// of that command; those that it writes itself win, and `project` stays for messages. `protected`
/// with `project: true` gets the project's patterns (none without a file), `http` the project's
/// hosts. A command that the project does not have leaves its check as it is: that errs, or is
/// skipped where its author wrote `if_missing: skip`; so is one with `fails_at` where the command
/// does not name the `files` of its tests. If anything was taken, `content_hash` is a
/// digest of the old one and the file's, so that trust in one is not trust in the other. The
/// errors of a broken file are added to the findings of a workflow that uses it: it does not start.
/// Pure; linear in the texts, which are copied: ask uses_project first where that matters.
[[nodiscard]] LoadedWorkflow with_project(const LoadedWorkflow& loaded,
                                          const std::optional<ProjectConfig>& config);

/// What a workflow runs or reaches, for the person who is asked to trust it.
struct RunsCode {
  std::string phase;  ///< its id; empty: a named check
  std::string check;  ///< the check's name
  CheckKind kind = CheckKind::command;
  /// What is run, whole and as it would be typed, nothing in it steering a terminal: `make 'a b'`,
  /// `sh -c 'a | b'`, `GET https://…`. Where `{{…}}` stands, a value is put in.
  std::string line;
  std::string cwd;                    ///< empty: the project's root
  std::vector<std::string> env;       ///< `NAME=text`
  std::string input;                  ///< what it reads from its standard input
  std::int64_t timeout_ms = 0;        ///< what holds, also if it is not written
  std::vector<std::string> hosts;     ///< that may be reached
  std::vector<std::string> absolute;  ///< paths outside the project
  bool missing = false;  ///< names a command that the project does not have: nothing is run

  friend bool operator==(const RunsCode&, const RunsCode&) = default;
};

/// Everything that phases::needs_trust, in order: the phases', then the named ones.
[[nodiscard]] std::vector<RunsCode> what_runs(const Workflow& workflow);

/// True if a person must have trusted it: one of what_runs is not `missing`. Ask it of what
/// with_project gave, since only then it is known what is run.
[[nodiscard]] bool needs_trust(const Workflow& workflow);

}  // namespace phasegate::phases
