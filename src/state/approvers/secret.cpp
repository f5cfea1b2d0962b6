#include "state/approvers/secret.h"

#include <utility>

#include "base/wipe.h"

namespace phasegate::state {

Secret::Secret() {
  bytes_.reserve(kBytesMax);
}

Secret::~Secret() {
  wipe();
}

// Swapped: a string that is moved from may keep a copy of what it held.
Secret::Secret(Secret&& other) noexcept {
  bytes_.swap(other.bytes_);
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this == &other) return *this;
  wipe();
  bytes_.swap(other.bytes_);
  return *this;
}

bool Secret::add(std::string_view bytes) {
  if (bytes_.capacity() < kBytesMax) bytes_.reserve(kBytesMax);
  if (bytes.size() > kBytesMax - bytes_.size()) return false;
  bytes_.append(bytes);
  return true;
}

void Secret::wipe() noexcept {
  state::wipe(bytes_.data(), bytes_.size());
  bytes_.clear();
}

void wipe(void* bytes, std::size_t count) noexcept {
  base::wipe(bytes, count);
}

}  // namespace phasegate::state
