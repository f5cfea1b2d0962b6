#include "phases/phase_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/text.h"

namespace phasegate::phases {
namespace {

constexpr std::array<std::string_view, 5> kLabels = {"phase", "step", "stage", "task", "part"};
constexpr std::size_t kBareDigitsMax = 3;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_joint(char c) {
  return c == ' ' || c == '-' || c == '_' || c == '.' || c == '#';
}

/// Behind a number: anything that ends it.
bool ends_number(std::string_view text, std::size_t at) {
  return at >= text.size() ||
         (!is_digit(text[at]) && !is_letter(text[at]) &&
          static_cast<unsigned char>(text[at]) < 0x80) ||
         text.substr(at).starts_with("\u2013") || text.substr(at).starts_with("\u2014");
}

/// The length of `12`, `0B` or `23.1.2` at the beginning; 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == 0) return 0;
  if (at < text.size() && is_letter(text[at]) && ends_number(text, at + 1)) return at + 1;
  while (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  return ends_number(text, at) ? at : 0;
}

std::string_view without_zeros(std::string_view number) {
  while (number.size() > 1 && number.front() == '0' && is_digit(number[1])) number.remove_prefix(1);
  return number;
}

/// What stands behind a number, without the marks that tell the two apart.
std::string rest_of(std::string_view text) {
  constexpr std::string_view kMarks = " -_.:)|";
  for (;;) {
    const std::string_view before = text;
    while (!text.empty() && kMarks.find(text.front()) != std::string_view::npos) {
      text.remove_prefix(1);
    }
    for (const std::string_view dash : {"\u2013", "\u2014"}) {
      if (text.starts_with(dash)) text.remove_prefix(dash.size());
    }
    if (text == before) return std::string(base::trimmed(text));
  }
}

/// The length of the word and of what joins it to the number; 0 if there is none.
std::size_t label_length(std::string_view text) {
  const std::string low = base::lowered(text.substr(0, 16));
  for (const std::string_view label : kLabels) {
    if (!low.starts_with(label)) continue;
    std::size_t at = label.size();
    while (at < text.size() && is_joint(text[at])) ++at;
    return at;
  }
  return 0;
}

std::optional<long> whole_number(std::string_view text) {
  long value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

char low(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::optional<NumberedName> numbered_name(std::string_view text) {
  NumberedName name;
  const std::size_t label = label_length(text);
  const std::string_view behind = text.substr(label);
  std::size_t length = number_length(behind);
  if (length > 0) {
    name.labelled = label > 0;
    const std::size_t digits = static_cast<std::size_t>(
        std::find_if_not(behind.begin(), behind.end(), is_digit) - behind.begin());
    if (!name.labelled && digits > kBareDigitsMax) return std::nullopt;
  } else {
    // `phase-a`, but not `phased` and not `phase-analysis`.
    const bool joined = label > 0 && is_joint(text[label - 1]);
    if (!joined || behind.empty() || !is_letter(behind.front()) || !ends_number(behind, 1)) {
      return std::nullopt;
    }
    name.labelled = true;
    length = 1;
  }
  name.number = without_zeros(behind.substr(0, length));
  name.rest = rest_of(behind.substr(length));
  if (!is_phase_number(name.number)) return std::nullopt;
  return name;
}

std::string words_of_name(std::string_view name) {
  std::string words(name);
  std::replace_if(words.begin(), words.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  words = base::trimmed(words);
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') {
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  }
  return words;
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto run = [](std::string_view text, std::size_t& at) {
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return without_zeros(text.substr(begin, at - begin));
      };
      const std::string_view one = run(a, i);
      const std::string_view other = run(b, j);
      if (one.size() != other.size()) return one.size() < other.size();
      if (one != other) return one < other;
      continue;
    }
    if (low(a[i]) != low(b[j])) {
      return static_cast<unsigned char>(low(a[i])) < static_cast<unsigned char>(low(b[j]));
    }
    ++i;
    ++j;
  }
  if (i < a.size() || j < b.size()) return i >= a.size();
  return a < b;
}

std::vector<std::string> phase_ids(const std::vector<WrittenNumber>& phases,
                                   FindingList& findings) {
  // Numbers as written have precedence over positions and suffixes.
  std::set<std::string> taken;
  for (const WrittenNumber& phase : phases) {
    if (is_phase_number(phase.number)) taken.insert(phase.number);
  }
  const auto free_id = [&taken](const std::string& wanted) {
    std::string id = wanted;
    for (std::size_t n = 2; !taken.insert(id).second; ++n) id = wanted + "-" + std::to_string(n);
    return id;
  };
  std::vector<std::string> ids;
  std::set<std::string> used;
  std::optional<long> last;
  bool jumped = false;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const WrittenNumber& phase = phases[i];
    const bool usable = is_phase_number(phase.number);
    if (usable && used.insert(phase.number).second) {
      ids.push_back(phase.number);
    } else if (usable) {
      ids.push_back(free_id(phase.number));
      findings.warning("repeated_phase_number",
                       "the number " + phase.number + " is there more than once; this phase is " +
                           base::in_quotes(ids.back()),
                       "number the phases one by one", phase.source, ids.back());
    } else {
      ids.push_back(free_id(std::to_string(i + 1)));
      if (!phase.number.empty()) {
        findings.warning(
            "unusable_phase_number",
            base::in_quotes(base::shortened(phase.number, 60)) +
                " cannot be a phase's number; this phase is " + base::in_quotes(ids.back()),
            "number it with digits and letters, such as 2, 0B or 23.1.2", phase.source, ids.back());
      }
    }
    const std::optional<long> number = usable ? whole_number(phase.number) : std::nullopt;
    if (number && last && *number != *last + 1 && *number != *last && !jumped) {
      jumped = true;
      findings.info("phase_numbers_jump",
                    "the phases' numbers jump from " + std::to_string(*last) + " to " +
                        std::to_string(*number) + "; they are taken in the order in which they are",
                    "", phase.source, ids.back());
    }
    last = number;
  }
  return ids;
}

}  // namespace phasegate::phases
