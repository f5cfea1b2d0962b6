#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "rag/collection.h"

namespace phasegate::rag {

/// Two collections, ranked as one: the ids of the second follow those of the first. Both must
/// outlive it, and stay as they are while it is used.
class JointCollection final : public Collection {
 public:
  JointCollection(Collection& first, Collection& second);

  /// True for a passage of the second collection; `own_id` is its id there, or in the first.
  [[nodiscard]] bool is_of_second(PassageId passage) const { return passage >= offset_; }
  [[nodiscard]] PassageId own_id(PassageId passage) const {
    return is_of_second(passage) ? passage - offset_ : passage;
  }

  std::size_t size() override;
  PassageId bound() override;
  const std::array<double, kFields>& mean_lengths() override;
  const Counts& lengths(PassageId passage) override;
  void postings(std::string_view term, std::vector<Posting>& into) override;
  std::size_t frequency(std::string_view term) override;
  PassageFields fields(PassageId passage) override;
  void terms_beginning(std::string_view first,
                       const std::function<void(std::string_view, std::size_t)>& each) override;

 private:
  Collection& first_;
  Collection& second_;
  PassageId offset_;
  std::array<double, kFields> means_{};
  std::vector<Posting> more_;
};

}  // namespace phasegate::rag
