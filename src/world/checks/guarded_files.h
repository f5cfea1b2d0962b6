#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "world/checks/kinds.h"
#include "world/checks/started.h"

namespace phasegate::world::checks {

/// What the globs match now below the project's root: files, hidden ones too, and links to files
/// below it; each with its TreeEntry::digest. Errors: those of Globs::compile and list_matching.
[[nodiscard]] base::Result<Started::Digests> guarded_files(const std::vector<std::string>& globs,
                                                           const Place& place);
/// Under which name what a list of globs matched is remembered: a `!` in it takes away from the
/// others, so that they belong together.
[[nodiscard]] std::string guarded_key(const std::vector<std::string>& globs);
/// The globs of such a name; empty if it is none.
[[nodiscard]] std::vector<std::string> guarded_globs(std::string_view key);

}  // namespace phasegate::world::checks
