#include "phases/tasks/heads.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "phases/requirement_names.h"
#include "phases/workflow.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kHeadBytesMax = 400;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alnum(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_digit);
}

constexpr std::array<std::string_view, 2> kDashes = {"–", "—"};

/// Bytes of the separator that the text begins with: `:`, `.`, `)`, `|`, a dash; 0 if none.
std::size_t separator_length(std::string_view text) {
  if (text.empty()) return 0;
  if (std::string_view(":.)|-").find(text.front()) != std::string_view::npos) return 1;
  for (const std::string_view dash : kDashes) {
    if (text.starts_with(dash)) return dash.size();
  }
  return 0;
}

/// The number that the text begins with and what follows it.
std::pair<std::string_view, std::string_view> split_number(std::string_view text,
                                                           std::string_view joints) {
  std::size_t length = 0;
  while (length < text.size() &&
         (is_alnum(text[length]) || joints.find(text[length]) != std::string_view::npos)) {
    ++length;
  }
  while (length > 0 && !is_alnum(text[length - 1])) --length;
  return {text.substr(0, length), text.substr(length)};
}

bool says_time(std::string_view text) {
  for (const std::string& word : words_of(text)) {
    std::string_view unit = word;
    while (!unit.empty() && is_digit(unit.front())) unit.remove_prefix(1);
    if (unit.ends_with('s') && unit.size() > 1) unit.remove_suffix(1);
    for (const char* known :
         {"day", "week", "hour", "hr", "h", "minute", "min", "month", "sprint"}) {
      if (unit == known) return true;
    }
  }
  return false;
}

/// Takes `(Days 1-3)` off the end of a title.
std::string take_estimate(std::string_view& title) {
  const auto open = title.rfind('(');
  if (open == std::string_view::npos) return {};
  const auto close = title.find(')', open);
  if (close == std::string_view::npos) return {};
  const std::string_view inside = title.substr(open + 1, close - open - 1);
  // Only ornaments may follow, such as a star.
  if (!says_time(inside) || !without_ornaments(title.substr(close + 1)).empty()) return {};
  title = title.substr(0, open);
  return std::string(base::trimmed(inside));
}

/// What follows the word of a family, or nullopt if the text does not begin with it.
std::optional<std::pair<PhaseFamily, std::string_view>> family_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, PhaseFamily>, 11> kWords = {{
      {"phase", PhaseFamily::phase},
      {"task category", PhaseFamily::category},
      {"task group", PhaseFamily::category},
      {"category", PhaseFamily::category},
      {"milestone", PhaseFamily::stage},
      {"stage", PhaseFamily::stage},
      {"sprint", PhaseFamily::stage},
      {"iteration", PhaseFamily::stage},
      {"epic", PhaseFamily::stage},
      {"wave", PhaseFamily::stage},
      {"part", PhaseFamily::stage},
  }};
  const std::string lower = base::lowered(text.substr(0, 24));
  for (const auto& [word, family] : kWords) {
    if (!lower.starts_with(word)) continue;
    std::string_view rest = text.substr(word.size());
    const std::size_t blanks = std::min(rest.find_first_not_of(" \t#-"), rest.size());
    if (blanks == 0) continue;
    return std::pair(family, rest.substr(blanks));
  }
  if (!text.empty() && is_digit(text.front())) return std::pair(PhaseFamily::bare, text);
  return std::nullopt;
}

/// `[P]`, `[US1]`: marks that spec-kit puts before a task's name.
std::string_view without_tags(std::string_view name) {
  while (name.starts_with('[')) {
    const auto close = name.find(']');
    if (close == std::string_view::npos || close > 8 || name.substr(close + 1).starts_with('(')) {
      break;
    }
    name = base::trimmed(name.substr(close + 1));
  }
  return name;
}

/// Bytes of the ornament at `at`: a blank, a leftover of markup, a symbol or emoji; 0 if it is
/// none.
std::size_t ornament_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  if (std::string_view(" \t\n*_#~").find(text[at]) != std::string_view::npos) return 1;
  if (byte(0) == 0xE2 && byte(1) >= 0x86 && byte(1) <= 0xAF) return 3;       // U+2180 … U+2BFF
  if (byte(0) == 0xE2 && byte(1) == 0x80 && byte(2) == 0x8D) return 3;       // a joiner
  if (byte(0) == 0xEF && byte(1) == 0xB8 && byte(2) == 0x8F) return 3;       // shown as emoji
  if (byte(0) == 0xF0 && byte(1) == 0x9F && at + 3 < text.size()) return 4;  // U+1F000 …
  return 0;
}

/// `T001`, `T1.2`, `P1-T1`: numbers that say by themselves that they are a task's.
bool is_task_number(std::string_view number) {
  const std::string lower = base::lowered(number);
  std::string_view rest = lower;
  if (rest.starts_with('p')) {
    const auto dash = rest.find_first_of("-_.");
    if (dash == std::string_view::npos || dash < 2 ||
        !std::all_of(rest.begin() + 1, rest.begin() + static_cast<std::ptrdiff_t>(dash),
                     is_digit)) {
      return false;
    }
    rest.remove_prefix(dash + 1);
  }
  if (!rest.starts_with('t') || rest.size() < 2) return false;
  return std::all_of(rest.begin() + 1, rest.end(), [](char c) { return is_digit(c) || c == '.'; });
}

/// `1.1`, `3.2.10`.
bool is_dotted_number(std::string_view number) {
  return number.find('.') != std::string_view::npos &&
         std::all_of(number.begin(), number.end(),
                     [](char c) { return is_digit(c) || c == '.'; }) &&
         is_phase_number(number);
}

}  // namespace

