#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "world/checks/scratch_folder.h"
#include "world/git_files.h"

namespace phasegate::world::checks {

/// What a repository folder of our own needs to know of the one that it borrows from.
struct Lender {
  GitFolders folders;
  std::filesystem::path top;             ///< root of the working tree
  std::filesystem::path root;            ///< the project's, at or below it
  std::vector<std::string> environment;  ///< for git
  std::string object_format;             ///< `sha1` or `sha256`
  bool file_modes = true;                ///< `core.fileMode`: modes mean something on this disk
  std::string line_ends = "false";       ///< `core.autocrlf`
  std::string ignored;                   ///< text of the personal ignore lists
};

/// A repository folder that we made ourselves, over the objects and the working tree of another.
/// Its configuration is ours, so nothing of the other's is ever read; and so is its index, because
/// the other's may claim of any file that it was looked at. Objects are taken for what their ids
/// say only once they were hashed again.
class BorrowedGit {
 public:
  /// Errors: those of ScratchFolder::make; `git_failed` if it cannot be written.
  [[nodiscard]] static base::Result<BorrowedGit> make(Lender lender,
                                                      const std::filesystem::path& scratch);

  /// Runs git on it in the project's root. Errors: those of run_git.
  [[nodiscard]] base::Result<std::string> run(const std::filesystem::path& index,
                                              std::vector<std::string> arguments,
                                              const std::function<bool()>& go_on) const;
  /// A new index of what the commit holds at and below the project's root, without a word on what
  /// is in the working tree. Linear in the commit's files. Errors: those of run_git;
  /// `git_mismatch`, the commit or one of its trees is not what its id says.
  [[nodiscard]] base::Result<std::filesystem::path> index_of(const std::string& commit,
                                                             const std::function<bool()>& go_on);
  /// The project's own index: what is staged, and what a sparse checkout leaves out.
  [[nodiscard]] std::filesystem::path project_index() const {
    return lender_.folders.git_folder / "index";
  }
  /// A worktree of the commit, in a folder of its own that goes with this object. The project's
  /// root within it. Errors: those of run_git and index_of; `git_mismatch`, a file is not what its
  /// id says; `git_failed` if the root was no folder then.
  [[nodiscard]] base::Result<std::filesystem::path> check_out(const std::string& commit,
                                                              const std::function<bool()>& go_on);

  [[nodiscard]] const Lender& lender() const { return lender_; }
  /// Names the file of the personal ignore lists, for `--exclude-from`.
  [[nodiscard]] std::filesystem::path ignore_file() const { return scratch_.path() / "ignore"; }

 private:
  BorrowedGit(Lender lender, ScratchFolder scratch)
      : lender_(std::move(lender)), scratch_(std::move(scratch)) {}
  using GoOn = std::function<bool()>;
  /// Git without a working tree, or in one that we made.
  [[nodiscard]] base::Result<std::string> run_apart(const std::filesystem::path& git_folder,
                                                    std::vector<std::string> variables,
                                                    std::vector<std::string> arguments,
                                                    std::string input, const GoOn& go_on) const;
  [[nodiscard]] base::Result<std::filesystem::path> index_of_listing(std::string listing,
                                                                     const GoOn& go_on);
  [[nodiscard]] base::Result<std::filesystem::path> whole_index_of(const std::string& commit,
                                                                   std::string& listing,
                                                                   const GoOn& go_on);
  [[nodiscard]] base::Result<std::string> run_raw(const std::filesystem::path& tree,
                                                  const std::filesystem::path& index,
                                                  std::vector<std::string> arguments,
                                                  const GoOn& go_on) const;
  [[nodiscard]] base::Result<std::vector<std::string>> unlike_index(
      const std::filesystem::path& tree, const std::filesystem::path& index,
      const GoOn& go_on) const;
  [[nodiscard]] base::Result<void> verify_stored(std::string entries, const GoOn& go_on);
  [[nodiscard]] base::Result<void> verify_files(const std::filesystem::path& tree,
                                                const std::filesystem::path& index,
                                                const std::string& listing, const GoOn& go_on);

  [[nodiscard]] std::filesystem::path git_folder() const { return scratch_.path() / "git"; }
  /// The same, where no attribute converts anything.
  [[nodiscard]] std::filesystem::path raw_git_folder() const { return scratch_.path() / "raw"; }
  [[nodiscard]] bool write() const;
  [[nodiscard]] bool write_folder(const std::filesystem::path& git) const;

  Lender lender_;
  ScratchFolder scratch_;
  int made_ = 0;
};

}  // namespace phasegate::world::checks
