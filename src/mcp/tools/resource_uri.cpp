#include "mcp/tools/resource_uri.h"

#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/loaded_workflow.h"
#include "phases/workflow.h"

namespace phasegate::mcp::tools {
namespace {

constexpr std::string_view kScheme = "phasegate://";
constexpr std::string_view kHexDigits = "0123456789ABCDEF";
constexpr std::size_t kTaskNumberBytesMax = 64;

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

std::string encoded(std::string_view segment) {
  std::string out;
  for (const char c : segment) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHexDigits[byte >> 4U];
    out += kHexDigits[byte & 0xFU];
  }
  return out;
}

/// Nullopt for what encoded() does not write.
std::optional<std::string> decoded(std::string_view segment) {
  std::string out;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    if (is_unreserved(segment[i])) {
      out += segment[i];
      continue;
    }
    if (segment[i] != '%' || segment.size() - i < 3) return std::nullopt;
    const auto high = kHexDigits.find(segment[i + 1]);
    const auto low = kHexDigits.find(segment[i + 2]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    const char byte = static_cast<char>(high * kHexDigits.size() + low);
    if (is_unreserved(byte)) return std::nullopt;
    out += byte;
    i += 2;
  }
  return out;
}

bool is_task_number(std::string_view text) {
  if (text.empty() || text.size() > kTaskNumberBytesMax || !base::is_utf8(text)) return false;
  // As in a workflow's name: nothing that could be a path or steer what shows it.
  return phases::is_workflow_name(text);
}

}  // namespace

std::optional<ResourceUri> parse_resource_uri(std::string_view text) {
  if (text.size() > base::limits::kUriBytesMax || !text.starts_with(kScheme)) return std::nullopt;
  std::vector<std::string> parts;
  for (const std::string_view part : base::split(text.substr(kScheme.size()), '/')) {
    auto plain = decoded(part);
    if (!plain) return std::nullopt;
    parts.push_back(*std::move(plain));
  }
  using Kind = ResourceUri::Kind;
  ResourceUri uri;
  if (parts[0] == "workflows") {
    if (parts.size() == 1) return uri;
    if (parts.size() != 2 || !phases::is_workflow_name(parts[1]) || !base::is_utf8(parts[1])) {
      return std::nullopt;
    }
    uri.kind = Kind::workflow;
    uri.workflow = std::move(parts[1]);
    return uri;
  }
  if (parts[0] != "sessions" || parts.size() < 2 || !base::is_id(parts[1])) return std::nullopt;
  uri.kind = Kind::session;
  uri.session = std::move(parts[1]);
  if (parts.size() == 2) return uri;
  if (parts[2] != "phases" || parts.size() < 4 || !phases::is_phase_id(parts[3])) {
    return std::nullopt;
  }
  uri.kind = Kind::phase;
  uri.phase = std::move(parts[3]);
  if (parts.size() == 4) return uri;
  if (parts[4] != "tasks" || parts.size() != 6 || !is_task_number(parts[5])) return std::nullopt;
  uri.kind = Kind::task;
  uri.task = std::move(parts[5]);
  return uri;
}

std::string to_text(const ResourceUri& uri) {
  using Kind = ResourceUri::Kind;
  if (uri.kind == Kind::workflows) return std::string(kWorkflowsUri);
  if (uri.kind == Kind::workflow) {
    return std::string(kWorkflowsUri) + "/" + encoded(uri.workflow);
  }
  std::string text = std::string(kScheme) + "sessions/" + encoded(uri.session);
  if (uri.kind == Kind::session) return text;
  text += "/phases/" + encoded(uri.phase);
  if (uri.kind == Kind::phase) return text;
  return text + "/tasks/" + encoded(uri.task);
}

}  // namespace phasegate::mcp::tools
