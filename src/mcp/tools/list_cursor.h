#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::mcp::tools {

/// A cursor of a list that is sorted by id: the next page begins behind the id, whatever has been
/// added or removed meanwhile. `list` tells one list's cursors from another's.
[[nodiscard]] std::string list_cursor(std::string_view list, std::string_view last_id);

/// The id in a cursor; nullopt for one that list_cursor did not make for this list.
[[nodiscard]] std::optional<std::string> id_of_cursor(std::string_view list,
                                                      std::string_view cursor);

}  // namespace phasegate::mcp::tools
