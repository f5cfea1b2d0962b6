#include "rag/ranking.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "base/limits.h"
#include "rag/closer_look.h"
#include "rag/feedback.h"
#include "rag/phrase_search.h"
#include "rag/weights.h"

namespace phasegate::rag {
namespace {

/// A word of the query that counts.
struct Word {
  const QueryTerm* query = nullptr;
  std::size_t frequency = 0;
  double rarity = 0;
};

bool better(const ScoredPassage& a, const ScoredPassage& b) {
  return a.score > b.score || (a.score == b.score && a.passage < b.passage);
}

void keep_best(std::vector<ScoredPassage>& passages, std::size_t count) {
  count = std::min(count, passages.size());
  std::partial_sort(passages.begin(), passages.begin() + static_cast<std::ptrdiff_t>(count),
                    passages.end(), better);
  passages.resize(count);
}

/// One call of rank().
class Ranker {
 public:
  Ranker(const Query& query, Collection& collection, const RankWish& wish)
      : query_(query),
        collection_(collection),
        wish_(wish),
        weights_(collection),
        scores_(collection.bound()) {}

  Ranking run() {
    choose_words();
    for (const Word& word : words_) {
      const double weight = word.query->count * word.rarity;
      reachable_ += weight * Weights::best();
      if (word.frequency > 0) add(word.query->term, weight);
    }
    Ranking ranking;
    find_candidates(ranking);
    ranking.found = candidates_.size();
    if (known() >= kRecipe.feedback_terms_least) {
      learn_from_best();
    } else if (words_.size() <= kRecipe.few_terms) {
      look_closer();
    }
    std::vector<ScoredPassage> best = scored_candidates();
    keep_best(best, wish_.results);
    for (const ScoredPassage& one : best) {
      const double relevance = reachable_ > 0 ? one.score / reachable_ : 0;
      ranking.passages.push_back({one.passage, one.score, std::clamp(relevance, 0.0, 1.0)});
    }
    return ranking;
  }

 private:
  void choose_words() {
    for (const QueryTerm& term : query_.terms) {
      const std::size_t frequency = collection_.frequency(term.term);
      // Of an unknown joined word the parts count, and nothing else.
      if (term.joined && frequency == 0) continue;
      words_.push_back({&term, frequency, weights_.rarity(frequency)});
    }
    if (words_.size() <= base::limits::kQueryTermsMax) return;
    const auto weight = [](const Word& word) {
      return word.frequency == 0 ? 0.0 : word.query->count * word.rarity;
    };
    std::sort(words_.begin(), words_.end(), [&](const Word& a, const Word& b) {
      return weight(a) > weight(b) || (weight(a) == weight(b) && a.query < b.query);
    });
    words_.resize(base::limits::kQueryTermsMax);
  }

  [[nodiscard]] std::size_t known() const {
    return static_cast<std::size_t>(std::count_if(
        words_.begin(), words_.end(), [](const Word& word) { return word.frequency > 0; }));
  }

  void add(std::string_view term, double weight) {
    collection_.postings(term, postings_);
    for (const Posting& posting : postings_) {
      double& score = scores_[posting.passage];
      if (score == 0) touched_.push_back(posting.passage);
      const Counts& lengths = collection_.lengths(posting.passage);
      score += weight * Weights::saturated(weights_.occurrences(posting.counts, lengths));
    }
  }

  [[nodiscard]] bool is_accepted(PassageId passage) const {
    return !wish_.accepts || wish_.accepts(passage);
  }

  [[nodiscard]] std::vector<ScoredPassage> scored_candidates() const {
    std::vector<ScoredPassage> scored;
    scored.reserve(candidates_.size());
    for (const PassageId passage : candidates_) scored.push_back({passage, scores_[passage]});
    return scored;
  }

