#include "world/checks/printed.h"

#include <doctest/doctest.h>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::world::checks {
namespace {

base::ProcessOutput printed(std::string text) {
  base::ProcessOutput output;
  output.bytes = text.size();
  output.text = std::move(text);
  return output;
}

TEST_CASE("printed: the tail of an output is harmless (004: nothing steers a terminal)") {
  struct Row {
    const char* text;
    const char* tail;
  };
  for (const Row& row :
       {Row{"", ""}, Row{"one\ntwo\n", "one\ntwo"}, Row{"a\r\nb\r\n", "a\nb"},
        Row{"10%\r100%\n", "10%\n100%"}, Row{"\x1b[31mred\x1b[0m", "red"},
        Row{"\x1b]0;title\a text", "text"}, Row{"\x1b]8;;x\x1b\\link", "link"}, Row{"\x1b", ""},
        Row{"\x1b[", ""}, Row{"bell\a.", "bell\xef\xbf\xbd."}, Row{"tab\tx", "tab\tx"},
        Row{"bad\xff.", "bad\xef\xbf\xbd."}, Row{"rtl\xe2\x80\xaex", "rtl\xef\xbf\xbdx"},
        Row{"c1\xc2\x9bx", "c1\xef\xbf\xbdx"}, Row{"grün ✓", "grün ✓"}}) {
    CAPTURE(row.tail);
    CHECK(tail_of(printed(row.text), {}) == row.tail);
    CHECK(tail_of({}, printed(row.text)) == row.tail);
  }
}

TEST_CASE("printed: both outputs are named, each has its share") {
  CHECK(tail_of(printed("out\n"), printed("err\n")) == "out\n[stderr]\nerr");
  CHECK(tail_of(printed("out\n"), printed("\n")) == "out");
  CHECK(tail_of(printed("\n"), printed("err")) == "err");
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "line " + std::to_string(i) + "\n";
  const std::string tail = tail_of(printed(many), printed(many));
  CHECK(tail.size() <= base::limits::kOutputTailBytesMax);
  CHECK(tail.starts_with("…\nline "));
  CHECK(tail.find("line 9999\n[stderr]\n…\nline ") != std::string::npos);
  CHECK(tail.ends_with("line 9999"));
}

TEST_CASE("printed: long lines, and characters at every boundary") {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string text(shift, 'x');
    for (int i = 0; i < 20'000; ++i) text += "€";
    const std::string tail = tail_of(printed(text), {});
    CHECK(base::is_utf8(tail));
    CHECK(tail.size() <= base::limits::kOutputTailBytesMax);
    CHECK(tail.find("\xef\xbf\xbd") == std::string::npos);
  }
  const std::string controls(100'000, '\x01');
  CHECK(tail_of(printed(controls), printed(controls)).size() <= base::limits::kOutputTailBytesMax);
}

TEST_CASE("printed: patterns are found anywhere in the bytes") {
  CHECK(*matches("beginend", "nend"));
  CHECK_FALSE(*matches("beginend", "other"));
  CHECK(matches("beginend", "(").error().code == "invalid_pattern");
  CHECK(*matches(std::string_view("a\0b\xff", 4), "b"));
}

}  // namespace
}  // namespace phasegate::world::checks
