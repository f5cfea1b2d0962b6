#pragma once
#include <span>
#include <string>
#include <vector>

#include "rag/collection.h"
#include "rag/weights.h"

namespace phasegate::rag {

struct ScoredPassage {
  PassageId passage = 0;
  double score = 0;
};

/// A term that the best passages have in common.
struct FeedbackTerm {
  std::string term;
  std::size_t frequency = 0;
  double weight = 0;  ///< all together: 1
};

/// The terms that tell the best passages from the others, best first; RankingRecipe's
/// feedback_terms at most. `best` are the first of a ranking, best first. Linear in their texts;
/// asks for the frequency of a part of their terms.
[[nodiscard]] std::vector<FeedbackTerm> feedback_of(std::span<const ScoredPassage> best,
                                                    Collection& collection, const Weights& weights);

}  // namespace phasegate::rag
