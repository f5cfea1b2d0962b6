#include <algorithm>

#include <doctest/doctest.h>

#include "app/cli/layout.h"
#include "app/cli/render_findings.h"
#include "base/text.h"

namespace cli = phasegate::app::cli;
namespace phases = phasegate::phases;
using phases::Finding;
using phases::Severity;

namespace {

Finding finding(Severity severity, std::string code, std::string message, phases::Source source,
                std::string phase = "") {
  return {severity, std::move(code), std::move(message), "", std::move(source), std::move(phase)};
}

cli::Page page(std::size_t width = 80) {
  cli::Page made;
  made.width = width;
  return made;
}

}  // namespace

TEST_CASE("findings: what repeats for every phase is said once, with the phases") {
  const std::vector<Finding> findings = {
      finding(Severity::warning, "asks_leniency", "it asks for leniency", {"phases/0/g.yaml", 2},
              "0"),
      finding(Severity::info, "odd", "fine", {"metadata.json", 7}),
      finding(Severity::warning, "asks_leniency", "it asks for leniency", {"phases/1/g.yaml", 2},
              "1"),
      finding(Severity::warning, "asks_leniency", "it asks for leniency", {"phases/2/g.yaml", 4},
              "2"),
  };
  CHECK(cli::findings_text(findings, "flow", {}, page()) ==
        "  warning asks_leniency (3 times)\n"
        "    it asks for leniency\n"
        "    in phases 0, 1, 2\n"
        "  info flow/metadata.json:7 odd\n"
        "    fine\n");
}

TEST_CASE("findings: sentences that differ only in a name are listed with their places") {
  const std::vector<Finding> findings = {
      finding(Severity::info, "self_attested", "\"a\" is on the sender's word", {"g.yaml", 2}, "0"),
      finding(Severity::info, "self_attested", "\"b\" is on the sender's word", {"g.yaml", 9}, "0"),
      finding(Severity::info, "self_attested", "\"c\" may be anything", {"g.yaml", 12}, "0"),
  };
  CHECK(cli::findings_text(findings, "", {}, page()) ==
        "  info self_attested (2 times)\n"
        "    \"a\" is on the sender's word\n"
        "    in: g.yaml:2 \"a\", g.yaml:9 \"b\"\n"
        "  info g.yaml:12 self_attested\n"
        "    \"c\" may be anything\n");
}

TEST_CASE("findings: errors stay alone, each with its line and a caret") {
  const std::vector<Finding> findings = {
      finding(Severity::error, "unknown_key", "there is no \"tilte\"", {"w.yaml", 2, 0, 3}),
      finding(Severity::error, "unknown_key", "there is no \"tilte\"", {"w.yaml", 9, 0, 1}),
  };
  const auto line_of = [](const phases::Source& source) {
    return source.line == 2 ? std::string("  tilte: x") : std::string();
  };
  CHECK(cli::findings_text(findings, "flows", line_of, page()) ==
        "  error flows/w.yaml:2:3 unknown_key\n"
        "    there is no \"tilte\"\n"
        "    2 |   tilte: x\n"
        "      |   ^\n"
        "  error flows/w.yaml:9:1 unknown_key\n"
        "    there is no \"tilte\"\n");
}

TEST_CASE("findings: many places are counted, not listed") {
  std::vector<Finding> findings;
  for (int i = 0; i < 20; ++i) {
    findings.push_back(finding(Severity::warning, "w", "same", {"f", 1}, std::to_string(i)));
  }
  const std::string text = cli::findings_text(findings, "", {}, page());
  CHECK(text.find("0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 8 more\n") != std::string::npos);
}

TEST_CASE("excerpt: the caret stands below its column, whatever the line holds") {
  CHECK(cli::excerpt("a: grün 日本 x", 3, 12, page()) ==
        "    3 | a: grün 日本 x\n"
        "      |              ^\n");  // columns count characters, of which some are wide
  CHECK(cli::excerpt("\tkey", 12, 2, page()) ==
        "    12 |  key\n"
        "       |  ^\n");
  CHECK(cli::excerpt("x", 1, 0, page()) == "    1 | x\n");
  // A column behind the end is shown at the end.
  CHECK(cli::excerpt("ab", 1, 99, page()) == "    1 | ab\n      |   ^\n");
  // Bytes that are no text cannot steer the terminal.
  CHECK(cli::excerpt("\x1b[2J", 1, 0, page()).find('\x1b') == std::string::npos);
}

