#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/hmac_key.h"
#include "state/seal/seal_keys.h"
#include "state/seal/seal_text.h"

namespace phasegate::state {

/// Makes and verifies the marks of one database: HMAC-SHA-256 under the keys beside it. A mark is
/// the number of its key (eight bytes, the highest first) and 32 bytes. The keys are read when they
/// are needed first, and again when a mark names one that was not there then. Not thread-safe.
class Seal {
 public:
  /// Length of a mark in bytes.
  static constexpr std::size_t kMarkBytes = 8 + 32;

  /// Touches nothing. `database_id`: the random id of the database in `folder`.
  Seal(std::filesystem::path folder, std::string database_id);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const std::string& database_id() const { return database_id_; }
  /// The beginning of a text that this database's marks vouch for.
  [[nodiscard]] SealText text(std::string_view kind) const { return {kind, database_id_}; }

  /// A mark with the newest key. Throws StoreFailure (`damaged`) if the keys are missing or
  /// refused.
  [[nodiscard]] std::string mark(const SealText& text);
  /// Whether it is a mark of this text; compared in constant time. Throws as `mark`.
  [[nodiscard]] bool holds(std::string_view mark, const SealText& text);
  /// The number of the newest key. Throws as `mark`.
  [[nodiscard]] std::int64_t newest_key();
  /// Reads the keys again when they are needed next.
  void forget_keys() { keys_.clear(); }
  /// The same if the file is not any more the one that was read: gone, replaced, changed, or open
  /// to others. Costs one look at it. For who is going to seal something: what is sealed with a key
  /// that is on no disk can never be verified.
  void forget_changed_keys();

  /// What was found of the database's file without its log (see under_log.h).
  struct FoundUnderLog {
    std::string files;         ///< what tells file and log from what they were or will be
    std::int64_t counter = 0;  ///< the highest that the file has held
  };
  FoundUnderLog under_log;

 private:
  struct Key {
    std::int64_t number;
    base::HmacKey hmac;

    [[nodiscard]] std::string mark(const SealText& text) const;
  };
  const std::vector<Key>& keys();
  const Key* find(std::int64_t number);

  std::filesystem::path folder_;
  std::string database_id_;
  std::vector<Key> keys_;
  SealKeysLook look_;  ///< at the file, before it was read
};

/// The number of the key that a mark names; 0 if it is none.
[[nodiscard]] std::int64_t key_number_of(std::string_view mark);

}  // namespace phasegate::state
