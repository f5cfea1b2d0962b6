#include "phases/reading/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/text.h"
#include "phases/reading/characters.h"
#include "phases/requirement_names.h"
#include "phases/validators.h"

namespace phasegate::phases {
namespace {

enum class Bound { none, at_least, more, at_most, less, exact };

struct Comparator {
  std::string_view words;  ///< in lower case, as they stand before the number
  Bound bound;
};

/// Longer phrases first: `no more than` before `more than`.
constexpr std::array kBefore = {Comparator{"no lower than", Bound::at_least},
                                Comparator{"no smaller than", Bound::at_least},
                                Comparator{"not lower than", Bound::at_least},
                                Comparator{"not fewer than", Bound::at_least},
                                Comparator{"no worse than", Bound::none},
                                Comparator{"no greater than", Bound::at_most},
                                Comparator{"no higher than", Bound::at_most},
                                Comparator{"not greater than", Bound::at_most},
                                Comparator{"limited to", Bound::at_most},
                                Comparator{"&gt;=", Bound::at_least},
                                Comparator{"&lt;=", Bound::at_most},
                                Comparator{"&gt;", Bound::more},
                                Comparator{"&lt;", Bound::less},
                                Comparator{"≧", Bound::at_least},
                                Comparator{"≦", Bound::at_most},
                                Comparator{"smaller than", Bound::less},
                                Comparator{"unter", Bound::less},
                                Comparator{"weniger als", Bound::less},
                                Comparator{"mehr als", Bound::more},
                                Comparator{"moins de", Bound::less},
                                Comparator{"plus de", Bound::more},
                                Comparator{"menos de", Bound::less},
                                Comparator{"低于", Bound::less},
                                Comparator{"小于", Bound::less},
                                Comparator{"大于", Bound::more},
                                Comparator{"高于", Bound::more},
                                Comparator{">=", Bound::at_least},
                                Comparator{"=>", Bound::at_least},
                                Comparator{"≥", Bound::at_least},
                                Comparator{"<=", Bound::at_most},
                                Comparator{"≤", Bound::at_most},
                                Comparator{"==", Bound::exact},
                                Comparator{">", Bound::more},
                                Comparator{"<", Bound::less},
                                Comparator{"no fewer than", Bound::at_least},
                                Comparator{"no less than", Bound::at_least},
                                Comparator{"not less than", Bound::at_least},
                                Comparator{"at least", Bound::at_least},
                                Comparator{"minimum of", Bound::at_least},
                                Comparator{"minimum", Bound::at_least},
                                Comparator{"min.", Bound::at_least},
                                Comparator{"min", Bound::at_least},
                                Comparator{"no more than", Bound::at_most},
                                Comparator{"not more than", Bound::at_most},
                                Comparator{"at most", Bound::at_most},
                                Comparator{"maximum of", Bound::at_most},
                                Comparator{"maximum", Bound::at_most},
                                Comparator{"max.", Bound::at_most},
                                Comparator{"max", Bound::at_most},
                                Comparator{"up to", Bound::at_most},
                                Comparator{"not exceed", Bound::at_most},
                                Comparator{"not exceeding", Bound::at_most},
                                Comparator{"within", Bound::at_most},
                                Comparator{"more than", Bound::more},
                                Comparator{"greater than", Bound::more},
                                Comparator{"higher than", Bound::more},
                                Comparator{"over", Bound::more},
                                Comparator{"above", Bound::more},
                                Comparator{"exceeds", Bound::more},
                                Comparator{"exceed", Bound::more},
                                Comparator{"less than", Bound::less},
                                Comparator{"fewer than", Bound::less},
                                Comparator{"lower than", Bound::less},
                                Comparator{"under", Bound::less},
                                Comparator{"below", Bound::less},
                                Comparator{"exactly", Bound::exact},
                                Comparator{"equal to", Bound::exact},
                                Comparator{"equals", Bound::exact},
                                Comparator{"exit code", Bound::exact},
                                Comparator{"exit status", Bound::exact},
                                Comparator{"exits with", Bound::exact},
                                Comparator{"mindestens", Bound::at_least},
                                Comparator{"höchstens", Bound::at_most},
                                Comparator{"maximal", Bound::at_most},
                                Comparator{"genau", Bound::exact},
                                Comparator{"au moins", Bound::at_least},
                                Comparator{"au plus", Bound::at_most},
                                Comparator{"al menos", Bound::at_least},
                                Comparator{"pelo menos", Bound::at_least},
                                Comparator{"не менее", Bound::at_least},
                                Comparator{"не более", Bound::at_most},
                                Comparator{"至少", Bound::at_least},
                                Comparator{"不少于", Bound::at_least},
                                Comparator{"不超过", Bound::at_most},
                                Comparator{"最多", Bound::at_most}};

constexpr std::array kAfter = {
    Comparator{"or under", Bound::at_most},    Comparator{"and below", Bound::at_most},
    Comparator{"at most", Bound::at_most},     Comparator{"at least", Bound::at_least},
    Comparator{"max", Bound::at_most},         Comparator{"tops", Bound::at_most},
    Comparator{"and above", Bound::at_least},  Comparator{"or so", Bound::none},

    Comparator{"+", Bound::at_least},          Comparator{"or more", Bound::at_least},
    Comparator{"or higher", Bound::at_least},  Comparator{"or above", Bound::at_least},
    Comparator{"or greater", Bound::at_least}, Comparator{"or better", Bound::at_least},
    Comparator{"minimum", Bound::at_least},    Comparator{"or less", Bound::at_most},
    Comparator{"or fewer", Bound::at_most},    Comparator{"or lower", Bound::at_most},
    Comparator{"or below", Bound::at_most},    Comparator{"maximum", Bound::at_most},
    Comparator{"以上", Bound::at_least},       Comparator{"以下", Bound::at_most},
    Comparator{"이상", Bound::at_least},       Comparator{"이하", Bound::at_most}};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A number where it stands in a lower-case text, and what is written around it.
struct Found {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind its unit
  double value = 0;
  bool decimal = false;
  bool percent = false;
  bool unit = false;         ///< a time or a size
  std::optional<double> of;  ///< the 10 of 8/10
  Bound bound = Bound::none;
};

constexpr std::array<std::string_view, 24> kUnits = {
    "ms",   "s",      "sec",     "secs", "second", "seconds", "m",  "min",
    "mins", "minute", "minutes", "h",    "hour",   "hours",   "kb", "mb",
    "gb",   "kib",    "mib",     "gib",  "fps",    "rps",     "x",  "px"};

class NumberScanner {
 public:
  explicit NumberScanner(std::string_view lower) : text_(lower) {}

