#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::app::cli {

/// Characters of an id that are shown where it is clear which one is meant.
inline constexpr std::size_t kShortIdChars = 8;

/// The beginning of each id: 8 characters, or more where several of `ids` begin with them.
[[nodiscard]] std::vector<std::string> short_ids(const std::vector<std::string>& ids);

/// The first 8 characters.
[[nodiscard]] std::string short_id(std::string_view id);

}  // namespace phasegate::app::cli
