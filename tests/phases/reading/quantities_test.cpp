#include "phases/reading/quantities.h"

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "phases/validators.h"

using namespace phasegate::phases;

namespace {

/// `integer >= 3 <= 5`: type and bounds; `-` for none.
std::string shown(const std::optional<Quantity>& quantity) {
  if (!quantity) return "-";
  std::string all(to_text(quantity->type));
  const auto number = [](double value) {
    std::string text = std::to_string(value);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
  };
  if (quantity->minimum) all += " >= " + number(*quantity->minimum);
  if (quantity->exclusive_minimum) all += " > " + number(*quantity->exclusive_minimum);
  if (quantity->maximum) all += " <= " + number(*quantity->maximum);
  if (quantity->exclusive_maximum) all += " < " + number(*quantity->exclusive_maximum);
  if (quantity->constant) {
    all += " == ";
    if (const auto* whole = std::get_if<std::int64_t>(&*quantity->constant)) {
      all += std::to_string(*whole);
    } else if (const auto* value = std::get_if<double>(&*quantity->constant)) {
      all += number(*value);
    } else {
      all += "?";
    }
  }
  for (std::size_t i = 0; i < quantity->one_of.size(); ++i) {
    all += (i == 0 ? " of " : "|") + std::get<std::string>(quantity->one_of[i]);
  }
  if (quantity->path) all += " path";
  return all;
}

struct Case {
  const char* text;
  const char* want;
};

void check_measures(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    CAPTURE(std::string(one.text));
    CHECK(shown(measure_in(one.text)) == std::string(one.want));
  }
}

}  // namespace

TEST_CASE("quantities: every comparator before a number (004-17)") {
  for (const char* words :
       {">=", "=>", "≥", "no fewer than", "no less than", "not less than", "at least", "minimum of",
        "minimum", "min.", "min", "mindestens", "au moins", "al menos", "pelo menos", "не менее",
        "至少", "不少于", "AT LEAST"}) {
    CAPTURE(std::string(words));
    CHECK(shown(measure_in("samples " + std::string(words) + " 7")) == "integer >= 7");
  }
  for (const char* words : {"<=", "≤", "no more than", "not more than", "at most", "maximum of",
                            "maximum", "max.", "max", "up to", "not exceeding", "within",
                            "höchstens", "maximal", "au plus", "не более", "不超过", "最多"}) {
    CAPTURE(std::string(words));
    CHECK(shown(measure_in("samples " + std::string(words) + " 7")) == "integer <= 7");
  }
  for (const char* words :
       {">", "more than", "greater than", "higher than", "over", "above", "exceeds"}) {
    CAPTURE(std::string(words));
    CHECK(shown(measure_in("samples " + std::string(words) + " 7")) == "integer > 7");
  }
  for (const char* words : {"<", "less than", "fewer than", "lower than", "under", "below"}) {
    CAPTURE(std::string(words));
    CHECK(shown(measure_in("samples " + std::string(words) + " 7")) == "integer < 7");
  }
  for (const char* words : {"==", "exactly", "equal to", "equals", "genau"}) {
    CAPTURE(std::string(words));
    CHECK(shown(measure_in("samples " + std::string(words) + " 7")) == "integer == 7");
  }
  check_measures({{"exit code 0", "integer == 0"}, {"exit status 2", "integer == 2"}});
}

TEST_CASE("quantities: comparators behind a number") {
  check_measures({{"7+ samples", "integer >= 7"},
                  {"7 or more samples", "integer >= 7"},
                  {"rated 7 or higher", "integer >= 7"},
                  {"rated 7 or above", "integer >= 7"},
                  {"7 samples or fewer", "-"},
                  {"7 or fewer samples", "integer <= 7"},
                  {"7 or less", "integer <= 7"},
                  {"7 minimum", "integer >= 7"},
                  {"7 maximum", "integer <= 7"},
                  {"样本 7 以上", "integer >= 7"},
                  {"샘플 7 이하", "integer <= 7"}});
}

