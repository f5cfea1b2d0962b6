#include "phases/checks/duration.h"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace phasegate::phases {
namespace {

/// The longest units first, so that a text is short; `ms` before `s` is found by its ending.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits{
    {{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

}  // namespace

std::optional<std::int64_t> duration_from(std::string_view text) {
  const auto digits = text.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
  for (const auto& [unit, milliseconds] : kUnits) {
    if (text.substr(digits) != unit) continue;
    std::int64_t count = 0;
    const auto read = std::from_chars(text.data(), text.data() + digits, count);
    const bool fits =
        read.ec == std::errc() && count <= std::numeric_limits<std::int64_t>::max() / milliseconds;
    return fits ? std::optional(count * milliseconds) : std::nullopt;
  }
  return std::nullopt;
}

std::string duration_text(std::int64_t milliseconds) {
  for (const auto& [unit, length] : kUnits) {
    if (milliseconds != 0 && milliseconds % length != 0) continue;
    return std::to_string(milliseconds / length) + std::string(milliseconds == 0 ? "s" : unit);
  }
  return std::to_string(milliseconds) + "ms";
}

}  // namespace phasegate::phases
