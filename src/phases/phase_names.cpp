#include "phases/phase_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace phasegate::phases {
namespace {

/// So many words of a title tell it from everything else.
constexpr std::size_t kTitleWordsCompared = 8;
/// A single word of so many bytes is nobody's everyday word.
constexpr std::size_t kLongWordBytes = 16;
/// `phases 1, 2, 3 and 4`.
constexpr std::size_t kNumbersInRow = 12;

constexpr std::array<std::string_view, 10> kLabels = {
    "phase", "phases", "step", "steps", "stage", "stages", "part", "parts", "gate", "gates"};
constexpr std::array<std::string_view, 5> kBetweenNumbers = {"and", "or", "to", "through", "bis"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_word_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// The bytes of a character beyond ASCII that parts words as blanks do: dashes, arrows, dingbats,
/// emoji. 0 for everything else.
std::size_t mark_length(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  std::size_t length = 0;
  if (lead == 0xC2) length = 2;                                   // Latin-1's punctuation
  if (lead == 0xE2) length = 3;                                   // U+2000 to U+2FFF
  if (lead == 0xEF && byte_at(text, at + 1) == 0xB8) length = 3;  // variation selectors
  if (lead >= 0xF0) length = 4;
  return std::min(length, text.size() - at);
}

/// The bytes of an entity (`&nbsp;`, `&#160;`) or of a `<br>`, which part words as well. 0 for
/// everything else.
std::size_t blank_markup_length(std::string_view text, std::size_t at) {
  constexpr std::size_t kEntityBytesMax = 12;
  const std::string_view here = text.substr(at, kEntityBytesMax);
  if (here.starts_with('&')) {
    const auto end = here.find_first_not_of(
        "#0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 1);
    return end != std::string_view::npos && end > 1 && here[end] == ';' ? end + 1 : 0;
  }
  for (const std::string_view tag : {"<br>", "<br/>", "<br />"}) {
    if (base::lowered(here.substr(0, tag.size())) == tag) return tag.size();
  }
  return 0;
}

/// The bytes of a character that is a word by itself, in scripts that write without blanks.
std::size_t lone_length(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  return lead >= 0xE3 && lead <= 0xED ? std::min<std::size_t>(3, text.size() - at) : 0;
}

}  // namespace

std::vector<PhaseNames::Word> PhaseNames::words_of(std::string_view text) {
  const auto joins_digits = [&](std::size_t at, std::size_t begin) {
    return text[at] == '.' && at > begin && is_digit(text[at - 1]) && at + 1 < text.size() &&
           is_digit(text[at + 1]);
  };
  std::vector<Word> words;
  std::size_t at = 0;
  while (at < text.size()) {
    if (const std::size_t mark = mark_length(text, at)) {
      at += mark;
    } else if (const std::size_t markup = blank_markup_length(text, at)) {
      at += markup;
    } else if (const std::size_t lone = lone_length(text, at)) {
      at += lone;
      words.push_back({std::string(text.substr(at - lone, lone)), at});
    } else if (!is_word_char(text[at])) {
      ++at;
    } else {
      const std::size_t begin = at;
      while (at < text.size() && mark_length(text, at) == 0 && lone_length(text, at) == 0 &&
             (is_word_char(text[at]) || joins_digits(at, begin))) {
        ++at;
      }
      words.push_back({base::lowered(text.substr(begin, at - begin)), at});
    }
  }
  return words;
}

/// The first words of a title with one blank between them.
std::string PhaseNames::key_of(const std::vector<Word>& words) {
  std::string key;
  for (std::size_t i = 0; i < std::min(words.size(), kTitleWordsCompared); ++i) {
    if (i > 0) key += ' ';
    key += words[i].text;
  }
  return key;
}

void PhaseNames::add(std::string_view number, std::string_view title) {
  if (!number.empty()) numbers_.insert(base::lowered(number));
  const std::vector<Word> words = words_of(title);
  if (words.empty()) return;
  if (words.size() == 1 && words.front().text.size() < kLongWordBytes) {
    short_titles_.insert(words.front().text);
  } else {
    long_titles_.insert(key_of(words));
    first_words_.insert(words.front().text);
  }
}

void PhaseNames::except(std::string_view number, std::string_view title) {
  numbers_.erase(base::lowered(number));
  const std::vector<Word> words = words_of(title);
  if (words.empty()) return;
  const std::string whole = key_of(words);
  long_titles_.erase(whole);
  short_titles_.erase(whole);
  excepted_.insert(whole);
  first_words_.insert(words.front().text);
}

/// What is named from this word on: the longer title counts.
PhaseNames::Match PhaseNames::match(const std::vector<Word>& words, std::size_t at) const {
  Match match;
  if (!first_words_.contains(words[at].text)) return match;
  std::string key;
  const std::size_t most = std::min(kTitleWordsCompared, words.size() - at);
  for (std::size_t count = 1; count <= most; ++count) {
    if (count > 1) key += ' ';
    key += words[at + count - 1].text;
    if (long_titles_.contains(key)) match = {true, 0};
    if (excepted_.contains(key)) match = {false, count};
  }
  return match;
}

/// `phase 2`, `steps 1, 2 and 3`, from the label on.
bool PhaseNames::is_number(const std::vector<Word>& words, std::size_t at) const {
  if (!is_one_of(kLabels, words[at].text)) return false;
  const std::size_t last = std::min(words.size(), at + 1 + kNumbersInRow);
  for (std::size_t i = at + 1; i < last; ++i) {
    if (numbers_.contains(words[i].text)) return true;
    // `phase a` names A, but `steps 1, a test and b` does not name B.
    if (!is_digit(words[i].text.front()) && !is_one_of(kBetweenNumbers, words[i].text))
      return false;
  }
  return false;
}

/// The whole of the words, or what stands before a mark, is a title. A number may precede it.
bool PhaseNames::is_short_title(std::string_view text, const std::vector<Word>& words) const {
  std::size_t at = 0;
  while (at < words.size() && is_digit(words[at].text.front())) ++at;
  if (at >= words.size() || !short_titles_.contains(words[at].text)) return false;
  constexpr std::string_view kMarkup = "*_`~\"'] ";
  std::size_t behind = words[at].end;
  while (behind < text.size() && kMarkup.find(text[behind]) != std::string_view::npos) ++behind;
  if (behind >= text.size() || mark_length(text, behind) > 0) return true;
  // `plan.md`, `plan-first` and `plan/` are other words.
  constexpr std::string_view kJoints = ".-/_";
  const bool joins = kJoints.find(text[behind]) != std::string_view::npos &&
                     behind + 1 < text.size() && is_word_char(text[behind + 1]);
  return !is_word_char(text[behind]) && !joins;
}

bool PhaseNames::clearly_named_in(std::string_view text) const {
  const std::vector<Word> words = words_of(text);
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (is_number(words, at)) return true;
    const Match found = match(words, at);
    if (found.named) return true;
    if (found.other_words > 0) at += found.other_words - 1;
  }
  return false;
}

bool PhaseNames::named_in(std::string_view text) const {
  return clearly_named_in(text) || is_short_title(text, words_of(text));
}

bool PhaseNames::is_bare_number(std::string_view text) const {
  std::string_view number = base::trimmed(text);
  while (number.ends_with('.') || number.ends_with(')')) number.remove_suffix(1);
  return numbers_.contains(base::lowered(number));
}

bool PhaseNames::begin(std::string_view text) const {
  const std::vector<Word> words = words_of(text);
  if (words.empty()) return false;
  std::size_t at = 0;
  while (at + 1 < words.size() && is_digit(words[at].text.front())) ++at;
  if (is_number(words, at) || is_short_title(text, words)) return true;
  return match(words, at).named;
}

}  // namespace phasegate::phases
