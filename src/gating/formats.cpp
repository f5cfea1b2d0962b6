#include "gating/formats.h"

#include <algorithm>

#include <re2/re2.h>

#include "base/clock.h"
#include "base/text.h"

namespace phasegate::gating {
namespace {

bool matches(std::string_view text, const RE2& pattern) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

bool is_date(std::string_view text) {
  return text.size() == 10 && base::from_rfc3339(std::string(text) + "T00:00:00.000Z").has_value();
}

bool is_date_time(std::string_view text) {
  static const RE2 kShape(
      R"(\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d))");
  return matches(text, kShape) && is_date(text.substr(0, 10));
}

bool is_email(std::string_view text) {
  static const RE2 kShape(R"([^\s@"]+@[^\s@.]+(\.[^\s@.]+)+)");
  return matches(text, kShape);
}

bool is_uri(std::string_view text) {
  static const RE2 kShape(R"([A-Za-z][A-Za-z0-9+.\-]*:[^\s<>"{}|\\^`]+)");
  // `http://` names no place.
  return matches(text, kShape) && !text.ends_with("://");
}

bool is_uuid(std::string_view text) {
  static const RE2 kShape(R"([0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})");
  return matches(text, kShape);
}

/// Neither a byte that a terminal or C takes for something else, nor a C1 control.
bool has_controls(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7F) return true;
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) return true;
  }
  return false;
}

/// A backslash counts as a separator, as it does where it is one: `..\\x` leaves there.
bool is_project_path(std::string_view text) {
  constexpr std::size_t kPathBytesMax = 4096;
  if (base::is_blank(text) || text.size() > kPathBytesMax || has_controls(text)) return false;
  // A blank or an invisible character at an end hides what the path begins with.
  if (base::trimmed(text).size() != text.size() || text.starts_with("\xE2\x80") ||
      text.starts_with("\xEF\xBB\xBF") || text.starts_with("\xC2\xA0")) {
    return false;
  }
  std::string path(text);
  std::replace(path.begin(), path.end(), '\\', '/');
  const char first = base::lowered(path).front();
  const bool drive = path.size() > 1 && path[1] == ':' && first >= 'a' && first <= 'z';
  if (first == '/' || first == '~' || drive || path.find("://") != std::string::npos ||
      base::lowered(path).starts_with("file:")) {
    return false;
  }
  int depth = 0;
  bool names_something = false;
  for (const std::string_view part : base::split(path, '/')) {
    if (part == "..") {
      if (--depth < 0) return false;
    } else if (!part.empty() && part != ".") {
      ++depth;
      names_something = true;
    }
  }
  return !names_something || depth > 0;  // `a/..` says less than it seems to
}

}  // namespace

const std::vector<std::string>& known_formats() {
  static const std::vector<std::string> kFormats = {
      "date", "date-time", "email", "uri", "project-folder", "project-path", "uuid"};
  return kFormats;
}

bool is_known_format(std::string_view format) {
  const auto& known = known_formats();
  return std::find(known.begin(), known.end(), format) != known.end();
}

bool has_format(std::string_view text, std::string_view format) {
  if (format == "date") return is_date(text);
  if (format == "date-time") return is_date_time(text);
  if (format == "email") return is_email(text);
  if (format == "uri") return is_uri(text);
  if (format == "uuid") return is_uuid(text);
  if (format == "project-path" || format == "project-folder") return is_project_path(text);
  return false;
}

std::string format_in_words(std::string_view format) {
  if (format == "project-path") {
    return "a relative path within the project, such as " + format_example(format);
  }
  if (format == "project-folder") {
    return "a relative path of a folder within the project, such as " + format_example(format);
  }
  return "a text in the format " + std::string(format);
}

std::string format_example(std::string_view format) {
  if (format == "date") return "2026-01-31";
  if (format == "date-time") return "2026-01-31T12:00:00Z";
  if (format == "email") return "name@example.org";
  if (format == "uri") return "https://example.org/page";
  if (format == "project-path") return "docs/result.md";
  if (format == "project-folder") return "docs";
  return "00000000-0000-4000-8000-000000000000";
}

}  // namespace phasegate::gating
