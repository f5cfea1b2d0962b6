#include "rag/indexed_text.h"

#include <utility>

#include "base/hash.h"
#include "rag/text_digest.h"

namespace phasegate::rag {
namespace {

constexpr std::size_t kNameDigits = 16;
constexpr std::size_t kDigestDigits = 32;

}  // namespace

Terms terms_of(std::string_view field, Stemmer& stemmer) {
  std::vector<Token> tokens;
  tokenise(field, tokens);
  Terms terms;
  terms.text.reserve(field.size() + field.size() / 4);
  for (const Token& token : tokens) {
    if (!terms.text.empty()) terms.text += ' ';
    terms.text += stemmer.term_of(token);
    if (!token.joined) ++terms.length;
  }
  return terms;
}

std::string PassageNames::next(const Passage& passage) {
  const std::string where = passage.path + '\n' + passage.title;
  return base::Digest()
      .add(document_)
      .add(where)
      .add(std::to_string(seen_[where]++))
      .hex()
      .substr(0, kNameDigits);
}

std::string passage_digest(const Passage& passage) {
  return base::sha256_hex(passage.content).substr(0, kDigestDigits);
}

std::string section_of(std::string_view path, std::string_view title) {
  std::string section(path);
  if (!path.empty() && !title.empty()) section += " > ";
  return section.append(title);
}

IndexedText index_text(SourceText text, Stemmer& stemmer) {
  DocumentPassages document = read_passages(text.file.path, text.bytes);
  IndexedText indexed;
  indexed.file = std::move(text.file);
  indexed.digest = std::move(text.digest);
  indexed.plain_digest = plain_digest(text.bytes);
  indexed.phase = std::move(document.phase);
  indexed.tags = std::move(document.tags);
  PassageNames names(indexed.file.path);
  indexed.passages.reserve(document.passages.size());
  for (Passage& passage : document.passages) {
    IndexedPassage made;
    made.name = names.next(passage);
    made.digest = passage_digest(passage);
    const PassageFields fields = fields_of(indexed.file.path, passage);
    for (std::size_t i = 0; i < kFields; ++i) {
      Terms terms = terms_of(fields.texts[i], stemmer);
      made.terms[i] = std::move(terms.text);
      made.lengths[i] = terms.length;
    }
    made.passage = std::move(passage);
    indexed.passages.push_back(std::move(made));
  }
  return indexed;
}

}  // namespace phasegate::rag
