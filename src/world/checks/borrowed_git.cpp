#include "world/checks/borrowed_git.h"

#include <fstream>
#include <string_view>
#include <system_error>

#include "world/checks/git_program.h"

namespace phasegate::world::checks {
namespace fs = std::filesystem;
namespace {

base::Error failure(std::string message) {
  return {"git_failed", std::move(message), "", ""};
}

bool write_text(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  return file.good();
}

std::string configuration(const Lender& lender) {
  const bool sha1 = lender.object_format == "sha1";
  std::string text = "[core]\n\trepositoryformatversion = " + std::string(sha1 ? "0" : "1") +
                     "\n\tbare = false\n\texcludesFile = /dev/null\n\tfileMode = " +
                     (lender.file_modes ? "true" : "false") + "\n";
  if (!sha1) text += "[extensions]\n\tobjectFormat = " + lender.object_format + "\n";
  return text;
}

/// An index may be kept in two files; git looks for the second in its own folder.
void link_shared_indexes(const fs::path& from, const fs::path& into) {
  std::error_code failed;
  for (fs::directory_iterator at(from, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name.starts_with("sharedindex.")) fs::create_symlink(at->path(), into / name, ignored);
  }
}

}  // namespace

base::Result<BorrowedGit> BorrowedGit::make(Lender lender, const fs::path& scratch) {
  if (lender.folders.common_folder.native().find('\n') != std::string::npos) {
    return failure("the repository's folder has a line break in its name");
  }
  auto folder = ScratchFolder::make(scratch);
  if (!folder) return folder.error();
  BorrowedGit made(std::move(lender), std::move(folder).value());
  if (!made.write()) return failure("the temporary folder cannot be written");
  return base::Result<BorrowedGit>(std::move(made));
}

bool BorrowedGit::write() const {
  std::error_code failed;
  const fs::path git = git_folder();
  for (const char* part : {"objects/info", "refs"}) {
    fs::create_directories(git / part, failed);
    if (failed) return false;
  }
  link_shared_indexes(lender_.folders.git_folder, git);
  const std::string objects = (lender_.folders.common_folder / "objects").string();
  return write_text(git / "HEAD", "ref: refs/heads/borrowed\n") &&
         write_text(git / "config", configuration(lender_)) &&
         write_text(git / "objects" / "info" / "alternates", objects + "\n") &&
         write_text(ignore_file(), lender_.ignored);
}

base::Result<std::string> BorrowedGit::run(std::vector<std::string> arguments,
                                           const std::function<bool()>& go_on) const {
  return run_git(
      {.folder = lender_.root,
       .environment = lender_.environment,
       .variables = {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_DIR=" + git_folder().string(),
                     "GIT_WORK_TREE=" + lender_.top.string(),
                     "GIT_INDEX_FILE=" + (lender_.folders.git_folder / "index").string()},
       .arguments = std::move(arguments),
       .go_on = go_on});
}

base::Result<fs::path> BorrowedGit::check_out(const std::string& commit,
                                              const std::function<bool()>& go_on) {
  const fs::path tree = scratch_.path() / ("tree-" + std::to_string(++trees_));
  const auto added =
      run_git({.folder = git_folder(),
               .environment = lender_.environment,
               .variables = {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_DIR=" + git_folder().string()},
               .arguments = {"worktree", "add", "--detach", "--quiet", tree.string(), commit},
               .go_on = go_on});
  if (!added) return added.error();
  // The commit may hold a link where the project's root is now.
  std::error_code failed;
  const fs::path real_tree = fs::canonical(tree, failed);
  const fs::path wanted =
      (real_tree / lender_.root.lexically_relative(lender_.top)).lexically_normal();
  const fs::path root = fs::canonical(wanted, failed);
  if (failed || !fs::is_directory(root, failed) || root / "" != wanted / "") {
    return failure("the project's folder was not there at the commit");
  }
  return root;
}

}  // namespace phasegate::world::checks
