#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace phasegate::app::cli {

/// How to connect the usual clients to this executable and this project, to be pasted. `arguments`
/// are what the program is to be started with (`--root`, DIR, …).
[[nodiscard]] std::string connect_help(const std::filesystem::path& executable,
                                       const std::vector<std::string>& arguments);

}  // namespace phasegate::app::cli
