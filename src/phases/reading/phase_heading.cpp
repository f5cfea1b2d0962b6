#include "phases/reading/phase_heading.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "phases/reading/characters.h"
#include "phases/reading/lexicon.h"
#include "phases/reading/statements.h"
#include "phases/requirement_names.h"
#include "phases/workflow.h"

namespace phasegate::phases {
namespace {

using Word = PhaseHeading::Word;

struct Keyword {
  std::string_view text;  ///< in lower case
  Word word;
};

/// Longer words before those that they begin with.
constexpr std::array kKeywords = {
    Keyword{"phase", Word::phase}, Keyword{"phases", Word::phase},   Keyword{"fase", Word::phase},
    Keyword{"stage", Word::stage}, Keyword{"etapa", Word::stage},    Keyword{"étape", Word::stage},
    Keyword{"etape", Word::stage}, Keyword{"stufe", Word::stage},    Keyword{"part", Word::part},
    Keyword{"teil", Word::part},   Keyword{"step", Word::step},      Keyword{"schritt", Word::step},
    Keyword{"paso", Word::step},   Keyword{"passo", Word::step},     Keyword{"gate", Word::gate},
    Keyword{"task", Word::task},   Keyword{"aufgabe", Word::task},   Keyword{"阶段", Word::phase},
    Keyword{"階段", Word::phase},  Keyword{"フェーズ", Word::phase}, Keyword{"단계", Word::phase},
    Keyword{"步骤", Word::step},   Keyword{"ステップ", Word::step},  Keyword{"этап", Word::stage},
    Keyword{"Этап", Word::stage},  Keyword{"шаг", Word::step},       Keyword{"Шаг", Word::step},
    Keyword{"фаза", Word::phase},  Keyword{"Фаза", Word::phase}};

bool is_continued(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view skip_blanks(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t') || text.starts_with("\xC2\xA0")) {
    text.remove_prefix(text.front() == '\xC2' ? 2 : 1);
  }
  return text;
}

/// Punctuation beyond ASCII: `：`, `、`, `）`, `—`.
bool begins_with_mark(std::string_view text) {
  return !has_letters(text.substr(0, 3)) && static_cast<unsigned char>(text.front()) >= 0xE0;
}

/// Bytes of the number at the beginning: `3`, `0B`, `23.1.2`, `A`, `IV`, `N`; 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at > 0) {
    while (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
      ++at;
      while (at < text.size() && is_digit(text[at])) ++at;
    }
    if (at < text.size() && is_letter(text[at]) &&
        (at + 1 == text.size() || !is_continued(text[at + 1]))) {
      ++at;
    }
    const bool ends =
        at == text.size() || !is_continued(text[at]) || begins_with_mark(text.substr(at));
    const bool percent = at < text.size() && text[at] == '%';
    return ends && !percent && at <= 12 ? at : 0;
  }
  if (text.empty() || text[0] < 'A' || text[0] > 'Z') return 0;
  while (at < text.size() && (text[at] == 'I' || text[at] == 'V' || text[at] == 'X')) ++at;
  if (at == 0) at = 1;
  if (at < text.size() && is_digit(text[at])) {  // `P1`, `A2`
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  return at == text.size() || !is_continued(text[at]) || begins_with_mark(text.substr(at)) ? at : 0;
}

/// Removes what stands between a number and a title; true if something did, or nothing follows.
bool take_separator(std::string_view& rest) {
  constexpr std::array<std::string_view, 12> kSeparators = {":", "：", "-", "–", "—", ".",
                                                            ")", "|",  "/", "·", "•", "、"};
  rest = skip_blanks(rest);
  if (rest.empty() || rest.front() == '(' || rest.front() == '[') return true;
  bool taken = false;
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view separator : kSeparators) {
      if (!rest.starts_with(separator)) continue;
      rest = skip_blanks(rest.substr(separator.size()));
      taken = again = true;
    }
  }
  return taken;
}

