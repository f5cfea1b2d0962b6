#include "phases/workflow_reader.h"

#include "phases/folder_reader.h"

namespace phasegate::phases {

LoadedWorkflow read_workflow(const std::filesystem::path& path,
                             const RequirementReader& requirements) {
  return read_workflow_folder(path, requirements);
}

}  // namespace phasegate::phases
