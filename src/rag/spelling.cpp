#include "rag/spelling.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include "rag/tokens.h"

namespace phasegate::rag {
namespace {

constexpr std::size_t kWordsCorrectedMax = 8;
constexpr std::size_t kTermsLookedAtMax = 24;  // for each word
constexpr std::size_t kTextsOfTermMax = 8;
constexpr std::size_t kTextsMax = 100;  // for a query

/// The code points of a token, which is well-formed.
std::u32string letters_of(std::string_view text) {
  std::u32string letters;
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first < 0x80U ? 1U : first < 0xE0U ? 2U : first < 0xF0U ? 3U : 4U;
    char32_t letter = length == 1 ? first : first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length && at + i < text.size(); ++i) {
      letter = (letter << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    }
    letters += letter;
    at += length;
  }
  return letters;
}

/// Distances (with swapped neighbours) between `b` and every beginning of `a`, at the end of `a`'s
/// row: the rows are the beginnings of `b`.
class Distances {
 public:
  Distances(std::u32string_view a, std::u32string_view b) : row_(a.size() + 1) {
    std::vector<std::size_t> before(a.size() + 1);
    std::vector<std::size_t> before_that;
    for (std::size_t i = 0; i <= a.size(); ++i) row_[i] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      before_that = std::exchange(before, row_);
      row_[0] = j;
      for (std::size_t i = 1; i <= a.size(); ++i) {
        const std::size_t change = before[i - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
        row_[i] = std::min({change, before[i] + 1, row_[i - 1] + 1});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
          row_[i] = std::min(row_[i], before_that[i - 2] + 1);
        }
      }
    }
  }

  [[nodiscard]] std::size_t whole() const { return row_.back(); }
  /// The least distance to a beginning.
  [[nodiscard]] std::size_t beginning() const {
    return *std::min_element(row_.begin(), row_.end());
  }

 private:
  std::vector<std::size_t> row_;
};

/// Which letters a word has, in 64 bits; two letters may share one.
std::uint64_t letter_set(std::u32string_view letters) {
  std::uint64_t set = 0;
  for (const char32_t letter : letters) set |= std::uint64_t{1} << (letter % 64);
  return set;
}

std::size_t changes_allowed(std::size_t letters) {
  constexpr std::size_t kShortest = 4;
  constexpr std::size_t kLong = 8;
  return letters < kShortest ? 0 : letters < kLong ? 1 : 2;
}

/// A term that may be the stem of the word that was meant.
struct Candidate {
  std::string term;
  std::size_t distance = 0;  // to the nearest beginning of the word
  std::size_t letters = 0;
  std::size_t frequency = 0;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return std::tuple(a.distance, b.letters, b.frequency, std::string_view(a.term)) <
           std::tuple(b.distance, a.letters, a.frequency, std::string_view(b.term));
  }
};

class Speller {
 public:
  Speller(Collection& collection, const std::function<bool(PassageId)>& accepts)
      : collection_(collection), accepts_(accepts) {}

  /// The word that is nearest to an unknown one; empty if none is near.
  std::string nearest(std::string_view word) {
    const std::u32string letters = letters_of(word);
    const std::size_t most = changes_allowed(letters.size());
    if (most == 0) return {};
    std::size_t first_letter = 1;
    while (first_letter < word.size() &&
           (static_cast<unsigned char>(word[first_letter]) & 0xC0U) == 0x80U) {
      ++first_letter;
    }
    std::string found =
        best_form(candidates(word.substr(0, first_letter), letters, most), letters, most);
    return found.empty() ? best_form(candidates("", letters, most), letters, most) : found;
  }

