#pragma once
#include <string>
#include <string_view>

namespace phasegate::base {

/// `text` in which every command for a person, written in backticks as `phasegate …`, also carries
/// `options`, which reach the project's state. A command that names its own root or state is left
/// as it is, and so is `phasegate help …`.
[[nodiscard]] std::string with_options(std::string_view text, std::string_view options);

}  // namespace phasegate::base
