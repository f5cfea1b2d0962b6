#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::bench {

/// The floor: SQLite's full-text search as anybody would use it first. One column, the tokenizer
/// `porter unicode61`, the query's words joined with OR, ordered by bm25.
class PlainSearch {
 public:
  /// Makes the database at `file`.
  explicit PlainSearch(const std::filesystem::path& file);
  ~PlainSearch();
  PlainSearch(const PlainSearch&) = delete;
  PlainSearch& operator=(const PlainSearch&) = delete;

  /// Texts get the ids 0, 1, 2, …
  void add(const std::vector<std::string>& texts);
  /// The ids of the best `limit` texts, with the text of each read, as who shows them has to.
  [[nodiscard]] std::vector<std::int64_t> search(std::string_view query, std::size_t limit);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::bench
