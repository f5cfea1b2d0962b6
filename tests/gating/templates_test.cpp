#include "gating/templates.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/limits.h"

/// `{{path}}` in the parameters of checks: one pass, nothing inserted is looked at again.
namespace phasegate::gating {
namespace {

using base::Json;

const Json& scope() {
  static const Json kScope = Json::parse(R"({
    "evidence": {"report": "docs/a b.md", "count": 3, "ratio": 0.5, "whole": 80.0, "done": true,
                 "list": ["x", "y"], "nothing": null, "object": {}, "trap": "{{run.id}}",
                 "half": "{{", "nul": "a\u0000b", "größe": 7},
    "steps": {"plan-b": {"output": "o"}, "0B": {"output": "p"}},
    "args": ["one"], "run": {"id": "r1"}
  })");
  return kScope;
}

std::string result(const std::string& text) {
  const auto made = filled(text, scope());
  return made ? *made : made.error().code + ": " + made.error().message;
}

TEST_CASE("templates: paths are replaced by their values") {
  struct Case {
    const char* text;
    const char* value;
  };
  const Case cases[] = {
      {"", ""},
      {"no braces { } }}", "no braces { } }}"},
      {"{{evidence.report}}", "docs/a b.md"},
      {"a {{ evidence.count }} b {{\tevidence.ratio }}", "a 3 b 0.5"},
      {"{{evidence.whole}}{{evidence.done}}", "80true"},
      {"{{evidence[\"report\"]}}", "docs/a b.md"},
      {"{{evidence['größe']}}", "7"},
      {"{{evidence.list[1]}}{{args[0]}}", "yone"},
      {"{{steps.plan-b.output}}{{context.0B.output}}", "op"},
      {"{{ctx.run.id}}{{result.count}}", "r13"},
      {R"({"id":{"n":{{evidence.count}}}})", R"({"id":{"n":3}})"},
      {"{{evidence.trap}}", "{{run.id}}"},
      {"{{evidence.half}}run.id}}", "{{run.id}}"},
      {"{ {{run.id}} }", "{ r1 }"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(result(c.text) == c.value);
  }
}

TEST_CASE("templates: what cannot be filled in is an error (invariant 3)") {
  struct Case {
    const char* text;
    const char* said;
    const char* hint;
  };
  const Case cases[] = {
      {"{{evidence.reprt}}", "evidence has no member \"reprt\"", "\"evidence.report\""},
      {"{{evidnce.report}}", "there is no \"evidnce\" here", "\"evidence\""},
      {"{{evidence.nothing}}", "got null", ""},
      {"{{evidence.list}}", "got array", ""},
      {"{{evidence.object}}", "got object", ""},
      {"{{evidence.list[2]}}", "has no item 2", ""},
      {"{{evidence.report.x}}", "has no member \"x\"", ""},
      {"{{steps.never.output}}", "steps has no member", ""},
      {"{{evidence.nul}}", "NUL", ""},
      {"{{evidence.report", "not closed", "{{path}}"},
      {"{{{evidence.report}}}", "not closed", ""},
      {"{{}}", "no path", ""},
      {"{{evidence.count + 1}}", "no path", ""},
      {"{{lower(evidence.report)}}", "no path", ""},
      {"{{evidence.}}", "no path", ""},
      {"{{.a}}", "no path", ""},
      {"{{1}}", "no path", ""},
      {"{{\"a\"}}", "no path", ""},
      {"{{a[}}", "no path", ""},
      {"{{a[-1]}}", "no path", ""},
      {"{{a[99999999999999999999999]}}", "no path", ""},
      {"{{ctx}}", "no path", ""},
      {"{{a['x}}", "not closed", ""},
      {"{{a\n}}", "not closed", ""},
      {"{{a {{b}}", "not closed", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto made = filled(c.text, scope());
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().code == "template_failed");
    CAPTURE(made.error().message);
    CHECK(made.error().message.find(c.said) != std::string::npos);
    CHECK(made.error().hint.find(c.hint) != std::string::npos);
  }
  const Json large = {{"a", std::string(base::limits::kFilledBytesMax, 'x')}};
  CHECK(filled("{{a}}", large).ok());
  CHECK_FALSE(filled("{{a}}b", large).ok());
  CHECK_FALSE(filled("{{a}}{{a}}{{a}}", large).ok());
  CHECK_FALSE(filled(std::string("a\0b", 3), scope()).ok());
  CHECK_FALSE(filled("{{a}}", Json()).ok());
}

TEST_CASE("templates: their names are told, and what does not parse is an error") {
  const auto names = template_names("{{b}} {{ evidence.x.y }}{{context.p-1}}{{b}}{{args[0].z}}");
  REQUIRE(names.ok());
  CHECK(*names == std::vector<std::string>{"args", "b", "evidence.x", "steps.p-1"});
  CHECK(template_names("plain")->empty());
  for (const char* bad : {"{{", "{{{a}}}", "{{a}", "x {{ }} y", "{{a b}}"}) {
    CAPTURE(bad);
    const auto made = template_names(bad);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().code == "invalid_template");
  }
}

TEST_CASE("templates: many openings cost no more than their text") {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "{{";
  CHECK_FALSE(template_names(text).ok());
  std::string quotes = "{{a";
  for (int i = 0; i < 200'000; ++i) quotes += "['";
  CHECK_FALSE(template_names(quotes).ok());
}

}  // namespace
}  // namespace phasegate::gating
