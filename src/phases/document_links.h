#pragma once
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace phasegate::phases {

/// Finds which files of a workflow's folder a text mentions.
class LinkFinder {
 public:
  /// `paths` are all files, relative to the folder; `folder_name` is the folder's own name.
  LinkFinder(const std::vector<std::string>& paths, std::string folder_name);

  /// Every file that `text` names in a markdown link, a code span or as a bare path, sorted and
  /// without `path` itself. A mention is resolved relative to the folder of `path`, then to the
  /// workflow's folder, then to phases/; the first that exists is meant. Linear in `text`.
  [[nodiscard]] std::vector<std::string> links_of(std::string_view path,
                                                  std::string_view text) const;
  /// The same where the name does not say whether the text is markdown.
  enum class Form { plain, markdown };
  [[nodiscard]] std::vector<std::string> links_of(std::string_view path, std::string_view text,
                                                  Form form) const;

 private:
  [[nodiscard]] const std::string* resolve(std::string_view from_folder,
                                           std::string_view mention) const;

  std::unordered_map<std::string, std::string> paths_;
  std::unordered_map<std::string, bool> names_;
  std::string folder_mark_;
};

}  // namespace phasegate::phases
