#pragma once
#include <string>
#include <vector>

#include "phases/workflow.h"

namespace phasegate::phases {

/// A workflow as the text of a native file.
struct NativeText {
  std::string yaml;
  std::vector<std::string> notes;  ///< what the format cannot say, one sentence each
};

/// One of the workflows to be written, and what stands before the names of its files: the way to
/// them from the folder of the new file (`docs/flow/`; empty: they lie beside it).
struct WrittenWorkflow {
  const LoadedWorkflow* loaded = nullptr;
  std::string prefix;
};

/// Writes workflows, one behind the other, as one native file that asks for the same evidence:
/// every text and rule, where each came from (`source`, `adopted_from`), and as comments what the
/// format cannot say. Ids of phases that are taken get the workflow's name in front. Texts come
/// back byte for byte; one that is not UTF-8 is replaced where it is not, with a note. Needs
/// startable workflows; at least one. Pure; linear in the texts.
[[nodiscard]] NativeText write_native(const std::vector<WrittenWorkflow>& workflows);

}  // namespace phasegate::phases
