#pragma once
#include <map>
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/folder_snapshot.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Files of no phase that hold the very bytes of a phase's text, or of a file that is never shown,
/// are such a text under another name: they belong to the (last) phase that owns it, or are never
/// shown either. `links` are those of the snapshot: a link in a phase's folder to a shared file
/// does not make that file the phase's own.
void bind_copies(std::map<std::string, Document>& documents, const Workflow& workflow,
                 const std::map<std::string, std::string>& links);

/// Makes the model's documents of a snapshot: hash, owner, whether they are withheld, links.
/// A file belongs to the first phase whose text or task it is, else to the phase whose folder below
/// phases/ it lies in (the last one, if several share a folder, so that nothing shows too early).
/// Files below phases/ that belong to no phase, metadata.json, gate files and the files of phases
/// that are never reached are withheld.
/// The bytes move into `blobs` by hash. Text that is not UTF-8 is a finding.
[[nodiscard]] std::map<std::string, Document> make_documents(
    FolderSnapshot snapshot, const Workflow& workflow, const std::vector<Phase>& unreached,
    const std::string& folder_name, std::map<std::string, std::string>& blobs,
    FindingList& findings);

/// What every folder's reader does last: gives the model its documents, refuses links to a phase's
/// files, binds copies to their phases, and sets content hash and findings.
void finish_folder(LoadedWorkflow& loaded, FolderSnapshot snapshot,
                   const std::vector<Phase>& unreached, FindingList& findings);

}  // namespace phasegate::phases
