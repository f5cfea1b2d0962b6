#pragma once
#include <string>
#include <string_view>

namespace phasegate::app::cli {

/// What `help` prints; with a command's name, what `help COMMAND` prints. An unknown name gives the
/// general help (the parser has refused it before).
[[nodiscard]] std::string help_text(std::string_view command);

}  // namespace phasegate::app::cli
