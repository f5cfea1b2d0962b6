#include "app/cli/short_ids.h"

#include <algorithm>

namespace phasegate::app::cli {
namespace {

std::size_t same_beginning(std::string_view a, std::string_view b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(ends.first - a.begin());
}

}  // namespace

std::string short_id(std::string_view id) {
  return std::string(id.substr(0, kShortIdChars));
}

std::vector<std::string> short_ids(const std::vector<std::string>& ids) {
  std::vector<std::string> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::string> out;
  out.reserve(ids.size());
  for (const std::string& id : ids) {
    // In this order an id shares its longest beginning with one of its two neighbours.
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), id);
    std::size_t chars = kShortIdChars;
    if (at != sorted.begin()) chars = std::max(chars, same_beginning(id, *(at - 1)) + 1);
    if (at + 1 != sorted.end()) chars = std::max(chars, same_beginning(id, *(at + 1)) + 1);
    out.push_back(id.substr(0, chars));
  }
  return out;
}

}  // namespace phasegate::app::cli
