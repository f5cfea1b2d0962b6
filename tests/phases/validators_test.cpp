#include "phases/validators.h"

#include <string>

#include <doctest/doctest.h>

#include "phases/lambda_validators.h"

using namespace phasegate::phases;
using phasegate::base::Result;

namespace {

Requirement made(ValueType type) {
  Requirement requirement;
  requirement.name = "x";
  requirement.type = type;
  return requirement;
}

/// The requirement after all rules of a cell, or the error's code.
Result<Requirement> applied(std::string_view cell, ValueType type) {
  Requirement requirement = made(type);
  const auto rules = rules_from_cell(cell);
  if (!rules) return rules.error();
  for (const ValidatorRule& rule : *rules) {
    if (const auto done = apply_rule(rule, requirement); !done) return done.error();
  }
  if (const auto possible = check_satisfiable(requirement); !possible) return possible.error();
  return requirement;
}

}  // namespace

TEST_CASE("P-2, 004-17: every validator word means what it says") {
  using V = ValueType;
  struct Case {
    const char* cell;
    V type;
    Requirement wanted;
  };
  const auto with = [](V type, auto change) {
    Requirement requirement = made(type);
    change(requirement);
    return requirement;
  };
  const Case cases[] = {
      {"non_empty", V::string, with(V::string, [](auto& r) { r.min_length = 1; })},
      {"non_empty", V::array, with(V::array, [](auto& r) { r.min_items = 1; })},
      {"non_empty_list", V::array, with(V::array, [](auto& r) { r.min_items = 1; })},
      {"is_true", V::boolean, with(V::boolean, [](auto& r) { r.constant = true; })},
      {"is_false", V::boolean,
       with(V::boolean,
            [](auto& r) {
              r.constant = false;
              r.false_allowed = true;
            })},
      {"greater_than_0", V::integer, with(V::integer, [](auto& r) { r.exclusive_minimum = 0.0; })},
      {"greater_than_or_equal_5", V::integer, with(V::integer, [](auto& r) { r.minimum = 5.0; })},
      {"greater_than_or_equal_0_85", V::number, with(V::number, [](auto& r) { r.minimum = 0.85; })},
      {"less_than_10", V::integer, with(V::integer, [](auto& r) { r.exclusive_maximum = 10.0; })},
      {"less_than_or_equal_2_0", V::number, with(V::number, [](auto& r) { r.maximum = 2.0; })},
      {"between_1_10", V::integer,
       with(V::integer,
            [](auto& r) {
              r.minimum = 1.0;
              r.maximum = 10.0;
            })},
      {"between_0_5_1_5", V::number,
       with(V::number,
            [](auto& r) {
              r.minimum = 0.5;
              r.maximum = 1.5;
            })},
      {"equals_5", V::integer, with(V::integer, [](auto& r) { r.constant = std::int64_t{5}; })},
      {"equals_0_5", V::number, with(V::number, [](auto& r) { r.constant = 0.5; })},
      {"equals_high", V::string,
       with(V::string, [](auto& r) { r.constant = std::string("high"); })},
      {"equals_High", V::string,
       with(V::string, [](auto& r) { r.constant = std::string("High"); })},
      {"equals_false", V::boolean,
       with(V::boolean,
            [](auto& r) {
              r.constant = false;
              r.false_allowed = true;
            })},
      {"min_length_10", V::array, with(V::array, [](auto& r) { r.min_items = 10; })},
      {"min_length_10", V::string, with(V::string, [](auto& r) { r.min_length = 10; })},
      {"percent_gte_95", V::integer,
       with(V::integer,
            [](auto& r) {
              r.minimum = 95.0;
              r.maximum = 100.0;
            })},
      {"custom:regex:^v\\d+\\.\\d+$", V::string,
       with(V::string, [](auto& r) { r.pattern = "^v\\d+\\.\\d+$"; })},
      {"non_empty, custom:regex:a, b", V::string,
       with(V::string,
            [](auto& r) {
              r.min_length = 1;
              r.pattern = "a, b";
            })},
      {"`non_empty`", V::string, with(V::string, [](auto& r) { r.min_length = 1; })},
      {"`non_empty`, `custom:regex:^a`", V::string,
       with(V::string,
            [](auto& r) {
              r.min_length = 1;
              r.pattern = "^a";
            })},
      {"greater_than_0; less_than_or_equal_5", V::integer,
       with(V::integer,
            [](auto& r) {
              r.exclusive_minimum = 0.0;
              r.maximum = 5.0;
            })},
      {"greater_than_or_equal_1 and greater_than_or_equal_3", V::integer,
       with(V::integer, [](auto& r) { r.minimum = 3.0; })},
      {"file_exists", V::string, with(V::string, [](auto& r) { r.format = kProjectPath; })},
      {"directory_exists", V::string,
       with(V::string, [](auto& r) { r.format = "project-folder"; })},
      {"-", V::string, made(V::string)},
      {"none", V::object, made(V::object)},
      {"", V::object, made(V::object)},
  };
  for (const Case& c : cases) {
    CAPTURE(c.cell);
    const auto got = applied(c.cell, c.type);
    REQUIRE(got.ok());
    CHECK(*got == c.wanted);
  }
}

