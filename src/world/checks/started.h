#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "world/checks/repository.h"

namespace phasegate::world::checks {

/// What was observed when a run began; see observe_start. Paths are those of the file system, byte
/// for byte.
struct Started {
  using Digests = std::map<std::string, std::string>;  ///< path → TreeEntry::digest

  std::string commit;                      ///< empty: the project had none, `problems` says why
  std::string ignored;                     ///< Repository::ignore_lists
  Digests dirty;                           ///< what differed from the commit
  std::map<std::string, Digests> guarded;  ///< guarded_key → what it matched
  std::vector<std::string> problems;       ///< what could not be seen
};

/// JSON text. A path that is not UTF-8 is kept as its bytes' hexadecimal digits behind a NUL, which
/// no path holds.
[[nodiscard]] std::string to_text(const Started& started);
/// Errors (`not_observed`): nothing was observed, or the text is damaged.
[[nodiscard]] base::Result<Started> read_started(std::string_view text);

/// The commit from which the run began. Errors: `start_gone`, it is not in the repository any more;
/// `not_observed`, there was none.
[[nodiscard]] base::Result<std::string> start_commit(const Repository& repository,
                                                     const Started& started);

/// Which files count as ignored: personal lists as long as they are what they were when the run
/// began; whoever changes them could hide files. `started` null: nothing was observed then.
[[nodiscard]] Repository::Ignored ignored_since_start(const Repository& repository,
                                                      const Started* started);

/// Why the repository cannot be used, with what is known of it: where there is none any more, or
/// none with a commit, and there was one when the run began, the message and the hint say so.
[[nodiscard]] base::Error since_start(base::Error error, std::string_view started);

/// Paths of the project that differ from what they were when the run began, sorted: those that
/// differ from its commit, without what already differed and is the same, with what differed and
/// was changed back. Paths that cannot be looked into count as changed once they differ. What is
/// ignored: see ignored_since_start. Errors: those of
/// Repository and start_commit.
[[nodiscard]] base::Result<std::vector<std::string>> changed_since_start(
    const Repository& repository, const Started& started, const Place& place,
    const std::function<bool()>& go_on);

/// `3 paths: "a", "b", "c"`; names at most ten.
[[nodiscard]] std::string named_paths(const std::vector<std::string>& paths);

}  // namespace phasegate::world::checks
