#include "phases/documents.h"

#include <set>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "phases/document_links.h"
#include "phases/gate_files.h"
#include "phases/loaded_workflow.h"
#include "phases/ownership.h"

namespace phasegate::phases {
namespace {

constexpr std::string_view kPhases = "phases/";

struct Owners {
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> folders;
};

Owners owners_of(const Workflow& workflow) {
  Owners owners;
  for (const Phase& phase : workflow.phases) {
    if (!phase.file.empty()) owners.files.emplace(phase.file, phase.id);
    for (const Task& task : phase.tasks) {
      if (!task.file.empty()) owners.files.emplace(task.file, phase.id);
    }
    const std::string folder = owning_folder(phase.file);
    if (!folder.empty()) owners.folders[folder] = phase.id;
  }
  // A phase whose text lies elsewhere still owns the folder with its number, unless it is taken.
  for (const Phase& phase : workflow.phases) {
    owners.folders.emplace(std::string(kPhases) + phase.id, phase.id);
  }
  return owners;
}

std::string owner_of(const std::string& path, const Owners& owners) {
  if (const auto file = owners.files.find(path); file != owners.files.end()) return file->second;
  const auto folder = owners.folders.find(owning_folder(path));
  return folder == owners.folders.end() ? std::string() : folder->second;
}

std::set<std::string> files_of(const std::vector<Phase>& phases) {
  std::set<std::string> files;
  for (const Phase& phase : phases) {
    files.insert(phase.file);
    for (const Task& task : phase.tasks) files.insert(task.file);
  }
  return files;
}

bool is_withheld(const std::string& path, const std::string& owner) {
  if (is_never_shown(path)) return true;
  return path.starts_with(kPhases) &&
         (owner.empty() || path.starts_with("phases/dynamic/") || is_almost_gate_file(path));
}

bool is_text_file(const std::string& path) {
  for (const char* ending : {".md", ".markdown", ".txt", ".yaml", ".yml", ".json"}) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

}  // namespace

std::map<std::string, Document> make_documents(FolderSnapshot snapshot, const Workflow& workflow,
                                               const std::vector<Phase>& unreached,
                                               const std::string& folder_name,
                                               std::map<std::string, std::string>& blobs,
                                               FindingList& findings) {
  std::vector<std::string> paths;
  paths.reserve(snapshot.files.size());
  for (const auto& [path, bytes] : snapshot.files) paths.push_back(path);
  const LinkFinder links(paths, folder_name);
  const Owners owners = owners_of(workflow);
  const std::set<std::string> kept = files_of(unreached);
  std::map<std::string, Document> documents;
  for (auto& [path, bytes] : snapshot.files) {
    Document document;
    document.path = path;
    document.hash = base::sha256_hex(bytes);
    document.bytes = bytes.size();
    document.phase = owner_of(path, owners);
    document.withheld = is_withheld(path, document.phase) || kept.contains(path);
    if (is_text_file(path)) {
      // What is withheld is never shown, so that nobody follows its links.
      if (!document.withheld) document.links = links.links_of(path, bytes);
      if (!base::is_utf8(bytes)) {
        findings.warning("not_utf8",
                         base::in_quotes(path) +
                             " is not UTF-8; characters that cannot be read are shown as \uFFFD",
                         "save it as UTF-8", {path, 0, 0}, document.phase);
      }
    }
    blobs.emplace(document.hash, std::move(bytes));
    documents.emplace(path, std::move(document));
  }
  return documents;
}

void bind_copies(std::map<std::string, Document>& documents, const Workflow& workflow,
                 const std::map<std::string, std::string>& links) {
  struct Owned {
    bool withheld = false;
    std::size_t phase = 0;
  };
  std::map<std::string, Owned> by_hash;
  for (const auto& [path, document] : documents) {
    if (document.bytes == 0 || links.contains(path) ||
        (document.phase.empty() && !document.withheld))
      continue;
    Owned& owned = by_hash[document.hash];
    owned.withheld = owned.withheld || document.withheld;
    owned.phase = std::max(owned.phase, workflow.phase_index(document.phase).value_or(0));
  }
  for (auto& [path, document] : documents) {
    const auto owned = by_hash.find(document.hash);
    if (owned == by_hash.end() || !document.phase.empty() || document.withheld) continue;
    document.withheld = owned->second.withheld;
    if (!document.withheld) document.phase = workflow.phases[owned->second.phase].id;
  }
}

void finish_folder(LoadedWorkflow& loaded, FolderSnapshot snapshot,
                   const std::vector<Phase>& unreached, FindingList& findings) {
  Workflow& workflow = loaded.workflow;
  const auto links = std::move(snapshot.links);
  workflow.documents =
      make_documents(std::move(snapshot), workflow, unreached, workflow.id, loaded.blobs, findings);
  if (workflow.dynamic) {
    for (const std::string& path :
         {workflow.dynamic->phase_template, workflow.dynamic->task_template}) {
      const auto document = workflow.documents.find(path);
      if (document != workflow.documents.end()) document->second.withheld = true;
    }
  }
  check_links(links, workflow.documents, findings);
  bind_copies(workflow.documents, workflow, links);
  loaded.content_hash = content_hash_of(loaded);
  loaded.findings = findings.take_sorted();
}

}  // namespace phasegate::phases
