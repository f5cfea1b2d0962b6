#include "gating/templates.h"

#include <charconv>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/expression_scanner.h"
#include "gating/scope_paths.h"

namespace phasegate::gating {

using base::Error;
using base::Json;
using base::Result;

namespace {

/// A part of a path: a member's name, or a place in a list.
struct Part {
  std::string name;
  std::optional<std::size_t> index;
};

/// What a template consists of: a text as it stands, then a path unless it is the last.
struct Piece {
  std::string_view literal;
  std::string_view written;  ///< the path, without braces and blanks
  std::vector<Part> path;
};

/// Reads one path, all of `text`: a name, then `.name`, `["name"]` or `[0]`. Hyphens may stand in
/// any name, since nothing is subtracted here. nullopt: it is no path.
std::optional<std::vector<Part>> read_path(std::string_view text) {
  std::vector<Part> path;
  std::size_t at = 0;
  const auto take_name = [&](bool root) {
    const std::size_t begin = at;
    if (at == text.size() || !(root ? is_name_start(text[at]) : is_name_part(text[at]))) {
      return false;
    }
    while (at < text.size() &&
           (is_name_part(text[at]) ||
            (text[at] == '-' && at + 1 < text.size() && is_name_part(text[at + 1])))) {
      ++at;
    }
    path.push_back({std::string(text.substr(begin, at - begin)), std::nullopt});
    return true;
  };
  if (!take_name(true)) return std::nullopt;
  while (at < text.size()) {
    if (text[at] == '.') {
      ++at;
      if (!take_name(false)) return std::nullopt;
      continue;
    }
    if (text[at] != '[' || ++at == text.size()) return std::nullopt;
    Part part;
    if (text[at] == '"' || text[at] == '\'') {
      auto name = read_quoted(text, at);
      if (!name) return std::nullopt;
      part.name = std::move(*name);
    } else {
      std::size_t number = 0;
      const char* first = text.data() + at;
      const auto [end, problem] = std::from_chars(first, text.data() + text.size(), number);
      if (problem != std::errc() || end == first) return std::nullopt;
      at += static_cast<std::size_t>(end - first);
      part.index = number;
    }
    if (at == text.size() || text[at] != ']') return std::nullopt;
    ++at;
    path.push_back(std::move(part));
  }
  if (stands_for_scope(path[0].name)) {
    if (path.size() == 1 || path[1].index) return std::nullopt;
    path.erase(path.begin());
  }
  return path;
}

/// The end of what begins behind a `{{`: its `}}`, not counting one within quotes.
std::size_t closing(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text[at] == '"' || text[at] == '\'') {
      if (!read_quoted(text, at)) return std::string_view::npos;
      continue;
    }
    if (text.substr(at).starts_with("}}")) return at;
    // Another one begins, or the line ends: the author forgot to close this one.
    if (text[at] == '{' || text[at] == '\n') return std::string_view::npos;
    ++at;
  }
  return std::string_view::npos;
}

Result<std::vector<Piece>> read_template(std::string_view text, std::string_view code) {
  constexpr std::size_t kShownBytesMax = 80;
  std::vector<Piece> pieces;
  std::size_t at = 0;
  for (;;) {
    const std::size_t open = text.find("{{", at);
    Piece piece;
    piece.literal = text.substr(at, open == std::string_view::npos ? open : open - at);
    if (open == std::string_view::npos) {
      pieces.push_back(std::move(piece));
      return pieces;
    }
    const std::size_t close = closing(text, open + 2);
    const std::string shown = base::in_quotes(base::shortened(text.substr(open), kShownBytesMax));
    if (close == std::string_view::npos) {
      return Error{std::string(code), "a {{ is not closed: " + shown,
                   "write {{path}}, such as {{evidence.report}}", ""};
    }
    piece.written = base::trimmed(text.substr(open + 2, close - open - 2));
    auto path = read_path(piece.written);
    if (!path) {
      return Error{std::string(code), "what stands in {{…}} is no path: " + shown,
                   "write a name and its members: {{evidence.report}}, {{input[\"a b\"]}}", ""};
    }
    piece.path = std::move(*path);
    pieces.push_back(std::move(piece));
    at = close + 2;
  }
}