TEST_CASE("P-2: what is unknown or does not fit is an error that helps") {
  using V = ValueType;
  struct Case {
    const char* cell;
    V type;
    const char* code;
    const char* hint;
  };
  const Case cases[] = {
      {"greater_then_10", V::integer, "unknown_validator", "greater_than_N"},
      {"is_ture", V::boolean, "unknown_validator", "is_true"},
      {"nonempty", V::string, "unknown_validator", "non_empty"},
      {"min_lenght_3", V::string, "unknown_validator", "min_length_N"},
      {"zzzz", V::string, "unknown_validator", "known validators"},
      {"greater_than_", V::integer, "unknown_validator", ""},
      {"greater_than_many", V::integer, "unknown_validator", ""},
      {"between_1", V::integer, "unknown_validator", ""},
      {"between_1_2_3", V::integer, "unknown_validator", ""},
      {"min_length_-1", V::string, "unknown_validator", ""},
      {"custom:regex:", V::string, "unknown_validator", "regex"},
      {"lambda x: x > 0", V::integer, "unknown_validator", ""},
      {"greater_than_0", V::string, "validator_does_not_fit", "type"},
      {"is_true", V::string, "validator_does_not_fit", ""},
      {"non_empty", V::integer, "validator_does_not_fit", ""},
      {"non_empty", V::object, "validator_does_not_fit", ""},
      {"non_empty_list", V::string, "validator_does_not_fit", ""},
      {"file_exists", V::boolean, "validator_does_not_fit", ""},
      {"equals_high", V::integer, "validator_does_not_fit", ""},
      {"equals_0_5", V::integer, "validator_does_not_fit", ""},
      {"equals_x", V::array, "validator_does_not_fit", ""},
      {"custom:regex:a", V::integer, "validator_does_not_fit", ""},
      {"between_10_1", V::integer, "impossible_rule", ""},
      {"greater_than_5, less_than_or_equal_5", V::integer, "impossible_rule", ""},
      {"is_true, is_false", V::boolean, "impossible_rule", ""},
      {"percent_gte_101", V::integer, "impossible_rule", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.cell);
    const auto got = applied(c.cell, c.type);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().code == c.code);
    CHECK(got.error().hint.find(c.hint) != std::string::npos);
  }
}

TEST_CASE("validators: numbers of words") {
  CHECK(number_from("5") == 5);
  CHECK(word_number_from("0_85") == 0.85);
  CHECK_FALSE(number_from("0_85").has_value());
  CHECK_FALSE(number_from("1_000").has_value());
  CHECK(number_from("0.85") == 0.85);
  CHECK(number_from("-3") == -3);
  for (const char* bad : {"", "-", "_5", "5_", "1_2_3", "1e5", "0x10", "nan", "inf", " 5", "5 ",
                          "999999999999999999999999999999999999"}) {
    CAPTURE(bad);
    CHECK_FALSE(number_from(bad).has_value());
  }
}

