#include "mcp/tools/list_cursor.h"

#include "base/hash.h"
#include "base/limits.h"

namespace phasegate::mcp::tools {
namespace {

constexpr std::size_t kMarkDigits = 12;

}  // namespace

std::string list_cursor(std::string_view list, std::string_view last_id) {
  base::Digest digest;
  digest.add("cursor").add(list).add(last_id);
  return digest.hex().substr(0, kMarkDigits) + "." + std::string(last_id);
}

std::optional<std::string> id_of_cursor(std::string_view list, std::string_view cursor) {
  if (cursor.size() <= kMarkDigits || cursor.size() > base::limits::kCursorBytesMax) {
    return std::nullopt;
  }
  std::string id(cursor.substr(kMarkDigits + 1));
  if (list_cursor(list, id) != cursor) return std::nullopt;
  return id;
}

}  // namespace phasegate::mcp::tools