Error not_filled(std::string_view path, const std::string& problem, std::string hint = "") {
  constexpr std::size_t kShownBytesMax = 200;
  return {"template_failed",
          "{{" + base::shortened(path, kShownBytesMax) + "}} cannot be filled in: " + problem,
          std::move(hint), ""};
}

/// The value at a path, or why there is none.
Result<const Json*> value_at(const Piece& piece, const Json& scope) {
  const Json* value = find_name(scope, piece.path[0].name);
  if (value == nullptr) {
    return not_filled(piece.written, "there is no " + base::in_quotes(piece.path[0].name) + " here",
                      nearest_member(scope, piece.path[0].name, ""));
  }
  std::string so_far = piece.path[0].name;
  for (std::size_t i = 1; i < piece.path.size(); ++i) {
    const Part& part = piece.path[i];
    const Json* next = nullptr;
    if (!part.index) {
      next = base::find_member(*value, part.name);
    } else if (value->is_array() && *part.index < value->size()) {
      next = &(*value)[*part.index];
    }
    if (next == nullptr) {
      return not_filled(piece.written,
                        so_far + " has no " +
                            (part.index ? "item " + std::to_string(*part.index)
                                        : "member " + base::in_quotes(part.name)),
                        part.index ? "" : nearest_member(*value, part.name, so_far + "."));
    }
    value = next;
    so_far += part.index ? "[" + std::to_string(*part.index) + "]" : "." + part.name;
  }
  return value;
}

}  // namespace

Result<std::string> filled(std::string_view text, const Json& scope) {
  const auto pieces = read_template(text, "template_failed");
  if (!pieces) return pieces.error();
  std::string result;
  const auto too_long = [&] { return result.size() > base::limits::kFilledBytesMax; };
  for (const Piece& piece : *pieces) {
    result += piece.literal;
    if (too_long()) break;
    if (piece.path.empty()) continue;
    const auto found = value_at(piece, scope);
    if (!found) return found.error();
    const Json& value = **found;
    if (value.is_string()) {
      const auto& inserted = value.get_ref<const std::string&>();
      if (inserted.find('\0') != std::string::npos) {
        return not_filled(piece.written, "it holds a NUL byte", "hand over a text without one");
      }
      result += inserted;
    } else if (value.is_number_float()) {
      result += base::dump(base::number_json(value.get<double>()));
    } else if (value.is_number() || value.is_boolean()) {
      result += base::dump(value);
    } else {
      return not_filled(piece.written, "wanted a text, a number or a flag, got " +
                                           std::string(base::json_type_name(value)));
    }
    if (too_long()) break;
  }
  if (too_long()) {
    return Error{
        "template_failed",
        "the text would be longer than " + std::to_string(base::limits::kFilledBytesMax) + " bytes",
        "", ""};
  }
  if (result.find('\0') != std::string::npos) {
    return Error{"template_failed", "the text holds a NUL byte", "", ""};
  }
  return result;
}

Result<std::vector<NamePath>> template_paths(std::string_view text) {
  const auto pieces = read_template(text, "invalid_template");
  if (!pieces) return pieces.error();
  std::vector<NamePath> paths;
  for (const Piece& piece : *pieces) {
    if (piece.path.empty()) continue;
    NamePath path = canonical_name(piece.path[0].name);
    for (std::size_t i = 1; i < piece.path.size() && !piece.path[i].index; ++i) {
      path.push_back(piece.path[i].name);
    }
    paths.push_back(std::move(path));
  }
  sort_and_unique(paths);
  return paths;
}

Result<std::vector<std::string>> template_names(std::string_view text) {
  const auto paths = template_paths(text);
  if (!paths) return paths.error();
  return first_parts(*paths);
}

}  // namespace phasegate::gating
