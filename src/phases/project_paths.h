#pragma once
#include <optional>
#include <string>
#include <string_view>

/// The formats of texts that name something in the project: a relative path that stays inside, and
/// something that is there. `project-path` (kProjectPath) is that of a file.
namespace phasegate::phases {

/// The format of a text that names a folder.
inline constexpr std::string_view kProjectFolder = "project-folder";

/// True for either of the two.
[[nodiscard]] bool names_place(const std::optional<std::string>& format);

/// The format of a path that a document asks for under this name: `output_directory` and
/// `Project root` mean a folder, everything else a file.
[[nodiscard]] std::string_view path_format(std::string_view name);

}  // namespace phasegate::phases