std::string_view without_ornaments(std::string_view text) {
  while (const std::size_t length = ornament_at(text, 0)) text.remove_prefix(length);
  while (!text.empty()) {
    const auto ends_with_one = [&](std::size_t length) {
      return text.size() >= length && ornament_at(text, text.size() - length) == length;
    };
    if (ends_with_one(1)) {
      text.remove_suffix(1);
    } else if (ends_with_one(3)) {
      text.remove_suffix(3);
    } else if (ends_with_one(4)) {
      text.remove_suffix(4);
    } else {
      break;
    }
  }
  return text;
}

std::optional<PhaseHead> phase_head(std::string_view text) {
  text = without_ornaments(text.substr(0, text.find('\n')).substr(0, kHeadBytesMax));
  const auto family = family_of(text);
  if (!family) return std::nullopt;
  PhaseHead head;
  head.family = family->first;
  const auto [number, rest] = split_number(family->second, ".");
  if (!is_phase_number(number)) return std::nullopt;
  const bool letter = number.size() == 1 && number.front() >= 'A' && number.front() <= 'Z';
  if (!has_digit(number) && !letter) return std::nullopt;
  head.number = std::string(number);
  std::string_view title = base::trimmed(rest);
  if (title.starts_with("→") || title.starts_with("->") || title.starts_with('/') ||
      title.starts_with('&') || title.starts_with(',')) {
    return std::nullopt;
  }
  const std::size_t separator = separator_length(title);
  if (separator > 0) {
    title = base::trimmed(title.substr(separator));
    // `Phase 1-3`, `Phases 2 - 4`
    if (!title.empty() && is_digit(title.front()) && rest.substr(separator_length(rest)) == title) {
      return std::nullopt;
    }
    head.clear = true;
  } else {
    head.clear = title.empty() || title.starts_with('(');
  }
  // A bare number is a phase's only in the way lists are numbered: `1. X`, `2) X`.
  if (head.family == PhaseFamily::bare &&
      (separator == 0 || title.empty() || head.number.find('.') != std::string::npos)) {
    return std::nullopt;
  }
  if (head.family != PhaseFamily::phase && !head.clear) return std::nullopt;
  if (head.clear && !title.empty()) {
    // `Phase 1: Validation Gate` is no phase of that name.
    const auto words = words_of(title);
    const bool only_gate =
        says_gate(title) && std::all_of(words.begin(), words.end(), [](const std::string& word) {
          for (const char* known : {"validation", "gate", "gates", "checkpoint", "checkpoints",
                                    "exit", "quality", "final", "criteria", "completion"}) {
            if (word == known) return true;
          }
          return false;
        });
    if (only_gate) return std::nullopt;
  }
  head.estimate = take_estimate(title);
  head.title = std::string(without_ornaments(title));
  return head;
}

std::optional<TaskHead> task_head(std::string_view text) {
  text = text.substr(0, text.find('\n')).substr(0, kHeadBytesMax);
  text = without_ornaments(text);
  TaskHead head;
  const std::string lower = base::lowered(text.substr(0, 5));
  if (lower.starts_with("task")) {
    const std::size_t blanks = std::min(text.find_first_not_of(" \t#-_", 4), text.size());
    if (blanks == 4) return std::nullopt;
    text.remove_prefix(blanks);
    head.named = true;
  }
  const auto [number, rest] = split_number(text, "._-");
  if (number.empty() || number.size() > 32 || !has_digit(number)) return std::nullopt;
  if (is_task_number(number)) {
    head.named = true;
  } else if (!head.named && !is_dotted_number(number)) {
    return std::nullopt;
  } else if (head.named && !is_digit(number.front()) &&
             !std::all_of(number.begin(), number.end(),
                          [](char c) { return !(c >= 'a' && c <= 'z') || is_digit(c); })) {
    return std::nullopt;  // `Task force2`
  }
  // `Task 1.1-1.6` and `Tasks 1.1, 1.2` speak of several.
  if (head.named && number.find('-') != std::string_view::npos && is_digit(number.front())) {
    return std::nullopt;
  }
  head.number = std::string(number);
  std::string_view name = base::trimmed(rest);
  if (name.starts_with(',') || name.starts_with('/') || name.starts_with("→") ||
      name.starts_with("->")) {
    return std::nullopt;
  }
  const std::size_t separator = separator_length(name);
  head.clear = separator > 0 || name.empty() || name.starts_with('[');
  name = base::trimmed(name.substr(separator));
  head.name = std::string(without_ornaments(without_tags(name)));
  return head;
}

bool says_gate(std::string_view text) {
  const std::vector<std::string> words = words_of(text.substr(0, kHeadBytesMax));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "gate" || word == "gates" || word == "checkpoint" || word == "checkpoints") {
      return true;
    }
    if ((word == "exit" || word == "completion") && i + 1 < words.size() &&
        words[i + 1] == "criteria") {
      return true;
    }
  }
  return false;
}

std::optional<std::string> phase_in_title(std::string_view text) {
  text = text.substr(0, kHeadBytesMax);
  const std::string lower = base::lowered(text);
  for (std::size_t at = lower.find("phase "); at != std::string::npos;
       at = lower.find("phase ", at + 1)) {
    const auto [number, rest] = split_number(base::trimmed(text.substr(at + 6)), ".");
    const bool letter = number.size() == 1 && number.front() >= 'A' && number.front() <= 'Z';
    if (is_phase_number(number) && (has_digit(number) || letter)) return std::string(number);
  }
  return std::nullopt;
}

}  // namespace phasegate::phases
