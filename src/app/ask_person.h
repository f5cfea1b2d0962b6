#pragma once
#include <string>

namespace phasegate::app {

/// Writes the question to standard output and reads a line from standard input. True for `y` and
/// `yes` in any case; everything else, the input's end included, is no.
[[nodiscard]] bool ask_on_terminal(const std::string& question);

}  // namespace phasegate::app
