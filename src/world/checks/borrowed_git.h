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
  std::string ignored;                   ///< text of the personal ignore lists
};

/// A repository folder that we made ourselves, over the objects, the index and the working tree of
/// another. Its configuration is ours, so nothing of the other's is ever read.
class BorrowedGit {
 public:
  /// Errors: those of ScratchFolder::make; `git_failed` if it cannot be written.
  [[nodiscard]] static base::Result<BorrowedGit> make(Lender lender,
                                                      const std::filesystem::path& scratch);

  /// Runs git on it in the project's root. Errors: those of run_git.
  [[nodiscard]] base::Result<std::string> run(std::vector<std::string> arguments,
                                              const std::function<bool()>& go_on) const;
  /// A worktree of the commit, in a folder of its own that goes with this object. The project's
  /// root within it. Errors: those of run_git; `git_failed` if the root was no folder then.
  [[nodiscard]] base::Result<std::filesystem::path> check_out(const std::string& commit,
                                                              const std::function<bool()>& go_on);

  [[nodiscard]] const Lender& lender() const { return lender_; }
  /// Names the file of the personal ignore lists, for `--exclude-from`.
  [[nodiscard]] std::filesystem::path ignore_file() const { return scratch_.path() / "ignore"; }

 private:
  BorrowedGit(Lender lender, ScratchFolder scratch)
      : lender_(std::move(lender)), scratch_(std::move(scratch)) {}
  [[nodiscard]] std::filesystem::path git_folder() const { return scratch_.path() / "git"; }
  [[nodiscard]] bool write() const;

  Lender lender_;
  ScratchFolder scratch_;
  int trees_ = 0;
};

}  // namespace phasegate::world::checks
