#include "phases/native/documents.h"

#include "base/hash.h"
#include "base/text.h"
#include "phases/document_links.h"
#include "phases/documents.h"

namespace phasegate::phases {
namespace {

Document document_of(const std::string& path, const std::string& bytes) {
  Document document;
  document.path = path;
  document.hash = base::sha256_hex(bytes);
  document.bytes = bytes.size();
  return document;
}

/// A text that its own step may not be shown would be asked for in vain.
void refuse_withheld(const Workflow& workflow, const std::map<std::string, Document>& documents,
                     FindingList& findings) {
  const auto check = [&](const Phase& phase, const std::string& path, const Source& source) {
    const auto found = documents.find(path);
    if (found == documents.end() || !found->second.withheld) return;
    findings.error("withheld_file",
                   base::in_quotes(base::shortened(path, 200)) + ", a text of step " +
                       base::in_quotes(phase.id) + ", has the name of a file that is never shown",
                   "rename the file", source, phase.id);
  };
  for (const Phase& phase : workflow.phases) {
    check(phase, phase.file, phase.source);
    for (const Task& task : phase.tasks) check(phase, task.file, task.source);
  }
}

}  // namespace

std::map<std::string, Document> make_native_documents(
    FolderSnapshot snapshot, std::vector<InlineText> texts, const std::string& file,
    const Workflow& workflow, std::map<std::string, std::string>& blobs, FindingList& findings) {
  std::vector<std::string> paths;
  paths.reserve(snapshot.files.size());
  for (const auto& [path, bytes] : snapshot.files) {
    if (path != file) paths.push_back(path);
  }
  const LinkFinder links(paths, workflow.id);

  std::map<std::string, Document> documents;
  if (auto own = snapshot.files.extract(file)) {
    Document document = document_of(file, own.mapped());
    document.withheld = true;
    blobs.emplace(document.hash, std::move(own.mapped()));
    documents.emplace(file, std::move(document));
  }
  documents.merge(make_documents(std::move(snapshot), workflow, {}, workflow.id, blobs, findings));
  refuse_withheld(workflow, documents, findings);

  for (InlineText& text : texts) {
    Document document = document_of(text.path, text.bytes);
    document.phase = text.step;
    document.links = links.links_of(text.path, text.bytes, LinkFinder::Form::markdown);
    blobs.emplace(document.hash, std::move(text.bytes));
    if (documents.emplace(text.path, std::move(document)).second) continue;
    findings.error("unusable_name",
                   "the folder holds a file " + base::in_quotes(base::shortened(text.path, 200)) +
                       ", which is the name of a text in " + file,
                   "rename the file", {text.path, 0, 0}, text.step);
  }
  return documents;
}

}  // namespace phasegate::phases
