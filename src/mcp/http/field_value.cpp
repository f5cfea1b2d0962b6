#include "mcp/http/field_value.h"

#include <algorithm>

#include "base/base64.h"
#include "base/text.h"
#include "mcp/http/text.h"

namespace phasegate::mcp::http {
namespace {

constexpr std::string_view kOpens = "=?base64?";
constexpr std::string_view kCloses = "?=";

/// The media type in front of the parameters.
std::string_view media_type(std::string_view value) {
  return trimmed(value.substr(0, value.find(';')));
}

/// True for `0`, `0.`, `0.000`: a weight of nothing (RFC 9110 §12.4.2).
bool is_zero(std::string_view weight) {
  return weight.starts_with('0') && weight.find_first_not_of("0.") == std::string_view::npos;
}

bool refused_by_weight(std::string_view range) {
  for (const std::string_view each : base::split(range, ';')) {
    const std::string_view parameter = trimmed(each);
    if (parameter.size() > 2 && equal_without_case(parameter.substr(0, 2), "q=") &&
        is_zero(parameter.substr(2))) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> decoded_value(std::string_view value) {
  const bool plain =
      std::ranges::all_of(value, [](char c) { return (c >= 0x20 && c <= 0x7E) || c == '\t'; });
  if (!plain) return std::nullopt;
  if (value.size() < kOpens.size() + kCloses.size() || !value.starts_with(kOpens) ||
      !value.ends_with(kCloses)) {
    return std::string(value);
  }
  value.remove_prefix(kOpens.size());
  value.remove_suffix(kCloses.size());
  std::optional<std::string> bytes = base::from_base64(value);
  if (bytes && !base::is_utf8(*bytes)) return std::nullopt;
  return bytes;
}

bool is_json_type(std::string_view content_type) {
  return equal_without_case(media_type(content_type), "application/json");
}

bool accepts_events(std::string_view accept) {
  for (const std::string_view range : base::split(accept, ',')) {
    if (equal_without_case(media_type(range), "text/event-stream")) {
      return !refused_by_weight(range);
    }
  }
  return false;
}

bool accepts_events(const Headers& headers) {
  return std::ranges::any_of(headers.all(), [](const auto& field) {
    return equal_without_case(field.first, "Accept") && accepts_events(field.second);
  });
}

std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer";
  const std::string_view value = trimmed(authorization);
  const auto blank = value.find_first_of(" \t");
  if (blank == std::string_view::npos || !equal_without_case(value.substr(0, blank), kScheme)) {
    return std::nullopt;
  }
  return trimmed(value.substr(blank));
}

}  // namespace phasegate::mcp::http
