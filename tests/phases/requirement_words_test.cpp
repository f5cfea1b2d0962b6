#include "phases/requirement_words.h"

#include <doctest/doctest.h>

namespace phasegate::phases {
namespace {

TEST_CASE("a requirement's rules in words") {
  const auto rules = [](ValueType type, auto change) {
    Requirement requirement;
    requirement.type = type;
    change(requirement);
    return rules_in_words(requirement);
  };
  const auto none = [](Requirement&) {};
  CHECK(rules(ValueType::boolean, none) == "must be true");
  CHECK(rules(ValueType::boolean, [](auto& r) { r.false_allowed = true; }) == "");
  CHECK(rules(ValueType::boolean, [](auto& r) { r.constant = false; }) == "must be false");
  CHECK(rules(ValueType::boolean, [](auto& r) { r.required = false; }) == "optional");
  CHECK(rules(ValueType::integer, none) == "");
  CHECK(rules(ValueType::integer, [](auto& r) { r.constant = std::int64_t{5}; }) == "must be 5");
  CHECK(rules(ValueType::integer, [](auto& r) { r.minimum = 3; }) == "at least 3");
  CHECK(rules(ValueType::number, [](auto& r) {
          r.minimum = 0.85;
          r.maximum = 1;
        }) == "0.85 to 1");
  CHECK(rules(ValueType::number, [](auto& r) {
          r.exclusive_minimum = 0;
          r.exclusive_maximum = 1;
        }) == "more than 0, less than 1");
  CHECK(rules(ValueType::string, none) == "not blank");
  CHECK(rules(ValueType::string, [](auto& r) { r.min_length = 1; }) == "not blank");
  CHECK(rules(ValueType::string, [](auto& r) { r.min_length = 9; }) ==
        "at least 9 characters, not blank");
  CHECK(rules(ValueType::string, [](auto& r) {
          r.min_length = 1;
          r.pattern = "^a\"b$";
          r.format = "date";
        }) == "at least 1 character, format date, matches \"^a\\\"b$\"");
  CHECK(rules(ValueType::string, [](auto& r) {
          r.one_of = {std::string("high"), std::string("low")};
          r.required = false;
        }) == "one of \"high\", \"low\", optional");
  CHECK(rules(ValueType::array, [](auto& r) { r.min_items = 2; }) == "at least 2 items");
  CHECK(rules(ValueType::string, [](auto& r) { r.secret = true; }) ==
        "not blank, secret: only a digest is kept");
  Requirement requirement;
  CHECK(type_and_rules(requirement) == "boolean, must be true");
  requirement.type = ValueType::object;
  CHECK(type_and_rules(requirement) == "object");
}

}  // namespace
}  // namespace phasegate::phases
