#include "app/cli/layout.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "app/cli/page.h"
#include "app/cli/short_ids.h"
#include "base/text.h"

namespace app = phasegate::app;
namespace cli = phasegate::app::cli;

TEST_CASE("layout: width counts what a terminal shows") {
  CHECK(cli::display_width("grün") == 4);
  CHECK(cli::display_width("日本") == 4);
  CHECK(cli::display_width("e\xCC\x81") == 1);  // a combining accent
  CHECK(cli::display_width("\x1b[31mred\x1b[0m") == 3);
  CHECK(cli::display_width("\xff\xfe") == 2);
  CHECK(cli::display_width("\xe6\x97") == 2);  // cut off within a character
  CHECK(cli::display_width("\x1b[") == 2);
  CHECK(cli::display_width("") == 0);
}

TEST_CASE("layout: a text is cut to a width between characters, and says so") {
  CHECK(cli::fitted("grün", 4) == "grün");
  CHECK(cli::fitted("grüner", 4) == "grü…");
  CHECK(cli::fitted("日本語", 4) == "日…");
  CHECK(cli::fitted("\x1b[31mlonger\x1b[0m", 4) == "lon…");
  CHECK(cli::fitted("abc", 0) == "");
}

TEST_CASE("layout: lines are broken at spaces, and within words that are too long") {
  CHECK(cli::wrapped("one two three", 9, 0, 2) == "one two\n  three\n");
  CHECK(cli::wrapped("one  two", 20, 2, 2) == "  one  two\n");
  CHECK(cli::wrapped("abcdefghij", 6, 0, 2) == "abcdef\n  ghij\n");
  CHECK(cli::wrapped("a abcdefghij", 6, 0, 0) == "a\nabcdef\nghij\n");
  CHECK(cli::wrapped("\x1b[1mone\x1b[0m two", 7, 0, 0) == "\x1b[1mone\x1b[0m two\n");
  CHECK(cli::wrapped("", 9, 2, 2) == "");
  CHECK(cli::wrapped("   ", 9, 2, 2) == "");
  // Narrower than its indent: one character a line, and it ends.
  CHECK(cli::wrapped("ab", 2, 4, 4) == "    a\n    b\n");
}

TEST_CASE("layout: a word of a megabyte is gone through once") {
  constexpr std::size_t kBytes = 1'000'000;
  const std::string text = cli::wrapped("x " + std::string(kBytes, 'a') + " y", 80, 2, 4);
  std::size_t letters = 0;
  const auto lines = phasegate::base::split(text, '\n');
  for (const std::string_view line : lines) {
    REQUIRE(cli::display_width(line) <= 80);
    letters += static_cast<std::size_t>(std::count(line.begin(), line.end(), 'a'));
  }
  CHECK(letters == kBytes);
  CHECK(lines.front() == "  x");
  CHECK(lines[lines.size() - 2].ends_with("a y"));
  // Beginnings of colour codes that never end are looked at once, too.
  std::string codes;
  while (codes.size() < kBytes) codes += "\x1b[";
  CHECK(cli::display_width(codes) == codes.size());
  CHECK(cli::wrapped(codes, 80, 0, 0).size() > kBytes);
}

TEST_CASE("layout: a table gives up what matters least, and never more than its room") {
  const std::vector<cli::Column> columns = {
      {"ID", 0, 0}, {"TEXT", 2, 6}, {"NOTE", 1, 0}, {"EMPTY", 9, 0}};
  const std::vector<std::vector<std::string>> rows = {{"1", "a longer text", "note", ""},
                                                      {"22", "short", "", ""}};
  CHECK(cli::table(columns, rows, 80) ==
        "ID  TEXT           NOTE\n"
        "1   a longer text  note\n"
        "22  short\n");
  CHECK(cli::table(columns, rows, 18) ==
        "ID  TEXT      NOTE\n"
        "1   a longe…  note\n"
        "22  short\n");
  CHECK(cli::table(columns, rows, 15) ==
        "ID  TEXT\n"
        "1   a longer t…\n"
        "22  short\n");
  CHECK(cli::table(columns, rows, 5) == "ID\n1\n22\n");
}

