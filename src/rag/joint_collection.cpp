#include "rag/joint_collection.h"

#include <string>
#include <utility>

namespace phasegate::rag {

JointCollection::JointCollection(Collection& first, Collection& second)
    : first_(first), second_(second), offset_(first.bound()) {
  const auto first_size = static_cast<double>(first.size());
  const auto second_size = static_cast<double>(second.size());
  if (first_size + second_size == 0) return;
  const std::array<double, kFields> first_means = first.mean_lengths();
  const std::array<double, kFields> second_means = second.mean_lengths();
  for (std::size_t field = 0; field < kFields; ++field) {
    means_[field] = (first_means[field] * first_size + second_means[field] * second_size) /
                    (first_size + second_size);
  }
}

std::size_t JointCollection::size() {
  return first_.size() + second_.size();
}

PassageId JointCollection::bound() {
  return offset_ + second_.bound();
}

const std::array<double, kFields>& JointCollection::mean_lengths() {
  return means_;
}

const Counts& JointCollection::lengths(PassageId passage) {
  return is_of_second(passage) ? second_.lengths(own_id(passage)) : first_.lengths(passage);
}

void JointCollection::postings(std::string_view term, std::vector<Posting>& into) {
  first_.postings(term, into);
  second_.postings(term, more_);
  for (const Posting& posting : more_) into.push_back({posting.passage + offset_, posting.counts});
}

std::size_t JointCollection::frequency(std::string_view term) {
  return first_.frequency(term) + second_.frequency(term);
}

PassageFields JointCollection::fields(PassageId passage) {
  return is_of_second(passage) ? second_.fields(own_id(passage)) : first_.fields(passage);
}

void JointCollection::terms_beginning(
    std::string_view first, const std::function<void(std::string_view, std::size_t)>& each) {
  using Terms = std::vector<std::pair<std::string, std::size_t>>;
  const auto collected = [&](Collection& collection) {
    Terms terms;
    collection.terms_beginning(first, [&](std::string_view term, std::size_t frequency) {
      terms.emplace_back(term, frequency);
    });
    return terms;
  };
  const Terms ours = collected(first_);
  const Terms theirs = collected(second_);
  auto a = ours.begin();
  auto b = theirs.begin();
  while (a != ours.end() || b != theirs.end()) {
    if (b == theirs.end() || (a != ours.end() && a->first < b->first)) {
      each(a->first, a->second);
      ++a;
    } else if (a == ours.end() || b->first < a->first) {
      each(b->first, b->second);
      ++b;
    } else {
      each(a->first, a->second + b->second);
      ++a, ++b;
    }
  }
}

}  // namespace phasegate::rag
