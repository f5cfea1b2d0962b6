#include "gating/formats.h"

#include <string>

#include <doctest/doctest.h>

namespace phasegate::gating {

TEST_CASE(
    "project-path: a relative path that stays within the project, whatever reads it (004-18)") {
  using namespace std::string_literals;
  for (const std::string& path :
       {"a"s, "docs/result.md"s, "./a"s, "."s, "a/../b"s, "a/b/../../c"s, "with blanks/a b.md"s,
        "Überblick/läuft.md"s, "a\\b.md"s, "a/~b"s, "C/x"s, "..."s, "a//b"s, "src/"s}) {
    CAPTURE(path);
    CHECK(has_format(path, "project-path"));
    CHECK(has_format(path, "project-folder"));
  }
  for (const std::string& path : {""s,
                                  " "s,
                                  "\t"s,
                                  "/etc/passwd"s,
                                  "~/x"s,
                                  "~root"s,
                                  ".."s,
                                  "../x"s,
                                  "a/../../x"s,
                                  "./../x"s,
                                  "a/.."s + "/..",
                                  "C:/x"s,
                                  "c:x"s,
                                  "a:b"s,
                                  "C:\\x"s,
                                  "\\x"s,
                                  "\\\\host\\share"s,
                                  "..\\x"s,
                                  "a\\..\\..\\x"s,
                                  "a/..\\../x"s,
                                  "a\nb"s,
                                  "a\0b"s,
                                  "\x7F"s,
                                  "a\xC2\x85"
                                  "b"s,
                                  "file:///etc/passwd"s,
                                  "https://example.org/x"s,
                                  "\u200B"s,
                                  std::string(5000, 'a')}) {
    CAPTURE(path);
    CHECK_FALSE(has_format(path, "project-path"));
    CHECK_FALSE(has_format(path, "project-folder"));
  }
}

TEST_CASE("formats: every known one has an example of itself and words") {
  for (const std::string& format : known_formats()) {
    CAPTURE(format);
    CHECK(has_format(format_example(format), format));
    CHECK_FALSE(format_in_words(format).empty());
  }
  CHECK(format_in_words("project-path") ==
        "a relative path within the project, such as docs/result.md");
}

}  // namespace phasegate::gating
