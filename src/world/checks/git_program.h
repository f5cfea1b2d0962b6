#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"

/// Running the program `git` on a repository that somebody else may have prepared: no hooks, no
/// pager, no monitor, no external diff, no network, no questions, no locks. It is the system's git,
/// if there is one, whatever PATH says: /usr/bin, /bin and /usr/local/bin come first.
namespace phasegate::world::checks {

struct GitCall {
  std::filesystem::path folder;          ///< working folder
  std::vector<std::string> environment;  ///< of the project's programs; its GIT_… is left out
  std::vector<std::string> variables;    ///< `GIT_…=value`, in addition
  std::vector<std::string> arguments;    ///< a plumbing command and its arguments
  std::function<bool()> go_on;           ///< as in base::ProcessRequest
  std::string input;                     ///< standard input
};

/// What git prints on standard output, whole. Errors, all without machine paths: `git_missing` (no
/// such program), `git_refused` (the folder belongs to somebody else: `safe.directory`),
/// `git_stopped` (time or go_on), `git_mismatch` (git noticed it by itself), `git_failed` (anything
/// else; the message says what git says).
[[nodiscard]] base::Result<std::string> run_git(const GitCall& call);

/// `git_mismatch`: something that git was asked about is not what its id says.
[[nodiscard]] base::Error objects_mismatch(const std::string& what);

/// Names that git lists with `-z`, without the empty one behind the last.
[[nodiscard]] std::vector<std::string> listed(const std::string& output);

/// `text` with every absolute path in it replaced by `…`.
[[nodiscard]] std::string without_machine_paths(std::string_view text);

}  // namespace phasegate::world::checks
