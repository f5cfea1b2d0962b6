#include "rag/closer_look.h"

#include <algorithm>

#include "rag/ranking_recipe.h"

namespace phasegate::rag {

CloserLook::CloserLook(const Sought& sought) {
  for (std::size_t i = 0; i < sought.words.size(); ++i) {
    places_.emplace(sought.words[i].term, i);
    exact_.push_back(sought.words[i].word);
  }
  if (sought.phrases == nullptr) return;
  for (const std::vector<std::string>& phrase : *sought.phrases) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& word : phrase) {
      const auto next = static_cast<std::uint32_t>(phrase_words_.size() + 1);
      numbers.push_back(phrase_words_.emplace(word, next).first->second);
    }
    phrases_.push_back(std::move(numbers));
  }
}

void CloserLook::note(const Token& token, std::size_t field, std::uint32_t base, Seen& seen) {
  const auto place = places_.find(stemmer_.term_of(token));
  if (place == places_.end()) return;
  const std::size_t word = place->second;
  seen.positions[word].push_back(base + token.position);
  if (token.text == exact_[word]) ++seen.exact[word][field];
}

void CloserLook::find_phrases(std::vector<bool>& held) const {
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    if (held[i]) continue;
    const std::vector<std::uint32_t>& phrase = phrases_[i];
    held[i] = std::search(line_.begin(), line_.end(), phrase.begin(), phrase.end()) != line_.end();
  }
}

Seen CloserLook::at(const PassageFields& fields) {
  Seen seen;
  seen.exact.resize(exact_.size());
  seen.positions.resize(exact_.size());
  std::vector<bool> held(phrases_.size());
  std::uint32_t base = 0;
  for (std::size_t field = 0; field < kFields; ++field) {
    tokenise(fields.texts[field], tokens_);
    line_.clear();
    for (const Token& token : tokens_) {
      note(token, field, base, seen);
      if (phrases_.empty() || token.joined) continue;
      const auto number = phrase_words_.find(token.text);
      line_.push_back(number == phrase_words_.end() ? 0 : number->second);
    }
    find_phrases(held);
    if (!tokens_.empty()) base += tokens_.back().position;
    base += static_cast<std::uint32_t>(kRecipe.field_gap);
  }
  seen.holds_phrases = std::all_of(held.begin(), held.end(), [](bool one) { return one; });
  return seen;
}

double nearness(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second) {
  const auto reach = static_cast<std::uint32_t>(kRecipe.reach);
  double sum = 0;
  auto from = second.begin();
  for (const std::uint32_t at : first) {
    while (from != second.end() && *from + reach < at) ++from;
    double best = 0;
    for (auto other = from; other != second.end() && *other <= at + reach; ++other) {
      if (*other == at) continue;
      const bool follows = *other > at;
      const double distance = follows ? *other - at : at - *other;
      best = std::max(best, (follows ? 1.0 : kRecipe.wrong_order) / (distance * distance));
    }
    sum += best;
  }
  return sum;
}

}  // namespace phasegate::rag
