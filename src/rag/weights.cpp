#include "rag/weights.h"

#include <algorithm>
#include <cmath>

namespace phasegate::rag {
namespace {

constexpr double kTextByLength = kRecipe.by_length[static_cast<std::size_t>(Field::text)];

}  // namespace

Weights::Weights(Collection& collection) : passages_(static_cast<double>(collection.size())) {
  const std::array<double, kFields>& means = collection.mean_lengths();
  for (std::size_t field = 0; field < kFields; ++field) {
    mean_length_ += means[field];
    if (means[field] > 0) per_token_[field] = kRecipe.by_length[field] / means[field];
  }
}

double Weights::rarity(std::size_t frequency) const {
  constexpr double kHalf = 0.5;
  const double holding = std::min(static_cast<double>(frequency), passages_);
  return std::log(1 + (passages_ - holding + kHalf) / (holding + kHalf));
}

double Weights::occurrences(const Counts& counts, const Counts& lengths) const {
  double sum = 0;
  for (std::size_t field = 0; field < kFields; ++field) {
    if (counts[field] == 0) continue;
    const double by_length =
        1 - kRecipe.by_length[field] + per_token_[field] * static_cast<double>(lengths[field]);
    sum += kRecipe.weights[field] * static_cast<double>(counts[field]) / by_length;
  }
  return sum;
}

double Weights::length(const Counts& lengths) const {
  if (mean_length_ <= 0) return 1;
  double sum = 0;
  for (const std::uint32_t one : lengths) sum += static_cast<double>(one);
  return 1 - kTextByLength + kTextByLength * sum / mean_length_;
}

}  // namespace phasegate::rag
