#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "gating/definition.h"
#include "gating/evidence.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;

phases::Requirement files() {
  auto list = test::list("files", 1);
  list.max_items = 3;
  list.items = phases::ItemRule{phases::ValueType::string, std::nullopt, "^[^/]", {}};
  return list;
}

base::Result<EvidenceGate> compile(phases::Requirement requirement) {
  phases::Gate gate;
  gate.requirements.push_back(std::move(requirement));
  return EvidenceGate::compile(gate);
}

TEST_CASE("evidence: the items of a list are judged one by one") {
  const auto gate = compile(files());
  REQUIRE(gate.ok());
  struct Case {
    const char* sent;
    std::size_t problems;
    const char* said;
  };
  const Case cases[] = {
      {R"({"files":["src/a.cpp","b"]})", 0, ""},
      {R"({"files":[]})", 1, "at least 1 item"},
      {R"({"files":["a","b","c","d"]})", 1, "at most 3 items"},
      {R"({"files":["/etc/passwd"]})", 1, "files/0"},
      {R"({"files":["a",7]})", 1, "files/1"},
      {R"({"files":["/x","/y"]})", 2, "^[^/]"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sent);
    const auto verdict = gate->judge(Json::parse(c.sent));
    REQUIRE(verdict.problems.size() == c.problems);
    if (c.problems > 0) CHECK(verdict.problems[0].text.find(c.said) != std::string::npos);
  }
  CHECK(gate->judge(gate->example()).problems.empty());
  CHECK(gate->schema()["properties"]["files"]["items"] ==
        Json{{"type", "string"}, {"pattern", "^[^/]"}});
}

TEST_CASE("evidence: a text in a list must not be blank, like a required text") {
  auto list = test::list("steps", 1);
  list.items = phases::ItemRule{};
  const auto gate = compile(list);
  REQUIRE(gate.ok());
  const auto verdict = gate->judge(Json{{"steps", {"run it", "  "}}});
  REQUIRE(verdict.problems.size() == 1);
  CHECK(verdict.problems[0].wanted == "a text that is not blank");
  CHECK(verdict.problems[0].text.find("steps/1") != std::string::npos);
}

TEST_CASE("invariant 3: a text in which nobody sees anything is blank, whatever its pattern says") {
  auto text = test::text("path");
  auto list = test::list("files", 1);
  list.items = phases::ItemRule{};
  for (const char* pattern : {"", "^[^/~]", ".*", "(?s)^.{1,}$"}) {
    CAPTURE(pattern);
    if (*pattern != 0) text.pattern = list.items->pattern = pattern;
    phases::Gate both;
    both.requirements = {text, list};
    const auto gate = EvidenceGate::compile(both);
    REQUIRE(gate.ok());
    for (const char* blank : {" ", "\n", "\t\t", "\u00a0", "\u3000", "\u200b", "\ufeff \u2060",
                              "\u00ad", "\u2028", "\u2800", "\u0001", "\u0085", "\u3164"}) {
      CAPTURE(blank);
      const auto verdict = gate->judge(Json{{"path", blank}, {"files", {"a", blank}}});
      REQUIRE(verdict.problems.size() == 2);
      CHECK(verdict.problems[0].wanted.find("not blank") != std::string::npos);
      CHECK(verdict.problems[1].text.find("files/1") != std::string::npos);
    }
    CHECK(gate->judge(Json{{"path", "\u200bx"}, {"files", {"\u00e4"}}}).problems.empty());
  }
}

TEST_CASE("invariant 3: a required text whose allowed values hold a blank one is refused") {
  auto text = test::text("answer");
  text.one_of = {std::string("yes"), std::string("")};
  CHECK_FALSE(compile(text).ok());
  text.required = false;
  CHECK(compile(text).ok());
  auto fixed = test::text("answer");
  fixed.constant = std::string("\u00a0");
  CHECK_FALSE(compile(fixed).ok());
}

TEST_CASE("evidence: every kind of item rule has an example that satisfies it") {
  using enum phases::ValueType;
  for (const auto type : {string, integer, number, boolean, array, object}) {
    auto list = test::list("x", 2);
    list.items = phases::ItemRule{type, std::nullopt, std::nullopt, {}};
    CAPTURE(phases::to_text(type));
    const auto gate = compile(list);
    REQUIRE(gate.ok());
    CHECK(gate->judge(gate->example()).problems.empty());
    CHECK(gate->example_is_complete());
  }
  auto chosen = test::list("x", 1);
  chosen.items =
      phases::ItemRule{string, std::nullopt, std::nullopt, {std::string("a"), std::string("b")}};
  const auto gate = compile(chosen);
  REQUIRE(gate.ok());
  CHECK(gate->example()["x"] == Json{"a"});
  CHECK(gate->judge(Json{{"x", {"c"}}}).problems.size() == 1);
}

TEST_CASE("evidence: the longest text allowed") {
  auto text = test::text("name");
  text.max_length = 5;
  const auto gate = compile(text);
  REQUIRE(gate.ok());
  CHECK(gate->judge(gate->example()).problems.empty());
  CHECK(gate->judge(Json{{"name", "äöüßé"}}).problems.empty());
  const auto verdict = gate->judge(Json{{"name", "sixsix"}});
  REQUIRE(verdict.problems.size() == 1);
  CHECK(verdict.problems[0].keyword == "maxLength");
}

TEST_CASE("evidence: an author's own example is shown, and must satisfy the rules") {
  auto count = test::integer("count", 3);
  count.example = "7";
  const auto good = compile(count);
  REQUIRE(good.ok());
  CHECK(good->example()["count"] == 7);
  count.example = "2";
  const auto bad = compile(count);
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().code == "invalid_gate");
  CHECK(bad.error().message.find("its example does not satisfy its rules") != std::string::npos);
}

TEST_CASE("invariant 8: a gate that would not fit on a page is refused") {
  phases::Gate gate;
  for (int i = 0; i < 64; ++i) {
    gate.requirements.push_back(test::text("a_field_with_quite_a_long_name_" + std::to_string(i)));
  }
  const auto refused = EvidenceGate::compile(gate);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "invalid_gate");
  CHECK(refused.error().message.find("the limit is 8000") != std::string::npos);
  gate.requirements.resize(20);
  CHECK(EvidenceGate::compile(gate).ok());
}

TEST_CASE("invariant 3: nothing is required only where the author wrote gate: none") {
  auto loaded = test::workflow("w", {test::phase("a", {}), test::phase("b", {test::text("x")})});
  CHECK_FALSE(Definition::make("h", loaded.workflow).ok());
  loaded.workflow.phases[0].gate.none = true;
  const auto definition = Definition::make("h", loaded.workflow);
  REQUIRE(definition.ok());
  CHECK((*definition)->gates[0].judge(Json::object()).problems.empty());
  CHECK((*definition)->gates[0].judge(Json(nullptr)).problems.size() == 1);
}

}  // namespace
}  // namespace phasegate::gating
