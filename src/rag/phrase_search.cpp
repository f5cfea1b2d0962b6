#include "rag/phrase_search.h"

#include <algorithm>
#include <set>
#include <utility>

#include "rag/tokens.h"

namespace phasegate::rag {

std::vector<PassageId> passages_with_words_of(const std::vector<std::vector<std::string>>& phrases,
                                              Collection& collection) {
  constexpr std::size_t kWordsMax = 16;
  Stemmer stemmer;
  std::set<std::string, std::less<>> terms;
  for (const std::vector<std::string>& phrase : phrases) {
    for (const std::string& word : phrase) terms.emplace(stemmer.term_of(word));
  }
  std::vector<std::pair<std::size_t, std::string>> by_frequency;
  for (const std::string& term : terms) {
    by_frequency.emplace_back(collection.frequency(term), term);
  }
  std::sort(by_frequency.begin(), by_frequency.end());
  by_frequency.resize(std::min(by_frequency.size(), kWordsMax));

  std::vector<PassageId> passages;
  std::vector<Posting> postings;
  for (const auto& [frequency, term] : by_frequency) {
    if (frequency == 0) return {};
    collection.postings(term, postings);
    if (term == by_frequency.front().second) {
      for (const Posting& posting : postings) passages.push_back(posting.passage);
      continue;
    }
    auto posting = postings.begin();
    std::erase_if(passages, [&](PassageId passage) {
      while (posting != postings.end() && posting->passage < passage) ++posting;
      return posting == postings.end() || posting->passage != passage;
    });
  }
  return passages;
}

}  // namespace phasegate::rag
