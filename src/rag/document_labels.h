#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::rag {

/// What a document is, said by its path and its front matter.
struct DocumentLabels {
  std::string title;              ///< of the front matter; may be empty
  std::string phase;              ///< may be empty
  std::vector<std::string> tags;  ///< in lower case, each once; limits::kSearchTagsMax at most
};

/// The labels of the document at `path` (relative to the project). The phase is `phase:` of the
/// front matter, else the folder below `phases/` or the number in a name like `phase-3-build.md`.
/// Tags are `tags:` and `keywords:` (a list, or text with commas) and the names of the folders.
/// Front matter that cannot be read says nothing. `head` is false for a file that has none.
[[nodiscard]] DocumentLabels labels_of(std::string_view path, std::string_view text, bool head);

/// The words of a path without its ending: `ai/git-safety.md` → `ai git safety`.
[[nodiscard]] std::string words_of_path(std::string_view path);
/// The same for the file's name alone.
[[nodiscard]] std::string words_of_name(std::string_view path);

/// True if the path's ending says that the file is markdown.
[[nodiscard]] bool is_markdown(std::string_view path);

}  // namespace phasegate::rag
