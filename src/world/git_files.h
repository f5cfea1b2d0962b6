#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

/// The few files of a git repository that say what it is. Read without git, because a repository
/// that somebody else has made may configure git to run programs.
namespace phasegate::world {

struct GitFolders {
  std::filesystem::path git_folder;     ///< canonical: of this worktree
  std::filesystem::path common_folder;  ///< canonical: shared by all worktrees
};

/// Follows `worktree/.git`, a folder or a file that names one. Errors (`damaged_git`): a message
/// that says what is wrong with it, without absolute paths.
[[nodiscard]] base::Result<GitFolders> read_git_folders(const std::filesystem::path& worktree);

/// True for a folder that is itself a repository (HEAD, objects, refs), as a bare one is.
[[nodiscard]] bool is_git_folder(const std::filesystem::path& folder);

/// The branch that HEAD names; empty if HEAD is detached. Errors (`damaged_git`).
[[nodiscard]] base::Result<std::string> read_branch(const std::filesystem::path& git_folder);

}  // namespace phasegate::world
