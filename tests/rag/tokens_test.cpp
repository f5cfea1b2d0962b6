#include "rag/tokens.h"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/text.h"
#include "rag/stop_words.h"

using namespace phasegate;

namespace {

/// The tokens of a text as `text@position`, joined ones as `+text@position`.
std::string shown(std::string_view text) {
  std::vector<rag::Token> tokens;
  rag::tokenise(text, tokens);
  std::string out;
  for (const rag::Token& token : tokens) {
    if (!out.empty()) out += ' ';
    out += (token.joined ? "+" : "") + token.text + '@' + std::to_string(token.position);
  }
  return out;
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("tokens: words, identifiers, other scripts") {
  struct Row {
    std::string_view text;
    std::string_view tokens;
  };
  const Row rows[] = {
      {"", ""},
      {"  \t\n.,;-!", ""},
      {"Hello, World", "hello@0 world@1"},
      {"don't", "don@0 t@1"},
      {"version 2.10", "version@0 2@1 10@2"},
      {"snake_case", "+snake_case@0 snake@0 case@1"},
      {"camelCase x", "+camelcase@0 camel@0 case@1 x@2"},
      {"HTTPServer", "+httpserver@0 http@0 server@1"},
      {"ABc", "+abc@0 a@0 bc@1"},
      {"ABC Abc aB", "abc@0 abc@1 +ab@2 a@2 b@3"},
      {"getHTTP2Server", "+gethttp2server@0 get@0 http2server@1"},
      {"__init__ _x", "init@0 x@1"},
      {"a__b", "+a__b@0 a@0 b@1"},
      {"MAX_Size_ofX", "+max_size_ofx@0 max@0 size@1 of@2 x@3"},
      {"src/base/text.h", "src@0 base@1 text@2 h@3"},
      {"C++ #42", "c@0 42@1"},
      // Accents, compatibility forms, case beyond ASCII, what nobody sees.
      {"Café CAFÉ cafe\u0301", "cafe@0 cafe@1 cafe@2"},
      {"ﬁle Ｗｉｄｅ x² ①", "file@0 wide@1 x2@2 1@3"},
      {"Straße GRÖSSE", "strasse@0 grosse@1"},
      {"größeÄnderung", "+grosseanderung@0 grosse@0 anderung@1"},
      {"so\u00ADft a\u200Bb \uFEFFc", "soft@0 a@1 b@2 c@3"},
      {"Ελλάδα Привет", "ελλαδα@0 привет@1"},
      {"½ ™ € 🚀 👩‍💻 ✅", ""},
      {"ok🚀go", "ok@0 go@1"},
      // Without spaces.
      {"検索", "検@0 +検索@0 索@1"},
      {"用Python写", "用@0 python@1 写@2"},
      {"がか カ・タ", "が@0 +がか@0 か@1 カ@2 タ@3"},
      {"한글", "한@0 +한글@0 글@1"},
      {"検、索", "検@0 索@1"},
      {"ไทย", "ไ@0 +ไท@0 ท@1 +ทย@1 ย@2"},
      // Ill-formed bytes divide.
      {"a\xFF"
       "b",
       "a@0 b@1"},
      {"a\xE6\xA4", "a@0"},
      {std::string_view("a\0b\x1F"
                        "c",
                        5),
       "a@0 b@1 c@2"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(shown(row.text) == row.tokens);
  }
}

TEST_CASE("tokens: a vector that is used again holds nothing of before") {
  std::vector<rag::Token> tokens;
  rag::tokenise("one_two three", tokens);
  REQUIRE(tokens.size() == 4);
  rag::tokenise("x", tokens);
  REQUIRE(tokens.size() == 1);
  CHECK(tokens[0].text == "x");
  CHECK_FALSE(tokens[0].joined);
  rag::tokenise("", tokens);
  CHECK(tokens.empty());
}

TEST_CASE("tokens: megabytes of one thing: bounded tokens, no spaces or control characters") {
  constexpr int kTimes = 200'000;
  for (const std::string_view unit :
       {"x", "_", "xY", "X", "a_", "ä", "検", "\u0301", "\xFF", "`", "ß", "ﷺ", "9", "aGVsbG8+"}) {
    CAPTURE(unit);
    std::vector<rag::Token> tokens;
    rag::tokenise(repeated(unit, kTimes), tokens);
    for (const rag::Token& token : tokens) {
      if (!token.text.empty() && token.text.size() <= rag::kTokenBytesMax &&
          base::is_utf8(token.text) && token.text.find_first_of(" \t\n\r") == std::string::npos) {
        continue;
      }
      FAIL(token.text);
    }
  }
  // What is too long is cut, and no joined form is made of it.
  CHECK(shown(std::string(100, 'x') + " y") == std::string(64, 'x') + "@0 y@1");
  CHECK(shown(repeated("ab_", 30)).find('+') == std::string::npos);
}

TEST_CASE("stemmer: words of one stem, and what stays as it is") {
  rag::Stemmer stemmer;
  const auto term = [&](std::string_view text) {
    std::vector<rag::Token> tokens;
    rag::tokenise(text, tokens);
    REQUIRE_FALSE(tokens.empty());
    return std::string(stemmer.term_of(tokens.front()));
  };
  CHECK(term("validation") == term("validating"));
  CHECK(term("Tests") == "test");
  CHECK(term("running") == "run");
  for (const std::string_view same : {"utf8s", "x2ings", "is", "検", "тесты"}) {
    CAPTURE(same);
    CHECK(term(same) == same);
  }
  CHECK(term("running_tests") == "running_tests");
  CHECK(term("café") == term("cafe"));
  // More words than are kept change nothing.
  const std::string before = term("relations");
  for (int i = 0; i < 120'000; ++i) {
    std::string word = "w";
    for (int rest = i; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    REQUIRE_FALSE(stemmer.term_of(word).empty());
  }
  CHECK(term("relations") == before);
}

TEST_CASE("stop words: what holds sentences together, but no quantities and negations") {
  for (const std::string_view word : {"a", "the", "how", "yours", "with", "s", "won"}) {
    CAPTURE(word);
    CHECK(rag::is_stop_word(word));
  }
  for (const std::string_view word :
       {"", "not", "no", "all", "any", "only", "before", "without", "gate", "zzz", "The"}) {
    CAPTURE(word);
    CHECK_FALSE(rag::is_stop_word(word));
  }
}
