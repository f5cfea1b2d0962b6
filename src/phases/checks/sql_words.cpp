#include "phases/checks/sql_words.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace phasegate::phases {
namespace {

bool is_name_char(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Where what begins at `at` ends if it is a comment, or a text or name in quotes; else `at`.
std::size_t behind_opaque(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view close, std::size_t from) {
    const auto found = text.find(close, from);
    return found == std::string_view::npos ? text.size() : found + close.size();
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("--")) return behind("\n", at);
  if (rest.starts_with("/*")) return behind("*/", at + 2);
  // A doubled quote within a text ends one and begins the next.
  if (rest.starts_with('\'')) return behind("'", at + 1);
  if (rest.starts_with('"')) return behind("\"", at + 1);
  if (rest.starts_with('`')) return behind("`", at + 1);
  if (rest.starts_with('[')) return behind("]", at + 1);
  return at;
}

}  // namespace

SqlWords sql_words(std::string_view query) {
  SqlWords found;
  std::vector<std::string> first;  // at most two words: PRAGMA and which
  for (std::size_t at = 0; at < query.size();) {
    if (const auto end = behind_opaque(query, at); end > at) {
      at = end;
      continue;
    }
    const char c = query[at];
    const bool marked = c == ':' || c == '@' || c == '$';
    if (!marked && !is_name_char(c)) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end < query.size() && is_name_char(query[end])) ++end;
    std::string word(query.substr(at, end - at));
    if (marked && word.size() > 1) {
      found.parameters.insert(word.substr(1));
    } else if (!marked && first.size() < 2) {
      first.push_back(base::lowered(word));
    }
    at = end;
  }
  if (first.empty()) return found;
  found.reads = first[0] == "select" || first[0] == "with" || first[0] == "values" ||
                (first[0] == "pragma" && first.size() > 1 &&
                 (first[1] == "data_version" || first[1] == "page_size"));
  return found;
}

}  // namespace phasegate::phases
