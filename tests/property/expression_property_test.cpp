#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/json.h"
#include "base/limits.h"
#include "gating/expression.h"

/// Expressions and templates are total whatever is written into them (invariants 3 and 8).
namespace phasegate::gating {
namespace {

using base::Json;

const Json& scope() {
  static const Json kScope = Json::parse(
      R"({"evidence":{"a":1,"b":["x",2.5,null],"t":"text","o":{"k":true}},
          "steps":{"p-1":{"visits":2}},"checks":{"u":{"passed":true}},"input":null})");
  return kScope;
}

/// Words of the language in any order: more often nearly right than bytes are.
std::string random_words() {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "evidence", ".", "a", "b", "t", "o", "[", "]", "(", ")", ",", "0", "1.5", "'x'", "\"a\"",
      "===", "!==", "<", ">=", "+", "-", "*", "/", "!", "&&", "||", "and", "or", "not", "true",
      "null", "count", "contains", "lower", "matches", "visits", "saved", ".length", ".includes(",
      "steps.p-1", "ctx", "=>", "{{", "}}", " ", "\n"));
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

void total(const std::string& text) {
  const auto call = [](const std::string&, const std::vector<Json>& arguments) {
    return base::Result<bool>(arguments.empty());
  };
  const auto first = Expression::parse(text, {"saved"});
  const auto second = Expression::parse(text, {"saved"});
  RC_ASSERT(first.ok() == second.ok());
  if (!first) {
    RC_ASSERT(first.error() == second.error());
    RC_ASSERT(first.error().code == "invalid_expression");
    return;
  }
  RC_ASSERT(text.size() <= base::limits::kExpressionBytesMax);
  const auto value = first->evaluate(scope(), call);
  const auto again = second->evaluate(scope(), call);
  RC_ASSERT(value.ok() == again.ok());
  if (value) RC_ASSERT(*value == *again);
  if (!value) RC_ASSERT(value.error() == again.error());
}

TEST_CASE(
    "property: no bytes crash an expression, and the same text means the same (invariant 8)") {
  CHECK(rc::check([] { total(*rc::gen::string<std::string>()); }));
}

TEST_CASE("property: no order of words crashes an expression (invariant 8)") {
  CHECK(rc::check([] { total(random_words()); }));
}

TEST_CASE("property: nothing that a template inserts is expanded (invariant 3)") {
  CHECK(rc::check([] {
    const std::string inserted =
        *rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                          "{{", "}}", "{", "}", "evidence.x", "y", " ", "\\", "\"")),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
    const Json values = {{"evidence", {{"x", inserted}, {"y", "z"}}}};
    const auto made = filled("<{{evidence.x}}|{{ evidence.y }}{{evidence.x}}>", values);
    RC_ASSERT(made.ok());
    RC_ASSERT(*made == "<" + inserted + "|z" + inserted + ">");
  }));
}

TEST_CASE("property: what is no boolean is never taken for one (invariant 3)") {
  CHECK(rc::check([] {
    const Json value = *rc::gen::element(Json(), Json(0), Json(1), Json("true"), Json(""),
                                         Json::array(), Json::object(), Json(1.5));
    for (const char* text : {"x && true", "true && x", "x || true", "false || x", "!x", "not x"}) {
      const auto expression = Expression::parse(text);
      RC_ASSERT(expression.ok());
      RC_ASSERT(!expression->evaluate(Json{{"x", value}}).ok());
    }
  }));
}

}  // namespace
}  // namespace phasegate::gating
