#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "world/checks/kinds.h"

namespace phasegate::world::checks {

/// What we ask git about the project's repository. The answers do not depend on what its
/// configuration, its `info` folder or its refs/replace say: contents are compared through a
/// repository folder of our own that borrows the objects, so nothing that somebody wrote into
/// `.git` is run (filters, monitors, hooks, diff programs) or hides a change (`core.worktree`,
/// `assume-unchanged`, excludes, file times, objects that are not what their ids say). Every file
/// is hashed each time.
///
/// Paths are relative to the project's root, which may lie deeper than the repository's; what lies
/// outside the root is not looked at. Of submodules only the commit counts that is checked out.
class Repository {
 public:
  /// Whether what is no part of the tree counts: files that personal lists ignore, beside those
  /// that the `.gitignore` files name; `core.fileMode` and `core.autocrlf`, which hide changes of
  /// modes and of line ends.
  enum class Ignored { gitignore_only, personal_too };

  /// Errors: `git_none` (the root lies in no repository), `git_bare`, `damaged_git`, `git_missing`,
  /// `git_refused`, `git_failed`, `scratch_failed`. Messages without machine paths.
  [[nodiscard]] static base::Result<Repository> open(const Place& place,
                                                     std::function<bool()> go_on = {});
  Repository(Repository&&) noexcept;
  Repository& operator=(Repository&&) noexcept;
  ~Repository();

  /// An error if the repository is in the middle of something, so that no answer would last:
  /// `git_locked` (another git program writes its index), `git_unfinished` (a merge, rebase,
  /// cherry-pick, revert, am or bisect has not ended). O(1).
  [[nodiscard]] base::Result<void> settled() const;

  /// The full id of HEAD's commit. Errors: `git_unborn`, there is no commit yet.
  [[nodiscard]] base::Result<std::string> head() const;
  /// The branch; empty with a detached HEAD. Errors: `damaged_git`.
  [[nodiscard]] base::Result<std::string> branch() const;
  /// True if the history is cut off: older commits are not here.
  [[nodiscard]] bool shallow() const;

  /// The full id of the commit whose full or abbreviated id is given; nullopt if it is no such id,
  /// ambiguous, the id of something else, or not here. Names of branches and tags are no ids.
  [[nodiscard]] base::Result<std::optional<std::string>> find_commit(std::string_view id) const;

  /// Paths that differ between the commit and the working tree or the index: changed, added (also
  /// untracked), removed; a rename is both; also files that git was told not to look at. Sorted,
  /// each once. Errors: `git_failed`, more than limits::kCheckedFilesMax paths; `git_mismatch`, the
  /// commit or one of its trees is not what its id says.
  [[nodiscard]] base::Result<std::vector<std::string>> differing(const std::string& commit,
                                                                 Ignored ignored) const;
  /// Lines that came and went in files of the commit that are not in the working tree as they are
  /// there; what the commit does not have is left out. For people: unlike `differing`, the texts of
  /// the commit are taken as its objects say. Errors: those of `differing`.
  struct LineCounts {
    std::int64_t added = 0;
    std::int64_t removed = 0;
    bool binary = false;  ///< git takes it for no text: nothing was counted
  };
  [[nodiscard]] base::Result<std::map<std::string, LineCounts>> line_counts(
      const std::string& commit, Ignored ignored) const;
  /// The newest commit of HEAD's first line that is, by its own date, no later; nullopt: there is
  /// none. Anybody can make a commit of any date.
  [[nodiscard]] base::Result<std::optional<std::string>> last_commit_until(
      base::TimePoint time) const;
  /// The same against HEAD, as `git status` sees it with personal_too: what a sparse checkout
  /// leaves out is no difference. Empty: clean.
  [[nodiscard]] base::Result<std::vector<std::string>> unclean(Ignored ignored) const;

  /// Digest of what Ignored::personal_too makes count (`info/exclude`, the user's list, settings):
  /// whoever changes it could hide changes.
  [[nodiscard]] std::string ignore_lists() const;

  /// Writes the files of the whole tree at the commit into `folder`, which must not exist, as a
  /// worktree of our own repository folder; the project's repository does not learn of it. It is
  /// gone, at the latest, with this object. Returns the project's root within it. Errors:
  /// `git_failed`; `git_mismatch`, something of it is not what its id says.
  [[nodiscard]] base::Result<std::filesystem::path> check_out(const std::string& commit) const;

 private:
  struct Parts;
  explicit Repository(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace phasegate::world::checks
