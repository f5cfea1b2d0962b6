#pragma once
#include <string>
#include <vector>

#include "rag/finder.h"
#include "rag/memory_collection.h"
#include "rag/passages.h"

namespace phasegate::rag {

/// What a session has reached, as passages in memory. It is never written into an index: there it
/// would be found by others, and its words would count for them.
class SessionPassages {
 public:
  /// Reads at most limits::kSessionTextBytesMax of the documents.
  explicit SessionPassages(const SessionText& text);

  [[nodiscard]] const std::string& digest() const { return digest_; }
  [[nodiscard]] MemoryCollection& collection() { return collection_; }
  /// A passage as it is shown, but for its relevance.
  [[nodiscard]] FoundPassage found(PassageId id) const;
  /// Of its content: equal for duplicates.
  [[nodiscard]] const std::string& content_digest(PassageId id) const;

 private:
  struct Held {
    Passage passage;
    std::string name;
    std::string digest;
    std::string file;
    std::string phase;
    std::vector<std::string> tags;
  };

  std::string digest_;
  std::string workflow_;
  std::vector<Held> held_;
  MemoryCollection collection_;
};

}  // namespace phasegate::rag
