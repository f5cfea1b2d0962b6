#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::phases {

/// Milliseconds of `500ms`, `90s`, `10m`, `1h`: a whole number and its unit; nullopt for anything
/// else and for what no int64 holds.
[[nodiscard]] std::optional<std::int64_t> duration_from(std::string_view text);

/// The shortest such text: `10m` for 600000.
[[nodiscard]] std::string duration_text(std::int64_t milliseconds);

}  // namespace phasegate::phases
