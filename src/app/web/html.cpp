#include "app/web/html.h"

#include <array>
#include <cstdio>

#include "app/cli/characters.h"
#include "base/text.h"

namespace phasegate::app::web {
namespace {

/// The character that an attribute or an element cannot hold as it is; empty: it can.
std::string_view entity_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

bool is_hidden(char32_t c) {
  if (c == '\n' || c == '\t') return false;
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool separator = c == 0x2028 || c == 0x2029;
  return control || separator || cli::is_invisible(c);
}

std::string code_point(char32_t c) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(c));
  return text.data();
}

}  // namespace

Html& Html::add(Literal markup) {
  out_ += markup.text();
  return *this;
}

Html& Html::text(std::string_view text) {
  const std::string sound = base::to_utf8(text);
  for (std::string_view rest = sound; !rest.empty();) {
    const cli::Character character = cli::character_at(rest);
    const std::string_view entity = entity_of(rest.front());
    if (is_hidden(character.code)) {
      add("<span class=\"hidden\">");
      out_ += code_point(character.code);
      add("</span>");
    } else if (!entity.empty()) {
      out_ += entity;
    } else {
      out_ += rest.substr(0, character.bytes);
    }
    rest.remove_prefix(character.bytes);
  }
  return *this;
}

Html& Html::exact(std::string_view text) {
  for (const char c : base::to_utf8(text)) {
    const std::string_view entity = entity_of(c);
    if (entity.empty()) {
      out_ += c;
    } else {
      out_ += entity;
    }
  }
  return *this;
}

Html& Html::style(std::string_view css) {
  add("<style>");
  out_ += css;
  return add("</style>");
}

}  // namespace phasegate::app::web