 private:
  std::vector<Candidate> candidates(std::string_view first, const std::u32string& letters,
                                    std::size_t most) {
    constexpr std::size_t kSuffixMost = 7;  // letters that a stem may lack: -ization
    constexpr std::size_t kShortest = 3;
    const std::size_t shortest =
        std::max(kShortest, letters.size() - std::min(letters.size(), kSuffixMost));
    const std::size_t stem_most = most + 1;  // a stem's last letter may be another: happi
    const std::uint64_t set = letter_set(letters);
    std::vector<Candidate> found;
    collection_.terms_beginning(first, [&](std::string_view term, std::size_t frequency) {
      if (term.size() < shortest || frequency == 0) return;
      const std::u32string other = letters_of(term);
      if (other.size() < shortest || other.size() > letters.size() + most) return;
      // Every letter that the word does not have costs a change.
      if (static_cast<std::size_t>(std::popcount(letter_set(other) & ~set)) > stem_most) return;
      const std::size_t distance = Distances(letters, other).beginning();
      if (distance > stem_most) return;
      found.push_back({std::string(term), distance, other.size(), frequency});
      std::push_heap(found.begin(), found.end());
      if (found.size() <= kTermsLookedAtMax) return;
      std::pop_heap(found.begin(), found.end());
      found.pop_back();
    });
    std::sort_heap(found.begin(), found.end());
    return found;
  }

  /// The nearest word in passages that hold one of the terms.
  std::string best_form(const std::vector<Candidate>& terms, const std::u32string& letters,
                        std::size_t most) {
    std::string best;
    std::size_t best_distance = most + 1;
    std::size_t best_frequency = 0;
    for (const Candidate& candidate : terms) {
      for (const std::string& form : forms_of(candidate.term)) {
        const std::size_t distance = edit_distance(letters, letters_of(form), most);
        if (distance > best_distance || distance > most) continue;
        if (distance == best_distance && std::tuple(candidate.frequency, std::string_view(best)) <=
                                             std::tuple(best_frequency, std::string_view(form))) {
          continue;
        }
        best = form;
        best_distance = distance;
        best_frequency = candidate.frequency;
      }
    }
    return best;
  }

  std::vector<std::string> forms_of(std::string_view term) {
    std::vector<std::string> forms;
    collection_.postings(term, postings_);
    std::size_t texts = 0;
    for (const Posting& posting : postings_) {
      if (texts == kTextsOfTermMax || texts_ == kTextsMax) break;
      if (accepts_ && !accepts_(posting.passage)) continue;
      ++texts, ++texts_;
      const PassageFields fields = collection_.fields(posting.passage);
      for (const std::string& text : fields.texts) {
        tokenise(text, tokens_);
        for (const Token& token : tokens_) {
          if (stemmer_.term_of(token) == term) forms.push_back(token.text);
        }
      }
    }
    std::sort(forms.begin(), forms.end());
    forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
    return forms;
  }

  Collection& collection_;
  const std::function<bool(PassageId)>& accepts_;
  Stemmer stemmer_;
  std::vector<Token> tokens_;
  std::vector<Posting> postings_;
  std::size_t texts_ = 0;
};

}  // namespace

std::size_t edit_distance(std::u32string_view a, std::u32string_view b, std::size_t most) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > most) return most + 1;
  return std::min(Distances(a, b).whole(), most + 1);
}

Spelling spelling_of(const Query& query, Collection& collection,
                     const std::function<bool(PassageId)>& accepts) {
  for (const QueryTerm& term : query.terms) {
    if (collection.frequency(term.term) > 0) return {};
  }
  Speller speller(collection, accepts);
  Spelling spelling;
  std::vector<std::string> words;
  for (const QueryTerm& term : query.terms) {
    std::string meant;
    if (!term.joined && words.size() < kWordsCorrectedMax) meant = speller.nearest(term.word);
    if (!meant.empty()) spelling.corrections.push_back({term.word, meant});
    words.push_back(meant.empty() ? term.word : std::move(meant));
  }
  if (spelling.corrections.empty()) return {};
  for (const std::size_t place : query.sequence) {
    if (!spelling.text.empty()) spelling.text += ' ';
    spelling.text += words[place];
  }
  return spelling;
}

}  // namespace phasegate::rag
