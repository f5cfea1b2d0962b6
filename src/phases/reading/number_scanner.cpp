#include "phases/reading/number_scanner.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"
#include "phases/reading/characters.h"
#include "phases/requirement_names.h"
#include "phases/validators.h"

namespace phasegate::phases {
namespace {

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

}  // namespace

bool is_unit_word(std::string_view word) {
  return contains(kUnits, word);
}

std::vector<Found> numbers_in(std::string_view lower) {
  return NumberScanner(lower).scan();
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

}  // namespace phasegate::phases
