#include "gating/engine/project_file.h"

#include <string>
#include <string_view>

#include "base/hash.h"

namespace phasegate::gating::engine {

std::optional<phases::ProjectConfig> project_file(ProjectDocuments* documents) {
  if (documents == nullptr) return std::nullopt;
  constexpr std::string_view kPath = phases::kProjectConfigFile;
  constexpr std::size_t kSlash = kPath.find('/');
  auto document = documents->read(kPath.substr(0, kSlash), kPath.substr(kSlash + 1));
  if (document) return phases::read_project_config(document->text);
  if (document.error().code == "not_found") return std::nullopt;
  phases::ProjectConfig config;
  config.sha256 = base::sha256_hex("");
  config.search.sound = false;
  config.findings.push_back({phases::Severity::error,
                             "unreadable_file",
                             document.error().message,
                             document.error().hint,
                             {std::string(kPath), 0, 0},
                             ""});
  return config;
}

}  // namespace phasegate::gating::engine