std::string clean_title(std::string_view title) {
  title = base::trimmed(without_leading_glyphs(title));
  while (!title.empty() && (title.back() == '#' || title.back() == ':' || title.back() == '*' ||
                            title.back() == ' ')) {
    title.remove_suffix(1);
  }
  return std::string(title);
}

std::optional<PhaseHeading> with_keyword(std::string_view text) {
  const std::string lower = lower_case(text);
  for (const Keyword& keyword : kKeywords) {
    const bool here = lower.starts_with(keyword.text) || text.starts_with(keyword.text);
    if (!here) continue;
    std::string_view rest = text.substr(keyword.text.size());
    const bool ascii = static_cast<unsigned char>(keyword.text.back()) < 0x80;
    const std::string_view behind = skip_blanks(rest);
    if (ascii && behind.size() == rest.size() && !rest.starts_with('-') && !rest.starts_with('#')) {
      continue;
    }
    rest = behind;
    if (rest.starts_with('#') || rest.starts_with('-')) rest = skip_blanks(rest.substr(1));
    PhaseHeading heading;
    heading.word = keyword.word;
    std::size_t length = number_length(rest);
    if (rest.starts_with('{') || rest.starts_with('[')) {  // `Phase {N}: Title`
      const auto close = rest.find_first_of("}]");
      if (close == std::string_view::npos || close > 12) return std::nullopt;
      heading.number = std::string(rest.substr(1, close - 1));
      length = close + 1;
    } else if (length > 0) {
      heading.number = std::string(rest.substr(0, length));
    } else {
      const std::string words = base::lowered(rest.substr(0, 6));
      for (std::size_t i = 0; i < kNumberWords.size() && length == 0; ++i) {
        const std::size_t size = kNumberWords[i].size();
        const bool named = words.starts_with(kNumberWords[i]) &&
                           (rest.size() == size || !is_continued(rest[size]));
        if (!named) continue;
        heading.number = std::to_string(i + 1);
        length = size;
      }
      if (length == 0) return std::nullopt;
    }
    rest.remove_prefix(length);
    heading.separated = take_separator(rest);
    heading.title = clean_title(rest);
    return heading;
  }
  return std::nullopt;
}

/// `第3阶段：…`, `第 2 步`, `1단계: …`, `フェーズ1`.
std::optional<PhaseHeading> counted_before(std::string_view text) {
  constexpr std::string_view kOrdinal = "第";
  std::string_view rest = text;
  if (rest.starts_with(kOrdinal)) rest = skip_blanks(rest.substr(kOrdinal.size()));
  const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  constexpr std::array<std::string_view, 10> kCounts = {"一", "二", "三", "四", "五",
                                                        "六", "七", "八", "九", "十"};
  std::string number(rest.substr(0, digits));
  rest.remove_prefix(digits);
  if (number.empty()) {
    for (std::size_t i = 0; i < kCounts.size(); ++i) {
      if (!rest.starts_with(kCounts[i])) continue;
      number = std::to_string(i + 1);
      rest.remove_prefix(kCounts[i].size());
      break;
    }
  }
  if (number.empty()) return std::nullopt;
  rest = skip_blanks(rest);
  constexpr std::array kBehind = {Keyword{"阶段", Word::phase}, Keyword{"階段", Word::phase},
                                  Keyword{"단계", Word::phase}, Keyword{"步", Word::step},
                                  Keyword{"フェーズ", Word::phase}};
  for (const Keyword& keyword : kBehind) {
    if (!rest.starts_with(keyword.text)) continue;
    rest.remove_prefix(keyword.text.size());
    PhaseHeading heading;
    heading.word = keyword.word;
    heading.number = std::move(number);
    heading.separated = take_separator(rest);
    heading.title = clean_title(rest);
    return heading;
  }
  return std::nullopt;
}

