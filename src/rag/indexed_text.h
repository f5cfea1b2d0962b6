#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/fields.h"
#include "rag/passages.h"
#include "rag/sources.h"
#include "rag/tokens.h"

namespace phasegate::rag {

/// A passage with the words that it is found by.
struct IndexedPassage {
  Passage passage;
  std::string name;                        ///< of PassageNames
  std::string digest;                      ///< of passage_digest
  std::array<std::string, kFields> terms;  ///< of each field, with spaces between them
  Counts lengths{};                        ///< words of each field
};

/// Makes the ids of one document's passages, in their order: each stays while the headings of its
/// passage do, and those before it under the same headings.
class PassageNames {
 public:
  explicit PassageNames(std::string document) : document_(std::move(document)) {}
  [[nodiscard]] std::string next(const Passage& passage);

 private:
  std::string document_;
  std::map<std::string, int> seen_;  ///< how many there were under the same headings
};

/// Digest of what is shown of a passage: equal for duplicates.
[[nodiscard]] std::string passage_digest(const Passage& passage);

/// The headings of a passage from the document's on, with ` > `.
[[nodiscard]] std::string section_of(std::string_view path, std::string_view title);

/// A file as the index holds it.
struct IndexedText {
  SourceFile file;
  std::string digest;        ///< SHA-256 of its bytes
  std::string plain_digest;  ///< of plain_digest
  std::string phase;
  std::vector<std::string> tags;
  std::vector<IndexedPassage> passages;
};

/// Reads passages and their words. `stemmer` is only lent. Linear in the text.
[[nodiscard]] IndexedText index_text(SourceText text, Stemmer& stemmer);

/// The words of one field of a passage, with spaces between them, and how many there are.
struct Terms {
  std::string text;
  std::uint32_t length = 0;
};
[[nodiscard]] Terms terms_of(std::string_view field, Stemmer& stemmer);

}  // namespace phasegate::rag
