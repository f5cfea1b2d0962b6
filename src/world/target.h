#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace phasegate::world {

/// What a run is about, in the one form under which it is compared: the same file written in two
/// ways gives the same text (004-38).
///
/// A path becomes relative to `root` (canonical), without `.`, `..` and empty parts; `.` is the
/// root itself. Absolute paths and `file://` URIs are taken if they lie within the root. A text
/// without a slash (a feature's name) and a URI of another scheme stay as they are, trimmed. The
/// file need not exist. An empty text stays empty.
/// Errors (`invalid_argument`, where `target_file`): outside the root, control characters, not
/// UTF-8, `~/…`, a malformed URI, more than limits::kTargetBytesMax bytes.
[[nodiscard]] base::Result<std::string> normalise_target(const std::filesystem::path& root,
                                                         std::string_view text);

}  // namespace phasegate::world
