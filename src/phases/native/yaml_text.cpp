#include "phases/native/yaml_text.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "phases/requirement_names.h"
#include "phases/yaml_node.h"

namespace phasegate::phases {
namespace {

constexpr char kHex[] = "0123456789abcdef";

/// Three-byte characters that end a line for some readers, or are not seen: LS, PS, BOM, and those
/// that turn the direction of writing.
bool is_unclear(std::string_view text, std::size_t at) {
  const std::string_view next = text.substr(at, 3);
  constexpr std::array<std::string_view, 14> kUnclear = {
      "\u2028", "\u2029", "\uFEFF", "\u200E", "\u200F", "\u202A", "\u202B",
      "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"};
  return std::find(kUnclear.begin(), kUnclear.end(), next) != kUnclear.end();
}

void append_code(std::string& out, char letter, unsigned code, int digits) {
  out += '\\';
  out += letter;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
    out += kHex[(code >> static_cast<unsigned>(shift)) & 0xFU];
  }
}

/// Appends the character at `at` as it stands between double quotes; gives the bytes it took.
std::size_t append_escaped(std::string& out, std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(text[at + i]));
  };
  const char c = text[at];
  if (c == '"' || c == '\\') {
    out += '\\';
    out += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (byte(0) < 0x20 || byte(0) == 0x7F) {
    append_code(out, 'x', byte(0), 2);
  } else if (byte(0) == 0xC2 && at + 1 < text.size() && byte(1) < 0xA0) {
    append_code(out, 'u', byte(1), 4);
    return 2;
  } else if (byte(0) >= 0xE0 && at + 2 < text.size() && is_unclear(text, at)) {
    append_code(out, 'u', (byte(0) & 0xFU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 4);
    return 3;
  } else {
    out += c;
  }
  return 1;
}

/// ` |`, ` |2-`: with the indentation written down where the text's own beginning would hide it.
std::string literal(std::string_view text, std::size_t indent) {
  constexpr std::size_t kStep = 2;
  std::string out = " |";
  if (text.empty() || text.front() == ' ' || text.front() == '\n' || text.front() == '\t') {
    out += std::to_string(kStep);
  }
  std::string_view body = text;
  if (!body.ends_with('\n')) {
    out += '-';
  } else {
    body.remove_suffix(1);
    if (body.empty() || body.ends_with('\n')) out += '+';
  }
  out += '\n';
  for (const std::string_view line : base::split(body, '\n')) {
    if (!line.empty()) out.append(indent + kStep, ' ').append(line);
    out += '\n';
  }
  return out;
}

/// A quoted scalar whose lines end in `\`, so that each of the text stands on one of its own.
std::string quoted_lines(std::string_view text, std::size_t indent) {
  std::string out = " \"";
  bool begins = true;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      out += "\\n";
      ++at;
      if (at < text.size()) out.append("\\\n").append(indent + 2, ' ');
      begins = true;
      continue;
    }
    // Blanks at the beginning of a line of the file are not part of the text.
    if (begins && text[at] == ' ') {
      out += "\\x20";
      ++at;
      continue;
    }
    begins = false;
    at += append_escaped(out, text, at);
  }
  return out + "\"\n";
}

bool gives_back(const std::string& value, std::string_view text) {
  const auto parsed = parse_native_yaml("- key:" + value + "  next: 1\n");
  if (!parsed || parsed->items.size() != 1) return false;
  const YamlNode* node = parsed->items.front().find("key");
  return node != nullptr && node->kind == YamlNode::Kind::scalar && node->scalar == text &&
         parsed->items.front().find("next") != nullptr;
}

}  // namespace

std::string yaml_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) at += append_escaped(out, text, at);
  return out + '"';
}

std::string yaml_key(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords = {"null", "true", "false", "yes", "no",
                                                      "on",   "off",  "y",     "n"};
  const bool word = std::find(kWords.begin(), kWords.end(), base::lowered(name)) != kWords.end();
  return is_plain_name(name) && !word ? std::string(name) : yaml_quoted(name);
}

std::string yaml_block(std::string_view text, std::size_t indent) {
  // What it takes to be read back does not depend on the depth.
  if (gives_back(literal(text, 2), text)) return literal(text, indent);
  if (gives_back(quoted_lines(text, 2), text)) return quoted_lines(text, indent);
  return " " + yaml_quoted(text) + "\n";
}

std::string yaml_comment(std::string_view text, std::size_t indent) {
  std::string quoted = yaml_quoted(base::to_utf8(text));
  std::string line = std::string(indent, ' ') + "# ";
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    // Quotes need no escape in a comment.
    if (quoted[i] == '\\' && quoted[i + 1] == '"') continue;
    line += quoted[i];
  }
  return line + "\n";
}

}  // namespace phasegate::phases
