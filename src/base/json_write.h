#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/json_fwd.h"

/// For answers that are written often: JSON text without texts in between, and objects that do not
/// copy their members as they grow.
namespace phasegate::base {

/// Appends the text that dump() gives.
void append_dump(std::string& out, const Json& value);
/// Appends a text as a JSON string, as dump() writes it.
void append_json_string(std::string& out, std::string_view text);
/// The size of the text that dump() gives, without making it. O(size of the value).
[[nodiscard]] std::size_t dump_size(const Json& value);
/// The same for a text as a JSON string.
[[nodiscard]] std::size_t json_string_size(std::string_view text);

/// Makes room for so many members of an object. The members of the library's ordered object cannot
/// be moved by a vector that grows, since their keys are constant; so it copies all that they hold.
void reserve_members(Json& object, std::size_t members);
/// An object with room for so many members.
[[nodiscard]] Json object_with_room(std::size_t members);

}  // namespace phasegate::base
