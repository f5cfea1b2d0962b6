// Any bytes as a document, as a plain text and as a query: passages lie in the file, are bounded
// and cut no fence, tokens are what an index can hold, and what is asked of them gets an answer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/text.h"
#include "rag/blocks.h"
#include "rag/line_marks.h"
#include "rag/memory_collection.h"
#include "rag/passages.h"
#include "rag/ranking.h"
#include "rag/spelling.h"
#include "rag/tokens.h"

namespace {

namespace rag = phasegate::rag;
namespace base = phasegate::base;

constexpr std::size_t kMost = base::limits::kPassageBytesMost;

void require(bool holds) {
  if (!holds) std::abort();
}

std::size_t lines_in(std::string_view text) {
  std::size_t lines = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'))) {
      ++lines;
    }
  }
  return lines;
}

/// True if every fence of a passage's content ends in it.
bool fences_end(std::string_view content) {
  const std::vector<std::string_view> lines = rag::lines_of(content);
  const std::vector<rag::Block> blocks = rag::markdown_blocks(lines);
  return std::all_of(blocks.begin(), blocks.end(), [&](const rag::Block& block) {
    if (block.kind != rag::BlockKind::fence || rag::is_quoted(lines[block.first])) return true;
    const rag::Fence fence = rag::fence_of(rag::content_of(lines[block.first]), false);
    return block.last > block.first &&
           fence.closed_by(rag::fence_of(rag::content_of(lines[block.last]), true));
  });
}

void check_tokens(std::string_view text) {
  std::vector<rag::Token> tokens;
  rag::tokenise(text, tokens);
  std::uint32_t next = 0;
  for (const rag::Token& token : tokens) {
    require(!token.text.empty() && token.text.size() <= rag::kTokenBytesMax);
    require(base::is_utf8(token.text));
    require(std::none_of(token.text.begin(), token.text.end(),
                         [](char c) { return (c >= 0 && c <= ' ') || c == '\x7F'; }));
    if (token.joined) {
      require(token.position + 1 >= next && token.position <= next);
    } else {
      require(token.position == next++);
    }
  }
}

void check_document(std::string_view path, std::string_view text, rag::MemoryCollection& into) {
  const rag::DocumentPassages document = rag::read_passages(path, text);
  const std::size_t lines = lines_in(text);
  std::size_t line = 1;
  for (const rag::Passage& passage : document.passages) {
    require(!passage.content.empty() && passage.content.size() <= 2 * kMost);
    require(passage.tokens == (passage.content.size() + 3) / 4);
    require(base::is_utf8(passage.content) && base::is_utf8(passage.title));
    require(line <= passage.line_first && passage.line_first <= passage.line_last);
    require(passage.line_last <= lines);
    line = passage.line_last;
    const bool last = &passage == &document.passages.back();
    if (path.ends_with(".md") && !last && passage.content.size() < kMost / 2) {
      require(fences_end(passage.content));
    }
    into.add(rag::fields_of(path, passage));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_tokens(text);
  rag::MemoryCollection collection;
  check_document("phases/1/a-document.md", text, collection);
  check_document("a.txt", text, collection);

  constexpr std::size_t kQueryBytes = 200;
  const auto query = rag::parse_query(text.substr(0, kQueryBytes));
  if (!query) return 0;
  require(!query->terms.empty());
  for (const std::size_t place : query->sequence) require(place < query->terms.size());
  const rag::Ranking ranking = rag::rank(*query, collection, {collection.size(), {}});
  double before = 1;
  for (const rag::Ranked& one : ranking.passages) {
    require(one.relevance >= 0 && one.relevance <= before);
    before = one.relevance;
  }
  (void)rag::spelling_of(*query, collection);
  return 0;
}
