#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace phasegate::base {

/// A key that many HMACs are made with: what depends on the key alone is computed once, which more
/// than halves the cost of a short text.
class HmacKey {
 public:
  /// Throws std::runtime_error if libcrypto refuses.
  explicit HmacKey(std::string_view key);
  HmacKey(HmacKey&&) noexcept;
  HmacKey& operator=(HmacKey&&) noexcept;
  ~HmacKey();

  /// What hmac_sha256 gives for this key and `bytes`. Throws as the constructor.
  [[nodiscard]] std::string sha256(std::string_view bytes) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phasegate::base
