#include "base/json.h"

#include <string>

#include <doctest/doctest.h>

using namespace phasegate::base;

namespace {
constexpr JsonLimits kLimits{1 << 20, 64};
}

TEST_CASE("json: what is refused, and that the message says why") {
  struct Case {
    std::string text;
    std::string_view says;
  };
  const Case cases[] = {
      {"", "JSON"},
      {"{", "line 1"},
      {"{\"a\":1,\"a\":2}", "appears twice"},
      {"[1] [2]", "JSON"},
      {"\"\xff\"", "JSON"},
      {"1e999", "JSON"},
      {"{\"a\":\n\n nul}", "line 3"},
      {std::string(65, '[') + std::string(65, ']'), "64 levels"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto parsed = parse_json(c.text, kLimits);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().code == "invalid_json");
    CHECK(parsed.error().message.find(c.says) != std::string::npos);
  }
}

TEST_CASE("json: nothing is hidden behind a NUL") {
  const std::string text("{\"a\":1}\0,{\"junk\"", 17);
  const auto got = phasegate::base::parse_json(text, {1000, 10});
  REQUIRE_FALSE(got.ok());
  CHECK(got.error().message.find("NUL") != std::string::npos);
}

TEST_CASE("json: limits are exact") {
  CHECK(parse_json(std::string(64, '[') + std::string(64, ']'), kLimits).ok());
  CHECK(parse_json("[1]", {3, 64}).ok());
  CHECK_FALSE(parse_json("[1] ", {3, 64}).ok());
}

TEST_CASE("json: 200,000 levels are refused and do not crash") {
  const auto parsed = parse_json(std::string(200'000, '['), kLimits);
  CHECK_FALSE(parsed.ok());
}

TEST_CASE("json: many members keep their order and duplicates among them are found") {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i)
    text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  CHECK_FALSE(parse_json(text + "\"k500\":0}", kLimits).ok());
  const auto parsed = parse_json(text + "\"z\":0}", kLimits);
  REQUIRE(parsed.ok());
  CHECK(parsed->size() == 1001);
  CHECK(parsed->begin().key() == "k0");
  CHECK(*find_member(*parsed, "k999") == Json(999));
}

TEST_CASE("json: keeping gives the readable part beside the error") {
  const auto deep = parse_json_keeping(
      "{\"id\":7,\"x\":" + std::string(70, '[') + std::string(70, ']') + "}", kLimits);
  REQUIRE(deep.error.has_value());
  REQUIRE(deep.document.has_value());
  CHECK(integer_member(*deep.document, "id") == 7);
  const auto cut = parse_json_keeping("{\"id\":7,\"x\":[1,", kLimits);
  REQUIRE(cut.error.has_value());
  REQUIRE(cut.document.has_value());
  CHECK(integer_member(*cut.document, "id") == 7);
}

TEST_CASE("json: the line of every value, and of the nearest one around it") {
  const auto parsed =
      parse_json_with_lines("\xEF\xBB\xBF{\n\"a\": [\n 1,\n {\"b\": 2}\n],\n\"x/y\": 3}", kLimits);
  REQUIRE(parsed.ok());
  CHECK(parsed->line_of("") == 1);
  CHECK(parsed->line_of("/a") == 2);
  CHECK(parsed->line_of("/a/0") == 3);
  CHECK(parsed->line_of("/a/1/b") == 4);
  CHECK(parsed->line_of("/a/1/c/d") == 4);
  CHECK(parsed->line_of("/x~1y") == 6);
  CHECK(parsed->line_of("/none") == 1);
}

TEST_CASE("json: CRLF counts one line") {
  const auto parsed = parse_json_with_lines("{\r\n\"a\":\r\n1}", kLimits);
  REQUIRE(parsed.ok());
  CHECK(parsed->line_of("/a") == 3);
}

TEST_CASE("json: whole numbers") {
  const auto number = [](const char* text) { return as_integer(*parse_json(text, kLimits)); };
  CHECK(number("1.0") == 1);
  CHECK(number("-3") == -3);
  CHECK(number("9223372036854775807") == INT64_MAX);
  CHECK_FALSE(number("9223372036854775808"));
  CHECK_FALSE(number("1.5"));
  CHECK_FALSE(number("1e300"));
  CHECK_FALSE(number("true"));
  CHECK_FALSE(number("\"1\""));
}

TEST_CASE("json: canonical text is the same for equal values") {
  const Json a = *parse_json(R"({"b":1.0,"a":[true,{"z":null,"y":2}]})", kLimits);
  const Json b = *parse_json(R"({ "a":[true,{"y":2.0,"z":null}], "b":1 })", kLimits);
  CHECK(dump_canonical(a) == dump_canonical(b));
  CHECK(dump_canonical(a) == R"({"a":[true,{"y":2,"z":null}],"b":1})");
}

TEST_CASE("json: dumping never throws on bytes that are not UTF-8") {
  CHECK(dump(Json("a\xff")) == "\"a\xEF\xBF\xBD\"");
}

TEST_CASE("json: members of the wrong kind are absent, not an error") {
  const Json value = *parse_json(R"({"s":"x","b":true,"n":2})", kLimits);
  CHECK(string_member(value, "s") == "x");
  CHECK_FALSE(string_member(value, "b"));
  CHECK(bool_member(value, "b") == true);
  CHECK_FALSE(bool_member(value, "n"));
  CHECK(integer_member(value, "n") == 2);
  CHECK_FALSE(integer_member(value, "b"));
  CHECK(find_member(Json::array(), "s") == nullptr);
}
