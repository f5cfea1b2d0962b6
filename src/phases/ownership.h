#pragma once
#include <map>
#include <string>
#include <vector>

#include "phases/finding_list.h"
#include "phases/metadata_reader.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// The folder directly below phases/ that a file lies in: `phases/4/x/y.md` → `phases/4`; empty
/// for a file directly in phases/ or elsewhere.
[[nodiscard]] std::string owning_folder(const std::string& path);

/// Refuses files that would show one phase's text in another: a file that two phases name
/// (`shared_phase_file`), metadata.json or a gate file as a text (`withheld_file`), a file of
/// another phase's folder (`foreign_phase_file`). All are errors. `unreached` are the phases behind
/// dynamic ones: their files count, too.
void check_ownership(const Workflow& workflow, const std::vector<Phase>& unreached,
                     FindingList& findings);

/// Refuses (error `link_to_phase_file`) links within the folder to files that belong to a phase or
/// are withheld: they would be shown by another name. `links` is the target by the link's path.
void check_links(const std::map<std::string, std::string>& links,
                 const std::map<std::string, Document>& documents, FindingList& findings);

}  // namespace phasegate::phases
