#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "rag/collection.h"
#include "rag/query.h"

namespace phasegate::rag {

struct Ranked {
  PassageId passage = 0;
  double score = 0;
  double relevance = 0;  ///< 0 to 1: what part of the highest score that the query could reach
};

struct RankWish {
  std::size_t results = 10;
  /// Which passages count at all; nothing else is learnt from, either. Unset: every one.
  std::function<bool(PassageId)> accepts;
};

enum class Phrases {
  none,      ///< the query has none
  held,      ///< only passages that hold all of them are ranked
  not_held,  ///< no passage does; their words were looked for
};

struct Ranking {
  std::vector<Ranked> passages;  ///< best first; equal ones by id
  std::size_t found = 0;         ///< passages that hold a word of the query, and its phrases
  Phrases phrases = Phrases::none;
};

/// The passages that answer a query best. Deterministic. Reads the postings of
/// limits::kQueryTermsMax + RankingRecipe::feedback_terms terms at most (the rarest of the query's)
/// and the texts of a bounded number of passages.
[[nodiscard]] Ranking rank(const Query& query, Collection& collection, const RankWish& wish);

}  // namespace phasegate::rag
