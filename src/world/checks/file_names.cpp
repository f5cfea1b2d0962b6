#include "world/checks/file_names.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

namespace phasegate::world::checks {
namespace {

/// Names times bytes: some seconds of searching.
constexpr std::uint64_t kSearchedBytesMax = 8ULL << 30U;

bool in_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '$' || byte >= 0x80;
}

bool is_word(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), in_word);
}

std::unordered_set<std::string_view> words_of(std::string_view text) {
  std::unordered_set<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && in_word(text[at])) continue;
    if (at > begin) words.insert(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return words;
}

bool occurs(std::string_view name, std::string_view text) {
  if (name.empty()) return false;
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !in_word(name.front()) || !in_word(text[at - 1]);
    const bool ends = end == text.size() || !in_word(name.back()) || !in_word(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace

base::Result<std::vector<std::string>> names_not_in(const std::vector<std::string>& names,
                                                    std::string_view text) {
  const auto words = words_of(text);
  std::unordered_set<std::string_view> looked_for;
  std::vector<std::string> missing;
  std::uint64_t searched = 0;
  for (const std::string& name : names) {
    if (!looked_for.insert(name).second) continue;
    if (is_word(name)) {
      if (!words.contains(name)) missing.push_back(name);
      continue;
    }
    searched += text.size() + name.size();
    if (searched > kSearchedBytesMax) {
      return base::Error{"too_large",
                         "too many names would have to be looked for in too large a file",
                         "name fewer", ""};
    }
    if (!occurs(name, text)) missing.push_back(name);
  }
  return missing;
}

}  // namespace phasegate::world::checks
