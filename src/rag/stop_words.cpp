#include "rag/stop_words.h"

#include <algorithm>
#include <iterator>

namespace phasegate::rag {
namespace {

constexpr std::string_view kStopWords[] = {
    "a",       "about", "am",    "an",    "and",   "are",    "aren",   "as",     "at",   "be",
    "been",    "being", "but",   "by",    "can",   "could",  "couldn", "d",      "did",  "didn",
    "do",      "does",  "doesn", "doing", "don",   "done",   "either", "else",   "for",  "from",
    "had",     "has",   "hasn",  "have",  "haven", "having", "he",     "her",    "here", "hers",
    "him",     "his",   "how",   "i",     "if",    "in",     "into",   "is",     "isn",  "it",
    "its",     "ll",    "m",     "may",   "me",    "might",  "mine",   "must",   "my",   "of",
    "on",      "onto",  "or",    "our",   "ours",  "re",     "s",      "shall",  "she",  "should",
    "shouldn", "so",    "t",     "than",  "that",  "the",    "their",  "theirs", "them", "then",
    "there",   "these", "they",  "this",  "those", "to",     "us",     "ve",     "was",  "wasn",
    "we",      "were",  "weren", "what",  "when",  "where",  "which",  "who",    "whom", "whose",
    "why",     "will",  "with",  "won",   "would", "wouldn", "you",    "your",   "yours"};

static_assert(std::is_sorted(std::begin(kStopWords), std::end(kStopWords)));

}  // namespace

bool is_stop_word(std::string_view word) {
  return std::binary_search(std::begin(kStopWords), std::end(kStopWords), word);
}

}  // namespace phasegate::rag
