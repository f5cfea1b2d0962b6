#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::base {

/// RFC 4648 §4, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);
/// RFC 4648 §5, without padding.
[[nodiscard]] std::string base64url(std::string_view bytes);

/// The bytes of a text that base64() could have written, or nullopt: a foreign character, missing
/// or excess padding, and bits that belong to no byte are errors. So each value has one text.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);
/// The same for base64url().
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace phasegate::base
