#include "world/git_files.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"

namespace phasegate::world {
namespace fs = std::filesystem;
namespace {

base::Error damaged(std::string message) {
  return {"damaged_git", std::move(message), "the folder counts as one without git", ".git"};
}

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// The one line that a small file of git holds.
base::Result<std::string> read_line(const fs::path& folder, std::string_view name) {
  auto bytes = base::read_file_below(folder, name, base::limits::kGitFileBytesMax);
  if (!bytes) return damaged(bytes.error().message);
  const std::string line(base::trimmed(*bytes));
  if (has_control_character(line)) {
    return damaged(base::in_quotes(name) + " holds more than one line or control characters");
  }
  if (line.empty()) return damaged(base::in_quotes(name) + " is empty");
  return line;
}

base::Result<fs::path> canonical_folder(const fs::path& base, const std::string& text,
                                        std::string_view named_by) {
  std::error_code failed;
  // An absolute text replaces the base.
  fs::path path = fs::canonical(base / text, failed);
  if (failed || !is_folder(path)) {
    return damaged("the folder that " + base::in_quotes(named_by) + " names does not exist");
  }
  return path;
}

base::Result<fs::path> find_git_folder(const fs::path& worktree) {
  const fs::path dot_git = worktree / ".git";
  if (is_folder(dot_git)) return canonical_folder(worktree, ".git", ".git");
  const auto line = read_line(worktree, ".git");
  if (!line) return line.error();
  constexpr std::string_view kPrefix = "gitdir:";
  if (!line->starts_with(kPrefix)) return damaged("\".git\" is a file that names no folder");
  const std::string target(base::trimmed(std::string_view(*line).substr(kPrefix.size())));
  if (target.empty()) return damaged("\".git\" is a file that names no folder");
  return canonical_folder(worktree, target, ".git");
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

}  // namespace

bool is_git_folder(const fs::path& folder) {
  return is_there(folder / "HEAD") && is_folder(folder / "objects") && is_folder(folder / "refs");
}

base::Result<GitFolders> read_git_folders(const fs::path& worktree) {
  auto git_folder = find_git_folder(worktree);
  if (!git_folder) return git_folder.error();
  GitFolders folders{*git_folder, *git_folder};
  if (is_there(folders.git_folder / "commondir")) {
    const auto line = read_line(folders.git_folder, "commondir");
    if (!line) return line.error();
    auto common = canonical_folder(folders.git_folder, *line, "commondir");
    if (!common) return common.error();
    folders.common_folder = *std::move(common);
  }
  if (!is_git_folder(folders.common_folder) || !is_there(folders.git_folder / "HEAD")) {
    return damaged("what \".git\" names is no git repository");
  }
  return folders;
}

base::Result<std::string> read_branch(const fs::path& git_folder) {
  constexpr std::string_view kRef = "ref:";
  constexpr std::string_view kHeads = "refs/heads/";
  std::string ref;
  std::error_code failed;
  // Old repositories have a link in place of the file.
  if (const fs::path link = fs::read_symlink(git_folder / "HEAD", failed); !failed) {
    ref = link.generic_string();
  } else {
    const auto line = read_line(git_folder, "HEAD");
    if (!line) return line.error();
    if (!line->starts_with(kRef)) {
      const bool is_commit = line->size() >= 40 && line->size() <= 64 &&
                             line->find_first_not_of("0123456789abcdef") == std::string::npos;
      if (is_commit) return std::string();
      return damaged("\"HEAD\" names neither a branch nor a commit");
    }
    ref = base::trimmed(std::string_view(*line).substr(kRef.size()));
  }
  if (!ref.starts_with(kHeads) || has_control_character(ref)) return std::string();
  std::string branch = ref.substr(kHeads.size());
  // Repositories that keep their refs in a table have this in HEAD instead of a branch.
  if (branch == ".invalid") return std::string();
  return base::to_utf8(branch);
}

}  // namespace phasegate::world