  void find_candidates(Ranking& ranking) {
    if (!query_.phrases.empty()) {
      std::vector<ScoredPassage> holding;
      for (const PassageId passage : passages_with_words_of(query_.phrases, collection_)) {
        if (is_accepted(passage)) holding.push_back({passage, scores_[passage]});
      }
      keep_best(holding, kRecipe.phrases_looked_at);
      CloserLook look({{}, &query_.phrases});
      for (const ScoredPassage& one : holding) {
        const Seen seen = look.at(collection_.fields(one.passage));
        if (seen.holds_phrases) candidates_.push_back(one.passage);
      }
      ranking.phrases = candidates_.empty() ? Phrases::not_held : Phrases::held;
      if (!candidates_.empty()) return;
    }
    add_touched();
  }

  /// Takes in what has been touched since the last time.
  void add_touched() {
    for (; taken_ < touched_.size(); ++taken_) {
      if (is_accepted(touched_[taken_])) candidates_.push_back(touched_[taken_]);
    }
  }

  void learn_from_best() {
    std::vector<ScoredPassage> best = scored_candidates();
    keep_best(best, kRecipe.feedback_passages);
    double counted = 0;
    for (const Word& word : words_) counted += word.query->count;
    const double all = kRecipe.feedback_share / (1 - kRecipe.feedback_share) * counted;
    for (const FeedbackTerm& term : feedback_of(best, collection_, weights_)) {
      const double weight = all * term.weight * weights_.rarity(term.frequency);
      reachable_ += weight * Weights::best();
      add(term.term, weight);
    }
    if (taken_ > 0) add_touched();
  }

  /// Neighbours in the query, and how often.
  [[nodiscard]] std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> neighbours() const {
    std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> pairs;
    std::size_t before = words_.size();
    for (const std::size_t place : query_.sequence) {
      const auto word = std::find_if(words_.begin(), words_.end(), [&](const Word& one) {
        return one.query == &query_.terms[place] && one.frequency > 0;
      });
      if (word == words_.end()) continue;
      const auto at = static_cast<std::size_t>(word - words_.begin());
      if (before < words_.size() && before != at) ++pairs[{before, at}];
      before = at;
    }
    return pairs;
  }

  void look_closer() {
    const auto pairs = neighbours();
    const double best = Weights::best();
    Sought sought;
    for (const Word& word : words_) {
      sought.words.push_back({word.query->term, word.query->word});
      reachable_ += kRecipe.exact * word.query->count * word.rarity * best;
    }
    const auto pair_weight = [&](const auto& pair) {
      const auto& [words, count] = pair;
      return kRecipe.neighbours * count *
             std::min(words_[words.first].rarity, words_[words.second].rarity);
    };
    for (const auto& pair : pairs) reachable_ += pair_weight(pair) * best;

    std::vector<ScoredPassage> passages = scored_candidates();
    keep_best(passages, kRecipe.looked_at);
    CloserLook look(sought);
    for (const ScoredPassage& one : passages) {
      const Seen seen = look.at(collection_.fields(one.passage));
      const Counts lengths = collection_.lengths(one.passage);
      double& score = scores_[one.passage];
      for (std::size_t i = 0; i < words_.size(); ++i) {
        score += kRecipe.exact * words_[i].query->count * words_[i].rarity *
                 Weights::saturated(weights_.occurrences(seen.exact[i], lengths));
      }
      for (const auto& pair : pairs) {
        const double near =
            nearness(seen.positions[pair.first.first], seen.positions[pair.first.second]);
        score += pair_weight(pair) * Weights::saturated(near / weights_.length(lengths));
      }
    }
  }

  const Query& query_;
  Collection& collection_;
  const RankWish& wish_;
  Weights weights_;
  std::vector<Word> words_;
  std::vector<double> scores_;  // by passage
  std::vector<PassageId> touched_;
  std::size_t taken_ = 0;  // of touched_ into candidates_
  std::vector<PassageId> candidates_;
  std::vector<Posting> postings_;
  double reachable_ = 0;
};

}  // namespace

Ranking rank(const Query& query, Collection& collection, const RankWish& wish) {
  if (collection.size() == 0) return {};
  return Ranker(query, collection, wish).run();
}

}  // namespace phasegate::rag
