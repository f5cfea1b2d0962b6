#include "phases/reading/statements.h"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "tests/phases/reading/fixture.h"

using namespace phasegate::phases;
using phasegate::test::said;
using Kind = Statement::Kind;

namespace {

/// `line@3 text`: one statement on one line, joined by ` / `.
std::string shown(std::string_view text) {
  std::string all;
  for (const Statement& one : said(text)) {
    if (!all.empty()) all += " / ";
    switch (one.kind) {
      case Kind::heading:
        all += "h" + std::to_string(one.level);
        break;
      case Kind::line:
        all += "line";
        break;
      case Kind::item:
        all += one.box ? "box" : "item";
        break;
      case Kind::table:
        all += "table";
        break;
      case Kind::code:
        all += "code";
        break;
      case Kind::tag:
        all += "tag";
        break;
      case Kind::rule:
        all += "rule";
        break;
    }
    all += "@" + std::to_string(one.line);
    if (!one.text.empty()) all += " " + one.text;
  }
  return all;
}

}  // namespace

TEST_CASE("statements: kinds, lines and levels") {
  CHECK(shown("# A\n\ntext\n\n- one\n- two\n\n```sh\nx\n```\n\n| a |\n|---|\n| b |\n") ==
        "h1@1 A / line@3 text / item@5 one / item@6 two / code@9 / table@12");
  CHECK(shown("a\n\n---\n\nb\n").find("rule") != std::string::npos);
  CHECK(shown("A\n===\n\nB\n---\n") == "h1@1 A / h2@4 B");
  CHECK(shown("#no heading\n") == "line@1 #no heading");
  CHECK(shown("").empty());
  CHECK(shown("\n\n\n").empty());
}

TEST_CASE("statements: wrapped lines are put together, new thoughts begin their own") {
  struct {
    const char* text;
    const char* want;
  } const cases[] = {
      {"one\ntwo\nthree\n", "line@1 one two three"},
      {"- one\n  two\n- three\n", "item@1 one two / item@3 three"},
      {"one\n**Label:** two\n", "line@1 one / line@2 Label: two"},
      {"one\n🛑 two\n✅ three\n", "line@1 one / line@2 two / line@3 three"},
      {"one\nVERIFY: two\n", "line@1 one / line@2 VERIFY: two"},
      {"one\nEVIDENCE-REQUIRED: two\n", "line@1 one / line@2 EVIDENCE-REQUIRED: two"},
      {"one\nHTTP: two\n", "line@1 one / line@2 HTTP: two"},
      {"one\nOK: two\n", "line@1 one OK: two"},
      {"one\ntwo **bold** three\n", "line@1 one two bold three"},
      {"a  \nb\n", "line@1 a b"},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.text));
    CHECK(shown(one.text) == one.want);
  }
}

TEST_CASE("statements: line ends, byte order mark and front matter change no line number") {
  const std::string want = "h1@1 A / line@3 b c / item@6 d";
  CHECK(shown("# A\n\nb\nc\n\n- d\n") == want);
  CHECK(shown("# A\r\n\r\nb\r\nc\r\n\r\n- d\r\n") == want);
  CHECK(shown("# A\r\rb\rc\r\r- d\r") == want);
  CHECK(shown("\xEF\xBB\xBF# A\n\nb\nc\n\n- d\n") == want);
  CHECK(shown("---\nname: x\n---\n# A\n\n- b\n") == "h1@4 A / item@6 b");
  CHECK(shown("# A\n\n- b") == "h1@1 A / item@3 b");
}

TEST_CASE("statements: comments say nothing, inline tags leave the text alone") {
  CHECK(shown("a\n\n<!-- - [ ] hidden -->\n\nb\n") == "line@1 a / line@5 b");
  CHECK(shown("a\n\n<!--\n## Phase 1: no\n\n- [ ] hidden\n-->\n\nb\n") == "line@1 a / line@9 b");
  CHECK(shown("a <!-- b --> c\n").find("b") == std::string::npos);
  CHECK(shown("a <b>bold</b> c\n").find("a bold c") != std::string::npos);
}

TEST_CASE("statements: tags are statements, also those with underscores") {
  CHECK(shown("<step n=\"1\">\n\n- a\n\n</step>\n") ==
        "tag@1 <step n=\"1\"> / item@3 a / tag@5 </step>");
  CHECK(shown("<gate>\n- a\n</gate>\n") == "tag@1 <gate> / item@2 a / tag@3 </gate>");
  CHECK(shown("<success_criteria>\n\n- a\n\n</success_criteria>\n") ==
        "tag@1 <success_criteria> / item@3 a / tag@5 </success_criteria>");
  const auto tags = said("<exit_gate>\nText here\n</exit_gate>\n");
  REQUIRE(tags.size() == 3);
  CHECK(tags[1].kind == Kind::line);
  CHECK(tags[1].text == "Text here");
  CHECK(tags[2].line == 3);
  CHECK(shown("x < y and y > z\n") == "line@1 x < y and y > z");
}

