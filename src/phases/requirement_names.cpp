#include "phases/requirement_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kHashDigits = 6;

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Length of the character that begins at `at`, which is no ASCII character.
std::size_t character_length(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return end - at;
}

/// Emoji, arrows, dashes and quotes separate words; other characters beyond ASCII are letters.
bool is_symbol(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return byte(0) == 0xC2U;  // U+0080–U+00BF
  if (character.size() == 3 && byte(0) == 0xEFU && (byte(1) == 0xBCU || byte(1) == 0xBDU)) {
    // Full-width punctuation, not full-width letters and digits.
    const unsigned code = 0xFF00U + ((byte(1) & 0x01U) << 6U) + (byte(2) & 0x3FU);
    return (code < 0xFF10 || (code > 0xFF19 && code < 0xFF21) || (code > 0xFF3A && code < 0xFF41) ||
            (code > 0xFF5A && code < 0xFF66));
  }
  if (character.size() == 3) {
    const unsigned code = (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    return (code >= 0x2000 && code <= 0x2BFF) || (code >= 0x3000 && code <= 0x303F) ||
           (code >= 0xFE00 && code <= 0xFE0F) || code == 0xFFFD;
  }
  return character.size() == 4 && byte(0) == 0xF0U && byte(1) == 0x9FU;
}

std::string short_hash(std::string_view text) {
  return base::sha256_hex(text).substr(0, kHashDigits);
}

/// Cuts between words if that keeps at least half, else wherever the limit falls.
std::string cut_to(std::string name, std::size_t chars_max) {
  if (name.size() <= chars_max) return name;
  const bool between_words = name[chars_max] == '_';
  name.resize(base::utf8_boundary(name, chars_max));
  if (!between_words) {
    const auto last = name.rfind('_');
    if (last != std::string::npos && last >= chars_max / 2) name.resize(last);
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool has_letters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
    const std::string_view character = text.substr(at, ascii ? 1 : character_length(text, at));
    at += character.size();
    if (ascii ? is_word_char(character.front()) : !is_symbol(character)) return true;
  }
  return false;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (is_word_char(c)) {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string name_from_sentence(std::string_view sentence) {
  std::string name;
  bool gap = false;
  for (std::size_t at = 0; at < sentence.size();) {
    const bool ascii = static_cast<unsigned char>(sentence[at]) < 0x80;
    const std::string_view character =
        sentence.substr(at, ascii ? 1 : character_length(sentence, at));
    at += character.size();
    const bool letter =
        ascii ? is_word_char(character.front()) : !is_symbol(character) && base::is_utf8(character);
    if (letter) {
      if (gap && !name.empty()) name += '_';
      name += character;
      gap = false;
    } else if (character != "'" && character != "’") {
      gap = true;
    }
  }
  name = base::lowered(name);
  if (name.empty()) return "item_" + short_hash(sentence);
  if (name.front() >= '0' && name.front() <= '9') name.insert(0, "item_");
  return cut_to(std::move(name), base::limits::kRequirementNameCharsMax);
}

std::string name_with_hash(std::string_view name, std::string_view sentence) {
  constexpr std::size_t kRoom = base::limits::kRequirementNameCharsMax - kHashDigits - 1;
  return cut_to(std::string(name), kRoom) + "_" + short_hash(sentence);
}

std::string plain_sentence(std::string_view text) {
  std::string line = base::to_utf8(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  constexpr std::array<std::string_view, 18> kMarks = {
      "✅", "❌", "⬜",           "☐", "☑", "✔", "✓",  "✗", "✘", "🟢",
      "🔴", "🟡", "\xEF\xB8\x8F", "/", "|", " ", "\t", "[]"};
  std::string_view rest = base::trimmed(line);
  // Most sentences end in a letter or a full stop and carry no mark.
  if (!rest.empty() && (is_word_char(rest.back()) || rest.back() == '.' || rest.back() == ':')) {
    return std::string(rest);
  }
  bool removed = true;
  bool any_mark = false;
  while (removed && !rest.empty()) {
    removed = false;
    for (const std::string_view mark : kMarks) {
      if (!rest.ends_with(mark)) continue;
      // `docs/` keeps its slash; the one between two marks goes with them.
      const char before = rest.size() > 1 ? rest[rest.size() - 2] : ' ';
      if ((mark == "/" || mark == "|") && static_cast<unsigned char>(before) < 0x80 &&
          before != ' ') {
        continue;
      }
      rest.remove_suffix(mark.size());
      removed = true;
      any_mark = any_mark || static_cast<unsigned char>(mark.front()) >= 0x80;
    }
    // `[✅/❌]` and `(✅/❌)`: the brackets belong to the marks inside them.
    for (const char* pair : {"[]", "()"}) {
      if (!rest.ends_with(pair[1])) continue;
      const auto open = rest.rfind(pair[0]);
      if (open == std::string_view::npos) continue;
      const std::string_view inside = rest.substr(open + 1, rest.size() - open - 2);
      const bool has_mark = inside.find("✅") != inside.npos || inside.find("❌") != inside.npos;
      if (has_mark && words_of(inside).empty()) {
        rest = rest.substr(0, open);
        removed = any_mark = true;
      }
    }
  }
  if (!any_mark) rest = base::trimmed(line);
  return std::string(base::trimmed(rest));
}

bool is_conditional(std::string_view sentence) {
  const std::string text = base::lowered(sentence);
  for (const std::string_view phrase :
       {"(if ", "(when ", "(unless ", "(optional", "[if ", "[optional", "if applicable", "if any)",
        "where applicable", "when applicable", "if needed)", "if relevant"}) {
    if (text.find(phrase) != std::string::npos) return true;
  }
  return false;
}

bool is_negative(std::string_view name, std::string_view description) {
  constexpr std::array<std::string_view, 20> kBad = {
      "failed",   "fails",      "failing",  "failure",   "failures",   "missing",   "error",
      "errors",   "invalid",    "broken",   "violation", "violations", "blocked",   "unresolved",
      "outdated", "incomplete", "rejected", "crashed",   "conflicts",  "unverified"};
  constexpr std::array<std::string_view, 9> kDenials = {"no",    "not", "none", "zero", "without",
                                                        "never", "non", "free", "0"};
  constexpr std::array<std::string_view, 6> kExistence = {"detected", "found", "present",
                                                          "exists",   "exist", "remaining"};
  constexpr std::array<std::string_view, 3> kHolders = {"has", "have", "contains"};
  const std::vector<std::string> words = words_of(name);
  if (words.empty()) return false;
  const bool denied = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return contains(kDenials, word);
  });
  if (denied) return false;
  const std::vector<std::string> said = words_of(description);
  const bool description_denies = !said.empty() && contains(kDenials, said.front());
  const bool says_bad = std::any_of(words.begin(), words.end(),
                                    [&](const std::string& word) { return contains(kBad, word); });
  if (contains(kBad, words.back())) return true;
  if (contains(kExistence, words.back())) return says_bad || description_denies;
  return contains(kHolders, words.front()) && says_bad;
}

bool is_plain_name(std::string_view name) {
  constexpr std::size_t kNameCharsMax = 100;
  if (name.empty() || name.size() > kNameCharsMax) return false;
  if (name.front() >= '0' && name.front() <= '9') return false;
  for (std::size_t at = 0; at < name.size();) {
    const char c = name[at];
    if (static_cast<unsigned char>(c) < 0x80) {
      if (!is_word_char(c) && c != '_' && c != '-' && c != '.') return false;
      ++at;
      continue;
    }
    const std::string_view character = name.substr(at, character_length(name, at));
    if (is_symbol(character) || !base::is_utf8(character) || base::is_blank(character))
      return false;
    at += character.size();
  }
  return true;
}

}  // namespace phasegate::phases
