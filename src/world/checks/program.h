#pragma once
#include <optional>
#include <string>
#include <variant>

#include "base/process.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"

/// What the kinds `command` and `tests` share: which program a check means, and what became of it.
namespace phasegate::world::checks {

/// A program that is ready to be run.
struct Program {
  base::ProcessRequest request;
  std::string shown;  ///< the command line for people, quoted as a shell would want it
  std::string environment_digest;
  OpenedFile folder;  ///< holds the working folder open, which the request names by descriptor
};

/// The program of a check's `argv`, or `run` with `shell: true`, with `cwd`, `env`, `stdin`,
/// `timeout` and `output_max` filled in. Otherwise what the check comes to without it: skipped (the
/// project has no such command and the author wrote `if_missing: skip`) or errored: a template that
/// fails or stands in `run` or for the program's name, a value that would be read as an option, a
/// working folder that is not there or not below the root.
[[nodiscard]] std::variant<Program, gating::CheckResult> program_of(const Ask& ask);

/// What a check's result says of its program: subject, exit code, tail and digest of the output,
/// time, environment. It is `passed` if the program ended by itself with one of the codes of `exit`
/// (0 if the check has none), else failed; errored if it could not be started, took too long or was
/// given up.
[[nodiscard]] gating::CheckResult result_of(const Ask& ask, const Program& program,
                                            const base::ProcessResult& process);

/// The words quoted so that a shell would read them as they are.
[[nodiscard]] std::string command_line(const std::vector<std::string>& argv);

}  // namespace phasegate::world::checks
