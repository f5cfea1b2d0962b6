#include "gating/alias_names.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "gating/evidence.h"
#include "tests/support/workflows.h"

namespace phasegate::gating {
namespace {

using base::Json;

phases::Requirement known_as(phases::Requirement requirement, std::vector<std::string> aliases) {
  requirement.aliases = std::move(aliases);
  return requirement;
}

phases::Gate gate() {
  phases::Gate gate;
  gate.requirements = {known_as(test::integer("count", 3), {"Number of loaves", "loaves"}),
                       known_as(test::boolean("done"), {"finished"}), test::text("note")};
  return gate;
}

std::string renamed(const char* sent) {
  const Json evidence = Json::parse(sent);
  const NamedEvidence named = AliasNames(gate()).published(evidence);
  return named.evidence ? base::dump(*named.evidence) : "as sent";
}

}  // namespace

TEST_CASE("aliases: a field under another name of a requirement counts as its published name") {
  const struct {
    const char* sent;
    const char* kept;
  } kRows[] = {
      {R"({"loaves":4})", R"({"count":4})"},
      {R"({"Number of loaves":4,"x":1})", R"({"count":4,"x":1})"},
      {R"({"number-of-loaves":4})", R"({"count":4})"},
      {R"({"  NUMBER_of  Loaves!":4})", R"({"count":4})"},
      {R"({"note":"n","Finished":true})", R"({"note":"n","done":true})"},
      {R"({"loaves":4,"Number of loaves":4})", R"({"count":4})"},
      {R"({"count":3,"loaves":4})", "as sent"},  // the published name was sent
      {R"({"loafs":4})", "as sent"},             // nearly is not enough
      {R"({"Count":4})", "as sent"},             // no author wrote that name down
      {R"({"loaves":4,"Number of loaves":5})", "as sent"},
      {"{}", "as sent"},
      {"[]", "as sent"},
      {"null", "as sent"},
      {"3", "as sent"},
  };
  for (const auto& row : kRows) {
    CAPTURE(row.sent);
    CHECK(renamed(row.sent) == row.kept);
  }
}

TEST_CASE(
    "aliases: two of one requirement with two values are a problem, even of an optional one") {
  for (const bool required : {true, false}) {
    phases::Gate shut = gate();
    shut.requirements[0].required = required;
    const auto compiled = EvidenceGate::compile(shut);
    REQUIRE(compiled.ok());
    const auto verdict = compiled->judge(
        Json::parse(R"({"loaves":4,"Number of loaves":5,"finished":true,"note":"n"})"));
    REQUIRE(verdict.problems.size() == 1);
    CHECK(verdict.problems[0].field == "count");
    CHECK(verdict.problems[0].keyword == "aliases");
    CHECK(verdict.problems[0].got ==
          "values that differ under \"loaves\" and \"Number of loaves\"");
    CHECK(verdict.aliases_taken == std::vector<AliasTaken>{{"finished", "done"}});
  }
}

TEST_CASE("aliases: what could mean two requirements means neither") {
  phases::Gate both;
  both.requirements = {known_as(test::text("a"), {"the name"}),
                       known_as(test::text("b"), {"The Name"})};
  const AliasNames names(both);
  CHECK(names.published(Json{{"the-name", "x"}}).taken.empty());
  CHECK(names.published(Json{{"the name", "x"}}).taken ==
        std::vector<AliasTaken>{{"the name", "a"}});
  CHECK(names.published(Json{{"The Name", "x"}}).taken ==
        std::vector<AliasTaken>{{"The Name", "b"}});
}

TEST_CASE("aliases: a value gets the same verdict under an alias as under the name") {
  const auto compiled = EvidenceGate::compile(gate());
  REQUIRE(compiled.ok());
  for (const char* value : {"4", "2", "true", "\"4\"", "null", "[]", "4.5"}) {
    CAPTURE(value);
    const Json given = Json::parse(value);
    const auto under = [&](const char* name) {
      return compiled->judge(Json{{name, given}, {"done", true}, {"note", "n"}}).problems;
    };
    CHECK(under("loaves") == under("count"));
    CHECK(under("number of LOAVES") == under("count"));
  }
}

}  // namespace phasegate::gating
