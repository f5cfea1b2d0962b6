#include "base/glob_pattern.h"

#include <cstdint>
#include <optional>

#include <re2/re2.h>

#include "base/text.h"

namespace phasegate::base {
namespace {

constexpr std::string_view kEscapable = "*?[]{}!\\,-";

Error invalid(std::string message, std::string hint = "") {
  return {"invalid_glob", std::move(message), std::move(hint), ""};
}

/// Where the set that begins with the `[` at `open` ends (its `]`); npos: nowhere. A `]` that is
/// its first member does not end it.
std::size_t set_end(std::string_view pattern, std::size_t open) {
  std::size_t at = open + 1;
  if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) ++at;
  if (at < pattern.size() && pattern[at] == ']') ++at;
  for (; at < pattern.size() && pattern[at] != '/'; ++at) {
    if (pattern[at] == ']') return at;
    if (pattern[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

/// The end of the character, escape or set that begins at `at`.
std::size_t unit_end(std::string_view pattern, std::size_t at) {
  if (pattern[at] == '\\' && at + 1 < pattern.size()) return at + 2;
  if (pattern[at] == '[') {
    const std::size_t end = set_end(pattern, at);
    if (end != std::string_view::npos) return end + 1;
  }
  return at + 1;
}

/// Members of a set, in order of code points or not.
struct Set {
  struct Range {
    char32_t first;
    char32_t last;
  };
  bool negated = false;
  std::vector<Range> ranges;

  void take_away(char32_t unwanted) {
    std::vector<Range> left;
    for (const Range& range : ranges) {
      if (unwanted < range.first || unwanted > range.last) {
        left.push_back(range);
        continue;
      }
      if (range.first < unwanted) left.push_back({range.first, unwanted - 1});
      if (unwanted < range.last) left.push_back({unwanted + 1, range.last});
    }
    ranges = std::move(left);
  }

  /// As RE2 writes it; a part's separator is never in it, and without `dot` neither is `.`.
  [[nodiscard]] std::string regex(bool dot) const {
    Set set = *this;
    if (negated) {
      set.ranges.push_back({'/', '/'});
      if (!dot) set.ranges.push_back({'.', '.'});
    } else {
      set.take_away('/');
      if (!dot) set.take_away('.');
    }
    if (set.ranges.empty()) return "[^\\x00-\\x{10FFFF}]";
    std::string text = negated ? "[^" : "[";
    const auto code = [](char32_t c) {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      std::string digits;
      for (int shift = 20; shift >= 0; shift -= 4) {
        digits += kDigits[(static_cast<std::uint32_t>(c) >> static_cast<unsigned>(shift)) & 0xFU];
      }
      return "\\x{" + digits + "}";
    };
    for (const Range& range : set.ranges) text += code(range.first) + "-" + code(range.last);
    return text + "]";
  }
};

/// The code point that begins at `at` of well-formed UTF-8; moves `at` behind it.
char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  std::uint32_t code = lead & (0x3FU >> static_cast<unsigned>(more));
  for (int i = 0; i < more; ++i) code = (code << 6U) | (byte(at++) & 0x3FU);
  return code;
}

Result<Set> parsed_set(std::string_view inside) {
  Set set;
  std::size_t at = 0;
  if (inside.starts_with('!') || inside.starts_with('^')) {
    set.negated = true;
    ++at;
  }
  const auto member = [&] {
    if (inside[at] == '\\' && at + 1 < inside.size()) ++at;
    return next_character(inside, at);
  };
  while (at < inside.size()) {
    const char32_t first = member();
    char32_t last = first;
    if (at + 1 < inside.size() && inside[at] == '-') {
      ++at;
      last = member();
    }
    if (last < first) return invalid("a range in [" + std::string(inside) + "] runs backwards");
    set.ranges.push_back({first, last});
  }
  return set;
}

/// One thing in a part of a pattern.
struct Token {
  enum class Kind { literal, star, any, set } kind = Kind::literal;
  std::string text;  ///< of a literal
  Set set;

  /// `start`: of a part, where a wildcard does not stand for a dot.
  [[nodiscard]] std::string regex(bool dot) const {
    switch (kind) {
      case Kind::literal:
        return RE2::QuoteMeta(text);
      case Kind::star:
        return "[^/]*";
      case Kind::any:
        return dot ? "[^/]" : "[^/.]";
      case Kind::set:
        return set.regex(dot);
    }
    return "";
  }
};

struct Part {
  std::vector<Token> tokens;
  bool any_folders = false;  ///< `**`

  [[nodiscard]] std::optional<std::string> literal() const {
    if (any_folders) return std::nullopt;
    std::string text;
    for (const Token& token : tokens) {
      if (token.kind != Token::Kind::literal) return std::nullopt;
      text += token.text;
    }
    return text;
  }

  [[nodiscard]] std::string regex(bool hidden) const {
    const auto from = [&](std::size_t first, bool dot) {
      std::string text;
      for (std::size_t i = first; i < tokens.size(); ++i) text += tokens[i].regex(dot || i > first);
      return text;
    };
    if (hidden || tokens.empty() || tokens.front().kind != Token::Kind::star) {
      return from(0, hidden);
    }
    const std::string with_text = "[^/.][^/]*" + from(1, true);
    const bool needs_text = tokens.size() == 1 || (tokens[1].kind == Token::Kind::literal &&
                                                   tokens[1].text.starts_with('.'));
    return needs_text ? with_text : "(?:" + with_text + "|" + from(1, false) + ")";
  }
};

Result<Token> next_token(std::string_view pattern, std::size_t& at) {
  Token token;
  const char c = pattern[at];
  if (c == '*') {
    token.kind = Token::Kind::star;
    ++at;
  } else if (c == '?') {
    token.kind = Token::Kind::any;
    ++at;
  } else if (c == '[') {
    const std::size_t end = set_end(pattern, at);
    if (end == std::string_view::npos) return invalid("a [ is not closed", "write \\[ for a [");
    auto set = parsed_set(pattern.substr(at + 1, end - at - 1));
    if (!set) return set.error();
    token.kind = Token::Kind::set;
    token.set = std::move(set).value();
    at = end + 1;
  } else if (c == '\\') {
    if (at + 1 >= pattern.size() || kEscapable.find(pattern[at + 1]) == std::string_view::npos) {
      return invalid("a \\ stands before what needs none", "write / between folders");
    }
    token.text = pattern[at + 1];
    at += 2;
  } else {
    token.text = c;
    ++at;
  }
  return token;
}

/// What a pattern consists of, `.` and empty parts left out.
struct Parsed {
  std::vector<Part> parts;
  bool folder = false;  ///< it ends with `/`, or names the root itself
};

Result<Parsed> parsed(std::string_view pattern) {
  Parsed whole;
  whole.folder = pattern.ends_with('/');
  Part part;
  const auto finish = [&]() -> Result<void> {
    const auto literal = part.literal();
    const bool stars = part.tokens.size() > 1 && [&] {
      for (std::size_t i = 1; i < part.tokens.size(); ++i) {
        if (part.tokens[i].kind == Token::Kind::star &&
            part.tokens[i - 1].kind == Token::Kind::star) {
          return true;
        }
      }
      return false;
    }();
    if (stars) {
      if (part.tokens.size() != 2) {
        return invalid("** is no whole part", "write ** between slashes, or *");
      }
      part.any_folders = true;
    }
    if (literal == "..") return invalid("it leads out with ..", "give a path inside the project");
    const bool repeated =
        part.any_folders && !whole.parts.empty() && whole.parts.back().any_folders;
    if (literal != "" && literal != "." && !repeated) whole.parts.push_back(std::move(part));
    part = Part();
    return {};
  };
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '/') {
      ++at;
      if (auto done = finish(); !done) return done.error();
      continue;
    }
    auto token = next_token(pattern, at);
    if (!token) return token.error();
    part.tokens.push_back(std::move(token).value());
  }
  if (auto done = finish(); !done) return done.error();
  if (whole.parts.empty()) whole.folder = true;
  return whole;
}

Result<void> expand(const std::string& pattern, std::size_t most, std::size_t from,
                    std::vector<std::string>& found) {
  std::size_t open = from;
  while (open < pattern.size() && pattern[open] != '{') open = unit_end(pattern, open);
  if (open >= pattern.size()) {
    if (found.size() >= most) {
      return invalid("its braces give more than " + std::to_string(most) + " patterns");
    }
    found.push_back(pattern);
    return {};
  }
  std::vector<std::string> options(1);
  std::size_t depth = 1;
  std::size_t at = open + 1;
  while (at < pattern.size()) {
    const char c = pattern[at];
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) break;
    const std::size_t end = unit_end(pattern, at);
    if (c == ',' && depth == 1) {
      options.emplace_back();
    } else {
      options.back() += pattern.substr(at, end - at);
    }
    at = end;
  }
  if (at >= pattern.size()) return invalid("a { is not closed", "write \\{ for a {");
  for (const std::string& option : options) {
    auto done =
        expand(pattern.substr(0, open) + option + pattern.substr(at + 1), most, open, found);
    if (!done) return done;
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> without_braces(std::string_view pattern,
                                                std::size_t alternatives_max) {
  std::vector<std::string> found;
  auto done = expand(std::string(pattern), alternatives_max, 0, found);
  if (!done) return done.error();
  return found;
}

Result<GlobPattern> translated(std::string_view pattern, bool hidden) {
  const auto whole = parsed(pattern);
  if (!whole) return whole.error();
  const std::string any = hidden ? "[^/]+" : "[^/.][^/]*";
  const std::string below = any + "(?:/" + any + ")*";
  const std::vector<Part>& parts = whole->parts;
  GlobPattern found;
  for (const Part& part : parts) found.names_git |= part.literal() == ".git";
  if (parts.empty()) {
    found.files = found.folders = below;
    return found;
  }
  const bool plain_end = parts.back().literal().has_value();
  const bool takes_below = whole->folder || plain_end;

  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (parts[i].any_folders) {
      if (last) found.whole = path.empty() ? "" : path.substr(0, path.size() - 1);
      path += last ? below : "(?:" + any + "/)*";
    } else {
      path += parts[i].regex(hidden) + (last ? "" : "/");
    }
  }
  if (!parts.back().any_folders && takes_below) found.whole = path;
  found.files = path;
  if (whole->folder) {
    found.files += "/" + below;
  } else if (plain_end) {
    found.files += "(?:/" + below + ")?";
  }

  // From the end: the folders on the way to what it takes.
  std::string rest = takes_below && !parts.back().any_folders
                         ? parts.back().regex(hidden) + "(?:/" + any + ")*"
                         : "";
  if (parts.back().any_folders) rest = below;
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    if (parts[i].any_folders) {
      rest = rest.empty() ? below : "(?:(?:" + any + "/)*" + rest + "|" + below + ")";
    } else {
      rest = parts[i].regex(hidden) + (rest.empty() ? "" : "(?:/" + rest + ")?");
    }
  }
  found.folders = rest;
  return found;
}

}  // namespace phasegate::base
