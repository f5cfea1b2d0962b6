#pragma once
#include <cstddef>

#include "rag/collection.h"
#include "rag/ranking_recipe.h"

namespace phasegate::rag {

/// How much a word's occurrences count, by the recipe: BM25 over fields.
class Weights {
 public:
  explicit Weights(Collection& collection);

  /// How telling a word is that `frequency` passages hold; above 0.
  [[nodiscard]] double rarity(std::size_t frequency) const;
  /// What occurrences in a passage with these lengths count together.
  [[nodiscard]] double occurrences(const Counts& counts, const Counts& lengths) const;
  /// What they are worth: from 0 up to, and never quite, `best()`.
  [[nodiscard]] static double saturated(double occurrences) {
    return occurrences * (kRecipe.saturation + 1) / (kRecipe.saturation + occurrences);
  }
  [[nodiscard]] static double best() { return kRecipe.saturation + 1; }
  /// How long a passage is, all fields together, as what its words are divided by: 1 for the
  /// average passage.
  [[nodiscard]] double length(const Counts& lengths) const;

 private:
  double passages_;
  std::array<double, kFields> per_token_{};  // by_length / mean length
  double mean_length_ = 0;
};

}  // namespace phasegate::rag