TEST_CASE("statements: a tag that goes on over several lines is one tag, whatever it stands in") {
  CHECK(shown("<step n=\"3\"\n  name=\"cool\">\nText.\n") ==
        "tag@1 <step n=\"3\"\n  name=\"cool\"> / line@3 Text.");
  const std::string quoted = shown("> <step n=\"3\"\n> name=\"cool\">\n> Text.\n");
  CHECK(quoted.find("tag@1") != std::string::npos);
  CHECK(quoted.find("tag@2") == std::string::npos);
  CHECK(quoted.find("line@3 Text.") != std::string::npos);
  CHECK(shown("see <the\npath> there\n") == "line@1 see <the path> there");
  CHECK(shown("a <!-- b\nc --> d\n").find("tag") == std::string::npos);
}

TEST_CASE("statements: boxes of every mark") {
  for (const char* box : {"- [ ] ready", "- [x] ready", "- [X] ready", "* [ ] ready", "+ [ ] ready",
                          "1. [ ] ready", "- ☐ ready", "- ☑ ready", "- [] ready", "- [ x] ready",
                          "- [ ] **ready**", "- [ ] ready ✅", "- [ ] ready ✅/❌"}) {
    CAPTURE(std::string(box));
    const auto got = said(std::string(box) + "\n");
    REQUIRE(got.size() == 1);
    CHECK(got[0].kind == Kind::item);
    CHECK(got[0].box);
    CHECK(got[0].text == "ready");
  }
  for (const char* none : {"- ready", "- [link](x) ready", "[ ] ready"}) {
    CAPTURE(std::string(none));
    for (const Statement& one : said(std::string(none) + "\n")) CHECK_FALSE(one.box);
  }
  const auto empty = said("- [ ] \n- [ ] b\n");
  REQUIRE_FALSE(empty.empty());
  CHECK(empty.back().box);
  CHECK(empty.back().line == 2);
}

TEST_CASE("statements: nested lists know their depth and the item around them") {
  const auto got = said("- a\n  - b\n    1. c\n- d\n\n  more\n\nout\n");
  REQUIRE(got.size() == 6);
  CHECK(got[0].depth == 1);
  CHECK(got[0].parent == Statement::kNone);
  CHECK(got[1].depth == 2);
  CHECK(got[1].parent == 0);
  CHECK_FALSE(got[1].ordered);
  CHECK(got[2].depth == 3);
  CHECK(got[2].parent == 1);
  CHECK(got[2].ordered);
  CHECK(got[3].depth == 1);
  CHECK(got[3].parent == Statement::kNone);
  CHECK(got[4].text == "more");
  CHECK(got[4].kind == Kind::line);
  CHECK(got[4].parent == 3);
  CHECK(got[5].depth == 0);
  CHECK(got[5].parent == Statement::kNone);
}

TEST_CASE("statements: quotes are marked, also within lists") {
  const auto got = said("a\n\n> b\n>\n> - [ ] c\n\n- d\n  > e\n");
  REQUIRE(got.size() == 5);
  CHECK_FALSE(got[0].quoted);
  CHECK(got[1].quoted);
  CHECK(got[2].quoted);
  CHECK(got[2].box);
  CHECK_FALSE(got[3].quoted);
  CHECK(got[4].quoted);
}

TEST_CASE("statements: glyphs, bold runs and code spans at the beginning") {
  const auto bold = said("🛑 **Gate:** all done\n");
  REQUIRE(bold.size() == 1);
  CHECK(bold[0].glyph == "🛑");
  CHECK(bold[0].text == "Gate: all done");
  CHECK(bold[0].strong == 5);
  const auto inside = said("**🛑 Gate:** all done\n");
  REQUIRE(inside.size() == 1);
  CHECK(inside[0].glyph == "🛑");
  CHECK(inside[0].strong == 5);
  const auto code = said("- `lint_errors`: 0\n");
  REQUIRE(code.size() == 1);
  CHECK(code[0].code == 11);
  CHECK(code[0].strong == 0);
  CHECK(said("≥ 80 %\n").at(0).text == "≥ 80 %");
  CHECK(said("plain **bold** end\n").at(0).strong == 0);
}

TEST_CASE("statements: text stays as it is composed, ill-formed bytes are replaced") {
  const std::string nfd = "Cafe\xCC\x81 ouvert";
  CHECK(said("- [ ] " + nfd + "\n").at(0).text == nfd);
  CHECK(said("- caf\xE9 x\n").at(0).text == "caf\xEF\xBF\xBD x");
  CHECK(said("- 完成 所有 测试\n").at(0).text == "完成 所有 测试");
}

TEST_CASE("statements: deep nesting and long texts give a result") {
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += std::string(static_cast<std::size_t>(i) * 2, ' ') + "- a\n";
  CHECK_FALSE(said(deep).empty());
  CHECK_FALSE(said(std::string(2000, '>') + " a\n").empty());
  CHECK(said("- " + std::string(100'000, 'x') + "\n").at(0).text.size() == 100'000);
}

TEST_CASE("statements: glyphs of a text") {
  CHECK(without_leading_glyphs("🛑 ✅ go") == "go");
  CHECK(without_leading_glyphs("→ go") == "go");
  CHECK(without_leading_glyphs("• go") == "go");
  CHECK(without_leading_glyphs("go 🛑") == "go 🛑");
  CHECK(without_leading_glyphs("").empty());
  for (const char* yes : {"🛑", "✅ x", "→", "☐"}) CHECK(begins_with_glyph(yes));
  for (const char* no : {"", "a", "é", "测", "≥ 3", "≤ 3", "- x", "1"})
    CHECK_FALSE(begins_with_glyph(no));
}
