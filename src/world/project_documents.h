#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gating/engine/ports.h"

namespace phasegate::world {

/// The project's documents as files below its root. Links are followed as long as what they lead to
/// lies below the canonical root; at most limits::kDocumentBytesMax bytes are read.
class ProjectFiles final : public gating::engine::ProjectDocuments {
 public:
  explicit ProjectFiles(std::filesystem::path root) : root_(std::move(root)) {}

  [[nodiscard]] base::Result<gating::engine::ProjectDocument> read(std::string_view folder,
                                                                   std::string_view file) override;

 private:
  std::filesystem::path root_;
};

/// Files beside `.phasegate/project.yaml` that somebody may take for it (`project.yml`, or the name
/// in another case), as paths below the root, sorted: nobody reads them.
[[nodiscard]] std::vector<std::string> overlooked_project_files(const std::filesystem::path& root);

}  // namespace phasegate::world
