#include "phases/reading/quantities.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "phases/project_paths.h"
#include "phases/reading/characters.h"
#include "phases/reading/number_scanner.h"
#include "phases/requirement_names.h"
#include "phases/validators.h"

namespace phasegate::phases {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_word(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t N>
bool has_any(const std::vector<std::string>& words, const std::array<std::string_view, N>& known) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return contains(known, word); });
}

}  // namespace

Quantity of_type(ValueType type) {
  Quantity quantity;
  quantity.type = type;
  if (type == ValueType::integer || type == ValueType::number) quantity.minimum = 0;
  return quantity;
}

std::optional<Quantity> typed_value(std::string_view text) {
  text = base::trimmed(text);
  const std::string lower = base::lowered(text.substr(0, 300));
  std::size_t length = 0;
  while (length < lower.size() && is_letter(lower[length])) ++length;
  const std::string word = lower.substr(0, length);
  std::optional<ValueType> type = value_type_from(word);
  if (word == "path" || word == "filepath") type = ValueType::string;
  if (word == "percentage" || word == "percent") type = ValueType::number;
  if (word == "count") type = ValueType::integer;
  // `text` and `map` begin too many sentences.
  if (word == "text" || word == "map") type.reset();
  const std::string_view behind = std::string_view(lower).substr(length);
  const bool ends =
      behind.empty() || behind.starts_with(" (") || behind.starts_with(',') ||
      behind.starts_with(';') || behind.starts_with('.') || behind.starts_with(" -") ||
      behind.starts_with(" –") || behind.starts_with(" —") || behind.starts_with(" of ") ||
      behind.starts_with(':') || behind.starts_with('[') || behind.starts_with('(') ||
      behind.starts_with(" |") || behind.starts_with(" >") || behind.starts_with(" <") ||
      behind.starts_with(" ≥") || behind.starts_with(" must");
  if (!type || !ends) {
    if (!lower.starts_with("must be ") && !lower.starts_with("must equal ")) return std::nullopt;
    const std::string_view value =
        base::trimmed(std::string_view(lower).substr(lower.starts_with("must be ") ? 8 : 11));
    if (value == "true") return of_type(ValueType::boolean);
    if (value.empty() || !is_digit(value.front())) return measure_in(text);
    const auto found = numbers_in(value);
    return found.empty() ? std::nullopt : std::optional(bounded(found.front(), Bound::exact));
  }
  Quantity quantity = of_type(*type);
  quantity.path = word == "path" || word == "filepath";
  if (*type == ValueType::array) quantity.may_be_empty = true;
  if (*type == ValueType::integer || *type == ValueType::number) {
    const auto numbers = numbers_in(behind);
    const auto dash = behind.find_first_of("-");
    const bool range = numbers.size() == 1 && dash != std::string_view::npos && behind.size() > 4;
    if (range && dash > numbers[0].begin) {
      std::string_view rest = behind.substr(dash + 1);
      std::size_t digits = 0;
      while (digits < rest.size() && (is_digit(rest[digits]) || rest[digits] == '.')) ++digits;
      const auto high = number_from(rest.substr(0, digits));
      if (high && *high > numbers[0].value) {
        quantity.minimum = numbers[0].value;
        quantity.maximum = *high;
        return quantity;
      }
    }
    for (const Found& found : numbers) {
      if (found.bound == Bound::none) continue;
      Quantity bound = bounded(found, found.bound);
      bound.type = *type;
      return bound;
    }
  }
  return quantity;
}

Quantity quantity_from_name(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  if (words.empty()) return of_type(ValueType::string);
  constexpr std::array<std::string_view, 10> kMeasures = {
      "percent", "percentage", "pct",     "score",    "coverage",
      "ratio",   "rate",       "average", "duration", "seconds"};
  constexpr std::array<std::string_view, 5> kCounts = {"count", "total", "number", "num", "errors"};
  constexpr std::array<std::string_view, 8> kTruths = {"is",  "has",    "may", "can",
                                                       "are", "should", "all", "was"};
  constexpr std::array<std::string_view, 18> kLists = {
      "files", "paths",   "results", "gaps",    "issues",        "items",
      "list",  "targets", "tests",   "changes", "verification",  "artifacts",
      "links", "names",   "steps",   "risks",   "carryforwards", "dispositions"};
  constexpr std::array<std::string_view, 26> kDone = {
      "created",  "complete",  "completed", "passed",   "passing",    "validated", "verified",
      "mapped",   "defined",   "reviewed",  "approved", "documented", "updated",   "confirmed",
      "present",  "exists",    "valid",     "clean",    "ready",      "specified", "provided",
      "executed", "committed", "tested",    "done",     "recorded"};
  if (has_any(words, kMeasures)) return of_type(ValueType::number);
  if (contains(kCounts, words.back()) || words.front() == "total" || words.front() == "num" ||
      words.front() == "number") {
    return of_type(ValueType::integer);
  }
  if (contains(kTruths, words.front())) return of_type(ValueType::boolean);
  if (words.size() > 1 && contains(kDone, words.back())) return of_type(ValueType::boolean);
  if (contains(kLists, words.back()) || contains(kLists, words.front())) {
    Quantity list = of_type(ValueType::array);
    list.may_be_empty = has_word(words, "gaps") || has_word(words, "issues") ||
                        has_word(words, "risks") || has_word(words, "carryforwards");
    return list;
  }
  return of_type(ValueType::string);
}

void apply_quantity(const Quantity& quantity, Requirement& requirement) {
  requirement.type = quantity.type;
  requirement.minimum = quantity.minimum;
  requirement.maximum = quantity.maximum;
  requirement.exclusive_minimum = quantity.exclusive_minimum;
  requirement.exclusive_maximum = quantity.exclusive_maximum;
  requirement.constant = quantity.constant;
  requirement.one_of = quantity.one_of;
  if (quantity.path) requirement.format = path_format(requirement.name);
  if (quantity.type == ValueType::array && !quantity.may_be_empty && requirement.required) {
    requirement.min_items = 1;
  }
}

}  // namespace phasegate::phases
