#include "world/checks/xml_report.h"

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::world::checks {

using base::Error;
using base::Result;

namespace {

constexpr std::size_t kDepthMax = 128;
/// Elements and attributes: each takes some sixty bytes of memory, and as few as four of text.
constexpr std::size_t kNodesMax = 4'000'000;

std::size_t nodes_at_most(std::string_view text) {
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (text[i] == '<' || (text[i] == '=' && (next == '"' || next == '\''))) ++nodes;
  }
  return nodes;
}

bool has_wide_mark(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

}  // namespace

Error invalid_report(std::string message, std::string hint) {
  return {"invalid_report", std::move(message), std::move(hint), ""};
}

Result<pugi::xml_node> parse_xml(std::string_view text, pugi::xml_document& document) {
  if (text.size() > base::limits::kReportBytesMax) {
    return invalid_report("the report has more than " +
                          std::to_string(base::limits::kReportBytesMax) + " bytes");
  }
  if (base::trimmed(text).empty()) return invalid_report("the report is empty");
  // The parser takes a NUL byte for the end.
  if (!has_wide_mark(text) && text.find('\0') != std::string_view::npos) {
    return invalid_report("the report is no XML: it holds a NUL byte");
  }
  if (nodes_at_most(text) > kNodesMax) {
    return invalid_report("the report holds more than " + std::to_string(kNodesMax) +
                          " elements and attributes");
  }
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    return invalid_report("the report is no whole XML (byte " + std::to_string(parsed.offset) +
                          "): " + parsed.description());
  }
  pugi::xml_node root;
  for (const pugi::xml_node& child : document.children()) {
    if (child.type() != pugi::node_element) continue;
    if (root) return invalid_report("the report is no XML: it has more than one root");
    root = child;
  }
  return root;
}

std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

Result<void> walk(const pugi::xml_node& root, const Enter& enter, const Leave& leave) {
  pugi::xml_node node = root;
  std::size_t depth = 0;
  while (true) {
    const bool visit = node.type() == pugi::node_element && enter(node);
    const pugi::xml_node child = visit ? node.first_child() : pugi::xml_node();
    if (child) {
      if (++depth > kDepthMax) return invalid_report("the report is nested too deeply");
      node = child;
      continue;
    }
    while (true) {
      if (node.type() == pugi::node_element && leave) leave(node);
      if (node == root) return {};
      const pugi::xml_node next = node.next_sibling();
      if (next) {
        node = next;
        break;
      }
      node = node.parent();
      --depth;
    }
  }
}

}  // namespace phasegate::world::checks
