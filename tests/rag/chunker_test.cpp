#include "rag/chunker.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/text.h"
#include "tests/support/files.h"

using namespace phasegate;

namespace {

/// The pages point into the text, so a text that ends with the statement would be a mistake.
std::vector<std::string_view> checked_pages(std::string&& text, std::size_t bytes_max) = delete;

std::vector<std::string_view> checked_pages(const std::string& text, std::size_t bytes_max) {
  const auto pages = rag::split_pages(text, bytes_max);
  REQUIRE_FALSE(pages.empty());
  std::string together;
  for (const std::string_view page : pages) {
    CHECK(page.size() <= std::max<std::size_t>(bytes_max, rag::kPageBytesMin));
    if (pages.size() > 1) CHECK_FALSE(page.empty());
    together += page;
  }
  CHECK(together == text);
  return pages;
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

bool ends_with_line(std::string_view page) {
  return page.ends_with('\n');
}

/// A document of random blocks; with `hostile` also ones that are no text at all.
std::string random_document(std::mt19937& random, bool hostile) {
  const std::vector<std::string> blocks = {"# Title\n",
                                           "\n",
                                           "\r\n",
                                           "## Part\r\n\r\n",
                                           "A line of text that goes on for a while.\n",
                                           "- item\n  - inner\n",
                                           "```sh\n# not a heading\n\nls\n```\n",
                                           "~~~\nopen\n\n",
                                           "```\n",
                                           "> quoted\n> ```\n> code\n> ```\n",
                                           "Setext\n======\n",
                                           "text\n---\n",
                                           "ä€😀 ",
                                           "\t\n",
                                           repeated("word ", 40) + "\n",
                                           "| a | b |\n|---|---|\n| 1 | 2 |\n",
                                           "#\n",
                                           "####### seven\n"};
  const std::vector<std::string> noise = {"\xFF\xFE", std::string(1, '\0'), repeated("\x80", 50),
                                          "\r",       "\xF0\x9F\x98",       std::string(500, 'x')};
  std::string text;
  const std::size_t count = random() % 120;
  for (std::size_t i = 0; i < count; ++i) {
    if (hostile && random() % 4 == 0) {
      text += noise[random() % noise.size()];
    } else {
      text += blocks[random() % blocks.size()];
    }
  }
  return text;
}

}  // namespace

TEST_CASE("chunker: what fits is one page, and nothing is one empty page") {
  for (const std::string_view text : {"", "x", "# Title\n\ntext\n", "\n", "\r\n"}) {
    CHECK(rag::split_pages(text, 64) == std::vector<std::string_view>{text});
  }
}

TEST_CASE("bounded: any bytes, any page size: pages are small enough and lose nothing") {
  std::mt19937 random(41);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const bool hostile = round % 2 == 1;
    const std::string text = random_document(random, hostile);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{64},
                                   std::size_t{100}, std::size_t{1000}, 64 + random() % 20'000}) {
      CAPTURE(size);
      const auto pages = checked_pages(text, size);
      if (hostile) continue;
      for (const std::string_view page : pages) {
        CHECK(base::is_utf8(page));
        // No CR LF is torn apart.
        const bool torn =
            page.ends_with('\r') && page.data() + page.size() < text.data() + text.size();
        if (size >= rag::kPageBytesMin + 1) CHECK_FALSE(torn);
      }
    }
  }
}

TEST_CASE("chunker: a page ends before a heading if it can, else at a blank line, else at a line") {
  const std::string half(60, 'a');
  SUBCASE("heading") {
    const std::string text = half + "\n\n" + "para\n\n## Next\n\n" + half + "\n";
    const auto pages = checked_pages(text, 100);
    REQUIRE(pages.size() == 2);
    CHECK(pages[1].starts_with("## Next"));
  }
  SUBCASE("a heading underlined") {
    const std::string text = half + "\n\npara\n\nNext\n====\n\n" + half + "\n";
    const auto pages = checked_pages(text, 100);
    REQUIRE(pages.size() == 2);
    CHECK(pages[1].starts_with("Next\n===="));
  }
  SUBCASE("a heading far back does not leave the page empty") {
    const std::string text = "a\n# Early\n" + half + "\n\n" + half + "\n";
    const auto pages = checked_pages(text, 100);
    REQUIRE(pages.size() == 2);
    CHECK(pages[1] == half + "\n");
  }
  SUBCASE("blank line") {
    const std::string text = half + "\nline\n\nline\nline\n" + half + "\n";
    const auto pages = checked_pages(text, 80);
    REQUIRE(pages.size() == 2);
    CHECK(pages[1].starts_with("line\nline\n"));
  }
  SUBCASE("line") {
    const std::string text = repeated(half + "\n", 5);
    for (const std::string_view page : checked_pages(text, 130)) CHECK(page.size() % 61 == 0);
  }
  SUBCASE("a heading is not left behind alone") {
    const std::string text = half + "\n\n# Head\n\n" + half + "\n";
    const auto pages = checked_pages(text, 75);
    REQUIRE(pages.size() == 2);
    CHECK(pages[1].starts_with("# Head"));
  }
  SUBCASE("what looks like a heading within a fence is none") {
    const std::string text = half + "\n\n```\n# comment\n```\n\n" + half + "\n";
    const auto pages = checked_pages(text, 90);
    REQUIRE(pages.size() == 2);
    CHECK(pages[1].find('#') == std::string_view::npos);
  }
}

