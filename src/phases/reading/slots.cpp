#include <algorithm>
#include <array>

#include "base/text.h"
#include "phases/reading/characters.h"
#include "phases/reading/number_scanner.h"
#include "phases/reading/quantities.h"
#include "phases/requirement_names.h"
#include "phases/validators.h"

namespace phasegate::phases {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> options_of(std::string_view text) {
  std::vector<std::string> options;
  const char separator = text.find('|') != std::string_view::npos ? '|' : '/';
  for (const std::string_view part : base::split(text, separator)) {
    std::string option(base::trimmed(part));
    while (option.size() > 1 &&
           (option.front() == '"' || option.front() == '\'' || option.front() == '`')) {
      option = option.substr(1, option.size() - 2);
    }
    const auto words = words_of(option);
    if (option.empty() || option.size() > 40 || words.empty() || words.size() > 4) return {};
    options.push_back(std::move(option));
  }
  return options.size() < 2 || options.size() > 12 ? std::vector<std::string>() : options;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t N>
bool has_any(const std::vector<std::string>& words, const std::array<std::string_view, N>& known) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return contains(known, word); });
}

std::optional<Quantity> slot_value(std::string_view inside) {
  inside = base::trimmed(inside);
  const std::vector<std::string> words = words_of(inside);
  if (inside.empty() || inside.size() > 120) return std::nullopt;
  if (words.empty()) return std::nullopt;
  if (inside == "x") return std::nullopt;  // a ticked box that the sentence speaks of
  if (inside.ends_with('%') && words.size() == 1 && words[0].size() == 1) {
    return of_type(ValueType::number);
  }
  if (words.size() == 1 && (words[0] == "x" || words[0] == "yes" || words[0] == "true")) {
    return of_type(words[0] == "x" ? ValueType::integer : ValueType::boolean);
  }
  const bool has_digit = std::any_of(inside.begin(), inside.end(), is_digit);
  if (has_digit) {
    if (auto measure = measure_in(inside)) return measure;
  }
  if (inside == "X.X" || inside == "N.N" || inside.starts_with("X.X") || inside.starts_with("X/") ||
      inside.starts_with("N/") || inside == "X%" || inside == "N%") {
    return of_type(ValueType::number);
  }
  const std::vector<std::string> options = options_of(inside);
  if (options.size() == 2) {
    const std::string one = base::lowered(options[0]);
    const std::string two = base::lowered(options[1]);
    if ((one == "yes" || one == "true" || one == "y") &&
        (two == "no" || two == "false" || two == "n")) {
      return of_type(ValueType::boolean);
    }
  }
  constexpr std::array<std::string_view, 7> kCounts = {"number", "count",   "n",  "num",
                                                       "total",  "integer", "qty"};
  constexpr std::array<std::string_view, 10> kMeasures = {"percent", "percentage", "score", "avg",
                                                          "average", "ratio",      "rate",  "ms",
                                                          "seconds", "duration"};
  constexpr std::array<std::string_view, 6> kLists = {"list",  "names", "files",
                                                      "items", "paths", "array"};
  if (!options.empty()) {
    if (has_word(words, "counts") || has_word(words, "numbers")) return of_type(ValueType::object);
    Quantity quantity;
    quantity.type = ValueType::string;
    for (const std::string& option : options) quantity.one_of.emplace_back(option);
    return quantity;
  }
  if (inside.ends_with('%') || has_any(words, kMeasures)) return of_type(ValueType::number);
  if (has_any(words, kCounts)) return of_type(ValueType::integer);
  if (words.size() <= 3 && has_any(words, kLists)) return of_type(ValueType::array);
  return of_type(ValueType::string);
}

}  // namespace

std::vector<Slot> slots_in(std::string_view text) {
  constexpr std::size_t kSlotsMax = 16;
  std::vector<Slot> slots;
  for (std::size_t at = 0; at < text.size() && slots.size() < kSlotsMax; ++at) {
    const char open = text[at];
    if (open != '[' && open != '{' && open != '<') continue;
    const char close = open == '[' ? ']' : open == '{' ? '}' : '>';
    constexpr std::size_t kSlotBytesMax = 120;
    std::size_t end = at + 1;
    while (end < text.size() && end - at < kSlotBytesMax && text[end] != close && text[end] != open)
      ++end;
    if (end >= text.size() || text[end] != close) continue;
    std::string_view inside = text.substr(at + 1, end - at - 1);
    const bool tag = open == '<' && (inside.empty() || !(is_letter(inside.front())) ||
                                     inside.find('=') != std::string_view::npos);
    const bool link = open == '[' && end + 1 < text.size() && text[end + 1] == '(';
    if (tag || link) continue;
    if (auto value = slot_value(inside)) {
      slots.push_back({at, end + 1, std::move(*value)});
      at = end;
    }
  }
  return slots;
}

}  // namespace phasegate::phases
