#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "rag/collection.h"
#include "rag/index_db.h"

namespace phasegate::rag {

/// An index as the ranker sees it. What it has read once it keeps until the index changes. For one
/// thread, within one reading of the database (state::Snapshot), which refresh() has to begin with.
class IndexCollection final : public Collection {
 public:
  explicit IndexCollection(IndexDb& index) : index_(index) {}

  /// Takes notice of what has changed since the last time. O(1) if nothing has, else O(passages
  /// added since).
  void refresh();
  [[nodiscard]] const Totals& totals() const { return totals_; }

  [[nodiscard]] std::size_t size() override { return totals_.passages; }
  [[nodiscard]] PassageId bound() override { return static_cast<PassageId>(lengths_.size()); }
  [[nodiscard]] const std::array<double, kFields>& mean_lengths() override { return means_; }
  [[nodiscard]] const Counts& lengths(PassageId passage) override;
  void postings(std::string_view term, std::vector<Posting>& into) override;
  [[nodiscard]] std::size_t frequency(std::string_view term) override;
  [[nodiscard]] PassageFields fields(PassageId passage) override;
  void terms_beginning(std::string_view first,
                       const std::function<void(std::string_view, std::size_t)>& each) override;

 private:
  IndexDb& index_;
  std::int64_t version_ = -1;
  Totals totals_;
  std::vector<Counts> lengths_;  ///< by id; those of removed passages stay and are of no use
  std::array<double, kFields> means_{};
  std::unordered_map<std::string, std::size_t> frequencies_;
  std::unordered_map<std::string, std::vector<Posting>> postings_;
  std::size_t postings_kept_ = 0;  ///< of all terms together
};

}  // namespace phasegate::rag
