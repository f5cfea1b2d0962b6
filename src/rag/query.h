#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace phasegate::rag {

/// Longest phrase in words; what is quoted beyond counts as plain words.
inline constexpr std::size_t kPhraseWordsMax = 64;

/// A query of more words, stop words left out, is a text of somebody's: quotes in it only quote.
inline constexpr std::size_t kPhraseQueryWordsMax = 24;

/// A word of a query; words of one stem are one.
struct QueryTerm {
  std::string term;  ///< what is looked up
  std::string word;  ///< as it was written first, in a token's form
  std::uint32_t count = 0;
  bool joined = false;  ///< of several words that count as well; one that is unknown is nothing
};

struct Query {
  std::vector<QueryTerm> terms;  ///< in the order of their first words
  std::vector<std::size_t>
      sequence;  ///< the words that are not joined, in order, as places in `terms`
  /// What stood in double quotes, as words in a token's form, stop words too;
  /// limits::kQueryPhrasesMax at most.
  std::vector<std::vector<std::string>> phrases;
};

/// Reads a query as people and assistants write it. Everything that holds a letter or a digit is
/// one: signs, operators and quotes that are not closed are no syntax. Stop words are left out,
/// unless there is nothing else. Refuses (`invalid_query`) a text that is empty or holds no word,
/// has more than limits::kQueryBytesMax bytes, or is not UTF-8. Linear.
[[nodiscard]] base::Result<Query> parse_query(std::string_view text);

}  // namespace phasegate::rag