TEST_CASE("excerpt: a long line is shown around its caret, within the page") {
  const std::string line = std::string(200, 'a') + "HERE" + std::string(200, 'b');
  for (const std::size_t width : {20U, 40U, 80U}) {
    const std::string text = cli::excerpt(line, 7, 201, page(width));
    for (const std::string_view part : phasegate::base::split(text, '\n')) {
      CHECK(cli::display_width(part) <= width);
    }
  }
  const std::string wide = cli::excerpt(line, 7, 201, page(80));
  const auto lines = phasegate::base::split(wide, '\n');
  REQUIRE(lines.size() == 3);
  const std::size_t caret = cli::display_width(lines[1].substr(0, lines[1].find('^')));
  const std::size_t here = cli::display_width(lines[0].substr(0, lines[0].find("HERE")));
  CHECK(caret == here);
}

TEST_CASE("excerpt: of a line of a megabyte only what is near the caret is looked at") {
  constexpr std::size_t kHalf = 500'000;
  struct Row {
    std::string before;
    int column;
  };
  std::string wide;
  std::string accents = "e";
  for (std::size_t i = 0; i < kHalf / 3; ++i) wide += "日";
  for (std::size_t i = 0; i < kHalf / 2; ++i) accents += "\xCC\x81";
  for (const Row& row :
       std::vector<Row>{{std::string(kHalf, 'a'), static_cast<int>(kHalf) + 1},
                        {wide, static_cast<int>(kHalf / 3) + 1},
                        {accents, static_cast<int>(kHalf / 2) + 2},
                        {std::string(kHalf, '\x01'), static_cast<int>(kHalf) + 1}}) {
    const std::string text =
        cli::excerpt(row.before + "HERE" + std::string(kHalf, 'b'), 7, row.column, page());
    CHECK(text.size() < 2000);
    const auto lines = phasegate::base::split(text, '\n');
    REQUIRE(lines.size() == 3);
    CHECK(cli::display_width(lines[0]) <= 80);
    REQUIRE(lines[0].find("HERE") != std::string_view::npos);
    REQUIRE(lines[1].find('^') != std::string_view::npos);
    CHECK(cli::display_width(lines[0].substr(0, lines[0].find("HERE"))) ==
          cli::display_width(lines[1].substr(0, lines[1].find('^'))));
    CHECK(lines[0].ends_with("…"));
  }
}

TEST_CASE("findings: a message of a megabyte is shortened, and so are names that repeat") {
  const std::string huge(1'000'000, 'x');
  const auto line_of = [&](const phases::Source&) { return huge; };
  Finding alone = finding(Severity::error, "c", huge, {"f.yaml", 1, 0, 900'000});
  alone.hint = huge;
  const std::string text = cli::findings_text({alone}, "", line_of, page());
  CHECK(text.size() < 8000);
  CHECK(std::count(text.begin(), text.end(), 'x') > 4000);
  CHECK(cli::findings_text({finding(Severity::info, "c", "\"" + huge + "\" is odd", {"f", 1}),
                            finding(Severity::info, "c", "\"" + huge + "y\" is odd", {"f", 2})},
                           "", {}, page())
            .size() < 8000);
  CHECK(cli::place_findings_text({alone}, page()).size() < 8000);
}

TEST_CASE("findings: proposals that differ are each shown, since each is to be pasted") {
  const auto proposed = [](const char* name, const char* hint) {
    Finding one = finding(Severity::info, "check_proposed",
                          "\"" + std::string(name) + "\" is left on a word", {"w.yaml", 3}, "a");
    one.hint = hint;
    return one;
  };
  const std::vector<Finding> findings = {proposed("a", "write x"), proposed("b", "write y"),
                                         proposed("c", "write x")};
  CHECK(cli::findings_text(findings, "", {}, page()) ==
        "  info check_proposed (2 times)\n"
        "    \"a\" is left on a word\n"
        "    in: w.yaml:3 \"a\", w.yaml:3 \"c\"\n"
        "    write x\n"
        "  info w.yaml:3 check_proposed\n"
        "    \"b\" is left on a word\n"
        "    write y\n");
}
