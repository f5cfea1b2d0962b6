#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::state {

/// What a mark vouches for: a list of values as one text that no other list gives. Each value is
/// preceded by its kind and length; the first two are the kind of record and the database's id, so
/// that no mark counts for another kind of record or in another database.
class SealText {
 public:
  SealText(std::string_view kind, std::string_view database_id);

  SealText& add(std::string_view text);
  SealText& add(std::int64_t number);
  /// A missing value is another one than an empty text or 0.
  SealText& add_optional(const std::optional<std::string>& text);
  SealText& add_optional(const std::optional<std::int64_t>& number);
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  void begin(char kind, std::uint64_t length);

  std::string bytes_;
};

/// Eight bytes, the highest first.
void append_big_endian(std::string& bytes, std::uint64_t number);

/// Two lower-case hexadecimal digits per byte.
[[nodiscard]] std::string to_hex(std::string_view bytes);
/// The bytes; nullopt for anything that to_hex does not write.
[[nodiscard]] std::optional<std::string> from_hex(std::string_view digits);

}  // namespace phasegate::state
