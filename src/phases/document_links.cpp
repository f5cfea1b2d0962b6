#include "phases/document_links.h"

#include <set>

#include "base/paths.h"
#include "phases/markdown.h"

namespace phasegate::phases {
namespace {

std::string_view folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_path_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/' || c == '+' || c == '@' ||
         static_cast<unsigned char>(c) >= 0x80;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// `my%20file.md#part` → `my file.md`.
std::string link_path(std::string_view target) {
  target = target.substr(0, target.find('#'));
  std::string path;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const bool escape = target[i] == '%' && i + 2 < target.size() &&
                        hex_digit(target[i + 1]) >= 0 && hex_digit(target[i + 2]) >= 0;
    if (escape) {
      path += static_cast<char>(hex_digit(target[i + 1]) * 16 + hex_digit(target[i + 2]));
      i += 2;
    } else {
      path += target[i];
    }
  }
  return path;
}

}  // namespace

LinkFinder::LinkFinder(const std::vector<std::string>& paths, std::string folder_name)
    : folder_mark_(std::move(folder_name) + "/") {
  for (const std::string& path : paths) {
    paths_.emplace(path, path);
    names_.emplace(std::string(name_of(path)), true);
  }
}

const std::string* LinkFinder::resolve(std::string_view from_folder,
                                       std::string_view mention) const {
  // Most words are no file's name: that is known before any path is built.
  if (!names_.contains(std::string(name_of(mention)))) return nullptr;
  const auto known = [&](std::string_view base_folder,
                         std::string_view relative) -> const std::string* {
    std::string joined(base_folder);
    if (!joined.empty()) joined += '/';
    joined += relative;
    const auto path = base::normalised_relative(joined);
    if (!path) return nullptr;
    const auto found = paths_.find(*path);
    return found == paths_.end() ? nullptr : &found->second;
  };
  for (const std::string_view base_folder :
       {from_folder, std::string_view(), std::string_view("phases")}) {
    if (const std::string* found = known(base_folder, mention)) return found;
  }
  // `workflows/NAME/core/x.md`: written from outside of the folder.
  const auto mark = mention.find(folder_mark_);
  if (mark != std::string_view::npos && (mark == 0 || mention[mark - 1] == '/')) {
    return known("", mention.substr(mark + folder_mark_.size()));
  }
  return nullptr;
}

std::vector<std::string> LinkFinder::links_of(std::string_view path, std::string_view text) const {
  const bool markdown = path.ends_with(".md") || path.ends_with(".markdown");
  return links_of(path, text, markdown ? Form::markdown : Form::plain);
}

std::vector<std::string> LinkFinder::links_of(std::string_view path, std::string_view text,
                                              Form form) const {
  std::set<std::string> found;
  const std::string_view folder = folder_of(path);
  const auto mention = [&](std::string_view word) {
    if (word.empty()) return;
    const std::string* target = resolve(folder, word);
    if (target != nullptr && *target != path) found.insert(*target);
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_path_char(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    while (word.ends_with('.')) word.remove_suffix(1);
    mention(word);
    at = end + 1;
  }
  if (form == Form::markdown) {
    const MarkdownTree tree = parse_markdown(text);
    for (const Link& link : tree.links()) mention(link_path(link.target));
    for (const TextSpan& span : tree.code_spans()) mention(tree.text(span));
  }
  return {found.begin(), found.end()};
}

}  // namespace phasegate::phases
