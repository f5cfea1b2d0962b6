#include <algorithm>
#include <cctype>

#include "mcp/http/http.h"
#include "mcp/http/text.h"

namespace phasegate::mcp::http {

void Headers::add(std::string name, std::string value) {
  const std::string_view inner = trimmed(value);
  if (inner.size() != value.size()) value = std::string(inner);
  fields_.emplace_back(std::move(name), std::move(value));
}

const std::string* Headers::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [name](const auto& field) {
    return equal_without_case(field.first, name);
  });
  return found == fields_.end() ? nullptr : &found->second;
}

std::size_t Headers::count(std::string_view name) const {
  const auto same = [name](const auto& field) { return equal_without_case(field.first, name); };
  return static_cast<std::size_t>(std::count_if(fields_.begin(), fields_.end(), same));
}

}  // namespace phasegate::mcp::http
