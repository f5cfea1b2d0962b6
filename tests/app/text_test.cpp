#include "app/cli/text.h"

#include <vector>

#include <doctest/doctest.h>

#include "app/cli/connect_help.h"
#include "base/text.h"

namespace cli = phasegate::app::cli;

TEST_CASE("text for people: nothing from outside can steer the terminal") {
  CHECK(cli::shown("plain \"quoted\" back\\slash") == "plain \"quoted\" back\\slash");
  CHECK(cli::shown("\x1b]0;title\x07") == "\\u001b]0;title\\u0007");
  CHECK(cli::shown("line\nnext\ttab\r") == "line\\nnext\\ttab\\r");
  CHECK(cli::shown("a\xE2\x80\xAE"
                   "b") == "a\\u202eb");  // right-to-left override
  CHECK(cli::shown("\xff") == "\\xff");
  CHECK(cli::shown("grün ✅") == "grün ✅");
  CHECK(cli::shown("\\\"") == "\\\"");
  CHECK(cli::shown("") == "");
}

TEST_CASE("text for people: what cannot be seen is shown by its number") {
  struct Row {
    const char* text;
    const char* shown;
  };
  for (const Row& row : std::vector<Row>{
           {"a\xE2\x80\x8B_b", "a\\u200b_b"},               // zero width space
           {"\xE2\x80\x8D\xE2\x81\xA0", "\\u200d\\u2060"},  // joiners
           {"\xEF\xBB\xBF", "\\ufeff"},                     // byte order mark
           {"\xC2\xAD", "\\u00ad"},                         // soft hyphen
           {"\xE3\x85\xA4", "\\u3164"},                     // a filler
           {"\xEE\x80\x80", "\\ue000"},                     // private use
           {"\xF3\xA0\x81\x81", "\\U000e0041"},             // a tag
           {"\\\xE2\x80\x8B\"", "\\\\u200b\""},             // beside what is escaped itself
           {"e\xCC\x81 \xE2\x9C\x94\xEF\xB8\x8F", "e\xCC\x81 \xE2\x9C\x94\xEF\xB8\x8F"},
       }) {
    CHECK(cli::shown(row.text) == row.shown);
  }
}

TEST_CASE("text for people: a value is shown to its bound") {
  CHECK(cli::shown_value(std::string(cli::kValueBytesShown, 'x')) ==
        std::string(cli::kValueBytesShown, 'x'));
  CHECK(cli::shown_value(std::string(1U << 20U, 'x')).size() == cli::kValueBytesShown);
  CHECK(cli::shown_short("grün", 3) == "…");
}

TEST_CASE("text for people: an argument survives a shell") {
  CHECK(cli::shell_word("/plain/path-1.0") == "/plain/path-1.0");
  CHECK(cli::shell_word("with space") == "'with space'");
  CHECK(cli::shell_word("it's") == "'it'\\''s'");
  CHECK(cli::shell_word("$(rm)") == "'$(rm)'");
  CHECK(cli::shell_word("") == "''");
}

TEST_CASE("connecting a client: the snippets hold the real path, quoted for their place") {
  const std::string help =
      cli::connect_help("/opt/my tools/phasegate", {"mcp", "--root", "/home/me/a \"b\""});
  CHECK(help.find("claude mcp add phasegate -- '/opt/my tools/phasegate' mcp --root "
                  "'/home/me/a \"b\"'\n") != std::string::npos);
  CHECK(help.find("command = \"/opt/my tools/phasegate\"") != std::string::npos);
  CHECK(help.find("args = [\"mcp\", \"--root\", \"/home/me/a \\\"b\\\"\"]") != std::string::npos);
  CHECK(help.find("\"command\": \"/opt/my tools/phasegate\"") != std::string::npos);
  CHECK(help.find(".cursor/mcp.json") != std::string::npos);
  CHECK(help.find(".gemini/settings.json") != std::string::npos);
}
