#include "phases/loaded_workflow.h"

#include <algorithm>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "phases/workflow_json.h"

namespace phasegate::phases {

std::string default_complete_message(const Workflow& workflow) {
  const std::size_t count = workflow.phases.size();
  return "The workflow " + base::in_quotes(base::shortened(workflow.title, 120)) +
         " is complete: " +
         (count == 1 ? "its only phase has" : "all " + std::to_string(count) + " phases have") +
         " passed the gate.";
}

std::string content_hash_of(const LoadedWorkflow& loaded) {
  base::Digest digest;
  digest.add(base::dump_canonical(to_json(loaded.workflow)));
  for (const auto& [hash, bytes] : loaded.blobs) digest.add(hash);
  return digest.hex();
}

bool is_workflow_name(std::string_view name) {
  constexpr std::size_t kNameBytesMax = 128;
  if (name.empty() || name.size() > kNameBytesMax || name.front() == '.') return false;
  return std::none_of(name.begin(), name.end(), [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
}

std::string workflow_name_of(const std::filesystem::path& folder) {
  std::error_code failed;
  const auto whole = std::filesystem::weakly_canonical(folder, failed);
  std::filesystem::path path = (failed ? folder : whole).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return base::to_utf8(path.filename().string());
}

LoadedWorkflow unreadable_workflow(std::string id, Finding finding) {
  LoadedWorkflow loaded;
  loaded.workflow.id = id;
  loaded.workflow.title = std::move(id);
  loaded.findings.push_back(std::move(finding));
  loaded.content_hash = content_hash_of(loaded);
  return loaded;
}

}  // namespace phasegate::phases
