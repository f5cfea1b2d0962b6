#include "rag/passages.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
#include "base/text.h"
#include "rag/blocks.h"
#include "tests/support/files.h"

using namespace phasegate;

namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

/// `title | path | lines`, one a line.
std::string outline(std::string_view text, std::string_view path = "d.md",
                    rag::PassageSizes sizes = {}) {
  std::string out;
  for (const rag::Passage& passage : rag::read_passages(path, text, sizes).passages) {
    out += passage.title + " | " + passage.path + " | " + std::to_string(passage.line_first) + '-' +
           std::to_string(passage.line_last) + '\n';
  }
  return out;
}

std::vector<std::string> contents(std::string_view text, std::string_view path = "d.md") {
  std::vector<std::string> out;
  for (rag::Passage& passage : rag::read_passages(path, text).passages) {
    out.push_back(std::move(passage.content));
  }
  return out;
}

/// Text of about so many tokens, without blank lines within.
std::string words(std::size_t tokens) {
  return repeated("abc ", tokens - 1) + "end.\n";
}

const rag::PassageSizes kEachSection = {0, 150, 250};

}  // namespace

TEST_CASE("passages: sections with their headings, the headings above them and their lines") {
  CHECK(outline("# Guide\n\nIntro.\n\n## Setup\n\nDo it.\n\n### Linux\n\napt\n\n## Use\n\nRun.\n",
                "d.md", kEachSection) ==
        "Guide |  | 1-3\n"
        "Setup | Guide | 5-7\n"
        "Linux | Guide > Setup | 9-11\n"
        "Use | Guide | 13-15\n");
  // Underlined headings, levels that are left out, closing marks.
  CHECK(outline("Guide\n=====\nIntro.\n\nSetup\n-----\nDo it.\n\n#### Deep ####\nx\n", "d.md",
                kEachSection) ==
        "Guide |  | 1-3\n"
        "Setup | Guide | 5-7\n"
        "Deep | Guide > Setup | 9-10\n");
  // Text before any heading; the file's name is the title.
  CHECK(outline("Just text.\n\nMore.\n", "a/git-safety.md") == "git safety |  | 1-3\n");
  CHECK(outline("") == "");
  CHECK(outline("# Only\n## Headings\n") == "");
}

TEST_CASE("passages: what is a heading and what only looks like one") {
  const auto titles = [](std::string_view text) {
    std::string out;
    for (const rag::Passage& one : rag::read_passages("d.md", text, kEachSection).passages) {
      out += one.title + ';';
    }
    return out;
  };
  CHECK(titles("# A\nx\n```sh\n# not\n```\n~~~~\n# nor\n```\n# this\n~~~~\n# B\ny\n") == "A;B;");
  CHECK(titles("# A\n- item\n\n  ```\n# code\n  ```\n\n# B\ny\n") == "A;B;");
  CHECK(titles("# A\n> ```\n> # quoted\n\n# B\ny\n") == "A;B;");
  CHECK(titles("# A\n#hash\n####### seven\n    # indented\n") == "A;");
  CHECK(titles("# A\n```never closed\n# x\n\n## y\n") == "A;");
  CHECK(titles("# A\nx\n\n---\n\ny\n\n- item\n---\nz\n") == "A;");
  CHECK(titles("# A\r\nx\r\n\r\n# B\r\ny\r\n") == "A;B;");
  CHECK(titles("# A\rx\r\r# B\ry\r") == "A;B;");
  CHECK(titles("# **Bold** `code` [link](x.md) ##\nx\n") == "Bold code link;");
  CHECK(titles("# C# [optional] snake_case {#id}\nx\n") == "C# [optional] snake_case;");
  CHECK(titles("#\nx\n") == ";");
}

TEST_CASE("passages: content is the markdown without front matter, comments and rules") {
  const auto got = contents(
      "---\ntitle: T\n---\n# A\n<!-- hidden\n\nhidden too -->\nShown <!-- not --> "
      "this.\n\n\n\n---\n\n"
      "`<!-- code -->` and\n\n```html\n<!-- kept -->\n```\n");
  REQUIRE(got.size() == 1);
  CHECK(got[0] == "# A\n\nShown  this.\n\n`<!-- code -->` and\n\n```html\n<!-- kept -->\n```");
  CHECK(contents("a <!-- never closed\n\nb\n") ==
        std::vector<std::string>{"a <!-- never closed\n\nb"});
  CHECK(contents("a\n\n<!-- to the end\n\n# b\n") == std::vector<std::string>{"a"});
  CHECK(contents("\xEF\xBB\xBF# A\nx\n") == std::vector<std::string>{"# A\nx"});
  CHECK(contents("a\xFF"
                 "b\n") == std::vector<std::string>{"a\xEF\xBF\xBD"
                                                    "b"});
  const auto passages = rag::read_passages("d.md", "---\na: b\n---\n\n<!--\n\n-->\nx\n").passages;
  REQUIRE(passages.size() == 1);
  CHECK(passages[0].line_first == 8);
}

