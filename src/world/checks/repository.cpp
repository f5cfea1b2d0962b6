#include "world/checks/repository.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"
#include "world/checks/borrowed_git.h"
#include "world/checks/git_program.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world::checks {
namespace fs = std::filesystem;
using base::Error;
using base::Result;

namespace {

constexpr std::size_t kIgnoreBytesMax = 1U << 20U;

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

/// The root of the working tree that the folder lies in.
Result<fs::path> find_top(const fs::path& root) {
  for (fs::path at = root;; at = at.parent_path()) {
    if (is_there(at / ".git")) return at;
    if (is_git_folder(at)) {
      return Error{"git_bare", "the project lies in a bare repository, which has no working tree",
                   "serve a clone or a worktree of it", ""};
    }
    if (at == at.parent_path()) break;
  }
  return Error{"git_none", "the project is in no git repository",
               "make it one: git init, and a first commit", ""};
}

/// A list of ignored names; empty if there is none.
std::string read_ignored(const fs::path& path) {
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat found{};
  if (!file.open() || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) return "";
  std::string text(std::min(static_cast<std::size_t>(found.st_size), kIgnoreBytesMax), '\0');
  const ssize_t got = ::read(file.get(), text.data(), text.size());
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text + "\n";
}

std::string variable(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& one : environment) {
    if (one.starts_with(name + "=")) return one.substr(name.size() + 1);
  }
  return "";
}

/// Where git looks for a user's list that no setting names.
fs::path default_ignore_file(const std::vector<std::string>& environment) {
  const std::string settings = variable(environment, "XDG_CONFIG_HOME");
  if (!settings.empty()) return fs::path(settings) / "git" / "ignore";
  return fs::path(variable(environment, "HOME")) / ".config" / "git" / "ignore";
}

/// Files and folders that git leaves in its folder while something has not ended.
constexpr std::pair<const char*, const char*> kUnfinished[] = {
    {"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase or am"},
    {"MERGE_HEAD", "a merge"},    {"CHERRY_PICK_HEAD", "a cherry-pick"},
    {"REVERT_HEAD", "a revert"},  {"sequencer", "a cherry-pick or revert"},
    {"BISECT_LOG", "a bisect"},
};

/// Asks the project's own repository, whose configuration is read: only for what runs nothing.
Result<std::string> ask_repository(const Lender& lender, std::vector<std::string> arguments,
                                   const std::function<bool()>& go_on) {
  auto output = run_git({.folder = lender.root,
                         .environment = lender.environment,
                         .variables = {"GIT_WORK_TREE=" + lender.top.string()},
                         .arguments = std::move(arguments),
                         .go_on = go_on,
                         .input = ""});
  if (output && output->ends_with('\n')) output->pop_back();
  return output;
}

/// `core.autocrlf` in one of the ways in which git writes it.
std::string line_end_setting(const std::string& written) {
  const std::string value = base::lowered(written);
  if (value == "input") return value;
  return value == "true" || value == "yes" || value == "on" || value == "1" ? "true" : "false";
}

bool number_from(std::string_view text, std::int64_t& into) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
  return problem == std::errc() && end == text.data() + text.size();
}

/// What of the repository's configuration we go by.
Result<void> read_settings(Lender& lender, const std::function<bool()>& go_on) {
  const auto ask = [&](std::vector<std::string> arguments) {
    return ask_repository(lender, std::move(arguments), go_on);
  };
  const auto about = ask({"rev-parse", "--absolute-git-dir", "--show-object-format"});
  if (!about) return about.error();
  const std::size_t line = about->rfind('\n');
  std::error_code failed;
  if (line == std::string::npos ||
      fs::canonical(about->substr(0, line), failed) != lender.folders.git_folder || failed) {
    return Error{"damaged_git", "what \".git\" names is no git repository", "", ".git"};
  }
  lender.object_format = about->substr(line + 1);
  const auto modes = ask({"config", "--type=bool", "--get", "core.fileMode"});
  lender.file_modes = !modes || *modes != "false";
  const auto line_ends = ask({"config", "--get", "core.autocrlf"});
  if (line_ends) lender.line_ends = line_end_setting(*line_ends);
  const auto personal = ask({"config", "--type=path", "--get", "core.excludesFile"});
  lender.ignored =
      read_ignored(lender.folders.common_folder / "info" / "exclude") +
      read_ignored(personal ? lender.root / *personal : default_ignore_file(lender.environment));
  return {};
}

}  // namespace

struct Repository::Parts {
  BorrowedGit git;
  std::function<bool()> go_on;

  [[nodiscard]] Result<std::string> ask(std::vector<std::string> arguments) const {
    return ask_repository(git.lender(), std::move(arguments), go_on);
  }

