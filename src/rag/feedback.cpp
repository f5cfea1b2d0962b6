#include "rag/feedback.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "rag/stop_words.h"
#include "rag/tokens.h"

namespace phasegate::rag {
namespace {

/// A term that may be added, and its weight without how rare it is.
struct Candidate {
  std::string term;
  double presence = 0;
};

bool may_be_added(std::string_view term) {
  return term.size() >= kRecipe.feedback_letters_least && !(term[0] >= '0' && term[0] <= '9') &&
         !is_stop_word(term);
}

/// The terms of some passages, by descending presence.
class Presences {
 public:
  void add(const PassageFields& fields, double length, double share) {
    std::unordered_map<std::string, double> occurrences;
    for (std::size_t field = 0; field < kFields; ++field) {
      tokenise(fields.texts[field], tokens_);
      for (const Token& token : tokens_) {
        const std::string_view term = stemmer_.term_of(token);
        if (may_be_added(term)) occurrences[std::string(term)] += kRecipe.weights[field];
      }
    }
    for (const auto& [term, count] : occurrences) {
      presences_[term] += share * Weights::saturated(count / length);
    }
  }

  [[nodiscard]] std::vector<Candidate> sorted() const {
    std::vector<Candidate> all;
    for (const auto& [term, presence] : presences_) all.push_back({term, presence});
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return a.presence > b.presence || (a.presence == b.presence && a.term < b.term);
    });
    return all;
  }

 private:
  std::unordered_map<std::string, double> presences_;
  Stemmer stemmer_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<FeedbackTerm> feedback_of(std::span<const ScoredPassage> best, Collection& collection,
                                      const Weights& weights) {
  constexpr std::size_t kFrequencyLeast = 2;  // what only one passage holds says nothing of others
  if (best.empty() || best.front().score <= 0) return {};
  const auto share_of = [&](const ScoredPassage& one) {
    return std::pow(std::max(one.score, 0.0) / best.front().score, kRecipe.feedback_power);
  };
  double shares = 0;
  for (const ScoredPassage& one : best) shares += share_of(one);
  Presences presences;
  for (const ScoredPassage& one : best) {
    const Counts lengths = collection.lengths(one.passage);
    presences.add(collection.fields(one.passage), weights.length(lengths), share_of(one) / shares);
  }

  const auto frequency_most =
      static_cast<double>(collection.size()) * kRecipe.feedback_frequency_most;
  const auto heavier = [](const FeedbackTerm& a, const FeedbackTerm& b) {
    return a.weight > b.weight || (a.weight == b.weight && a.term < b.term);
  };
  std::vector<FeedbackTerm> terms;  // a heap, the lightest in front
  for (const Candidate& one : presences.sorted()) {
    const bool full = terms.size() == kRecipe.feedback_terms;
    // Frequencies cost a look-up each; those that follow cannot be heavy enough any more.
    if (full && one.presence * weights.rarity(kFrequencyLeast) < terms.front().weight) break;
    const std::size_t frequency = collection.frequency(one.term);
    if (frequency < kFrequencyLeast || static_cast<double>(frequency) > frequency_most) continue;
    FeedbackTerm term{one.term, frequency, one.presence * weights.rarity(frequency)};
    if (full) {
      if (!heavier(term, terms.front())) continue;
      std::pop_heap(terms.begin(), terms.end(), heavier);
      terms.pop_back();
    }
    terms.push_back(std::move(term));
    std::push_heap(terms.begin(), terms.end(), heavier);
  }
  std::sort_heap(terms.begin(), terms.end(), heavier);
  double sum = 0;
  for (const FeedbackTerm& term : terms) sum += term.weight;
  for (FeedbackTerm& term : terms) term.weight /= sum;
  return terms;
}

}  // namespace phasegate::rag
