#include "rag/query.h"

#include <algorithm>
#include <unordered_map>

#include "base/limits.h"
#include "base/text.h"
#include "rag/stop_words.h"
#include "rag/tokens.h"

namespace phasegate::rag {
namespace {

base::Error refusal(std::string message) {
  return {"invalid_query", std::move(message),
          "ask with words, for example \"how are migrations tested\"", "query"};
}

struct Quotes {
  std::string_view open;
  std::string_view close;
};
constexpr Quotes kQuotes[] = {{"\"", "\""}, {"“", "”"}};

/// What stands between quotes; an opening one that is not closed is nothing.
std::vector<std::string_view> quoted_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  while (parts.size() < base::limits::kQueryPhrasesMax) {
    std::size_t begin = std::string_view::npos;
    std::size_t end = begin;
    std::size_t next = begin;
    for (const Quotes& quotes : kQuotes) {
      const std::size_t open = text.find(quotes.open);
      if (open >= begin) continue;
      const std::size_t close = text.find(quotes.close, open + quotes.open.size());
      if (close == std::string_view::npos) continue;
      begin = open + quotes.open.size();
      end = close;
      next = close + quotes.close.size();
    }
    if (begin == std::string_view::npos) break;
    parts.push_back(text.substr(begin, end - begin));
    text.remove_prefix(next);
  }
  return parts;
}

std::vector<std::vector<std::string>> phrases_of(std::string_view text) {
  std::vector<std::vector<std::string>> phrases;
  std::vector<Token> tokens;
  for (const std::string_view part : quoted_parts(text)) {
    tokenise(part, tokens);
    std::vector<std::string> words;
    for (Token& token : tokens) {
      if (!token.joined && words.size() < kPhraseWordsMax) words.push_back(std::move(token.text));
    }
    if (!words.empty()) phrases.push_back(std::move(words));
  }
  return phrases;
}

}  // namespace

base::Result<Query> parse_query(std::string_view text) {
  if (text.size() > base::limits::kQueryBytesMax) {
    return refusal("the query has " + std::to_string(text.size()) + " bytes, " +
                   std::to_string(base::limits::kQueryBytesMax) + " are the most");
  }
  if (!base::is_utf8(text)) return refusal("the query is not UTF-8");
  std::vector<Token> tokens;
  tokenise(text, tokens);
  if (tokens.empty()) {
    constexpr std::size_t kShown = 80;
    return refusal(base::is_blank(text)
                       ? std::string("the query is empty")
                       : "the query " + base::in_quotes(base::shortened(text, kShown)) +
                             " holds no letter and no digit");
  }
  const bool only_stop_words = std::all_of(
      tokens.begin(), tokens.end(), [](const Token& token) { return is_stop_word(token.text); });
  Query query;
  Stemmer stemmer;
  std::unordered_map<std::string, std::size_t> places;
  for (const Token& token : tokens) {
    if (!only_stop_words && is_stop_word(token.text)) continue;
    const auto [place, is_new] = places.emplace(stemmer.term_of(token), query.terms.size());
    if (is_new) query.terms.push_back({place->first, token.text, 0, token.joined});
    QueryTerm& term = query.terms[place->second];
    ++term.count;
    if (token.joined) continue;
    term.joined = false;
    query.sequence.push_back(place->second);
  }
  if (query.sequence.size() <= kPhraseQueryWordsMax) query.phrases = phrases_of(text);
  return query;
}

}  // namespace phasegate::rag