  using Paths = std::set<std::string>;
  /// Asks about the working tree as compared with an index of ours, all of it hashed.
  [[nodiscard]] Result<std::string> ask_tree(const fs::path& index, Ignored ignored,
                                             std::vector<std::string> arguments) const;
  [[nodiscard]] Result<void> add_changed(const fs::path& index, Ignored ignored,
                                         Paths& paths) const;
  [[nodiscard]] Result<void> take_left_out(Paths& paths) const;
  [[nodiscard]] Result<void> add_staged(const fs::path& index, Paths& paths) const;
  [[nodiscard]] Result<void> add_untracked(const fs::path& index, Ignored ignored,
                                           Paths& paths) const;
  [[nodiscard]] Result<std::vector<std::string>> differing(const std::string& commit,
                                                           Ignored ignored, bool sparse);
};

Result<Repository> Repository::open(const Place& place, std::function<bool()> go_on) {
  auto top = find_top(place.root);
  if (!top) return top.error();
  auto folders = read_git_folders(*top);
  if (!folders) return folders.error();
  Lender lender;
  lender.folders = *std::move(folders);
  lender.top = *std::move(top);
  lender.root = place.root;
  lender.environment = place.environment;
  if (const auto read = read_settings(lender, go_on); !read) return read.error();
  auto git = BorrowedGit::make(std::move(lender), place.scratch);
  if (!git) return git.error();
  return Repository(std::make_unique<Parts>(Parts{std::move(git).value(), std::move(go_on)}));
}