/// `3. Build`, `2) Test`, `0.1 Detect`.
std::optional<PhaseHeading> with_number(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  const std::size_t length = number_length(text);
  if (length == 0 || length > 6) return std::nullopt;
  // `2026: …` is a year.
  if (text.substr(0, length).find('.') == std::string_view::npos && length > 3) return std::nullopt;
  PhaseHeading heading;
  heading.word = Word::numbered;
  heading.number = std::string(text.substr(0, length));
  std::string_view rest = text.substr(length);
  if (rest.empty()) return std::nullopt;
  heading.separated = rest.front() == '.' || rest.front() == ')' || rest.front() == ':';
  const bool dotted = heading.number.find('.') != std::string::npos;
  if (!heading.separated && !dotted) return std::nullopt;
  (void)take_separator(rest);
  heading.title = clean_title(rest);
  return heading.title.empty() ? std::nullopt : std::optional(heading);
}

/// Both sides short and in words: `DRAFT → REVIEW`.
std::optional<PhaseHeading> with_arrow(std::string_view text) {
  constexpr std::array<std::string_view, 3> kArrows = {"→", "->", "⟶"};
  for (const std::string_view arrow : kArrows) {
    const auto at = text.find(arrow);
    if (at == std::string_view::npos) continue;
    const std::string_view from = base::trimmed(text.substr(0, at));
    std::string_view to = base::trimmed(text.substr(at + arrow.size()));
    if (from.empty() || to.empty() || from.size() > 40 || to.size() > 60 ||
        to.find(arrow) != std::string_view::npos) {
      return std::nullopt;
    }
    PhaseHeading heading;
    heading.word = Word::transition;
    heading.title = clean_title(text);
    heading.separated = true;
    return heading;
  }
  return std::nullopt;
}

/// `Planning Exit Gate`, `Design Phase`, `Z1 Architect Gate`, `Shipped Gate (Release)`.
std::optional<PhaseHeading> with_name(std::string_view text) {
  std::string_view name = base::trimmed(text.substr(0, text.find('(')));
  const std::string lower = base::lowered(name);
  bool named = false;
  PhaseHeading heading;
  heading.word = Word::named;
  for (const std::string_view word : {" gate", " phase", " stage"}) {
    if (!lower.ends_with(word) || name.size() > 60) continue;
    name.remove_suffix(word.size());
    named = true;
    break;
  }
  if (!named) return std::nullopt;
  for (const std::string_view kind : {" exit", " quality", " validation", " completion"}) {
    if (base::lowered(name).ends_with(kind)) name.remove_suffix(kind.size());
  }
  name = base::trimmed(name);
  const auto blank = name.find(' ');
  const std::string_view first = name.substr(0, blank);
  const bool coded = first.size() >= 2 && first.size() <= 4 && first.front() >= 'A' &&
                     first.front() <= 'Z' && is_digit(first.back());
  if (coded && blank != std::string_view::npos) {
    heading.number = std::string(first);
    name = base::trimmed(name.substr(blank));
  }
  const auto words = std::count(name.begin(), name.end(), ' ') + 1;
  if (name.empty() || words > 4) return std::nullopt;
  heading.title = clean_title(name);
  heading.separated = true;
  return heading;
}

}  // namespace

std::optional<PhaseHeading> read_phase_heading(std::string_view heading) {
  const std::string_view text = base::trimmed(without_leading_glyphs(heading));
  if (text.size() > 300) return std::nullopt;
  if (auto read = with_keyword(text)) return read;
  if (auto read = counted_before(text)) return read;
  if (auto read = with_number(text)) return read;
  if (auto read = with_arrow(text)) return read;
  return with_name(text);
}

std::optional<std::string> phase_named_in(std::string_view text) {
  const std::string lower = base::lowered(text.substr(0, 300));
  for (auto at = lower.find("phase "); at != std::string::npos; at = lower.find("phase ", at + 1)) {
    if (at > 0 && is_continued(lower[at - 1])) continue;
    const std::string_view rest = skip_blanks(text.substr(at + 6));
    const std::string_view number = rest.substr(0, number_length(rest));
    const bool digit = std::any_of(number.begin(), number.end(), is_digit);
    if (digit && is_phase_number(number)) return std::string(number);
  }
  return std::nullopt;
}

}  // namespace phasegate::phases
