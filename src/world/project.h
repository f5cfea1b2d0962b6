#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace phasegate::world {

/// The project that a folder belongs to (ARCHITECTURE §8). All paths are canonical.
struct Project {
  std::filesystem::path root;  ///< the folder that was given
  /// What identifies the project: the common directory of its git repository, so that worktrees
  /// share their state; else the root.
  std::filesystem::path key_path;
  std::filesystem::path worktree;  ///< root of the git worktree; empty without git
  std::string branch;              ///< valid UTF-8; empty without git or with a detached HEAD
  std::string name;                ///< for people, valid UTF-8; the same in every worktree
  /// What is odd about the repository, without absolute paths. A repository that cannot be
  /// understood counts as none.
  std::vector<std::string> findings;
};

/// Finds out by reading files; starts no git. The repository is looked for in `folder` and above
/// it; above it only one that belongs to the owner of `folder` counts. Errors: `not_found`,
/// `not_a_folder`. Never throws for what lies in the folder.
[[nodiscard]] base::Result<Project> find_project(const std::filesystem::path& folder);

/// Where the project's state lies: `<home>/.local/state/phasegate/<name>-<16 hexadecimal digits>`.
/// The digits are from the SHA-256 of `key_path`; the name is made safe for a file system. `home`
/// is base::home_folder(), not HOME. Nothing is looked at or made.
[[nodiscard]] std::filesystem::path state_folder(const Project& project,
                                                 const std::filesystem::path& home);

/// The name of the operating system's user from the password database; `uid-<number>` for a user
/// without an entry. Valid UTF-8.
[[nodiscard]] std::string principal();

}  // namespace phasegate::world