TEST_CASE("quantities: percentages are in percent") {
  check_measures({{"coverage ≥ 80%", "number >= 80"},
                  {"coverage of at least 80 percent", "number >= 80"},
                  {"80% coverage", "number >= 80"},
                  {"100% of samples weighed", "number == 100"},
                  {"90% or better", "number >= 90"},
                  {"waste below 2.5 %", "number < 2.5"},
                  {"Abdeckung mindestens 80 Prozent", "number >= 80"},
                  {"≥ 99.9% kept", "number >= 99.9"}});
}

TEST_CASE("quantities: scores and ranges") {
  check_measures({{"score 10/10", "number == 10"},
                  {"lint score 10.0/10", "number == 10"},
                  {"rating at least 8/10", "number >= 8"},
                  {"score of 8/10", "number >= 8"},
                  {"3-5 readers", "integer >= 3 <= 5"},
                  {"3–5 readers", "integer >= 3 <= 5"},
                  {"80-90% full", "number >= 80 <= 90"},
                  {"5-3 readers", "-"},
                  {"takes 3-5 minutes", "-"},
                  {"takes 3-5 days", "-"}});
}

TEST_CASE("quantities: zero, number words and units") {
  check_measures({{"0 errors", "integer == 0"},
                  {"0 type errors left", "integer == 0"},
                  {"zero warnings", "integer == 0"},
                  {"zero tolerance for dirt", "-"},
                  {"at least three readers", "integer >= 3"},
                  {"exactly one owner", "integer == 1"},
                  {"retries: no more than five", "integer <= 5"},
                  {"answers in under 200 ms", "number < 200"},
                  {"loads within 2s", "number <= 2"},
                  {"at most 1.5 seconds", "number <= 1.5"},
                  {"at least 2,500 rows", "integer >= 2500"}});
}

TEST_CASE("quantities: brackets and negation") {
  check_measures({{"Edge cases (min 3)", "integer >= 3"},
                  {"All samples weighed (12 of them)", "-"},
                  {"Room is full (100%)", "-"},
                  {"Room is full (≥ 90%)", "number >= 90"},
                  {"does not exceed 5 retries", "integer <= 5"},
                  {"load never above 70%", "number <= 70"},
                  {"stock must not fall below 12", "integer >= 12"}});
}

TEST_CASE("quantities: numbers that are no measures") {
  for (const char* none :
       {"", "All 7 samples weighed", "uses version 2", "v2.1 is installed", "release 1.2.3",
        "on 2026-03-01", "the 3rd reading", "phase 3 is done", "step 2 passed", "issue #12 closed",
        "runs on python3", "see section 4", "at least one owner",
        "every part has at least 2 owners", "each reader has more than 3 books", "10:30 meeting",
        "file2.txt written", "a-1 plan"}) {
    CAPTURE(std::string(none));
    CHECK(shown(measure_in(none)) == "-");
  }
}

