#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace phasegate::state {

/// A secret as a person gave it. Its memory is overwritten when it goes, and it is never copied:
/// neither by growing, since its room is fixed from the beginning, nor by passing it on.
class Secret {
 public:
  /// As long as a secret may be.
  static constexpr std::size_t kBytesMax = 1024;

  Secret();
  ~Secret();
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  /// Appends; false, and nothing is appended, if it would become longer than kBytesMax.
  [[nodiscard]] bool add(std::string_view bytes);
  [[nodiscard]] std::string_view view() const { return bytes_; }

 private:
  void wipe() noexcept;

  std::string bytes_;
};

/// Overwrites `count` bytes at `bytes` in a way that no compiler leaves out.
void wipe(void* bytes, std::size_t count) noexcept;

}  // namespace phasegate::state
