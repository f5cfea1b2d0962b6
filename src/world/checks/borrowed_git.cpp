#include "world/checks/borrowed_git.h"

#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

#include "base/text.h"
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
                     "\n\tbare = false\n\texcludesFile = /dev/null\n";
  if (!sha1) text += "[extensions]\n\tobjectFormat = " + lender.object_format + "\n";
  return text;
}

/// Files come out as they are in the repository, and go in as they are on the disk.
constexpr std::string_view kNoAttributes =
    "* -text !eol !crlf -ident -filter !working-tree-encoding\n";

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Of a listing of `ls-tree -r -z`, the entries (`MODE TYPE ID<tab>PATH`) that are wanted.
std::string kept_of(const std::string& listing, const auto& wanted) {
  std::string entries;
  for (const std::string& entry : listed(listing)) {
    if (wanted(entry)) (entries += entry) += '\0';
  }
  return entries;
}

std::string path_of(const std::string& entry) {
  return entry.substr(entry.find('\t') + 1);
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

bool is_link(const std::string& entry) {
  return entry.starts_with("120000 ");
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
  fs::create_directories(raw_git_folder() / "info", failed);
  return write_folder(git_folder()) && write_folder(raw_git_folder()) &&
         write_text(raw_git_folder() / "info" / "attributes", kNoAttributes) &&
         write_text(ignore_file(), lender_.ignored);
}

bool BorrowedGit::write_folder(const fs::path& git) const {
  std::error_code failed;
  for (const char* part : {"objects/info", "refs"}) {
    fs::create_directories(git / part, failed);
    if (failed) return false;
  }
  link_shared_indexes(lender_.folders.git_folder, git);
  const std::string objects = (lender_.folders.common_folder / "objects").string();
  return write_text(git / "HEAD", "ref: refs/heads/borrowed\n") &&
         write_text(git / "config", configuration(lender_)) &&
         write_text(git / "objects" / "info" / "alternates", objects + "\n");
}

base::Result<std::string> BorrowedGit::run(const fs::path& index,
                                           std::vector<std::string> arguments,
                                           const std::function<bool()>& go_on) const {
  return run_git(
      {.folder = lender_.root,
       .environment = lender_.environment,
       .variables = {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_DIR=" + git_folder().string(),
                     "GIT_WORK_TREE=" + lender_.top.string(), "GIT_INDEX_FILE=" + index.string()},
       .arguments = std::move(arguments),
       .go_on = go_on,
       .input = ""});
}

base::Result<std::string> BorrowedGit::run_apart(const fs::path& git_folder,
                                                 std::vector<std::string> variables,
                                                 std::vector<std::string> arguments,
                                                 std::string input, const GoOn& go_on) const {
  variables.push_back("GIT_CONFIG_GLOBAL=/dev/null");
  variables.push_back("GIT_DIR=" + git_folder.string());
  return run_git({.folder = git_folder,
                  .environment = lender_.environment,
                  .variables = std::move(variables),
                  .arguments = std::move(arguments),
                  .go_on = go_on,
                  .input = std::move(input)});
}

/// Git in a tree that we made, where nothing is converted and a link may be a file.
base::Result<std::string> BorrowedGit::run_raw(const fs::path& tree, const fs::path& index,
                                               std::vector<std::string> arguments,
                                               const GoOn& go_on) const {
  arguments.insert(arguments.begin(), {"-c", "core.fileMode=false", "-c", "core.symlinks=false"});
  return run_apart(raw_git_folder(),
                   {"GIT_WORK_TREE=" + tree.string(), "GIT_INDEX_FILE=" + index.string()},
                   std::move(arguments), "", go_on);
}

base::Result<fs::path> BorrowedGit::index_of_listing(std::string listing, const GoOn& go_on) {
  fs::path index = scratch_.path() / ("index-" + std::to_string(++made_));
  const auto written = run_apart(git_folder(), {"GIT_INDEX_FILE=" + index.string()},
                                 {"update-index", "-z", "--index-info"}, std::move(listing), go_on);
  if (!written) return written.error();
  return index;
}

/// Git believes a loose object's name. So the commit is hashed again, and its trees are made anew
/// from what they list. The ids of files are compared with the files themselves, where nothing of
/// the repository is believed; but links are compared with what the repository says.
base::Result<fs::path> BorrowedGit::whole_index_of(const std::string& commit, std::string& listing,
                                                   const GoOn& go_on) {
  const auto ask = [&](std::vector<std::string> arguments, std::string input) {
    return run_apart(git_folder(), {}, std::move(arguments), std::move(input), go_on);
  };
  const auto text = ask({"cat-file", "commit", commit}, "");
  if (!text) return text.error();
  const auto id = ask({"hash-object", "-t", "commit", "--literally", "--stdin"}, *text);
  if (!id) return id.error();
  if (first_line(*id) != commit) return objects_mismatch("commit " + commit.substr(0, 12));

  auto entries = ask({"ls-tree", "-r", "-z", "--full-tree", commit}, "");
  if (!entries) return entries.error();
  listing = *std::move(entries);
  auto index = index_of_listing(listing, go_on);
  if (!index) return index.error();
  const auto tree = run_apart(git_folder(), {"GIT_INDEX_FILE=" + index->string()},
                              {"write-tree", "--missing-ok"}, "", go_on);
  if (!tree) return tree.error();
  if (first_line(*text) != "tree " + first_line(*tree)) {
    return objects_mismatch("the tree of commit " + commit.substr(0, 12));
  }
  const auto links = verify_stored(kept_of(listing, is_link), go_on);
  if (!links) return links.error();
  return index;
}

base::Result<fs::path> BorrowedGit::index_of(const std::string& commit,
                                             const std::function<bool()>& go_on) {
  std::string listing;
  auto whole = whole_index_of(commit, listing, go_on);
  if (!whole || lender_.root == lender_.top) return whole;
  // What lies outside is not looked at, and need not be hashed.
  const std::string folder = lender_.root.lexically_relative(lender_.top).string() + "/";
  const auto below = [&](const std::string& entry) { return path_of(entry).starts_with(folder); };
  return index_of_listing(kept_of(listing, below), go_on);
}

/// Paths in the index of which the tree has something else, without any conversion.
base::Result<std::vector<std::string>> BorrowedGit::unlike_index(const fs::path& tree,
                                                                 const fs::path& index,
                                                                 const GoOn& go_on) const {
  const auto refreshed = run_raw(tree, index, {"update-index", "-q", "--refresh"}, go_on);
  if (!refreshed) return refreshed.error();
  const auto paths =
      run_raw(tree, index, {"diff-files", "--name-only", "-z", "--ignore-submodules=all"}, go_on);
  if (!paths) return paths.error();
  return listed(*paths);
}

/// The objects of these entries must be what their ids say: they are written as they are, links as
/// files, and hashed.
base::Result<void> BorrowedGit::verify_stored(std::string entries, const GoOn& go_on) {
  if (entries.empty()) return {};
  const auto index = index_of_listing(std::move(entries), go_on);
  if (!index) return index.error();
  const fs::path raw = scratch_.path() / ("raw-" + std::to_string(++made_));
  std::error_code failed;
  fs::create_directory(raw, failed);
  const auto written = run_raw(raw, *index, {"checkout-index", "--all", "--quiet"}, go_on);
  if (!written) return written.error();
  const auto unlike = unlike_index(raw, *index, go_on);
  if (!unlike) return unlike.error();
  if (!unlike->empty()) {
    return objects_mismatch("the file " + base::in_quotes(base::to_utf8(unlike->front())));
  }
  fs::remove_all(raw, failed);
  return {};
}

/// Each file of the tree must be what its id in the index says, or come of such a one by a
/// conversion that attributes demand.
base::Result<void> BorrowedGit::verify_files(const fs::path& tree, const fs::path& index,
                                             const std::string& listing, const GoOn& go_on) {
  const auto unlike = unlike_index(tree, index, go_on);
  if (!unlike) return unlike.error();
  const std::set<std::string> converted(unlike->begin(), unlike->end());
  return verify_stored(
      kept_of(listing,
              [&](const std::string& entry) { return converted.contains(path_of(entry)); }),
      go_on);
}

base::Result<fs::path> BorrowedGit::check_out(const std::string& commit,
                                              const std::function<bool()>& go_on) {
  std::string listing;
  const auto index = whole_index_of(commit, listing, go_on);
  if (!index) return index.error();
  const fs::path tree = scratch_.path() / ("tree-" + std::to_string(++made_));
  const auto added =
      run_apart(git_folder(), {}, {"worktree", "add", "--detach", "--quiet", tree.string(), commit},
                "", go_on);
  if (!added) return added.error();
  if (const auto verified = verify_files(tree, *index, listing, go_on); !verified) {
    return verified.error();
  }
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
