#include "gating/json_schema.h"

#include <doctest/doctest.h>

#include "base/json.h"

namespace phasegate::gating {
namespace {

using base::Json;

std::string keywords(const std::vector<SchemaProblem>& problems) {
  std::string out;
  for (const SchemaProblem& problem : problems) {
    out += (out.empty() ? "" : " ") + problem.path + ":" + problem.keyword;
  }
  return out;
}

TEST_CASE("each keyword accepts what fits and names what does not") {
  struct Row {
    const char* schema;
    const char* value;
    const char* problems;
  };
  const Row rows[] = {
      {R"({"type":"integer"})", "3", ""},
      {R"({"type":"integer"})", "3.0", ""},
      {R"({"type":"integer"})", "3.5", ":type"},
      {R"({"type":"integer"})", "true", ":type"},
      {R"({"type":"number"})", "3", ""},
      {R"({"type":"number"})", "false", ":type"},
      {R"({"type":"boolean"})", "1", ":type"},
      {R"({"type":"string"})", "null", ":type"},
      {R"({"type":"array"})", "{}", ":type"},
      {R"({"minimum":3,"maximum":5})", "3", ""},
      {R"({"minimum":3,"maximum":5})", "2", ":minimum"},
      {R"({"minimum":3,"maximum":5})", "6", ":maximum"},
      {R"({"exclusiveMinimum":3})", "3", ":exclusiveMinimum"},
      {R"({"exclusiveMinimum":3})", "3.001", ""},
      {R"({"exclusiveMaximum":3})", "3", ":exclusiveMaximum"},
      {R"({"minLength":2})", "\"é\"", ":minLength"},
      {R"({"minLength":2})", "\"éé\"", ""},
      {R"({"maxLength":2})", "\"abc\"", ":maxLength"},
      {R"({"minItems":1})", "[]", ":minItems"},
      {R"({"maxItems":1})", "[1,2]", ":maxItems"},
      {R"({"pattern":"^a+$"})", "\"aaa\"", ""},
      {R"({"pattern":"^a+$"})", "\"ab\"", ":pattern"},
      {R"({"enum":["a",1]})", "1.0", ""},
      {R"({"enum":["a",1]})", "true", ":enum"},
      {R"({"const":true})", "true", ""},
      {R"({"const":true})", "1", ":const"},
      {R"({"const":true})", "\"true\"", ":const"},
      {R"({"items":{"type":"string"}})", R"(["a",1,"b",2])", "/1:type /3:type"},
      {R"({"required":["a","b"],"properties":{"a":{"type":"string"}}})", R"({"a":1})",
       "/b:required /a:type"},
      {R"({"additionalProperties":false,"properties":{"abc":{}}})", R"({"abd":1})",
       "/abd:additionalProperties"},
      {R"({"properties":{"a/b":{"type":"string"}}})", R"({"a/b":1})", "/a~1b:type"},
      {R"({"format":"date"})", "\"2026-02-29\"", ":format"},
      {R"({"format":"date"})", "\"2028-02-29\"", ""},
      {R"({"format":"date-time"})", "\"2026-01-31T12:00:00Z\"", ""},
      {R"({"format":"date-time"})", "\"2026-01-31 12:00\"", ":format"},
      {R"({"format":"email"})", "\"a@b.org\"", ""},
      {R"({"format":"email"})", "\"a@b\"", ":format"},
      {R"({"format":"uri"})", "\"https://x.org/a?b\"", ""},
      {R"({"format":"uri"})", "\"no uri\"", ":format"},
      {R"({"format":"uuid"})", "\"00000000-0000-4000-8000-00000000000\"", ":format"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.schema);
    CAPTURE(row.value);
    const auto schema = JsonSchema::compile(Json::parse(row.schema));
    REQUIRE(schema.ok());
    CHECK(keywords(schema->validate(Json::parse(row.value))) == row.problems);
  }
}

TEST_CASE("what is not understood is a compile error, never a skipped rule") {
  struct Row {
    const char* schema;
    const char* where;
    const char* word;
  };
  const Row rows[] = {
      {R"({"minimun":3})", "/minimun", "minimun"},
      {R"({"oneOf":[]})", "/oneOf", "oneOf"},
      {R"({"$ref":"#/x"})", "/$ref", "$ref"},
      {R"({"type":"float"})", "/type", "float"},
      {R"({"type":["string","null"]})", "/type", "type"},
      {R"({"format":"hostname"})", "/format", "hostname"},
      {R"({"pattern":"("})", "/pattern", "does not compile"},
      {R"j({"pattern":"(?=a)"})j", "/pattern", "does not compile"},
      {R"({"minItems":-1})", "/minItems", "whole number"},
      {R"({"minItems":1.5})", "/minItems", "whole number"},
      {R"({"properties":{"a":{"maximums":1}}})", "/properties/a/maximums", "maximums"},
      {R"({"required":"a"})", "/required", "list"},
      {R"({"enum":[]})", "/enum", "list"},
      {R"([])", "", "object"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.schema);
    const auto schema = JsonSchema::compile(Json::parse(row.schema));
    REQUIRE_FALSE(schema.ok());
    CHECK(schema.error().code == "invalid_schema");
    CHECK(schema.error().where == row.where);
    CHECK(schema.error().message.find(row.word) != std::string::npos);
  }
  CHECK(JsonSchema::compile(Json::parse(R"({"minimun":3})")).error().hint ==
        "did you mean minimum?");
}

TEST_CASE("a schema nested without end is refused") {
  Json schema = Json::object();
  for (int i = 0; i < 100; ++i) {
    Json outer = Json::object();
    outer["items"] = std::move(schema);
    schema = std::move(outer);
  }
  CHECK_FALSE(JsonSchema::compile(schema).ok());
}

}  // namespace
}  // namespace phasegate::gating
