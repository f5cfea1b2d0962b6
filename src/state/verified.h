#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace phasegate::state {

/// The last texts that were verified, with what was made of them. Verifying and parsing depend on
/// nothing but the bytes, so the same bytes under the same key need neither again. Whoever asks
/// must have read them from the store just now: a changed byte is another text, and is verified.
template <typename Made>
class Verified {
 public:
  /// What was made of these bytes; null if they must be verified. Valid until the next `remember`.
  [[nodiscard]] const Made* find(std::string_view key, std::string_view bytes) const {
    for (const Entry& entry : entries_) {
      if (entry.used && entry.key == key && entry.bytes == bytes) return &entry.made;
    }
    return nullptr;
  }

  /// Takes the place of the oldest. Long texts are not kept.
  void remember(std::string_view key, std::string_view bytes, Made made) {
    if (bytes.size() > kBytesMax) return;
    entries_[next_] = Entry{true, std::string(key), std::string(bytes), std::move(made)};
    next_ = (next_ + 1) % kEntries;
  }

 private:
  static constexpr std::size_t kEntries = 4;
  static constexpr std::size_t kBytesMax = 64U << 10U;

  struct Entry {
    bool used = false;
    std::string key;
    std::string bytes;
    Made made;
  };

  std::array<Entry, kEntries> entries_;
  std::size_t next_ = 0;
};

}  // namespace phasegate::state
