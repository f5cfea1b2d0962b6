#include "world/project_documents.h"

#include <string>

#include "base/limits.h"
#include "base/paths.h"
#include "world/target.h"

namespace phasegate::world {

base::Result<gating::engine::ProjectDocument> ProjectFiles::read(std::string_view folder,
                                                                 std::string_view file) {
  // The same words as for a target: absolute paths and file:// URIs within the root are taken.
  auto below = normalise_target(root_, folder);
  if (!below) return below.error();
  if (below->empty()) {
    return base::Error{"invalid_argument", "no folder is named",
                       "give a path within the project, relative to its root", ""};
  }
  const std::string name(file);
  const bool names_file = *below == name || below->ends_with("/" + name);
  const auto path = base::normalised_relative(names_file ? *below : *below + "/" + name);
  if (!path) return path.error();
  auto text = base::read_file_below(root_, *path, base::limits::kDocumentBytesMax);
  if (!text) return text.error();
  return gating::engine::ProjectDocument{*path, std::move(text).value()};
}

}  // namespace phasegate::world
