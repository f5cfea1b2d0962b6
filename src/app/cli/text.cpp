#include "app/cli/text.h"

#include <array>
#include <cstdio>

#include "app/cli/characters.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

/// `\u200b`; eight digits where four do not do.
std::string escape_of(char32_t c) {
  std::array<char, 16> escape{};
  std::snprintf(escape.data(), escape.size(), c > 0xFFFF ? "\\U%08x" : "\\u%04x",
                static_cast<unsigned>(c));
  return escape.data();
}

}  // namespace

std::string shown(std::string_view text) {
  const std::string quoted = base::in_quotes(text);
  std::string out;
  out.reserve(quoted.size());
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    const bool escaped = quoted[i] == '\\' && (quoted[i + 1] == '"' || quoted[i + 1] == '\\');
    if (escaped) ++i;
    const Character character = character_at(std::string_view(quoted).substr(i));
    if (is_invisible(character.code)) {
      out += escape_of(character.code);
    } else {
      out.append(quoted, i, character.bytes);
    }
    i += character.bytes - 1;
  }
  return out;
}

std::string shown_short(std::string_view text, std::size_t bytes_max) {
  return base::shortened(shown(text), bytes_max);
}

std::string shown_value(std::string_view text) {
  return shown_short(text, kValueBytesShown);
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
