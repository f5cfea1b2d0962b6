#include <algorithm>
#include <array>
#include <cstdint>

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

/// Number words behind a comparator become digits: `at least three` → `at least 3`.
std::string with_digits(std::string_view lower) {
  std::string text;
  for (std::size_t at = 0; at < lower.size();) {
    const bool begins = at == 0 || !is_letter(lower[at - 1]);
    std::size_t length = 0;
    while (at + length < lower.size() && is_letter(lower[at + length])) ++length;
    if (begins && length > 2) {
      const auto word =
          std::find(kNumberWords.begin(), kNumberWords.end(), lower.substr(at, length));
      if (word != kNumberWords.end()) {
        text += std::to_string(word - kNumberWords.begin() + 1);
        at += length;
        continue;
      }
    }
    const std::size_t step = std::max<std::size_t>(length, 1);
    text += lower.substr(at, step);
    at += step;
  }
  return text;
}

bool speaks_of_each(std::string_view lower) {
  for (const char* bound : {"no more ", "no fewer ", "no less ", "no greater "}) {
    if (lower.starts_with(bound)) return false;
  }
  for (const char* word :
       {"every ", "each ", "all ", "any ", "no ", "none ", "never ", "nothing ", "neither "}) {
    if (lower.starts_with(word)) return true;
  }
  return false;
}

/// The word behind a number: `errors` of `0 mypy errors`.
bool counts_something(std::string_view after) {
  while (after.starts_with(' ')) after.remove_prefix(1);
  return !after.empty() && is_letter(after.front());
}

/// `does not exceed 5`, `cannot be above 5`, `no function over 5` mean at most 5: a denial within
/// the three words before the comparator. One further off denies something else.
Bound as_meant(Bound bound, std::string_view before) {
  if (bound != Bound::more && bound != Bound::less) return bound;
  std::vector<std::string> words = words_of(before);
  constexpr std::size_t kComparatorWords = 2;  // `more than`
  constexpr std::size_t kNear = 3;
  const std::size_t from =
      words.size() > kNear + kComparatorWords ? words.size() - kNear - kComparatorWords : 0;
  bool denied = false;
  for (std::size_t i = from; i < words.size(); ++i) {
    constexpr std::array<std::string_view, 7> kDenials = {"not",    "never", "cannot", "no",
                                                          "hardly", "nor",   "neither"};
    // `isn't` falls apart into `isn` and `t`.
    const bool short_form = words[i] == "t" && i > 0 && words[i - 1].ends_with('n');
    if (contains(kDenials, words[i]) || short_form) denied = true;
  }
  if (!denied) return bound;
  return bound == Bound::more ? Bound::at_most : Bound::at_least;
}

/// `Build fails below 80 %`, `stop when the rate exceeds 5 %`: the bound of a failure, which is not
/// what is asked for.
bool speaks_of_failing(std::string_view lower) {
  for (const std::string_view word :
       {" fails ", " is a failure", "reject if", " reject ", " abort"}) {
    if (lower.find(word) != std::string_view::npos) return true;
  }
  return lower.starts_with("stop ") || lower.starts_with("fail ") || lower.starts_with("block ") ||
         lower.starts_with("reject ");
}

/// What is better the less there is of it: a percentage without a word is then no least.
bool is_better_low(std::string_view lower) {
  for (const std::string_view word :
       {"error rate", "failure rate", "defect", "crash", "latency", "loss", "duplicat", "overhead",
        "flak", "regression", "churn", "bounce", "usage", "deviation", "maximum", "max "}) {
    if (lower.find(word) != std::string_view::npos) return true;
  }
  return false;
}

