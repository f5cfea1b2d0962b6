#include "rag/session_passages.h"

#include <utility>

#include "base/hash.h"
#include "base/limits.h"
#include "rag/indexed_text.h"

namespace phasegate::rag {

SessionPassages::SessionPassages(const SessionText& text)
    : digest_(text.digest), workflow_(text.workflow) {
  std::size_t bytes = 0;
  for (const SessionDocument& document : text.documents) {
    bytes += document.text.size();
    if (bytes > base::limits::kSessionTextBytesMax) break;
    DocumentPassages read = read_passages(document.path, document.text);
    PassageNames names(workflow_ + ':' + document.path);
    for (Passage& passage : read.passages) {
      collection_.add(fields_of(document.path, passage));
      Held held;
      held.name = names.next(passage);
      held.digest = passage_digest(passage);
      held.file = document.path;
      held.phase = document.phase;
      held.tags = read.tags;
      held.passage = std::move(passage);
      held_.push_back(std::move(held));
    }
  }
}

FoundPassage SessionPassages::found(PassageId id) const {
  const Held& held = held_.at(id);
  FoundPassage shown;
  shown.id = held.name;
  shown.workflow = workflow_;
  shown.file = held.file;
  shown.section = section_of(held.passage.path, held.passage.title);
  shown.phase = held.phase;
  shown.tags = held.tags;
  shown.content = held.passage.content;
  shown.line_first = held.passage.line_first;
  shown.line_last = held.passage.line_last;
  shown.tokens = held.passage.tokens;
  return shown;
}

const std::string& SessionPassages::content_digest(PassageId id) const {
  return held_.at(id).digest;
}

}  // namespace phasegate::rag
