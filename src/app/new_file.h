#pragma once
#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace phasegate::app {

/// Who may read and write a new file.
enum class FileAccess {
  usual,       ///< as the umask has it
  owner_only,  ///< 0600
};

/// Makes a file with this text, whole or not at all, even if the program is interrupted. Errors:
/// `exists` (whatever lies there is left alone), `unwritable` with the system's reason. Messages
/// name no path.
[[nodiscard]] base::Result<void> make_new_file(const std::filesystem::path& file,
                                               std::string_view text,
                                               FileAccess access = FileAccess::usual);

/// The same, but what lies there is replaced, a link as such. Does nothing if it holds this text
/// already.
[[nodiscard]] base::Result<void> put_file(const std::filesystem::path& file, std::string_view text);

}  // namespace phasegate::app