TEST_CASE("quantities: any bytes give a result") {
  for (const std::string& text :
       {std::string("\xFF\xFE 3"), std::string(5000, '9'), std::string("≥ 1e999"),
        std::string("((((3"), std::string(10'000, '('), std::string("≥"), std::string("5/"),
        std::string("3-"), std::string("\xE2\x89 80")}) {
    CHECK_NOTHROW((void)measure_in(text));
    CHECK_NOTHROW((void)slots_in(text));
    CHECK_NOTHROW((void)typed_value(text));
  }
}

TEST_CASE("quantities: placeholders of every kind (004-18)") {
  const std::vector<Case> cases = {{"[NUMBER]", "integer >= 0"},
                                   {"[count of rooms]", "integer >= 0"},
                                   {"{n}", "integer >= 0"},
                                   {"[X]", "integer >= 0"},
                                   {"[X.X]", "number >= 0"},
                                   {"[PERCENT]", "number >= 0"},
                                   {"[score]", "number >= 0"},
                                   {"[X/10]", "number >= 0"},
                                   {"[PASS/FAIL]", "string of PASS|FAIL"},
                                   {"[low|middle|high]", "string of low|middle|high"},
                                   {"[YES/NO]", "boolean"},
                                   {"[true|false]", "boolean"},
                                   {"[list of rooms]", "array"},
                                   {"<path>", "string"},
                                   {"{name}", "string"},
                                   {"[≥ 80%]", "number >= 80"},
                                   {"[describe what you saw]", "string"}};
  for (const Case& one : cases) {
    CAPTURE(std::string(one.text));
    const std::string text = "Seen: " + std::string(one.text) + " there";
    const auto slots = slots_in(text);
    CHECK(slots.size() == 1);
    if (slots.size() != 1) continue;
    CHECK(shown(slots[0].value) == std::string(one.want));
    CHECK(text.substr(slots[0].begin, slots[0].end - slots[0].begin) == one.text);
  }
}

TEST_CASE("quantities: what is no placeholder") {
  for (const char* none : {"", "[ ] box", "[x] box", "[](x)", "[page](page.md)", "<a href=\"x\">",
                           "[]", "{}", "<>", "a < b > c", "[open", "</end>"}) {
    CAPTURE(std::string(none));
    CHECK(slots_in(none).empty());
  }
  CHECK(slots_in("[NUMBER] rooms with [NUMBER] doors").size() == 2);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "[N] ";
  CHECK(slots_in(many).size() == 16);
}

TEST_CASE("quantities: types by their names") {
  const std::vector<Case> cases = {{"Integer (0-100)", "integer >= 0 <= 100"},
                                   {"integer", "integer >= 0"},
                                   {"Integer, at least 3", "integer >= 3"},
                                   {"int >= 4", "integer >= 4"},
                                   {"number", "number >= 0"},
                                   {"float (0.0-1.0)", "number >= 0 <= 1"},
                                   {"percentage", "number >= 0"},
                                   {"boolean", "boolean"},
                                   {"bool - all done", "boolean"},
                                   {"Array of paths", "array"},
                                   {"string, non-empty", "string"},
                                   {"object", "object"},
                                   {"path", "string path"},
                                   {"count", "integer >= 0"},
                                   {"Must be 100", "integer == 100"},
                                   {"must equal 3", "integer == 3"},
                                   {"must be true", "boolean"},
                                   {"must be at least 3", "integer >= 3"},
                                   {"", "-"},
                                   {"text was written", "-"},
                                   {"string theory is hard", "-"},
                                   {"all rooms", "-"}};
  for (const Case& one : cases) {
    CAPTURE(std::string(one.text));
    CHECK(shown(typed_value(one.text)) == one.want);
  }
}

TEST_CASE("quantities: what a field's name lets one expect") {
  const std::vector<Case> cases = {{"coverage_percent", "number >= 0"},
                                   {"quality_score", "number >= 0"},
                                   {"room_count", "integer >= 0"},
                                   {"total_rooms", "integer >= 0"},
                                   {"type_errors", "integer >= 0"},
                                   {"is_clean", "boolean"},
                                   {"has_owner", "boolean"},
                                   {"rooms_reviewed", "boolean"},
                                   {"touched_files", "array"},
                                   {"known_gaps", "array"},
                                   {"summary", "string"},
                                   {"", "string"},
                                   {"完成", "string"}};
  for (const Case& one : cases) {
    CAPTURE(std::string(one.text));
    CHECK(shown(quantity_from_name(one.text)) == one.want);
  }
  CHECK(quantity_from_name("known_gaps").may_be_empty);
  CHECK_FALSE(quantity_from_name("touched_files").may_be_empty);
}

TEST_CASE("quantities: bounds reach the requirement, a list that may not be empty has an item") {
  Requirement requirement;
  apply_quantity(*measure_in("between: at least 3"), requirement);
  CHECK(requirement.type == ValueType::integer);
  CHECK(requirement.minimum == 3.0);
  Requirement files;
  apply_quantity(quantity_from_name("touched_files"), files);
  CHECK(files.type == ValueType::array);
  CHECK(files.min_items == 1);
  Requirement gaps;
  apply_quantity(quantity_from_name("known_gaps"), gaps);
  CHECK_FALSE(gaps.min_items.has_value());
  Requirement place;
  apply_quantity(*typed_value("path"), place);
  CHECK(place.format == "project-path");
  Requirement folder;
  folder.name = "output_directory";
  apply_quantity(*typed_value("path"), folder);
  CHECK(folder.format == "project-folder");
}
