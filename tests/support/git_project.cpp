#include "tests/support/git_project.h"

#include <cstdlib>
#include <map>

#include <doctest/doctest.h>

#include "tests/support/program.h"

namespace phasegate::test {
namespace fs = std::filesystem;
namespace {

fs::path find_git() {
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    const fs::path found = fs::path(folders.substr(0, colon)) / "git";
    if (fs::exists(found)) return found;
    folders = colon == std::string::npos ? "" : folders.substr(colon + 1);
  }
  FAIL("git is not installed");
  return {};
}

Ended run_git(const std::vector<std::string>& arguments, const fs::path& folder,
              const fs::path& home) {
  ToRun to_run;
  to_run.arguments = {"-c", "user.name=Ada",
                      "-c", "user.email=ada@example.org",
                      "-c", "init.defaultBranch=main",
                      "-c", "commit.gpgSign=false",
                      "-c", "protocol.file.allow=always"};
  to_run.arguments.insert(to_run.arguments.end(), arguments.begin(), arguments.end());
  to_run.folder = folder;
  to_run.variables = {{"HOME", home.string()},
                      {"GIT_CONFIG_NOSYSTEM", "1"},
                      {"GIT_TERMINAL_PROMPT", "0"},
                      {"LC_ALL", "C"},
                      {"GIT_EDITOR", "true"}};
  static const fs::path kGit = find_git();
  return run_program(kGit, to_run);
}

}  // namespace

GitProject::GitProject() {
  fs::create_directories(folder_.path() / "home");
  fs::create_directories(folder_.path() / "project");
  root_ = fs::canonical(folder_.path() / "project");
  git({"init", "--quiet"});
  write("a.txt", "one\n");
  write("src/b.txt", "two\n");
  write(".gitignore", "ignored/\n");
  commit_all("first");
}

std::vector<std::string> GitProject::environment() const {
  const char* path = std::getenv("PATH");
  return {"HOME=" + (folder_.path() / "home").string(),
          "PATH=" + std::string(path == nullptr ? "" : path)};
}

void GitProject::write(std::string_view relative, std::string_view bytes) const {
  write_file(root_ / relative, bytes);
}

std::string GitProject::git(std::vector<std::string> arguments, const fs::path& in) const {
  const Ended ended = run_git(arguments, in.empty() ? root_ : in, folder_.path() / "home");
  REQUIRE_MESSAGE(ended.code == 0, ended.err);
  std::string out = ended.out;
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

int GitProject::try_git(std::vector<std::string> arguments) const {
  return run_git(arguments, root_, folder_.path() / "home").code;
}

std::string GitProject::commit_all(const std::string& message) const {
  git({"add", "--all"});
  git({"commit", "--quiet", "--allow-empty", "--message", message});
  return git({"rev-parse", "HEAD"});
}

}  // namespace phasegate::test
