#include "app/cli/outside_text.h"

#include <algorithm>

#include "app/cli/layout.h"
#include "app/cli/text.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

constexpr std::string_view kApprover = "approver:";
constexpr std::size_t kNarrowest = 20;

/// What of the text is shown: at most so many bytes, and so many lines.
std::string_view cut(std::string_view text) {
  std::string_view kept = text.substr(0, base::utf8_boundary(text, kValueBytesShown));
  std::size_t at = 0;
  for (std::size_t lines = 0; lines < kLinesShown; ++lines) {
    at = kept.find('\n', at);
    if (at == std::string_view::npos) return kept;
    ++at;
  }
  return kept.substr(0, at);
}

/// The text of a JSON string, or the JSON text as it is.
std::string plain(std::string_view json) {
  const auto read = base::parse_json(
      json, {2 * base::limits::kEvidenceBytesMax, base::limits::kMessageDepthMax + 2});
  return read && read->is_string() ? read->get<std::string>() : std::string(json);
}

}  // namespace

std::string quoted_block(std::string_view text, std::size_t indent, bool full, const Page& page) {
  const std::string_view kept = full ? text : cut(text);
  const std::string margin(indent, ' ');
  const std::size_t width = std::max(kNarrowest, page.width - std::min(page.width, indent + 2));
  std::string out;
  for (std::string_view line : base::split(kept, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t spaces = std::min({line.find_first_not_of(' '), line.size(), width / 2});
    const std::string wrapped_line = wrapped(shown(line), width, spaces, spaces);
    if (wrapped_line.empty()) out += margin + "|\n";
    for (std::size_t at = 0; at < wrapped_line.size();) {
      const std::size_t end = wrapped_line.find('\n', at);
      out += margin + "| " + wrapped_line.substr(at, end - at) + "\n";
      if (end == std::string::npos) break;
      at = end + 1;
    }
  }
  if (kept.size() < text.size()) {
    out += margin +
           page.in(Tone::caution, "… shortened: " + std::to_string(text.size()) +
                                      " bytes in all; --full shows them") +
           "\n";
  }
  return out;
}

std::string named_value(std::string_view name, std::string_view json, std::size_t indent, bool full,
                        const Page& page) {
  const std::string text = plain(json);
  const std::string margin(indent, ' ');
  const std::string head = margin + shown_value(name) + ":";
  const bool one_line = text.find('\n') == std::string::npos;
  if (one_line && !text.empty()) {
    const std::string line = head + " " + shown(text.substr(0, kValueBytesShown));
    if (text.size() <= kValueBytesShown && display_width(line) <= page.width) return line + "\n";
  }
  if (text.empty()) return head + " (empty)\n";
  return head + "\n" + quoted_block(text, indent + 2, full, page);
}

std::string person_text(std::string_view actor) {
  if (actor.starts_with(kApprover)) return shown_value(actor.substr(kApprover.size()));
  if (actor == "client") return "the assistant's client, which proves nothing";
  return shown_value(actor);
}

}  // namespace phasegate::app::cli
