#include "world/database/delete_token.h"

#include <array>
#include <charconv>

#include "base/base64.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/text.h"

namespace phasegate::world::database {
namespace {

constexpr std::size_t kTokenBytesMax = 512;
constexpr std::size_t kParts = 5;

std::string number_text(double number) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end.ptr};
}

void add(base::Digest& digest, const Value& value) {
  digest.add(std::to_string(value.index()));
  if (const auto* whole = std::get_if<std::int64_t>(&value)) digest.add(std::to_string(*whole));
  if (const auto* number = std::get_if<double>(&value)) digest.add(number_text(*number));
  if (const auto* text = std::get_if<std::string>(&value)) digest.add(*text);
  if (const auto* blob = std::get_if<Blob>(&value)) digest.add(blob->bytes);
}

/// The part of a token that can be read.
std::string body_of(const DeleteToken& token) {
  return std::to_string(token.expires_ms) + "." + std::to_string(token.loss.rows) + "." +
         std::to_string(token.loss.changes) + "." + token.nonce;
}

std::string seal(const TokenDesk& desk, const Deletion& deletion, std::string_view body) {
  base::Digest digest;
  digest.add("phasegate delete token 1")
      .add(std::to_string(deletion.place.device))
      .add(std::to_string(deletion.place.inode))
      .add(deletion.place.file().string())
      .add(deletion.text.digest())
      .add(std::to_string(deletion.values.size()));
  for (const Value& value : deletion.values) add(digest, value);
  digest.add(body);
  return base::base64url(base::hmac_sha256(desk.key, digest.hex()));
}

bool read_number(std::string_view text, std::int64_t& into) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string make_token(const TokenDesk& desk, const Deletion& deletion, const Loss& loss) {
  base::SystemIdSource ids;
  const DeleteToken token{desk.clock.now().ms + TokenDesk::kLifeMs, loss, ids.new_id()};
  const std::string body = body_of(token);
  return body + "." + seal(desk, deletion, body);
}

base::Result<DeleteToken> read_token(const TokenDesk& desk, const Deletion& deletion,
                                     std::string_view token) {
  const base::Error invalid{
      "invalid_token", "the token is not for this statement on this database, or is no token",
      "have exactly this statement confirmed: `phasegate db confirm`, on a terminal", ""};
  if (token.size() > kTokenBytesMax) return invalid;
  const auto parts = base::split(token, '.');
  if (parts.size() != kParts) return invalid;
  DeleteToken read;
  if (!read_number(parts[0], read.expires_ms) || !read_number(parts[1], read.loss.rows) ||
      !read_number(parts[2], read.loss.changes)) {
    return invalid;
  }
  read.nonce = parts[3];
  const std::string_view body = token.substr(0, token.size() - parts[4].size() - 1);
  if (!base::equal_in_constant_time(seal(desk, deletion, body), parts[4])) return invalid;
  if (desk.clock.now().ms < read.expires_ms) return read;
  return base::Error{"token_expired", "the token has expired: it was good for ten minutes",
                     "have the statement confirmed again", ""};
}

}  // namespace phasegate::world::database