  /// The numbers that could be measures, in their order.
  std::vector<Found> scan() {
    std::vector<Found> found;
    for (std::size_t at = 0; at < text_.size();) {
      if (!is_digit(text_[at])) {
        ++at;
        continue;
      }
      std::optional<Found> number = number_at(at);
      at = number_end_;
      if (number) found.push_back(*number);
    }
    return found;
  }

 private:
  /// Sets number_end_ behind everything that belongs to the digits at `at`.
  std::optional<Found> number_at(std::size_t at) {
    std::size_t end = at;
    int points = 0;
    std::string digits;
    while (end < text_.size() &&
           (is_digit(text_[end]) || ((text_[end] == '.' || text_[end] == ',') &&
                                     end + 1 < text_.size() && is_digit(text_[end + 1])))) {
      // `1,000` is a thousand, `1,5` one and a half.
      const bool thousands = text_[end] == ',' && groups_three(end + 1);
      if (text_[end] == '.' || (text_[end] == ',' && !thousands)) ++points;
      if (!thousands) digits += text_[end] == ',' ? '.' : text_[end];
      ++end;
    }
    number_end_ = end;
    const char before = at > 0 ? text_[at - 1] : ' ';
    const bool glued = is_letter(before) || before == '_' || before == '#' || before == '/' ||
                       before == '.' || before == '-' || before == ':' ||
                       static_cast<unsigned char>(before) >= 0xF0;
    if (glued || points > 1 || digits.size() > 15 || names_something(at)) return std::nullopt;
    Found found;
    found.begin = at;
    const auto value = number_from(digits);
    if (!value) return std::nullopt;
    found.value = *value;
    found.decimal = points == 1;
    take_unit(found, end);
    if (!ok_) return std::nullopt;
    take_total(found);
    found.bound = bound_before(at);
    if (found.bound == Bound::none) found.bound = bound_after(found.end);
    return found;
  }

  [[nodiscard]] bool groups_three(std::size_t at) const {
    std::size_t digits = 0;
    while (at + digits < text_.size() && is_digit(text_[at + digits])) ++digits;
    return digits == 3;
  }

  /// `phase 0`, `step 3`, `version 2`: a name, no measure.
  [[nodiscard]] bool names_something(std::size_t at) const {
    if (at < 2 || text_[at - 1] != ' ') return false;
    std::size_t begin = at - 1;
    while (begin > 0 && is_letter(text_[begin - 1])) --begin;
    constexpr std::array<std::string_view, 24> kCounted = {
        "phase",   "step",  "stage",    "part",  "gate",  "task",  "version",   "section",
        "attempt", "level", "priority", "round", "day",   "week",  "iteration", "fix",
        "phases",  "steps", "stages",   "parts", "gates", "tasks", "days",      "weeks"};
    return contains(kCounted, text_.substr(begin, at - 1 - begin));
  }