TEST_CASE("passages: a long section is divided between its blocks, fences and tables stay whole") {
  const std::string fence = "```\n" + repeated("code\n\n", 150) + "```\n";
  const std::string table = "| a | b |\n|---|---|\n" + repeated("| cell | cell |\n", 80);
  const std::string text =
      "# A\n\n" + words(150) + "\n" + words(150) + "\n" + fence + "\n" + words(90) + "\n" + table;
  const auto got = contents(text);
  REQUIRE(got.size() == 5);
  CHECK(got[0].starts_with("# A\n\nabc"));
  CHECK(got[2] + "\n" == fence);
  CHECK(got[4] + "\n" == table);
  for (const rag::Passage& passage : rag::read_passages("d.md", text).passages) {
    CHECK(passage.title == "A");
    CHECK(passage.tokens == (passage.content.size() + 3) / 4);
  }
}

TEST_CASE("passages: what is larger than a passage may be is divided between lines") {
  constexpr std::size_t kMost = base::limits::kPassageBytesMost;
  SUBCASE("a fence: every part is one") {
    const auto got = contents("1. ```sh\n" + repeated("   echo line\n", 2000) + "   ```\n");
    REQUIRE(got.size() > 3);
    for (const std::string& one : got) {
      CHECK(one.starts_with("1. ```sh\n   echo line\n"));
      CHECK(one.ends_with("   echo line\n   ```"));
      CHECK(one.size() <= kMost);
    }
  }
  SUBCASE("a table: every part has its head") {
    const auto got = contents("Text\n| a | b |\n|---|---|\n" + repeated("| cell | cell |\n", 2000));
    REQUIRE(got.size() > 3);
    CHECK(got[0].starts_with("Text\n| a | b |\n|---|---|\n| cell"));
    for (std::size_t i = 1; i < got.size(); ++i) {
      CHECK(got[i].starts_with("| a | b |\n|---|---|\n| cell"));
      CHECK(got[i].ends_with("| cell | cell |"));
    }
  }
  SUBCASE("a list") {
    for (const std::string& one : contents(repeated("- an item of it\n", 500))) {
      CHECK(one.size() <= 1000);
      CHECK(one.ends_with("it"));
    }
  }
  SUBCASE("one line, of words and of one word") {
    for (const std::string& one : contents(repeated("word ", 5000))) {
      CHECK(one.size() <= 1000);
      CHECK((one.ends_with("word ") || one.ends_with("word")));
    }
    std::string together;
    for (const std::string& one : contents(repeated("äöü", 5000))) {
      CHECK(base::is_utf8(one));
      together += one;
    }
    CHECK(together == repeated("äöü", 5000));
  }
}

TEST_CASE("passages: short pieces are put together where they belong together") {
  // A small document is one passage.
  CHECK(outline("# D\n\n## A\n\nx\n\n### B\n\ny\n\n## C\n\nz\n") == "D / A / B / C |  | 1-13\n");
  // With what stands within, but not with the next chapter.
  const std::string document = "# D\n\n" + words(240);
  CHECK(outline(document + "\n## A\n\n" + words(30) + "\n### B\n\n" + words(30) + "\n## C\n\n" +
                words(30)) ==
        "D |  | 1-3\n"
        "A / B | D | 5-11\n"
        "C | D | 13-15\n");
  // With the next section that is deeper than a document's chapters.
  CHECK(outline(document + "\n## A\n\n" + words(240) + "\n### X\n\n" + words(30) + "\n### Y\n\n" +
                words(30)) ==
        "D |  | 1-3\n"
        "A | D | 5-7\n"
        "X / Y | D > A | 9-15\n");
  // Never to more than a passage should have.
  CHECK(outline("# D\n\n## A\n\n" + words(90) + "\n### B\n\n" + words(240)) ==
        "D / A |  | 1-5\n"
        "B | D > A | 7-9\n");
}

TEST_CASE("passages: phase, tags and title come from the path and the front matter") {
  struct Row {
    std::string_view path;
    std::string_view text;
    std::string_view phase;
    std::string_view tags;
    std::string_view title;
  };
  const Row rows[] = {
      {"standards/Testing/unit-tests.md", "# Unit tests\nphase 3\n", "", "standards,testing",
       "Unit tests"},
      {"x/phases/3/task.md", "x", "3", "x,phases,3", "task"},
      {"phases/03-build/task.md", "x", "3", "phases,03-build", "task"},
      {"phases/Design/task.md", "x", "design", "phases,design", "task"},
      {"phases/readme.md", "x", "", "phases", "readme"},
      {"docs/phase-3-build.md", "x", "3", "docs", "phase 3 build"},
      {"Phase_12.md", "x", "12", "", "Phase 12"},
      {"phaseless.md", "x", "", "", "phaseless"},
      {"a.md",
       "---\ntitle: T\nphase: 4\ntags: [Git, safety, git]\nkeywords: one, Two words\n---\nx", "4",
       "git,safety,one,two words", "T"},
      {"phases/1/a.md", "---\nphase: review\n---\n# H\nx", "review", "phases,1", "H"},
      {"a.md", "---\ntags:\n  - x\n  - {y: z}\nphase: [1]\n---\nx", "", "x", "a"},
      {"a.md", "---\n{ not: yaml\n---\nx", "", "", "a"},
      {"notes.txt", "---\ntags: x\n---\n", "", "", "notes"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.path);
    CAPTURE(row.text);
    const rag::DocumentPassages got = rag::read_passages(row.path, row.text);
    CHECK(got.phase == row.phase);
    CHECK(base::joined(got.tags, ",") == row.tags);
    CHECK(got.title == row.title);
  }
  std::string many = "---\ntags: ";
  for (int i = 0; i < 100; ++i) many += "t" + std::to_string(i) + ",";
  CHECK(rag::read_passages("a.md", many + "\n---\nx").tags.size() == base::limits::kSearchTagsMax);
  // The title of the front matter stands above headings that begin with the second level.
  CHECK(outline("---\ntitle: T\n---\n## A\nx\n") == "A | T | 4-5\n");
}

