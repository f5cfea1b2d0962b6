#pragma once
#include <array>
#include <cstddef>

#include "rag/fields.h"

namespace phasegate::rag {

/// The numbers of the ranking, one set for abstracts of science (Cranfield, CISI) and for documents
/// of standards: chosen by experiments over these; a fifth more or less of any one changes little.
struct RankingRecipe {
  // BM25 over fields: occurrences in a field weigh so much, and less in a field that is longer than
  // the average (1: in proportion, 0: not at all).
  std::array<double, kFields> weights{2.0, 0.5, 1.0, 1.0};
  std::array<double, kFields> by_length{0.75, 0.75, 0.55, 0.55};
  double saturation = 1.2;  // more occurrences of one word add less and less

  // Queries of so many different words at most are told apart by a closer look at the best
  // passages: words in their exact form, and neighbours that stand together.
  std::size_t few_terms = 5;
  std::size_t looked_at = 30;  // passages
  double exact = 0.2;          // of a word's weight
  double neighbours = 0.3;     // of the less rare one's weight
  std::size_t reach = 8;       // words between neighbours
  double wrong_order = 0.5;    // of what the right order counts
  std::size_t field_gap = 50;  // words between one field and the next

  // What is quoted is looked for in so many passages that hold its words, the best ones.
  std::size_t phrases_looked_at = 100;

  // Longer queries learn from what they find: words of the best passages are added.
  std::size_t feedback_terms_least = 6;  // known words of the query
  std::size_t feedback_passages = 8;
  double feedback_power = 3;  // how much more the very best counts
  std::size_t feedback_terms = 16;
  double feedback_share = 0.35;           // of the weight of all words
  double feedback_frequency_most = 0.25;  // of all passages; a more frequent word tells nothing
  std::size_t feedback_letters_least = 3;
};

inline constexpr RankingRecipe kRecipe;

}  // namespace phasegate::rag
