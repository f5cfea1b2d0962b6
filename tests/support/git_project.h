#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.h"

namespace phasegate::test {

/// A small git repository with one commit, made by the real git and untouched by the machine's
/// configuration.
class GitProject {
 public:
  /// `a.txt`, `src/b.txt` and `.gitignore` (which names `ignored/`) are committed.
  GitProject();

  /// The root of the working tree, canonical.
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  /// An empty folder outside it.
  [[nodiscard]] std::filesystem::path scratch() const { return folder_.path() / "scratch"; }
  /// A folder outside it, for clones and for traces of what must not run.
  [[nodiscard]] const std::filesystem::path& outside() const { return folder_.path(); }
  /// PATH and a home without settings.
  [[nodiscard]] std::vector<std::string> environment() const;

  void write(std::string_view relative, std::string_view bytes) const;
  /// Runs git in the root (or `in`); fails the test unless it succeeds. What it printed, trimmed.
  std::string git(std::vector<std::string> arguments, const std::filesystem::path& in = {}) const;
  /// The same, and it may fail: its exit code.
  int try_git(std::vector<std::string> arguments) const;
  /// Adds and commits everything; the commit's id.
  std::string commit_all(const std::string& message = "more") const;

 private:
  TempFolder folder_;
  std::filesystem::path root_;
};

}  // namespace phasegate::test
