#pragma once
#include <optional>
#include <string>
#include <vector>

#include "phases/folder_snapshot.h"
#include "phases/native/report.h"

namespace phasegate::phases {

/// A text that stands in the workflow file itself and becomes a document of its own, so that it is
/// shown with its step and with no other (invariant 1).
struct InlineText {
  std::string path;  ///< `workflow.yaml#plan`, `workflow.yaml#plan/2`
  std::string bytes;
  std::string step;
};

/// Says (warning `template_not_expanded`) that the text holds `{{…}}`, if it does.
void warn_of_templates(const std::string& text, const std::string& what, const Source& source,
                       const NativeReport& report);

/// Reads instructions: a text, or `{file: path}` where the workflow is a folder.
class NativeTexts {
 public:
  /// `folder` is null for a single file, which cannot name others; it outlives the object.
  explicit NativeTexts(const FolderSnapshot* folder) : folder_(folder) {}

  /// The document that holds the text, or nullopt after an error: a blank text, a file that is not
  /// there, a path that leads out of the folder. `path` is the document of an inline text.
  [[nodiscard]] std::optional<std::string> read(const YamlNode& node, const std::string& what,
                                                const std::string& path,
                                                const NativeReport& report);

  [[nodiscard]] std::vector<InlineText> take() { return std::move(texts_); }

 private:
  [[nodiscard]] std::optional<std::string> read_file(const YamlNode& node, const std::string& what,
                                                     const NativeReport& report);

  const FolderSnapshot* folder_;
  std::vector<InlineText> texts_;
};

}  // namespace phasegate::phases
