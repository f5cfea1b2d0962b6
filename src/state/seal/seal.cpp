#include "state/seal/seal.h"

#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "gating/engine/ports.h"

namespace phasegate::state {
namespace {

constexpr std::size_t kNumberBytes = 8;

std::string mark_under(const SealKey& key, const SealText& text) {
  std::string mark;
  append_big_endian(mark, static_cast<std::uint64_t>(key.number));
  mark += base::hmac_sha256(key.bytes, text.bytes());
  return mark;
}

const SealKey* find_in(const std::vector<SealKey>& keys, std::int64_t number) {
  for (const SealKey& key : keys) {
    if (key.number == number) return &key;
  }
  return nullptr;
}

}  // namespace

Seal::Seal(std::filesystem::path folder, std::string database_id)
    : folder_(std::move(folder)), database_id_(std::move(database_id)) {}

const std::vector<SealKey>& Seal::keys() {
  if (keys_.empty()) keys_ = read_seal_keys(folder_);
  if (keys_.empty()) {
    throw gating::engine::StoreFailure(
        seal_keys_error(std::string(kSealKeysFileName) + " is gone from the state folder"));
  }
  return keys_;
}

const SealKey* Seal::find(std::int64_t number) {
  if (const SealKey* key = find_in(keys(), number)) return key;
  // Another process may have added one since.
  keys_.clear();
  return find_in(keys(), number);
}

std::string Seal::mark(const SealText& text) {
  return mark_under(keys().back(), text);
}

bool Seal::holds(std::string_view mark, const SealText& text) {
  const std::vector<SealKey>& known = keys();
  if (mark.size() != kMarkBytes) return false;
  const std::int64_t number = key_number_of(mark);
  // One that cannot be a number of ours is no reason to read the keys again.
  if (number < 1 ||
      std::cmp_greater(number, known.back().number + static_cast<std::int64_t>(kSealKeysMax)))
    return false;
  const SealKey* key = find(number);
  return key != nullptr && base::equal_in_constant_time(mark, mark_under(*key, text));
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
