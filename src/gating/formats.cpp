#include "gating/formats.h"

#include <algorithm>

#include <re2/re2.h>

#include "base/clock.h"

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

}  // namespace

const std::vector<std::string>& known_formats() {
  static const std::vector<std::string> kFormats = {"date", "date-time", "email", "uri", "uuid"};
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
  return false;
}

std::string format_example(std::string_view format) {
  if (format == "date") return "2026-01-31";
  if (format == "date-time") return "2026-01-31T12:00:00Z";
  if (format == "email") return "name@example.org";
  if (format == "uri") return "https://example.org/page";
  return "00000000-0000-4000-8000-000000000000";
}

}  // namespace phasegate::gating
