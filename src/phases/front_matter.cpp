#include "phases/front_matter.h"

#include "base/limits.h"
#include "base/text.h"
#include "phases/markdown_lines.h"
#include "phases/text_position.h"

namespace phasegate::phases {
namespace {

base::Result<YamlNode> parse_head(std::string_view text) {
  const std::string_view head = text.substr(0, content_begin(text));
  const auto open = head.find("---");
  const auto close = head.rfind(base::trimmed(head).ends_with("...") ? "..." : "---");
  if (open == std::string_view::npos || close == std::string_view::npos || close <= open + 3) {
    return YamlNode();
  }
  return parse_yaml(head.substr(open + 3, close - open - 3), base::limits::kDocumentBytesMax,
                    base::limits::kDocumentDepthMax);
}

/// True if a line of the head begins with the key, in whatever else stands there.
bool names_checks(std::string_view text) {
  constexpr std::string_view kSpellings[] = {
      "checks:", "\"checks\":", "'checks':", "{checks:", "{\"checks\":"};
  std::string_view head = text.substr(0, content_begin(text));
  while (!head.empty()) {
    for (const std::string_view spelling : kSpellings) {
      if (head.starts_with(spelling)) return true;
    }
    const auto end = head.find_first_of("\r\n");
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
  }
  return false;
}

}  // namespace

YamlNode front_matter_of(std::string_view text) {
  auto node = parse_head(text);
  return node ? std::move(node).value() : YamlNode();
}

ReadChecks checks_of_head(std::string_view text, const std::string& path, const std::string& phase,
                          FindingList& findings) {
  const std::string_view whole = text.substr(0, content_begin(text));
  if (whole.find("checks") == std::string_view::npos) return {};
  const NativeReport report = NativeReport(path, findings).of_step(phase);
  const auto head = parse_head(text);
  if (!head && !names_checks(text)) return {};
  if (!head) {
    const Position at = position_from(head.error().where);
    report.error("invalid_yaml",
                 "the head of the document has checks and cannot be read: " + head.error().message,
                 head.error().hint, {path, at.line, 0, at.column});
    return {{}, false};
  }
  const YamlNode* checks = head->find("checks");
  return checks == nullptr ? ReadChecks() : read_checks(*checks, "checks of the head", report);
}

}  // namespace phasegate::phases