Repository::Repository(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Repository::Repository(Repository&&) noexcept = default;
Repository& Repository::operator=(Repository&&) noexcept = default;
Repository::~Repository() = default;

Result<void> Repository::settled() const {
  const fs::path& folder = parts_->git.lender().folders.git_folder;
  if (is_there(folder / "index.lock")) {
    return Error{"git_locked", "another git program is at work: .git/index.lock is there",
                 "wait until it has ended; if none runs, remove that file", ".git/index.lock"};
  }
  for (const auto& [name, what] : kUnfinished) {
    if (!is_there(folder / name)) continue;
    return Error{"git_unfinished", std::string(what) + " has not ended in the repository",
                 "finish or abort it; git status says how", std::string(".git/") + name};
  }
  return {};
}

Result<std::string> Repository::head() const {
  auto commit =
      parts_->ask({"rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"});
  if (commit || commit.error().code != "git_failed") return commit;
  const auto named = parts_->ask({"rev-parse", "--verify", "--quiet", "HEAD"});
  if (named) {
    return Error{"damaged_git", "HEAD names a commit that is not in the repository", "", "HEAD"};
  }
  return Error{"git_unborn", "the repository has no commit yet", "make a first commit", ""};
}

Result<std::string> Repository::branch() const {
  return read_branch(parts_->git.lender().folders.git_folder);
}

bool Repository::shallow() const {
  return is_there(parts_->git.lender().folders.common_folder / "shallow");
}

Result<std::optional<std::string>> Repository::find_commit(std::string_view id) const {
  using Found = std::optional<std::string>;
  const std::string wanted = base::lowered(id);
  if (wanted.size() < 4 || wanted.size() > 64 ||
      wanted.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return Found();
  }
  auto commit =
      parts_->ask({"rev-parse", "--verify", "--quiet", "--end-of-options", wanted + "^{commit}"});
  if (!commit && commit.error().code != "git_failed") return commit.error();
  // A branch or a tag may have a name that looks like an id.
  if (!commit || !commit->starts_with(wanted)) return Found();
  return Found(*std::move(commit));
}

/// What is in the working tree is hashed, all of it: `diff-files` compares with ids, and not, as
/// `diff` does, with what the objects of these ids hold.
Result<std::string> Repository::Parts::ask_tree(const fs::path& index, Ignored ignored,
                                                std::vector<std::string> arguments) const {
  const bool settings_count = ignored == Ignored::personal_too;
  const auto ask_with_settings = [&](std::vector<std::string> given) {
    const bool modes = git.lender().file_modes || !settings_count;
    const std::string line_ends = settings_count ? git.lender().line_ends : "false";
    given.insert(given.begin(), {"-c", std::string("core.fileMode=") + (modes ? "true" : "false"),
                                 "-c", "core.autocrlf=" + line_ends});
    return git.run(index, std::move(given), go_on);
  };
  const auto refreshed = ask_with_settings({"update-index", "-q", "--refresh"});
  if (!refreshed) return refreshed.error();
  arguments.insert(arguments.begin(), "diff-files");
  arguments.insert(arguments.end(), {"-z", "--relative", "--ignore-submodules=dirty"});
  return ask_with_settings(std::move(arguments));
}

Result<void> Repository::Parts::add_changed(const fs::path& index, Ignored ignored,
                                            Paths& paths) const {
  const auto output = ask_tree(index, ignored, {"--name-only"});
  if (!output) return output.error();
  for (std::string& path : listed(*output)) paths.insert(std::move(path));
  return {};
}

/// Takes away what a sparse checkout left out.
Result<void> Repository::Parts::take_left_out(Paths& paths) const {
  if (paths.empty()) return {};
  const auto output = git.run(git.project_index(), {"ls-files", "-z", "-v"}, go_on);
  if (!output) return output.error();
  for (const std::string& line : listed(*output)) {
    if (line.size() < 3 || (line[0] != 'S' && line[0] != 's')) continue;
    const std::string path = line.substr(2);
    if (!is_there(git.lender().root / path)) paths.erase(path);
  }
  return {};
}

/// Where the project's own index holds something else than the commit.
Result<void> Repository::Parts::add_staged(const fs::path& index, Paths& paths) const {
  std::vector<std::string> entries[2];
  for (const bool own : {true, false}) {
    const auto output = git.run(own ? index : git.project_index(), {"ls-files", "-z", "-s"}, go_on);
    if (!output) return output.error();
    std::vector<std::string> lines = listed(*output);
    std::sort(lines.begin(), lines.end());
    entries[own ? 0 : 1] = std::move(lines);
  }
  std::vector<std::string> differ;
  std::set_symmetric_difference(entries[0].begin(), entries[0].end(), entries[1].begin(),
                                entries[1].end(), std::back_inserter(differ));
  for (const std::string& line : differ) paths.insert(line.substr(line.find('\t') + 1));
  return {};
}

/// A folder, which is a repository within, with what is in it.
Result<void> Repository::Parts::add_untracked(const fs::path& index, Ignored ignored,
                                              Paths& paths) const {
  std::vector<std::string> untracked = {"ls-files", "-z", "--others",
                                        "--exclude-per-directory=.gitignore"};
  if (ignored == Ignored::personal_too) {
    untracked.push_back("--exclude-from=" + git.ignore_file().string());
  }
  const auto output = git.run(index, std::move(untracked), go_on);
  if (!output) return output.error();
  for (std::string& path : listed(*output)) {
    if (!path.ends_with('/')) {
      paths.insert(std::move(path));
      continue;
    }
    path.pop_back();
    bool whole = true;
    auto within = entries_within(git.lender().root, path, base::limits::kCheckedFilesMax, whole);
    if (within.empty() || !whole) within.push_back(path);
    paths.insert(within.begin(), within.end());
  }
  return {};
}

Result<std::vector<std::string>> Repository::Parts::differing(const std::string& commit,
                                                              Ignored ignored, bool sparse) {
  const auto index = git.index_of(commit, go_on);
  if (!index) return index.error();
  Paths paths;
  if (const auto added = add_changed(*index, ignored, paths); !added) return added.error();
  if (sparse) {
    if (const auto taken = take_left_out(paths); !taken) return taken.error();
  }
  if (const auto added = add_staged(*index, paths); !added) return added.error();
  if (const auto added = add_untracked(*index, ignored, paths); !added) return added.error();
  if (paths.size() > base::limits::kCheckedFilesMax) {
    return Error{"git_failed",
                 "more than " + std::to_string(base::limits::kCheckedFilesMax) + " files differ",
                 "let .gitignore name what is made and not written", ""};
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

Result<std::vector<std::string>> Repository::differing(const std::string& commit,
                                                       Ignored ignored) const {
  return parts_->differing(commit, ignored, false);
}

Result<std::map<std::string, Repository::LineCounts>> Repository::line_counts(
    const std::string& commit, Ignored ignored) const {
  const auto index = parts_->git.index_of(commit, parts_->go_on);
  if (!index) return index.error();
  const auto output = parts_->ask_tree(
      *index, ignored, {"--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"});
  if (!output) return output.error();
  std::map<std::string, LineCounts> counts;
  for (const std::string& line : listed(*output)) {
    const auto parts = base::split(line, '\t');
    if (parts.size() < 3) continue;
    LineCounts& one = counts[line.substr(parts[0].size() + parts[1].size() + 2)];
    one.binary = !number_from(parts[0], one.added) || !number_from(parts[1], one.removed);
  }
  return counts;
}

Result<std::optional<std::string>> Repository::last_commit_until(base::TimePoint time) const {
  auto commit = parts_->ask(
      {"rev-list", "-1", "--first-parent", "--min-age=" + std::to_string(time.ms / 1000), "HEAD"});
  if (!commit) return commit.error();
  return commit->empty() ? std::nullopt : std::optional(*std::move(commit));
}

Result<std::vector<std::string>> Repository::unclean(Ignored ignored) const {
  const auto commit = head();
  if (!commit) return commit.error();
  return parts_->differing(*commit, ignored, true);
}

std::string Repository::ignore_lists() const {
  const Lender& lender = parts_->git.lender();
  std::string text = lender.ignored;
  if (!lender.file_modes) text += "core.fileMode=false\n";
  if (lender.line_ends != "false") text += "core.autocrlf=" + lender.line_ends + "\n";
  return base::sha256_hex(text);
}

Result<fs::path> Repository::check_out(const std::string& commit) const {
  return parts_->git.check_out(commit, parts_->go_on);
}

}  // namespace phasegate::world::checks
