#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

/// What has become of the working tree since a run began, for a person who decides about it.
namespace phasegate::world {

struct ChangedFile {
  enum class Kind { changed, added, removed };
  std::string path;  ///< below the project's root, byte for byte as the file system has it
  Kind kind = Kind::changed;
  bool counted = false;  ///< false: no text, or too large to count its lines
  std::int64_t lines_added = 0;
  std::int64_t lines_removed = 0;
};

struct Changes {
  std::string commit;  ///< full id of what it was compared with
  /// How that commit was found: seen when the run began; the newest one that is by its own date no
  /// later than that; or the newest there is, since none is that old. With the latter two, what was
  /// not committed when the run began is among the changes.
  enum class Since { observed, by_date, newest };
  Since since = Since::observed;
  std::vector<ChangedFile> files;  ///< by path
  std::int64_t lines_added = 0;    ///< of what was counted
  std::int64_t lines_removed = 0;
};

struct ChangesWish {
  std::filesystem::path root;     ///< the project's, canonical
  std::filesystem::path scratch;  ///< a private folder outside the project
  std::string_view started;       ///< what World::observe_start saw; may be empty
  base::TimePoint began;
  std::function<bool()> go_on;  ///< asked now and then; false: give up (`git_stopped`)
};

/// Only reads, and runs nothing that the repository configures. Errors: those of
/// checks::Repository (`git_none` where there is no repository, …), without machine paths. Linear
/// in the working tree; reads at most 64 MiB of new files.
[[nodiscard]] base::Result<Changes> changes_since_start(const ChangesWish& wish);

}  // namespace phasegate::world
