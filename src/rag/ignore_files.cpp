#include "rag/ignore_files.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/limits.h"
#include "rag/source_paths.h"

namespace phasegate::rag {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kName = ".gitignore";

IgnoreFiles::Verdict verdict_of(Ignored said) {
  if (said == Ignored::unknown) return IgnoreFiles::Verdict::unknown;
  return said == Ignored::yes ? IgnoreFiles::Verdict::ignored : IgnoreFiles::Verdict::seen;
}

}  // namespace

IgnoreFiles::IgnoreFiles(fs::path worktree, std::string prefix, const fs::path& git_folder,
                         std::uint64_t steps)
    : root_(std::move(worktree)), prefix_(std::move(prefix)), steps_left_(steps) {
  if (git_folder.empty()) return;
  without_ = read_rules(git_folder, "info/exclude", exclude_);
}

/// The rules of a file; none if it is not there, or is a link or no file, as for git.
IgnoreFiles::Verdict IgnoreFiles::read_rules(const fs::path& root, std::string_view path,
                                             IgnoreRules& rules) {
  const auto not_read = [] { return is_passing(errno) ? Verdict::not_now : Verdict::unknown; };
  const base::Descriptor file = open_file(root, path, Hold::bytes);
  if (!file.open()) {
    const bool none = errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENXIO;
    return none ? Verdict::seen : not_read();
  }
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return not_read();
  if (!S_ISREG(status.st_mode)) return Verdict::seen;
  const auto bytes = bytes_of(file, base::limits::kIgnoreFileBytesMax);
  if (!bytes) return not_read();
  const std::uint64_t steps = bytes->size() * kIgnoreStepsPerByte;
  if (steps > steps_left_) return Verdict::unknown;
  steps_left_ -= steps;
  rules = IgnoreRules(*bytes);
  return rules.sound() ? Verdict::seen : Verdict::unknown;
}

IgnoreFiles::Verdict IgnoreFiles::judge(std::string_view path, bool is_folder) {
  if (!path.empty() && !prefix_.empty()) {
    const std::string full = path_in(prefix_, path);
    return judged(folder(folder_of(full)), full, is_folder);
  }
  if (path.empty()) path = prefix_;
  if (path.empty()) return without_;
  return judged(folder(folder_of(path)), path, is_folder);
}

IgnoreFiles::Verdict IgnoreFiles::judged(const Folder& in, std::string_view path, bool is_folder) {
  // What a folder's own verdict is, nothing in it can change.
  if (in.verdict != Verdict::seen) return in.verdict;
  for (const Folder* at = &in; at != nullptr; at = at->above) {
    const Ignored said = at->rules.judge(path.substr(at->begin), is_folder, steps_left_);
    if (said != Ignored::unsaid) return verdict_of(said);
  }
  return verdict_of(exclude_.judge(path, is_folder, steps_left_));
}

std::unique_ptr<IgnoreFiles::Folder> IgnoreFiles::made(std::string_view path, const Folder* above) {
  auto folder = std::make_unique<Folder>();
  folder->above = above;
  folder->begin = path.empty() ? 0 : path.size() + 1;
  folder->verdict = above == nullptr ? without_ : judged(*above, path, true);
  if (folder->verdict != Verdict::seen) return folder;
  folder->verdict = read_rules(root_, path_in(path, kName), folder->rules);
  return folder;
}

const IgnoreFiles::Folder& IgnoreFiles::folder(std::string_view path) {
  const Folder* above = nullptr;
  for (std::size_t end = 0;;) {
    const std::string_view part = path.substr(0, end);
    auto at = folders_.find(part);
    if (at == folders_.end()) at = folders_.emplace(part, made(part, above)).first;
    above = at->second.get();
    if (end == path.size()) return *above;
    end = std::min(path.find('/', end + (end == 0 ? 0 : 1)), path.size());
  }
}

}  // namespace phasegate::rag