std::optional<Quantity> quantity_of(Found found, std::string_view text, bool in_brackets) {
  found.bound = as_meant(found.bound, text.substr(0, found.begin));
  const std::string_view after = text.substr(std::min(found.end, text.size()));
  if (found.of) {
    const bool score = text.find("score") != text.npos || text.find("rat") != text.npos ||
                       text.find("lint") != text.npos || text.find("grade") != text.npos ||
                       text.find("分") != text.npos || text.find("nota") != text.npos ||
                       text.find("punkte") != text.npos || text.size() < 8;
    if (in_brackets || !(score || found.bound != Bound::none)) return std::nullopt;
    if (found.bound == Bound::none && found.value != *found.of) {
      return bounded(found, Bound::at_least);
    }
    return bounded(found, found.bound);
  }
  if (found.percent) {
    if (found.bound != Bound::none) return bounded(found, found.bound);
    if (in_brackets || is_better_low(text)) return std::nullopt;
    return bounded(found, found.value >= 100 ? Bound::exact : Bound::at_least);
  }
  // `Edge cases (min 3)`, yet not `(94 in all, at least 3 of them new)`.
  const auto open = text.rfind('(', found.begin);
  const bool short_note = open != std::string_view::npos && found.end - open <= 10 &&
                          text.substr(found.end).find(')') <= 1;
  const bool in_words = short_note && is_letter(text[open + 1]);
  if (in_brackets && (!in_words || found.bound == Bound::none)) return std::nullopt;
  if (found.value == 0 && !found.decimal &&
      (found.bound == Bound::exact || (found.bound == Bound::none && counts_something(after)))) {
    return bounded(found, Bound::exact);
  }
  if (found.bound == Bound::none) return std::nullopt;
  const bool one_or_more = found.bound == Bound::at_least && found.value == 1 && !found.unit;
  if (one_or_more || (speaks_of_each(text) && !found.unit)) return std::nullopt;
  return bounded(found, found.bound);
}

/// `3-5 times`, `80–90 %`; no time that work may take, no list of steps.
std::optional<Quantity> range_from(const Found& found, std::string_view text) {
  if (found.bound != Bound::none || found.of || found.unit || found.value >= 1000) {
    return std::nullopt;
  }
  std::string_view rest = text.substr(found.end);
  const bool between = text.substr(0, found.begin).ends_with("between ");
  const std::size_t dash = rest.starts_with('-')                  ? 1
                           : rest.starts_with("–")                ? 3
                           : between && rest.starts_with(" and ") ? 5
                                                                  : 0;
  if (dash == 0) return std::nullopt;
  rest.remove_prefix(dash);
  std::size_t digits = 0;
  while (digits < rest.size() && (is_digit(rest[digits]) || rest[digits] == '.')) ++digits;
  const auto high = number_from(rest.substr(0, digits));
  if (!high || *high <= found.value || *high >= 10000) return std::nullopt;
  std::string_view behind = rest.substr(digits);
  const bool percent = behind.starts_with('%') || behind.starts_with(" %");
  while (behind.starts_with(' ')) behind.remove_prefix(1);
  std::size_t word = 0;
  while (word < behind.size() && is_letter(behind[word])) ++word;
  if (behind.starts_with('-') || is_unit_word(behind.substr(0, word)) ||
      behind.starts_with("day") || behind.starts_with("week") || behind.starts_with("sentence")) {
    return std::nullopt;
  }
  Quantity range;
  range.type = percent || found.decimal ? ValueType::number : ValueType::integer;
  range.minimum = found.value;
  range.maximum = *high;
  return range;
}

/// Blanks for what stands in brackets, so that offsets stay; and the other way round.
std::string part_of(std::string_view text, bool inside) {
  std::string part(text);
  int depth = 0;
  for (char& c : part) {
    if (c == '(') ++depth;
    if ((depth > 0) != inside) c = ' ';
    if (text[static_cast<std::size_t>(&c - part.data())] == ')' && depth > 0) --depth;
  }
  return part;
}

bool says_zero(std::string_view lower) {
  const auto at = lower.find("zero ");
  if (at == std::string_view::npos || (at > 0 && is_letter(lower[at - 1]))) return false;
  const std::string_view rest = lower.substr(at + 5);
  return counts_something(rest) && !rest.starts_with("tolerance") && !rest.starts_with("trust") &&
         !rest.starts_with("downtime") && !rest.starts_with("or ");
}

}  // namespace

std::optional<Quantity> measure_in(std::string_view sentence) {
  constexpr std::size_t kSentenceBytesMax = 1000;
  const std::string lower = with_digits(base::lowered(sentence.substr(0, kSentenceBytesMax)));
  if (speaks_of_failing(lower)) return std::nullopt;
  for (const bool in_brackets : {false, true}) {
    const std::string part = part_of(lower, in_brackets);
    const std::vector<Found> numbers = numbers_in(part);
    for (const Found& found : numbers) {
      if (!in_brackets && !speaks_of_each(part)) {
        if (auto range = range_from(found, part)) return range;
      }
      if (auto quantity = quantity_of(found, part, in_brackets)) return quantity;
    }
    if (!in_brackets && says_zero(part)) {
      Quantity none;
      none.type = ValueType::integer;
      none.constant = std::int64_t{0};
      return none;
    }
  }
  return std::nullopt;
}

}  // namespace phasegate::phases