TEST_CASE("passages: plain text is divided at blank lines and has no marks") {
  CHECK(contents("# no heading\n\n<!-- kept -->\n", "a.txt") ==
        std::vector<std::string>{"# no heading\n\n<!-- kept -->"});
  CHECK(contents(words(150) + "\n" + words(150), "a.rst").size() == 2);
}

TEST_CASE("passages: fields: headings, headings above and the path, text, code") {
  const auto passages =
      rag::read_passages("ai/git-safety.md", "# A\n\nx\n\n## B\n\nText.\n\n```sh\ncode here\n```\n",
                         kEachSection)
          .passages;
  REQUIRE(passages.size() == 2);
  const rag::PassageFields fields = rag::fields_of("ai/git-safety.md", passages[1]);
  CHECK(fields.of(rag::Field::title) == "B");
  CHECK(fields.of(rag::Field::path) == "A ai git safety");
  CHECK(fields.of(rag::Field::text) == "Text.\n");
  CHECK(fields.of(rag::Field::code) == "code here\n```\n");
  CHECK(rag::fields_of("a.txt", "", "", "```\nx").of(rag::Field::text) == "```\nx\n");
}

TEST_CASE("passages: a document of very many blocks ends as one text") {
  const std::string text = repeated("#\n", rag::kBlocksMax) + repeated("# a\n", 1000);
  const auto got = contents(text);
  REQUIRE(got.size() == 4);
  CHECK(got[0].starts_with("#\n# a\n# a\n"));
  const auto plain = contents(repeated("a\n\n", rag::kBlocksMax + 5), "a.txt");
  CHECK(plain.back().find("a\n\na") != std::string::npos);
}

TEST_CASE("passages: megabytes of one thing stay small passages") {
  constexpr std::size_t kTimes = 1'000'000;
  for (const std::string_view unit :
       {"`",   "#",     "# ",     "#\n",   "# a\n",        "<!--",        "<!--\n",    "<!-- -->",
        "-->", "```\n", "~~~x\n", "|",     "|-|\n",        "-\n",         "> ",        "> ```\n",
        "\n",  " ",     "a\n=\n", "a\n\n", "`` ` ",        "x",           "1. ",       "[",
        "](",  "\r",    "\\",     "---\n", "a <!-- b\n\n", "<!--\n\n-->", "<!-- ` -->"}) {
    CAPTURE(unit);
    const rag::DocumentPassages got =
        rag::read_passages("d.md", repeated(unit, std::max<std::size_t>(kTimes / unit.size(), 1)));
    for (const rag::Passage& one : got.passages) {
      if (one.content.size() > 2 * base::limits::kPassageBytesMost || one.title.size() > 1000) {
        FAIL(one.content.size());
      }
    }
  }
}

TEST_CASE("passages: real documents keep their code whole and lose no line of text") {
  const auto folder = test::real_documents("retrieval/standards/docs");
  if (!folder) return;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    if (entry.path().extension() != ".md") continue;
    ++files;
    CAPTURE(entry.path().string());
    const std::string text = test::read_file(entry.path());
    const std::vector<std::string_view> lines = rag::lines_of(text);
    std::vector<bool> covered(lines.size());
    std::size_t line = 0;
    for (const rag::Passage& one : rag::read_passages("d.md", text).passages) {
      CHECK(one.line_first > line);
      CHECK(one.line_last >= one.line_first);
      line = one.line_last;
      for (std::size_t i = one.line_first; i <= one.line_last; ++i) covered.at(i - 1) = true;
      // Every line is shown as it stands in the file.
      for (const std::string_view shown : rag::lines_of(one.content)) {
        const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(one.line_first - 1);
        const auto end = lines.begin() + static_cast<std::ptrdiff_t>(one.line_last);
        if (std::find(begin, end, shown) == end) FAIL(shown);
      }
    }
    // What no passage has is a blank line, a heading without text, or a rule.
    const std::vector<rag::Block> blocks = rag::markdown_blocks(lines);
    for (const rag::Block& block : blocks) {
      if (block.kind != rag::BlockKind::heading) CHECK(covered.at(block.first));
    }
  }
  CHECK(files == 62);
}
