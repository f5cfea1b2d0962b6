#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace phasegate::app::cli {

/// Errors (`usage`): a name that cannot be a workflow's file and id: no letters, digits, `.`, `_`
/// and `-` only, more than 64 characters, or a name with the file's ending.
[[nodiscard]] base::Result<void> check_new_name(std::string_view name);

/// A native workflow's text under another name, with all its comments: its `workflow:` is `name`,
/// and its first line tells editors where the schema lies. Any text gives a text.
[[nodiscard]] std::string with_name(std::string_view text, std::string_view name);

}  // namespace phasegate::app::cli
