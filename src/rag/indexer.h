#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "rag/index_folder.h"
#include "rag/sources.h"
#include "rag/tokens.h"

namespace phasegate::rag {

/// What one look at the files has found and done.
struct LookReport {
  Listing listing;  ///< of a look at everything; empty otherwise
  std::size_t added = 0;
  std::size_t changed = 0;
  std::size_t removed = 0;
  std::size_t read = 0;                             ///< files whose text was read
  std::uint64_t bytes_read = 0;                     ///< of them together
  std::map<LeftOut, std::size_t> left_out_by_text;  ///< of what was read
  bool finished = true;                             ///< false: go_on said no

  [[nodiscard]] bool any() const { return added + changed + removed > 0; }
};

/// Brings the index in line with the files. Any number of processes may do so at once: whatever one
/// has done the others do not do again, and what is written is compared once more, under the lock,
/// with what is there on disk, so that older text does not take the place of newer. Old text is
/// served until the new one is committed. One thread. Failures are gating::engine::StoreFailure; a
/// damaged index is abandoned and made anew within the same call.
class Indexer {
 public:
  explicit Indexer(std::filesystem::path folder);

  /// Asked between batches; false: stop, what is done is kept.
  using GoOn = std::function<bool()>;

  /// All files. Linear in their number; texts are read only where stamps have changed.
  LookReport look(const SourceRules& rules, const GoOn& go_on);
  /// These files, and those directly in these folders.
  LookReport look_in(const SourceRules& rules, const std::set<std::string>& folders,
                     const std::set<std::string>& files, const GoOn& go_on);
  /// These files.
  LookReport look_at(const SourceRules& rules, const std::vector<std::string>& paths);
  /// Takes out what is withheld by its text, whenever it was put in. Linear in the files.
  void drop_withheld(const SourceRules& rules);
  /// Makes the whole index anew beside the one in use, brings that up to date and swaps it in.
  LookReport rebuild(const SourceRules& rules, const GoOn& go_on);

  /// What is wrong with the index in use; empty: nothing that can be seen. Reads all of it.
  [[nodiscard]] std::string check();
  /// The index in use. Valid until the next call of anything.
  [[nodiscard]] IndexDb& index();
  [[nodiscard]] const IndexFolder& folder() const { return folder_; }
  /// Begins with an empty index, after damage.
  void abandon();

 private:
  struct Work;
  struct Prepared;

  template <typename Call>
  LookReport mended(const Call& call);
  LookReport look_once(const SourceRules& rules, const GoOn& go_on);
  void carry_out(Work& work, const GoOn& go_on);
  void commit(Work& work, const std::vector<Prepared>& texts, std::span<const std::string> gone);
  [[nodiscard]] base::Descriptor lock_for(const Work& work);
  void read_all_into(IndexDb& made, Work& work, const GoOn& go_on);

  IndexFolder folder_;
  std::unique_ptr<IndexDb> index_;
  Stemmer stemmer_;
};

/// A failure that means that the index is of no use: `damaged`, or what SQLite says to statements
/// that fit every sound index.
[[nodiscard]] bool is_damage(const std::exception& failure);

}  // namespace phasegate::rag
