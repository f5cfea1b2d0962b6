#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// One pattern of paths and what it means as regular expressions. Pure; Globs puts them together.
namespace phasegate::base {

/// A pattern without braces, as RE2 patterns over whole UTF-8 paths.
struct GlobPattern {
  std::string files;    ///< paths of files that it takes
  std::string folders;  ///< non-empty paths of folders below which there may be some; empty: none
  std::string whole;    ///< paths of folders of which it takes everything; empty: none
  bool names_git = false;  ///< one of its parts is `.git`
};

/// `src/{a,b}/*.c` → `src/a/*.c`, `src/b/*.c`; nested braces too. Errors (`invalid_glob`): braces
/// that are not closed, more than `alternatives_max`.
[[nodiscard]] Result<std::vector<std::string>> without_braces(std::string_view pattern,
                                                              std::size_t alternatives_max);

/// Translates a pattern that has no braces. `hidden`: wildcards reach names that begin with a dot.
/// Errors (`invalid_glob`): see Globs::compile. Linear in the pattern.
[[nodiscard]] Result<GlobPattern> translated(std::string_view pattern, bool hidden);

}  // namespace phasegate::base