  void take_unit(Found& found, std::size_t end) {
    ok_ = true;
    std::size_t at = end;
    if (at < text_.size() && text_[at] == ' ') ++at;
    const std::string_view rest = text_.substr(at);
    if (rest.starts_with('%') || rest.starts_with("percent") || rest.starts_with("prozent")) {
      found.percent = true;
      found.end = at + (rest.starts_with('%') ? 1 : 7);
      number_end_ = found.end;
      return;
    }
    std::size_t word = 0;
    while (word < rest.size() && is_letter(rest[word])) ++word;
    const bool digit_behind = word < rest.size() && is_digit(rest[word]);
    const bool is_unit = contains(kUnits, rest.substr(0, word)) && !digit_behind;
    if (at == end && word > 0 && !is_unit) {
      ok_ = false;  // `3rd`, `2x2`, `0b`
      return;
    }
    if (rest.starts_with("million") || rest.starts_with("billion") ||
        rest.starts_with("thousand")) {
      ok_ = false;
      return;
    }
    found.unit = is_unit && word > 0;
    found.end = found.unit ? at + word : end;
  }

  void take_total(Found& found) {
    if (found.end >= text_.size() || text_[found.end] != '/') return;
    std::size_t at = found.end + 1;
    const std::size_t begin = at;
    while (at < text_.size() && (is_digit(text_[at]) || text_[at] == '.')) ++at;
    if (at == begin) return;
    std::string_view digits = text_.substr(begin, at - begin);
    while (digits.ends_with('.')) digits.remove_suffix(1);
    found.of = number_from(digits);
    found.end = begin + digits.size();
    number_end_ = found.end;
  }

  [[nodiscard]] Bound bound_before(std::size_t at) const {
    std::string_view before = text_.substr(at > 40 ? at - 40 : 0, std::min<std::size_t>(at, 40));
    const auto trim = [&] {
      while (!before.empty() && (before.back() == ' ' || before.back() == '~' ||
                                 before.back() == '"' || before.back() == '*')) {
        before.remove_suffix(1);
      }
    };
    trim();
    for (const std::string_view filler : {":", " a", " of", " about", " is", " score"}) {
      if (before.ends_with(filler)) before.remove_suffix(filler.size());
      trim();
    }
    for (const Comparator& one : kBefore) {
      if (!before.ends_with(one.words)) continue;
      const std::size_t start = before.size() - one.words.size();
      const bool word = is_letter(one.words.front());
      if (word && start > 0 && is_letter(before[start - 1])) continue;
      if ((one.words == ">" || one.words == "<") && start > 0 && before[start - 1] == '-') continue;
      return one.bound;
    }
    return Bound::none;
  }

  [[nodiscard]] Bound bound_after(std::size_t end) const {
    std::string_view after = text_.substr(end, 24);
    while (after.starts_with(' ')) after.remove_prefix(1);
    for (const Comparator& one : kAfter) {
      if (after.starts_with(one.words)) return one.bound;
    }
    return Bound::none;
  }

  std::string_view text_;
  std::size_t number_end_ = 0;
  bool ok_ = true;
};

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

Quantity bounded(const Found& found, Bound bound) {
  Quantity quantity;
  const bool whole = !found.percent && !found.decimal && !found.unit && !found.of;
  quantity.type = whole ? ValueType::integer : ValueType::number;
  switch (bound) {
    case Bound::at_least:
      quantity.minimum = found.value;
      break;
    case Bound::more:
      quantity.exclusive_minimum = found.value;
      break;
    case Bound::at_most:
      quantity.maximum = found.value;
      break;
    case Bound::less:
      quantity.exclusive_maximum = found.value;
      break;
    case Bound::exact:
    case Bound::none:
      if (whole) {
        quantity.constant = static_cast<std::int64_t>(found.value);
      } else {
        quantity.constant = found.value;
      }
      break;
  }
  return quantity;
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
  if (behind.starts_with('-') || contains(kUnits, behind.substr(0, word)) ||
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

Quantity of_type(ValueType type) {
  Quantity quantity;
  quantity.type = type;
  if (type == ValueType::integer || type == ValueType::number) quantity.minimum = 0;
  return quantity;
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

std::optional<Quantity> measure_in(std::string_view sentence) {
  constexpr std::size_t kSentenceBytesMax = 1000;
  const std::string lower = with_digits(base::lowered(sentence.substr(0, kSentenceBytesMax)));
  if (speaks_of_failing(lower)) return std::nullopt;
  for (const bool in_brackets : {false, true}) {
    const std::string part = part_of(lower, in_brackets);
    const std::vector<Found> numbers = NumberScanner(part).scan();
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
    const auto found = NumberScanner(value).scan();
    return found.empty() ? std::nullopt : std::optional(bounded(found.front(), Bound::exact));
  }
  Quantity quantity = of_type(*type);
  quantity.path = word == "path" || word == "filepath";
  if (*type == ValueType::array) quantity.may_be_empty = true;
  if (*type == ValueType::integer || *type == ValueType::number) {
    const auto numbers = NumberScanner(behind).scan();
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
  if (quantity.path) requirement.format = "project-path";
  if (quantity.type == ValueType::array && !quantity.may_be_empty && requirement.required) {
    requirement.min_items = 1;
  }
}

}  // namespace phasegate::phases
