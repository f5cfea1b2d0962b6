#pragma once
#include <map>
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/native/texts.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// The documents of a native workflow: the texts that stand in its file, each with its step, and
/// the files of its folder as make_documents sees them. `file`, the workflow's own, is never shown.
/// A step whose text could not be shown is an error (`withheld_file`), and so is a file that has
/// the name of one of the texts (`unusable_name`). The bytes move into `blobs` by hash.
[[nodiscard]] std::map<std::string, Document> make_native_documents(
    FolderSnapshot snapshot, std::vector<InlineText> texts, const std::string& file,
    const Workflow& workflow, std::map<std::string, std::string>& blobs, FindingList& findings);

}  // namespace phasegate::phases
