#include "phases/checks/check_paths.h"

#include <algorithm>

#include "base/json.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"

namespace phasegate::phases {
namespace {

using base::Json;
using Kind = YamlNode::Kind;
namespace limits = base::limits;

constexpr std::size_t kPatternsMax = 1000;

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

/// A path, or a pattern of paths, below the root; nullopt after an error.
std::optional<std::string> inside(const YamlNode& node, const std::string& written,
                                  const std::string& what, const NativeReport& report) {
  auto path = base::normalised_relative(written);
  if (path && !path->empty() && !written.starts_with("~/")) return *std::move(path);
  report.error("invalid_path",
               what + " is " + base::in_quotes(base::shortened(written, 120)) +
                   ", which is no path within the project" +
                   (written.starts_with("~/") ? ": ~ is not expanded" : ""),
               "write a path from the project's root, such as docs/plan.md", report.at(node));
  return std::nullopt;
}

/// `!` in front and `/` behind mean something to a pattern, and stay.
std::optional<std::string> read_glob(const YamlNode& node, const std::string& what,
                                     const NativeReport& report) {
  const auto text = report.text(node, what);
  if (!text) return std::nullopt;
  const auto open = text->find("{{");
  if (open != std::string::npos && text->find("}}", open) != std::string::npos) {
    report.error("template_not_allowed",
                 what + " holds {{…}}, and no value is put into a pattern of paths",
                 "write the pattern as it is: src/**/*.py", report.at(node));
    return std::nullopt;
  }
  if (text->size() > limits::kPatternBytesMax) {
    report.error("out_of_range",
                 what + " has " + std::to_string(text->size()) + " bytes, the limit is " +
                     std::to_string(limits::kPatternBytesMax),
                 "", report.at(node));
    return std::nullopt;
  }
  const bool taken_away = text->starts_with('!');
  const auto path = inside(node, text->substr(taken_away ? 1 : 0), what, report);
  if (!path) return std::nullopt;
  return (taken_away ? "!" : "") + *path + (text->ends_with('/') ? "/" : "");
}

}  // namespace

std::optional<std::string> read_check_path(const YamlNode& node, const std::string& what,
                                           const NativeReport& report) {
  const auto text = report.text(node, what);
  if (!text) return std::nullopt;
  const bool filled = text->find("{{") != std::string::npos;
  if (text->starts_with('/') && (filled || has_control(*text))) {
    report.error(
        "invalid_path",
        what + " begins with / and has a part that is filled in, which could lead anywhere",
        "write a path from the project's root, or an absolute one without {{", report.at(node));
    return std::nullopt;
  }
  if (text->starts_with('/')) return text;
  if (!filled) return inside(node, *text, what, report);
  if (!has_control(*text) && text->find("}}") != std::string::npos) return text;
  report.error("invalid_template", what + " has a {{ that is not closed", "write {{evidence.name}}",
               report.at(node));
  return std::nullopt;
}

std::optional<Json> read_check_globs(const YamlNode& node, const std::string& what,
                                     const NativeReport& report) {
  Json list = Json::array();
  if (node.kind != Kind::sequence) {
    const auto one = read_glob(node, what, report);
    if (!one) return std::nullopt;
    list.push_back(*one);
    return list;
  }
  if (node.items.empty() || node.items.size() > kPatternsMax) {
    report.error("out_of_range",
                 what + " must have 1 to " + std::to_string(kPatternsMax) + " items, has " +
                     std::to_string(node.items.size()),
                 "", report.at(node));
    return std::nullopt;
  }
  for (const YamlNode& item : node.items) {
    const auto one = read_glob(item, "a pattern of " + what, report);
    if (!one) return std::nullopt;
    list.push_back(*one);
  }
  return list;
}

}  // namespace phasegate::phases
