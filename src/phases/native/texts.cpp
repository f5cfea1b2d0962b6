#include "phases/native/texts.h"

#include <algorithm>

#include "base/paths.h"
#include "base/text.h"
#include "phases/text_position.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kPathBytesShown = 200;

/// Where the first `{{name}}` begins; npos if there is none.
std::size_t first_template(std::string_view text) {
  const auto open = text.find("{{");
  if (open == std::string_view::npos || text.find("}}", open) == std::string_view::npos) {
    return std::string_view::npos;
  }
  return open;
}

void warn_of_template(const std::string& text, std::size_t at, const std::string& what,
                      const Source& source, const NativeReport& report) {
  const auto end = text.find("}}", at);
  report.findings().warning(
      "template_not_expanded",
      what + " holds " + base::in_quotes(base::shortened(text.substr(at, end + 2 - at), 60)) +
          "; templates are not expanded yet, and the text is handed out as it is written",
      "write what is meant, or let the assistant look at the session's input", source,
      report.step());
}

bool refuse_blank(const std::string& text, const std::string& what, const Source& source,
                  const NativeReport& report) {
  if (!is_blank(text)) return false;
  report.error("empty_text", what + " is empty", "write what the assistant is to do", source);
  return true;
}

std::string nearest_file(const FolderSnapshot& folder, const std::string& path) {
  std::vector<std::string> names;
  constexpr std::size_t kFilesCompared = 200;
  for (const auto& [name, bytes] : folder.files) {
    if (names.size() == kFilesCompared) break;
    names.push_back(name);
  }
  const auto nearest = base::nearest_name(path, names);
  return nearest ? "did you mean " + *nearest + "?" : "paths begin at the workflow's folder";
}

}  // namespace

void warn_of_templates(const std::string& text, const std::string& what, const Source& source,
                       const NativeReport& report) {
  const auto at = first_template(text);
  if (at != std::string::npos) warn_of_template(text, at, what, source, report);
}

std::optional<std::string> NativeTexts::read(const YamlNode& node, const std::string& what,
                                             const std::string& path, const NativeReport& report) {
  if (node.kind == YamlNode::Kind::map) return read_file(node, what, report);
  if (node.kind != YamlNode::Kind::scalar) {
    report.wrong_type(what, "a text, or {file: PATH}", node);
    return std::nullopt;
  }
  auto text = report.text(node, what);
  if (!text || refuse_blank(*text, what, report.at(node), report)) return std::nullopt;
  warn_of_templates(*text, what, report.at(node), report);
  texts_.push_back({path, std::move(*text), report.step()});
  return path;
}

std::optional<std::string> NativeTexts::read_file(const YamlNode& node, const std::string& what,
                                                  const NativeReport& report) {
  report.refuse_other_keys(node, native_text_keys(), what);
  const YamlNode* file = node.find("file");
  if (file == nullptr) {
    report.wrong_type(what, "a text, or {file: PATH}", node);
    return std::nullopt;
  }
  const auto written = report.text(*file, what + ": file");
  if (!written) return std::nullopt;
  const std::string shown = base::in_quotes(base::shortened(*written, kPathBytesShown));
  if (folder_ == nullptr) {
    const std::string name = report.file().substr(0, report.file().rfind('.'));
    report.error("file_needs_folder",
                 what + " is in the file " + shown + ", but a single file cannot name others",
                 "make it a folder " + name + " that holds workflow.yaml and the files it names",
                 report.at(*file));
    return std::nullopt;
  }
  const auto path = base::normalised_relative(*written);
  if (!path) {
    report.error("invalid_path", what + ": " + path.error().message,
                 "name a file below the workflow's folder", report.at(*file));
    return std::nullopt;
  }
  if (const auto unread = folder_->unread.find(*path); unread != folder_->unread.end()) {
    report.error("unreadable_file", what + " cannot be read: " + unread->second,
                 "put the file itself into the workflow's folder", report.at(*file));
    return std::nullopt;
  }
  const std::string* text = folder_->find(*path);
  if (text == nullptr) {
    report.error("missing_file", what + " is in the file " + shown + ", which is not there",
                 report.findings().is_full() ? "" : nearest_file(*folder_, *path),
                 report.at(*file));
    return std::nullopt;
  }
  if (refuse_blank(*text, what + " (" + shown + ")", report.at(*file), report)) {
    return std::nullopt;
  }
  if (const auto at = first_template(*text); at != std::string::npos) {
    const Position position = position_of(*text, at);
    warn_of_template(*text, at, what, {*path, position.line, 0, position.column}, report);
  }
  return *path;
}

}  // namespace phasegate::phases
