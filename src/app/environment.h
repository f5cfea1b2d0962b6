#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace phasegate::app {

/// Everything that a command reads from the process around it, as a value, so that a test can hand
/// in another one.
struct Environment {
  std::filesystem::path working_folder;
  std::filesystem::path home;        ///< from the password database; may be empty
  std::filesystem::path executable;  ///< this program, for instructions that name it
  std::string claude_project_dir;    ///< CLAUDE_PROJECT_DIR, empty if unset
  std::string phasegate_state;       ///< PHASEGATE_STATE, empty if unset
  std::string assistant_variable;    ///< see assistant_environment.h
  bool stdin_is_terminal = false;
  bool stdout_is_terminal = false;
  std::size_t columns = 0;    ///< of standard output: COLUMNS, else the terminal's; 0: unknown
  bool no_color = false;      ///< NO_COLOR is set and not empty
  std::string terminal_kind;  ///< TERM
};

/// Reads the environment of this process. Touches nothing.
[[nodiscard]] Environment environment_of_process();

/// The program's version, as in the file VERSION.
[[nodiscard]] std::string_view version();

}  // namespace phasegate::app
