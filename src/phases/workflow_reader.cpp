#include "phases/workflow_reader.h"

#include <system_error>
#include <vector>

#include "base/text.h"
#include "phases/document_workflow.h"
#include "phases/folder_reader.h"
#include "phases/loaded_workflow.h"
#include "phases/native/reader.h"
#include "phases/plain_folder.h"

namespace phasegate::phases {
namespace fs = std::filesystem;

LoadedWorkflow read_workflow(const fs::path& path, const RequirementReader& requirements) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    const bool document = is_document_name(path.filename().string());
    return document ? read_document_file(path) : read_native_file(path);
  }
  const std::vector<std::string> found = definitions_in(path);
  if (found.size() > 1) return two_definitions(workflow_name_of(path), found, found.front());
  if (!found.empty() && is_native_name(found.front())) return read_native_folder(path);
  if (found.empty() && is_plain_workflow_folder(path)) return read_plain_folder(path);
  return read_workflow_folder(path, requirements);
}

std::vector<std::string> definitions_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const char* name : {"metadata.json", "workflow.yaml", "workflow.yml", "workflow.json"}) {
    const auto type = fs::symlink_status(folder / name, ignored).type();
    if (type != fs::file_type::not_found && type != fs::file_type::none) found.emplace_back(name);
  }
  return found;
}

bool is_workflow_folder(const fs::path& folder) {
  std::error_code ignored;
  return !definitions_in(folder).empty() || fs::is_directory(folder / "phases", ignored) ||
         is_plain_workflow_folder(folder);
}

LoadedWorkflow two_definitions(std::string id, const std::vector<std::string>& names,
                               std::string file) {
  return unreadable_workflow(std::move(id),
                             {Severity::error,
                              "two_definitions",
                              "the workflow is there more than once: " + base::joined(names, ", "),
                              "keep one of them; nothing is guessed about which one is meant",
                              {std::move(file), 0, 0},
                              ""});
}

}  // namespace phasegate::phases
