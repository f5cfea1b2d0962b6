#include "base/text.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace phasegate::base;

TEST_CASE("text: quoted text shows what is there") {
  struct Case {
    std::string text;
    std::string quoted;
  };
  const Case cases[] = {
      {"plain", "\"plain\""},
      {"a\"b\\c", "\"a\\\"b\\\\c\""},
      {"a\nb\tc\r", "\"a\\nb\\tc\\r\""},
      {std::string("\0\x1b", 2), "\"\\u0000\\u001b\""},
      {"\xff", "\"\\xff\""},
      {"safe\u202Egpj", "\"safe\\u202egpj\""},
      {"größe ✅", "\"größe ✅\""},
  };
  for (const Case& c : cases) CHECK(in_quotes(c.text) == c.quoted);
}

TEST_CASE("text: shortening never splits a character") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcdef", 5) == "ab…");
  CHECK(shortened("ééé", 5) == "é…");
  CHECK(shortened("abc", 0).size() <= 3);
  CHECK(is_utf8(shortened("🛑🛑🛑", 6)));
}

TEST_CASE("text: UTF-8") {
  for (const char* good : {"", "a", "é", "€", "🛑"}) CHECK(is_utf8(good));
  for (const std::string bad :
       {"\x80", "\xC0\xAF", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_utf8(bad));
    CHECK(is_utf8(to_utf8(bad)));
  }
  for (std::size_t before = 0; before < 20; ++before) {
    CAPTURE(before);
    const std::string letters(before, 'a');
    CHECK(is_utf8(letters + "€" + letters));
    CHECK_FALSE(is_utf8(letters + "\xff" + letters));
    CHECK_FALSE(is_utf8(letters + "\xe2\x82"));
  }
  CHECK(to_utf8("a\xffz") == "a\xEF\xBF\xBDz");
  CHECK(utf8_length("aé🛑") == 3);
  CHECK(utf8_length("a\xff") == 2);
  CHECK(utf8_boundary("é", 1) == 0);
  CHECK(utf8_boundary("é", 9) == 2);
}

TEST_CASE("text: splitting, trimming, joining") {
  CHECK(split("a,,b", ',').size() == 3);
  CHECK(split("", ',').size() == 1);
  CHECK(trimmed(" \t x \r\n") == "x");
  CHECK(trimmed("  ").empty());
  CHECK(lowered("AbÉ") == "abÉ");
  const std::vector<std::string> parts = {"a", "b"};
  CHECK(joined(parts, ", ") == "a, b");
}

TEST_CASE("text: the nearest name") {
  const std::vector<std::string> names = {"srd_created", "business_goals_defined",
                                          "functional_requirements_listed", "specs_created"};
  const auto nearest = [&](const char* name) { return nearest_name(name, names).value_or(""); };
  CHECK(nearest("srd_md_created") == "srd_created");
  CHECK(nearest("SRD-Created") == "srd_created");
  CHECK(nearest("srdCreated") == "srd_created");
  CHECK(nearest("buisness_goals_defined") == "business_goals_defined");
  CHECK(nearest("functional_requirement_count_listed") == "functional_requirements_listed");
  CHECK(nearest("weather").empty());
  CHECK(nearest("").empty());
  CHECK(nearest("___").empty());
  CHECK_FALSE(nearest_name("x", {}));
  CHECK_FALSE(nearest_name(std::string(100'000, 'x'), names));
}

TEST_CASE("text: numbers as people write them") {
  CHECK(number_text(3) == "3");
  CHECK(number_text(0.85) == "0.85");
  CHECK(number_text(-2.5) == "-2.5");
}
