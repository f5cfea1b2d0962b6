#include "world/project.h"

#include <string_view>
#include <system_error>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "world/git_files.h"

namespace phasegate::world {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kFolderNameBytesMax = 40;
constexpr std::size_t kKeyDigits = 16;

/// A repository above the root that somebody else owns must not decide which state is ours.
bool same_owner(const fs::path& a, const fs::path& b) {
  struct stat of_a{};
  struct stat of_b{};
  return ::lstat(a.c_str(), &of_a) == 0 && ::lstat(b.c_str(), &of_b) == 0 &&
         of_a.st_uid == of_b.st_uid;
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

/// The nearest folder from `root` upwards with a `.git`; empty if there is none.
fs::path find_worktree(const fs::path& root, std::vector<std::string>& findings) {
  for (fs::path at = root;; at = at.parent_path()) {
    const fs::path dot_git = at / ".git";
    if (is_there(dot_git)) {
      if (at == root || same_owner(dot_git, root)) return at;
      findings.emplace_back(
          "a git repository above the folder belongs to another user and is not used");
      return {};
    }
    if (is_git_folder(at)) {
      findings.emplace_back(at == root ? "the folder is a bare git repository: it has no branch"
                                       : "the folder lies within a git repository's own files");
      return {};
    }
    if (at == at.parent_path()) return {};
  }
}

void read_git(Project& project) {
  const fs::path worktree = find_worktree(project.root, project.findings);
  if (worktree.empty()) return;
  auto folders = read_git_folders(worktree);
  if (!folders) {
    project.findings.push_back(base::to_text(folders.error()));
    return;
  }
  project.worktree = worktree;
  project.key_path = std::move(folders->common_folder);
  auto branch = read_branch(folders->git_folder);
  if (branch) {
    project.branch = *std::move(branch);
  } else {
    project.findings.push_back(branch.error().message + ": the branch is unknown");
  }
}

/// From the key, so that every worktree of a repository has the same name.
std::string name_of(const fs::path& key_path) {
  const fs::path named = key_path.filename() == ".git" ? key_path.parent_path() : key_path;
  std::string name = named.filename().string();
  constexpr std::string_view kBare = ".git";
  if (name.ends_with(kBare) && name.size() > kBare.size()) name.resize(name.size() - kBare.size());
  return name.empty() ? "project" : base::to_utf8(name);
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

}  // namespace

base::Result<Project> find_project(const fs::path& folder) {
  Project project;
  std::error_code failed;
  project.root = fs::canonical(folder, failed);
  if (failed) {
    return base::Error{"not_found",
                       "the project's root folder cannot be found: " + failed.message(),
                       "give an existing folder with --root", "root"};
  }
  if (!fs::is_directory(project.root, failed)) {
    return base::Error{"not_a_folder", "the project's root is not a folder",
                       "give an existing folder with --root", "root"};
  }
  project.key_path = project.root;
  read_git(project);
  project.name = name_of(project.key_path);
  return project;
}

fs::path state_folder(const Project& project, const fs::path& home) {
  std::string name;
  for (const char c : project.name.substr(0, kFolderNameBytesMax)) name += is_plain(c) ? c : '_';
  if (name.empty() || name.front() == '.') name.insert(0, "_");
  name += "-" + base::sha256_hex(project.key_path.string()).substr(0, kKeyDigits);
  return home / ".local" / "state" / "phasegate" / name;
}

std::string principal() {
  const struct passwd* entry = ::getpwuid(::getuid());
  if (entry == nullptr || entry->pw_name == nullptr || *entry->pw_name == '\0') {
    return "uid-" + std::to_string(::getuid());
  }
  return base::to_utf8(entry->pw_name);
}

}  // namespace phasegate::world
