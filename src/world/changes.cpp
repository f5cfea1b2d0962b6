#include "world/changes.h"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include "world/checks/environment.h"
#include "world/checks/opened_file.h"
#include "world/checks/repository.h"
#include "world/checks/started.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world {

using base::Result;
using checks::Repository;

namespace {

constexpr std::size_t kCountedBytesMax = 1U << 20U;        ///< of one new file
constexpr std::size_t kCountedBytesInAllMax = 64U << 20U;  ///< of all of them

bool is_there(const std::filesystem::path& root, const std::string& path) {
  const base::Descriptor folder = checks::open_folder_of(root, path);
  struct stat found{};
  return folder.open() &&
         ::fstatat(folder.get(), checks::last_part(path).c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0;
}

/// The lines of a file that the commit does not have. `budget`: bytes that may still be read.
void count_lines(const std::filesystem::path& root, std::size_t& budget, ChangedFile& file) {
  const auto opened = checks::OpenedFile::open(root, file.path);
  if (!opened || opened->is_folder() || opened->size() > std::min(budget, kCountedBytesMax)) return;
  const auto bytes = opened->bytes(kCountedBytesMax);
  if (!bytes) return;
  budget -= std::min(budget, bytes->size());
  if (bytes->find('\0') != std::string::npos) return;
  file.counted = true;
  file.lines_added = std::count(bytes->begin(), bytes->end(), '\n');
  if (!bytes->empty() && bytes->back() != '\n') ++file.lines_added;
}

/// The commit to compare with where none was seen when the run began.
Result<void> find_commit(const Repository& repository, base::TimePoint began, Changes& changes) {
  auto head = repository.head();
  if (!head) return head.error();
  auto earlier = repository.last_commit_until(began);
  if (!earlier) return earlier.error();
  changes.since = *earlier ? Changes::Since::by_date : Changes::Since::newest;
  changes.commit = *earlier ? **std::move(earlier) : *std::move(head);
  return {};
}

}  // namespace

Result<Changes> changes_since_start(const ChangesWish& wish) {
  const checks::Place place{wish.root, checks::filtered_environment(), wish.scratch};
  const auto repository = Repository::open(place, wish.go_on);
  if (!repository) return checks::since_start(repository.error(), wish.started);

  Changes changes;
  std::vector<std::string> paths;
  const auto started = checks::read_started(wish.started);
  const bool observed = started && !started->commit.empty();
  const auto ignored = checks::ignored_since_start(*repository, observed ? &*started : nullptr);
  if (observed) {
    const auto commit = checks::start_commit(*repository, *started);
    if (!commit) return commit.error();
    auto changed = checks::changed_since_start(*repository, *started, place, wish.go_on);
    if (!changed) return changed.error();
    changes.commit = *commit;
    paths = *std::move(changed);
  } else {
    if (auto found = find_commit(*repository, wish.began, changes); !found) return found.error();
    auto changed = repository->differing(changes.commit, ignored);
    if (!changed) return changed.error();
    paths = *std::move(changed);
  }
  const auto counts = repository->line_counts(changes.commit, ignored);
  if (!counts) return counts.error();

  std::size_t budget = kCountedBytesInAllMax;
  for (std::string& path : paths) {
    if (wish.go_on && !wish.go_on()) break;
    ChangedFile file;
    file.path = std::move(path);
    const auto count = counts->find(file.path);
    if (!is_there(wish.root, file.path)) {
      file.kind = ChangedFile::Kind::removed;
    } else if (count == counts->end()) {
      file.kind = ChangedFile::Kind::added;
      count_lines(wish.root, budget, file);
    }
    if (count != counts->end() && !count->second.binary) {
      file.counted = true;
      file.lines_added = count->second.added;
      file.lines_removed = count->second.removed;
    }
    changes.lines_added += file.lines_added;
    changes.lines_removed += file.lines_removed;
    changes.files.push_back(std::move(file));
  }
  if (wish.go_on && !wish.go_on()) {
    return base::Error{"git_stopped", "looking at the changes was ended", "", ""};
  }
  return changes;
}

}  // namespace phasegate::world