TEST_CASE("chunker: a fenced block stays whole unless it alone is larger than a page") {
  const std::string code = "```cpp\n" + repeated("int x;\n\n", 8) + "```\n";
  REQUIRE(code.size() == 75);
  for (const std::string& fence : {code, "~~~~\n" + repeated("```\n\n", 14) + "~~~~\n",
                                   "  - ```\n" + repeated("    a\n\n", 9) + "    ```\n",
                                   "1. ```sh\n" + repeated("   a\n\n", 9) + "   ```\n",
                                   "> ```\n" + repeated("> a\n", 9) + "> ```\n"}) {
    for (std::size_t before = 0; before < 120; ++before) {
      CAPTURE(before);
      const std::string lead = before == 0 ? "" : std::string(before, 'p') + "\n";
      const std::string text = lead + fence + repeated("after\n\n", 20);
      const auto pages = checked_pages(text, 90);
      const auto holds_it = [&](std::string_view page) {
        return page.find(fence) != std::string_view::npos;
      };
      CHECK(std::count_if(pages.begin(), pages.end(), holds_it) == 1);
    }
  }
  // Too large: it is cut at lines; the text before and behind it is not torn.
  const std::string large = "```\n" + repeated("0123456789\n", 50) + "```\n";
  const std::string text = "intro\n\n" + large + "\nend\n";
  const auto pages = checked_pages(text, 100);
  CHECK(pages[0] == "intro\n\n");
  CHECK(std::all_of(pages.begin(), pages.end(), ends_with_line));
  CHECK(pages.back().ends_with("\nend\n"));
}

TEST_CASE("chunker: CR LF documents are split like others") {
  const std::string text = repeated("Some text here.\r\n\r\n## Part\r\n\r\n", 30);
  for (const std::string_view page : checked_pages(text, 100)) {
    CHECK(page.ends_with("\r\n"));
    CHECK((page.starts_with("## Part") || page.starts_with("Some")));
  }
}

TEST_CASE("chunker: a line longer than a page is cut at spaces, and never within a character") {
  const std::string words = repeated("word ", 1000);
  for (const std::string_view page : checked_pages(words, 99)) {
    CHECK(page.ends_with(' '));
  }
  for (const std::size_t size : {4U, 5U, 6U, 7U, 64U}) {
    const std::string characters = repeated("😀é", 200);
    for (const std::string_view page : checked_pages(characters, size)) {
      CHECK(base::is_utf8(page));
    }
  }
  const std::string text = "short\n" + std::string(530, 'x') + "\nshort\n";
  const auto mixed = checked_pages(text, 100);
  CHECK(mixed[0] == "short\n");
  CHECK(mixed.back().ends_with("x\nshort\n"));
}

TEST_CASE("chunker: megabytes of one line, of blank lines, of fences and headings") {
  constexpr int kTimes = 1'000'000;
  for (const std::string_view unit : {"x", "\n", "```\n", "#\n", "# a\n", " ", "a\n=\n", "\x80"}) {
    CAPTURE(unit);
    const std::string text = repeated(unit, kTimes);
    const auto pages = checked_pages(text, 10'240U);
    // No page but the last is less than half full where any place will do.
    CHECK(pages.size() <= 2 * unit.size() * kTimes / (10'240U) + 2);
  }
}

TEST_CASE("chunker: real documents lose nothing and keep their code whole") {
  const auto folder = test::real_documents("workflows/praxis-os");
  if (!folder) return;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = test::read_file(entry.path());
    ++files;
    for (const std::size_t size : {std::size_t{1000}, std::size_t{4000}, std::size_t{10'240}}) {
      for (const std::string_view page : checked_pages(text, size)) {
        CHECK((ends_with_line(page) || page.data() + page.size() == text.data() + text.size()));
      }
    }
  }
  CHECK(files > 100);
}
