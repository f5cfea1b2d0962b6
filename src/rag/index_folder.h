#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "rag/index_db.h"

namespace phasegate::rag {

/// Where the index of a project lies: a folder that any number of processes share and anybody may
/// delete. `current-N` names the database in use, `index-N-….db` (N: kIndexFormat). A new index is
/// made under a name of its own and swapped in by replacing `current-N`, so that no process ever
/// sees half of one, or takes the write-ahead log of one database for another's. Failures of disk
/// and database are gating::engine::StoreFailure.
class IndexFolder {
 public:
  explicit IndexFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The index in use; null if there is none. One that is damaged, or of no use to this program, is
  /// a StoreFailure (`damaged`, `not_a_database`).
  [[nodiscard]] std::unique_ptr<IndexDb> open_existing() const;
  /// The same; an empty one is made if there is none, or none that can be used.
  [[nodiscard]] std::unique_ptr<IndexDb> open() const;
  /// Whether `db` is still the index in use: one small read.
  [[nodiscard]] bool is_current(const IndexDb& db) const;

  /// A new empty index beside the one in use, for a rebuild.
  [[nodiscard]] std::unique_ptr<IndexDb> make_beside() const;
  /// Swaps in what make_beside made; the one that was in use is removed. Who has it open goes on
  /// reading it until their next look. Waits for those that write into it.
  void swap_in(std::unique_ptr<IndexDb> made) const;
  /// Swaps in an empty index if the one named `name` is still in use. For one that is damaged.
  void abandon(const std::string& name) const;

  /// Held by who writes into the index in use, so that it is not swapped out meanwhile. Nobody who
  /// holds it may open, abandon or swap in another. Throws StoreFailure (`busy`).
  [[nodiscard]] base::Descriptor lock_for_writing() const;

  /// Bytes of the index in use on disk, with its log; 0 if there is none.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  [[nodiscard]] std::optional<std::string> current_name() const;
  [[nodiscard]] std::filesystem::path make_file(std::string_view prefix) const;
  void set_current(const std::string& name) const;
  [[nodiscard]] base::Descriptor lock(int how) const;
  void remove_others(const std::string& kept) const noexcept;

  std::filesystem::path folder_;
};

}  // namespace phasegate::rag
