#include "rag/query.h"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
#include "base/text.h"

using namespace phasegate;

namespace {

/// `word×count …`, joined words with `+`, then the phrases in brackets.
std::string shown(std::string_view text) {
  const auto query = rag::parse_query(text);
  if (!query) return query.error().code;
  std::string out;
  for (const rag::QueryTerm& term : query->terms) {
    if (!out.empty()) out += ' ';
    out += (term.joined ? "+" : "") + term.word;
    if (term.count > 1) out += "×" + std::to_string(term.count);
  }
  for (const auto& phrase : query->phrases) out += " [" + base::joined(phrase, " ") + "]";
  return out;
}

}  // namespace

TEST_CASE("query: words, counted by stem, without stop words") {
  struct Row {
    std::string_view text;
    std::string_view query;
  };
  const Row rows[] = {
      {"gate", "gate"},
      {"x", "x"},
      {"How do I validate a migration?", "validate migration"},
      {"validate validation Validating", "validate×3"},
      {"run_store and runStore", "+run_store run×2 store×2 +runstore"},
      // Nothing but stop words: then they are what is meant.
      {"to be or not", "not"},
      {"to be", "to be"},
      // Quotes, closed or not.
      {"\"never force push\" git", "never force push git [never force push]"},
      {"\"what is it\" gate", "gate [what is it]"},
      {"“Force Push” \"to main\"", "force push main [force push] [to main]"},
      {"say \"hello there", "say hello"},
      {"\"\" \" \" x", "x"},
      {"a \"b\" \"c", "b c [b]"},
      // Everything that others take for syntax.
      {"x AND (y OR NOT z) NEAR/3 col:v* ^a", "x y not z near 3 col v"},
      {"^foo.*(bar|baz)$ [a-z]+", "foo bar baz z"},
      {"'; DROP TABLE users; --", "drop table users"},
      {"gate* -word +word \"", "gate word×2"},
      {"検索", "検 +検索 索"},
      {"gate 🚀", "gate"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(shown(row.text) == row.query);
  }
}

TEST_CASE("query: neighbours are known by their order") {
  const auto query = rag::parse_query("gate of the evidence gate_file");
  REQUIRE(query);
  std::string sequence;
  for (const std::size_t place : query->sequence) sequence += query->terms[place].word + ' ';
  CHECK(sequence == "gate evidence gate file ");
}

TEST_CASE("query: what is none is refused, and says what to do") {
  struct Row {
    std::string text;
    std::string_view said;
  };
  const Row rows[] = {
      {"", "the query is empty"},
      {" \t\n\u200B", "the query is empty"},
      {"?!", "the query \"?!\" holds no letter and no digit"},
      {"🚀", "the query \"🚀\" holds no letter and no digit"},
      {"\"\"", "holds no letter"},
      {"a\xFF", "the query is not UTF-8"},
      {std::string(base::limits::kQueryBytesMax + 1, 'a'), "262144 are the most"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.said);
    const auto query = rag::parse_query(row.text);
    REQUIRE_FALSE(query);
    CHECK(query.error().code == "invalid_query");
    CHECK(query.error().message.find(row.said) != std::string::npos);
    CHECK(query.error().message.size() < 200);
    CHECK_FALSE(query.error().hint.empty());
  }
}

TEST_CASE("query: as large as may be") {
  constexpr std::size_t kMost = base::limits::kQueryBytesMax;
  std::string words;
  for (int i = 0; i < 10'000; ++i) words += "word" + std::to_string(i) + ' ';
  const auto many = rag::parse_query(words);
  REQUIRE(many);
  CHECK(many->terms.size() == 10'000);
  CHECK(rag::parse_query(std::string(kMost, 'a')));
  for (const std::string_view unit : {"\"a", "\" ", "a\" ", "“", "“a”", "\"a b\" ", "_a"}) {
    CAPTURE(unit);
    std::string text = "x ";
    while (text.size() + unit.size() <= kMost) text += unit;
    const auto query = rag::parse_query(text);
    REQUIRE(query);
    CHECK(query->phrases.size() <= base::limits::kQueryPhrasesMax);
  }
  // A long phrase is as long as a phrase can be; in a long text quotes are no demand.
  std::string phrase = "\"";
  for (int i = 0; i < 200; ++i) phrase += "of ";
  const auto of = rag::parse_query(phrase + "\" x");
  REQUIRE(of);
  REQUIRE(of->phrases.size() == 1);
  CHECK(of->phrases[0].size() == rag::kPhraseWordsMax);
  std::string text = "so \"called\"";
  for (std::size_t i = 0; i < rag::kPhraseQueryWordsMax; ++i) text += " word";
  const auto quoting = rag::parse_query(text);
  REQUIRE(quoting);
  CHECK(quoting->phrases.empty());
}
