#include "rag/memory_collection.h"

#include <algorithm>
#include <utility>

namespace phasegate::rag {

MemoryCollection::MemoryCollection(std::vector<PassageFields> passages) {
  for (PassageFields& passage : passages) add(std::move(passage));
}

PassageId MemoryCollection::add(PassageFields passage) {
  const auto id = static_cast<PassageId>(passages_.size());
  Counts lengths{};
  for (std::size_t field = 0; field < kFields; ++field) {
    tokenise(passage.texts[field], tokens_);
    for (const Token& token : tokens_) {
      if (!token.joined) ++lengths[field];
      const std::string_view term = stemmer_.term_of(token);
      auto found = postings_.find(term);
      if (found == postings_.end()) found = postings_.emplace(term, std::vector<Posting>()).first;
      std::vector<Posting>& list = found->second;
      if (list.empty() || list.back().passage != id) list.push_back({id, {}});
      ++list.back().counts[field];
    }
    sums_[field] += lengths[field];
  }
  passages_.push_back(std::move(passage));
  lengths_.push_back(lengths);
  for (std::size_t field = 0; field < kFields; ++field) {
    means_[field] = sums_[field] / static_cast<double>(passages_.size());
  }
  vocabulary_.clear();
  return id;
}

std::size_t MemoryCollection::size() {
  return passages_.size();
}

PassageId MemoryCollection::bound() {
  return static_cast<PassageId>(passages_.size());
}

const std::array<double, kFields>& MemoryCollection::mean_lengths() {
  return means_;
}

const Counts& MemoryCollection::lengths(PassageId passage) {
  return lengths_.at(passage);
}

void MemoryCollection::postings(std::string_view term, std::vector<Posting>& into) {
  const auto found = postings_.find(term);
  if (found == postings_.end()) {
    into.clear();
  } else {
    into = found->second;
  }
}

std::size_t MemoryCollection::frequency(std::string_view term) {
  const auto found = postings_.find(term);
  return found == postings_.end() ? 0 : found->second.size();
}

PassageFields MemoryCollection::fields(PassageId passage) {
  return passages_.at(passage);
}

void MemoryCollection::terms_beginning(
    std::string_view first, const std::function<void(std::string_view, std::size_t)>& each) {
  if (vocabulary_.empty()) {
    vocabulary_.reserve(postings_.size());
    for (const auto& [term, list] : postings_) vocabulary_.emplace_back(term);
    std::sort(vocabulary_.begin(), vocabulary_.end());
  }
  auto term = std::lower_bound(vocabulary_.begin(), vocabulary_.end(), first);
  for (; term != vocabulary_.end() && term->starts_with(first); ++term) {
    each(*term, frequency(*term));
  }
}

}  // namespace phasegate::rag
