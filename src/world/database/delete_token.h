#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "world/database/connection.h"
#include "world/database/place.h"
#include "world/database/sql_text.h"

namespace phasegate::world::database {

/// What a token is bound to (003-66).
struct Deletion {
  const Place& place;  ///< the file itself, too: a token dies with it
  const SqlText& text;
  const std::vector<Value>& values;
};

/// What was seen when a statement was tried.
struct Loss {
  std::int64_t rows = 0;     ///< rows fewer in the tables that it deletes from
  std::int64_t changes = 0;  ///< rows touched in all, by triggers and foreign keys, too

  friend bool operator==(const Loss&, const Loss&) = default;
};

/// How tokens are made and used up.
struct TokenDesk {
  static constexpr std::int64_t kLifeMs = 10 * 60'000;

  std::string key;  ///< the installation's secret
  const base::Clock& clock;
  /// Uses a token up, for every process and for good; false if it was used before.
  std::function<bool(const std::string& token, std::int64_t until_ms)> use_once;
};

/// A token's contents, known to be ours and for this deletion.
struct DeleteToken {
  std::int64_t expires_ms = 0;
  Loss loss;
  std::string nonce;
};

/// A token for this deletion, of this extent, from now on for ten minutes.
[[nodiscard]] std::string make_token(const TokenDesk& desk, const Deletion& deletion,
                                     const Loss& loss);
/// Reads a token. Errors: `invalid_token` if it is not ours, was changed, or is for another
/// statement, other values or another database; `token_expired`.
[[nodiscard]] base::Result<DeleteToken> read_token(const TokenDesk& desk, const Deletion& deletion,
                                                   std::string_view token);

}  // namespace phasegate::world::database
