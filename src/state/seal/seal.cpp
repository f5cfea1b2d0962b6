#include "state/seal/seal.h"

#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "gating/engine/ports.h"

namespace phasegate::state {
namespace {

constexpr std::size_t kNumberBytes = 8;

}  // namespace

Seal::Seal(std::filesystem::path folder, std::string database_id)
    : folder_(std::move(folder)), database_id_(std::move(database_id)) {}

std::string Seal::Key::mark(const SealText& text) const {
  std::string mark;
  append_big_endian(mark, static_cast<std::uint64_t>(number));
  return mark + hmac.sha256(text.bytes());
}

const std::vector<Seal::Key>& Seal::keys() {
  if (keys_.empty()) {
    look_ = look_at_seal_keys(folder_);
    for (const SealKey& key : read_seal_keys(folder_)) {
      keys_.push_back({key.number, base::HmacKey(key.bytes)});
    }
  }
  if (keys_.empty()) {
    throw gating::engine::StoreFailure(
        seal_keys_error(std::string(kSealKeysFileName) + " is gone from the state folder"));
  }
  return keys_;
}

const Seal::Key* Seal::find(std::int64_t number) {
  for (int i = 0; i < 2; ++i) {
    for (const Key& key : keys()) {
      if (key.number == number) return &key;
    }
    // Another process may have added one since.
    keys_.clear();
  }
  return nullptr;
}

void Seal::forget_changed_keys() {
  if (!keys_.empty() && look_at_seal_keys(folder_) != look_) keys_.clear();
}

std::string Seal::mark(const SealText& text) {
  return keys().back().mark(text);
}

bool Seal::holds(std::string_view mark, const SealText& text) {
  const std::vector<Key>& known = keys();
  if (mark.size() != kMarkBytes) return false;
  const std::int64_t number = key_number_of(mark);
  // One that cannot be a number of ours is no reason to read the keys again.
  if (number < 1 ||
      std::cmp_greater(number, known.back().number + static_cast<std::int64_t>(kSealKeysMax)))
    return false;
  const Key* key = find(number);
  return key != nullptr && base::equal_in_constant_time(mark, key->mark(text));
}

std::int64_t Seal::newest_key() {
  return keys().back().number;
}

std::int64_t key_number_of(std::string_view mark) {
  if (mark.size() != Seal::kMarkBytes) return 0;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    number = (number << 8U) | static_cast<unsigned char>(mark[i]);
  }
  return static_cast<std::int64_t>(number);
}

}  // namespace phasegate::state
