#include <random>
#include <string>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/json_write.h"

namespace phasegate::base {
namespace {

std::string by_the_library(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TEST_CASE("json: text for people cannot steer a terminal, and means the same") {
  const phasegate::base::Json value{{"k",
                                     "a\xC2\x9B"
                                     "b\xE2\x80\xAE"
                                     "c\x7F\x1B é"}};
  const std::string text = phasegate::base::dump_pretty(value);
  CHECK(text == "{\n  \"k\": \"a\\u009bb\\u202ec\\u007f\\u001b é\"\n}");
  CHECK(phasegate::base::Json::parse(text) == value);
}

TEST_CASE("dump: the same text as the library's, for every byte and for every kind of value") {
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const Json value = "a" + std::string(3, static_cast<char>(byte)) + "b";
    CHECK(dump(value) == by_the_library(value));
  }
  for (const char* text : {"null", "true", "0", "-7", "18446744073709551615", "0.1", "1e300",
                           "-0.0", "\"\"", "[]", "{}", R"([[],{},"",null,[1,[2]]])",
                           R"({"":{"a":[{"b":"\u0000\u001f\u007f\n\t\"\\"}]},"ä":"–😀"})"}) {
    CAPTURE(text);
    const auto value = parse_json(text, {1000, 10});
    REQUIRE(value.ok());
    CHECK(dump(*value) == by_the_library(*value));
  }
}

TEST_CASE("dump: the same text as the library's, wherever in a text a byte stands") {
  constexpr std::size_t kLength = 20;
  std::size_t same = 0;
  for (std::size_t at = 0; at < kLength; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(kLength, 'a');
      text[at] = static_cast<char>(byte);
      if (dump(Json(text)) == by_the_library(Json(text))) ++same;
    }
  }
  CHECK(same == kLength * 256);
}

TEST_CASE("dump: the same text as the library's for 2,000 texts of random bytes") {
  std::mt19937 random(7);
  const std::string alphabet = "ab\"\\\n\x01\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xff\x80\xed\xa0";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t length = random() % 30; length > 0; --length) {
      text += alphabet[random() % alphabet.size()];
    }
    Json value = Json::object();
    value[text] = Json::array({text, round});
    CHECK(dump(value) == by_the_library(value));
    CHECK(dump_size(value) == dump(value).size());
    CHECK(json_string_size(text) == dump(Json(text)).size());
    std::string written = "before";
    append_json_string(written, text);
    append_dump(written, value);
    CHECK(written == "before" + dump(Json(text)) + dump(value));
  }
}

TEST_CASE("json: an object that is given room keeps what it holds") {
  Json object = {{"b", {{"deep", {1, 2}}}}, {"a", "text"}};
  const Json before = object;
  reserve_members(object, 100);
  CHECK(object == before);
  CHECK(object.get_ref<Json::object_t&>().capacity() >= 100);
  reserve_members(object, 1);
  CHECK(object == before);
  CHECK(object_with_room(5) == Json::object());
}

}  // namespace
}  // namespace phasegate::base
