#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rag/collection.h"
#include "rag/query.h"

namespace phasegate::rag {

struct Correction {
  std::string word;   ///< of the query
  std::string meant;  ///< a word as it stands in a passage
};

/// What a query says with words that the passages hold.
struct Spelling {
  std::string text;  ///< the query's words in their order, stop words left out, corrected
  std::vector<Correction> corrections;  ///< none: nothing is near enough, or nothing is wrong
};

/// Corrects a query of which no word is in the collection; any other needs no help. A word of 4 to
/// 7 letters is corrected by one letter (another, one more, one less, two in the wrong order), a
/// longer one by two; words with the same first letter are preferred, then those that more passages
/// hold. Only words of passages that `accepts` takes (unset: all) are named. Goes through the
/// vocabulary and reads a bounded number of texts.
[[nodiscard]] Spelling spelling_of(const Query& query, Collection& collection,
                                   const std::function<bool(PassageId)>& accepts = nullptr);

/// The letters that must be changed, added, left out or swapped with their neighbour to make one
/// word of the other, at most `most + 1`. O(letters²).
[[nodiscard]] std::size_t edit_distance(std::u32string_view a, std::u32string_view b,
                                        std::size_t most);

}  // namespace phasegate::rag
