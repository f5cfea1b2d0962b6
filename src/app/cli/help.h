#pragma once
#include <string>
#include <string_view>

#include "app/cli/page.h"

/// What is said about the commands, all made from the one table in command_table.cpp.
namespace phasegate::app::cli {

/// What `help` prints: about everything, or about the command of this name.
[[nodiscard]] std::string help_text(std::string_view command, const Page& page);

/// The manual page phasegate(1), in roff.
[[nodiscard]] std::string help_man(std::string_view program_version);

/// The tables of docs/command-line.md.
[[nodiscard]] std::string help_markdown();

}  // namespace phasegate::app::cli