TEST_CASE("validators: words with parameters") {
  const auto rules = rules_from_parts("between", {"1", "5"});
  REQUIRE(rules.ok());
  CHECK(*rules == std::vector<ValidatorRule>{{RuleKind::at_least, "1"}, {RuleKind::at_most, "5"}});
  CHECK(rules_from_parts("greater_than", {"3"})->front() == ValidatorRule{RuleKind::greater, "3"});
  CHECK(rules_from_parts("pattern", {"^a"})->front() == ValidatorRule{RuleKind::pattern, "^a"});
  CHECK(rules_from_parts("non_empty", {"3"}).error().code == "unsupported_validator_params");
  CHECK(rules_from_parts("greater_than", {"3", "4"}).error().code ==
        "unsupported_validator_params");
  CHECK(rules_from_parts("wat", {"3"}).error().code == "unknown_validator");
}

TEST_CASE("gate file: the well-known shapes of lambdas, and nothing else") {
  struct Case {
    const char* text;
    std::vector<ValidatorRule> wanted;  // empty: refused
  };
  using K = RuleKind;
  const Case cases[] = {
      {"lambda x: x > 0", {{K::greater, "0"}}},
      {"lambda  value :value>=3", {{K::at_least, "3"}}},
      {"lambda x: x <= -1", {{K::at_most, "-1"}}},
      {"lambda x: len(x) > 0", {{K::min_length, "1"}}},
      {"lambda x: len(x) >= 3", {{K::min_length, "3"}}},
      {"lambda x: x is True", {{K::is_true, ""}}},
      {"lambda x: x == False", {{K::equals, "false"}}},
      {"lambda x: x == 'done'", {{K::equals, "done"}}},
      {"lambda x: 0 <= x <= 100", {{K::at_least, "0"}, {K::at_most, "100"}}},
      {"lambda x: 5 < x", {{K::greater, "5"}}},
      {"lambda x, n: x >= n", {{K::at_least, "7"}}},
      {"lambda x: x", {}},
      {"lambda x: len(x) < 3", {}},
      {"lambda x: y > 0", {}},
      {"lambda x: x > 0 or True", {}},
      {"lambda x: x > m", {}},
      {"lambda x: __import__('os').system('id')", {}},
      {"lambda x: x >", {}},
      {"lambda x:", {}},
      {"lambda", {}},
      {"lambda x: len(x", {}},
      {"lambda x: x == 'open", {}},
      {"x > 0", {}},
      {"", {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const auto got = rules_from_lambda(c.text, {{"n", "7"}});
    CHECK(got.ok() == !c.wanted.empty());
    if (got.ok()) CHECK(*got == c.wanted);
    if (!got.ok()) CHECK(got.error().code == "unknown_validator");
  }
}

TEST_CASE("P-2: a number that could be read in two ways is refused, not guessed") {
  using V = ValueType;
  struct Case {
    const char* cell;
    V type;
    const char* code;
  };
  const Case cases[] = {
      {"greater_than_10_000", V::integer, "ambiguous_number"},
      {"greater_than_or_equal_1_000", V::number, "ambiguous_number"},
      {"less_than_-1_000", V::number, "ambiguous_number"},
      {"between_1_000_5_000", V::integer, "ambiguous_number"},
      {"percent_gte_10_000", V::number, "ambiguous_number"},
      {"equals_10_000", V::integer, "ambiguous_number"},
      {"greater_than_1_000_000", V::integer, "unknown_validator"},
      {"greater_than_9007199254740992", V::integer, "number_too_large"},
      {"greater_than_9007199254740993000", V::integer, "number_too_large"},
      {"equals_99999999999999999999", V::integer, "number_too_large"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.cell);
    const auto got = applied(c.cell, c.type);
    REQUIRE_FALSE(got.ok());
    CHECK(got.error().code == c.code);
  }
  CHECK(applied("greater_than_10_000", V::integer).error().hint == "write 10000 or 10_0");
  CHECK(applied("greater_than_0_125", V::number)->exclusive_minimum == 0.125);
  CHECK(applied("greater_than_10_00", V::number)->exclusive_minimum == 10.0);
  CHECK(applied("greater_than_9007199254740991", V::integer)->exclusive_minimum ==
        9007199254740991.0);
  CHECK(applied("equals_10_000", V::string)->constant == Scalar(std::string("10_000")));
}
