#include "app/cli/text.h"

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
