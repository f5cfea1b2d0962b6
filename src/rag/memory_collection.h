#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rag/collection.h"
#include "rag/tokens.h"

namespace phasegate::rag {

/// Passages in memory; the n-th that was added has the id n, from 0.
class MemoryCollection final : public Collection {
 public:
  MemoryCollection() = default;
  explicit MemoryCollection(std::vector<PassageFields> passages);

  /// Adds a passage and returns its id. Linear in its text.
  PassageId add(PassageFields passage);

  std::size_t size() override;
  PassageId bound() override;
  const std::array<double, kFields>& mean_lengths() override;
  const Counts& lengths(PassageId passage) override;
  void postings(std::string_view term, std::vector<Posting>& into) override;
  std::size_t frequency(std::string_view term) override;
  PassageFields fields(PassageId passage) override;
  /// The first call after an addition sorts the vocabulary.
  void terms_beginning(std::string_view first,
                       const std::function<void(std::string_view, std::size_t)>& each) override;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::vector<PassageFields> passages_;
  std::vector<Counts> lengths_;
  std::array<double, kFields> sums_{};
  std::array<double, kFields> means_{};
  std::unordered_map<std::string, std::vector<Posting>, Hash, std::equal_to<>> postings_;
  std::vector<std::string_view> vocabulary_;  // keys of postings_, sorted; empty if not known
  Stemmer stemmer_;
  std::vector<Token> tokens_;
};

}  // namespace phasegate::rag
