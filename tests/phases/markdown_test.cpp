#include "phases/markdown.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace phasegate::phases;

namespace {

std::vector<const Block*> of_kind(const MarkdownTree& tree, BlockKind kind) {
  std::vector<const Block*> found;
  for (const Block& block : tree.blocks()) {
    if (block.kind == kind) found.push_back(&block);
  }
  return found;
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("markdown: headings, paragraphs, items and their lines") {
  const MarkdownTree tree = parse_markdown(
      "# One *two* `three`\n\ntext\nmore\n\n- [ ] open `x`\n- [x] done\n  - "
      "nested\n\nSetext\n---\n");
  const auto headings = of_kind(tree, BlockKind::heading);
  REQUIRE(headings.size() == 2);
  CHECK(tree.text(*headings[0]) == "One two three");
  CHECK(headings[0]->level == 1);
  CHECK(tree.line(*headings[0]) == 1);
  CHECK(headings[1]->level == 2);
  CHECK(tree.line(*headings[1]) == 10);
  const auto items = of_kind(tree, BlockKind::item);
  REQUIRE(items.size() == 3);
  CHECK(items[0]->task_mark == ' ');
  CHECK(items[1]->task_mark == 'x');
  CHECK(items[2]->task_mark == '\0');
  CHECK(tree.line(*items[0]) == 6);
  CHECK(tree.line(*items[1]) == 7);
  CHECK(tree.line(*items[2]) == 8);
  const auto paragraphs = of_kind(tree, BlockKind::paragraph);
  REQUIRE(paragraphs.size() == 4);
  CHECK(tree.text(*paragraphs[0]) == "text\nmore");
  CHECK(tree.line_end(*paragraphs[0]) == 4);
  CHECK(tree.text(*paragraphs[1]) == "open x");
  CHECK(tree.text(*paragraphs[2]) == "done");
}

TEST_CASE("markdown: line numbers are those of the file, whatever its line ends") {
  struct Case {
    const char* name;
    std::string text;
    int line;
  };
  const Case cases[] = {
      {"LF", "a\n\n# h\n", 3},
      {"CRLF", "a\r\n\r\n# h\r\n", 3},
      {"CR", "a\r\r# h\r", 3},
      {"byte order mark", "\xEF\xBB\xBF# h\n", 1},
      {"front matter", "---\ntitle: x\n---\n\n# h\n", 5},
      {"front matter with dots", "---\ntitle: x\n...\n# h\n", 4},
      {"front matter behind a mark, CRLF", "\xEF\xBB\xBF---\r\na: 1\r\n---\r\n# h\r\n", 4},
      {"no front matter without an end", "---\n\n# h\n", 3},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const MarkdownTree tree = parse_markdown(c.text);
    const auto headings = of_kind(tree, BlockKind::heading);
    REQUIRE(headings.size() == 1);
    CHECK(tree.text(*headings[0]) == "h");
    CHECK(tree.line(*headings[0]) == c.line);
  }
}

TEST_CASE("markdown: blank lines at the beginning of code are lines of it") {
  struct Case {
    const char* name;
    std::string text;
    int line;
  };
  const Case cases[] = {
      {"none", "a\n\n```\nx\n```\n", 4},
      {"two", "a\n\n```\n\n\nx\n```\n", 4},
      {"with spaces", "a\n\n```\n  \n \t\n  x\n", 4},
      {"CRLF", "```\r\n\r\nx\r\n```\r\n", 2},
      {"in a quote", "> ```\n>\n> \n> x\n> ```\n", 2},
      {"in an item", "- a\n\n  ```\n\n  x\n  ```\n", 4},
      {"behind front matter", "---\nt: 1\n---\n~~~\n\nx\n", 5},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    for (const Html html : {Html::blocks, Html::tags}) {
      const MarkdownTree tree = parse_markdown(c.text, html);
      const auto code = of_kind(tree, BlockKind::code);
      REQUIRE(code.size() == 1);
      CHECK(tree.line(*code[0]) == c.line);
    }
  }
}

TEST_CASE("markdown: the words of a task may begin on the line below its box") {
  for (const Html html : {Html::blocks, Html::tags}) {
    const MarkdownTree tree = parse_markdown("- [ ]\nwords\nmore\n- [x]\r\n  done\n", html);
    const auto paragraphs = of_kind(tree, BlockKind::paragraph);
    REQUIRE(paragraphs.size() == 2);
    CHECK(tree.text(*paragraphs[0]) == "words\nmore");
    CHECK(tree.line(*paragraphs[0]) == 2);
    CHECK(tree.text(*paragraphs[1]) == "done");
    CHECK(tree.line(*paragraphs[1]) == 5);
  }
}

TEST_CASE("markdown: tables") {
  const std::string text = "| A | B | C |\n|---|---|---|\n| `x` | | a\\|b |\n| y |\n";
  const MarkdownTree tree = parse_markdown(text);
  REQUIRE(of_kind(tree, BlockKind::table).size() == 1);
  REQUIRE(of_kind(tree, BlockKind::row).size() == 3);
  const auto cells = of_kind(tree, BlockKind::cell);
  REQUIRE(cells.size() == 6);
  CHECK(cells[0]->header);
  CHECK_FALSE(cells[3]->header);
  CHECK(tree.text(*cells[3]) == "x");
  CHECK(cells[4]->column == 2);
  CHECK(tree.text(*cells[4]) == "a|b");
  CHECK(MarkdownTree::raw_cell(text, *cells[3]) == "`x`");
  CHECK(MarkdownTree::raw_cell(text, *cells[4]) == "a|b");
  CHECK(tree.line(*cells[5]) == 4);
}

TEST_CASE("markdown: a raw cell keeps what markup would take away") {
  const std::string text = "| V |\n|---|\n| custom:regex:^a_b\\.*c_d*$ |\n";
  const MarkdownTree tree = parse_markdown(text);
  const auto cells = of_kind(tree, BlockKind::cell);
  REQUIRE(cells.size() == 2);
  CHECK(MarkdownTree::raw_cell(text, *cells[1]) == "custom:regex:^a_b\\.*c_d*$");
}

TEST_CASE("markdown: code and comments are no text") {
  const MarkdownTree tree = parse_markdown(
      "```\n- [ ] no\n```\n\n<!--\n- [ ] no\n-->\n\n    - [ ] no\n\na <!-- b --> c\n");
  CHECK(of_kind(tree, BlockKind::item).empty());
  CHECK(of_kind(tree, BlockKind::code).size() == 2);
  CHECK(of_kind(tree, BlockKind::html).size() == 1);
  const auto paragraphs = of_kind(tree, BlockKind::paragraph);
  REQUIRE(paragraphs.size() == 1);
  CHECK(tree.text(*paragraphs[0]) == "a  c");
}

TEST_CASE("markdown: links and code spans") {
  const MarkdownTree tree =
      parse_markdown("[a](x/y.md) ![i](<p q.png>) `core/z.md` [r]\n\n[r]: ref.md\n");
  REQUIRE(tree.links().size() == 3);
  CHECK(tree.links()[0].target == "x/y.md");
  CHECK(tree.links()[1].target == "p q.png");
  CHECK(tree.links()[2].target == "ref.md");
  REQUIRE(tree.code_spans().size() == 1);
  CHECK(tree.text(tree.code_spans()[0]) == "core/z.md");
}

TEST_CASE("markdown: hostile input gives a tree") {
  struct Case {
    const char* name;
    std::string text;
  };
  const Case cases[] = {
      {"10 MB of boxes", repeated("- [ ]\n", 1'700'000)},
      {"100,000 headings", repeated("# h\n", 100'000)},
      {"1,000 quotes deep", repeated("> ", 1'000) + "x\n"},
      {"1,000 lists deep", repeated("- ", 1'000) + "x\n"},
      {"100,000 brackets", repeated("[", 100'000)},
      {"100,000 stars", repeated("*a ", 100'000)},
      {"100,000 backticks", repeated("`a", 50'000)},
      {"64 columns, 50,000 short rows",
       "|" + repeated(" a |", 63) + "\n|" + repeated("---|", 63) + "\n" + repeated("|x\n", 50'000)},
      {"NUL bytes", std::string(1'000, '\0')},
      {"bytes that are no text", repeated("\xff\xfe\x80", 10'000)},
      {"only carriage returns", repeated("\r", 100'000)},
      {"unclosed comment", "<!--" + repeated("- [ ] x\n", 1'000)},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const MarkdownTree tree = parse_markdown(c.text);
    CHECK(tree.complete());
    CHECK_FALSE(tree.blocks().empty());
    for (const Block& block : tree.blocks()) {
      const bool sane = block.begin <= block.end && block.end <= c.text.size() &&
                        block.text_begin <= block.text_end;
      if (!sane) FAIL_CHECK("a block lies outside of its text");
    }
  }
}

TEST_CASE("markdown: a table that is too wide is none, and the tree says that it is not whole") {
  for (const char* lead : {"", "> ", "- "}) {
    CAPTURE(lead);
    const std::string text = std::string(lead) + "|" + repeated(" a |", 10'000) + "\n" +
                             (*lead == '-' ? "  " : lead) + "|" + repeated("---|", 10'000) + "\n" +
                             repeated("|x\n", 1'000'000);
    const MarkdownTree tree = parse_markdown(text);
    CHECK_FALSE(tree.complete());
    CHECK(of_kind(tree, BlockKind::table).empty());
  }
}

TEST_CASE("markdown: nothing is a document too") {
  for (const char* text : {"", "\n", "\xEF\xBB\xBF", "---\n---\n", "---"}) {
    CAPTURE(text);
    const MarkdownTree tree = parse_markdown(text);
    CHECK(tree.complete());
    CHECK(tree.blocks().front().kind == BlockKind::document);
    CHECK(tree.line(tree.blocks().front()) >= 1);
  }
}