TEST_CASE("layout: names and texts stand beside each other, or below where it is narrow") {
  CHECK(cli::definitions({{"a", "one two"}, {"long", "x"}}, 2, 80) ==
        "  a     one two\n"
        "  long  x\n");
  CHECK(cli::definitions({{"name", "one two three four five six"}, {"b", "x"}}, 0, 32) ==
        "name  one two three four five\n"
        "      six\n"
        "b     x\n");
  CHECK(cli::definitions({{"name", "one two three four five"}, {"b", "x"}}, 0, 20) ==
        "name\n"
        "  one two three four\n"
        "  five\n"
        "b\n"
        "  x\n");
  CHECK(cli::definitions({{"only", ""}}, 0, 80) == "only\n");
}

TEST_CASE("page: the width is the terminal's, 80 where it is unknown, and never below 20") {
  app::Environment environment;
  CHECK(cli::page_of(cli::Colour::automatic, environment, {}).width == 80);
  environment.columns = 132;
  CHECK(cli::page_of(cli::Colour::automatic, environment, {}).width == 132);
  environment.columns = 1;
  CHECK(cli::page_of(cli::Colour::automatic, environment, {}).width == 20);
}

TEST_CASE("page: colours are for terminals that can and may show them, or for who asks") {
  struct Row {
    cli::Colour wanted;
    bool terminal;
    bool no_color;
    const char* kind;
    bool coloured;
  };
  using enum cli::Colour;
  const std::vector<Row> rows = {
      {automatic, true, false, "xterm", true}, {automatic, false, false, "xterm", false},
      {automatic, true, true, "xterm", false}, {automatic, true, false, "dumb", false},
      {automatic, true, false, "", true},      {always, false, true, "dumb", true},
      {never, true, false, "xterm", false},
  };
  for (const Row& row : rows) {
    app::Environment environment;
    environment.stdout_is_terminal = row.terminal;
    environment.no_color = row.no_color;
    environment.terminal_kind = row.kind;
    const cli::Page page = cli::page_of(row.wanted, environment, {});
    CHECK(page.colour == row.coloured);
    CHECK(page.in(cli::Tone::bad, "x") == (row.coloured ? "\x1b[31mx\x1b[0m" : "x"));
    CHECK(page.in(cli::Tone::bad, "") == "");
  }
}

TEST_CASE("page: times are told from now") {
  const std::int64_t second = 1000;
  const std::int64_t minute = 60 * second;
  const std::int64_t hour = 60 * minute;
  const phasegate::base::TimePoint now{1'800'000'000'000};
  const auto before = [&](std::int64_t ms) { return cli::ago({now.ms - ms}, now); };
  CHECK(before(0) == "just now");
  CHECK(before(-hour) == "just now");  // another machine's clock
  CHECK(before(30 * second) == "30 s ago");
  CHECK(before(3 * minute) == "3 min ago");
  CHECK(before(47 * hour) == "47 h ago");
  CHECK(before(49 * hour) == "2 days ago");
  CHECK(cli::clock_time(now) == "2027-01-15 08:00:00Z");
}

TEST_CASE("short ids: eight characters, more only where they would be the same") {
  CHECK(cli::short_ids({"0d6ab8c2-7e21", "11111111-aaaa"}) ==
        std::vector<std::string>{"0d6ab8c2", "11111111"});
  CHECK(cli::short_ids({"0d6ab8c2-7e21", "ffffffff-0000", "0d6ab8c2-7f00"}) ==
        std::vector<std::string>{"0d6ab8c2-7e", "ffffffff", "0d6ab8c2-7f"});
  CHECK(cli::short_ids({"same", "same"}) == std::vector<std::string>{"same", "same"});
  CHECK(cli::short_ids({}).empty());
}
