#include "app/cli/text.h"

#include "base/text.h"

namespace phasegate::app::cli {

std::string shown(std::string_view text) {
  const std::string quoted = base::in_quotes(text);
  std::string out;
  out.reserve(quoted.size());
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    const bool escaped = quoted[i] == '\\' && (quoted[i + 1] == '"' || quoted[i + 1] == '\\');
    if (escaped) ++i;
    out += quoted[i];
  }
  return out;
}

std::string shown_short(std::string_view text, std::size_t bytes_max) {
  return base::shortened(shown(text), bytes_max);
}

std::string shell_word(std::string_view argument) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!argument.empty() && argument.find_first_not_of(kHarmless) == std::string_view::npos) {
    return std::string(argument);
  }
  std::string out = "'";
  for (const char c : argument) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

}  // namespace phasegate::app::cli
