#include "rag/tokens.h"

#include <algorithm>
#include <new>

#include <libstemmer.h>

#include "rag/letters.h"

namespace phasegate::rag {
namespace {

/// Stems are looked up again and again; this many words are more than most collections have.
constexpr std::size_t kStemsKept = 50'000;

/// Takes the characters of a text one by one and writes its tokens.
class Writer {
 public:
  explicit Writer(std::vector<Token>& into) : into_(into) {}

  /// A folded character of a run; `kind` is that of the character as written.
  void letter(std::string_view folded, Letter kind) {
    last_alone_.clear();
    if (kind == Letter::lower && before_ == Letter::upper && before_that_ == Letter::upper) {
      // ABc: the last capital belongs to what follows.
      begin_part(last_letter_);
    } else if (kind == Letter::upper && before_ == Letter::lower) {
      begin_part(run_.size());
    }
    last_letter_ = run_.size();
    run_ += folded;
    before_that_ = before_;
    before_ = kind;
  }

  void underscore() {
    last_alone_.clear();
    if (run_.empty()) return;  // `_name` is `name`
    run_ += '_';
    before_that_ = before_ = Letter::none;
  }

  /// Nothing has been read of the run that is going on.
  [[nodiscard]] bool is_between() const { return run_.empty(); }

  /// A whole run of ASCII letters and digits that does not divide.
  void word(std::string_view written) {
    last_alone_.clear();
    written = written.substr(0, kTokenBytesMax);
    Token& token = next(position_++, false);
    token.text.resize(written.size());
    std::transform(written.begin(), written.end(), token.text.begin(),
                   [](char c) { return kAsciiLetters[static_cast<unsigned char>(c)].folded; });
  }

  /// A character that is a token by itself.
  void alone(std::string_view folded) {
    end_run();
    if (!last_alone_.empty()) {
      last_alone_ += folded;
      put(last_alone_, position_ - 1, true);
    }
    put(folded, position_++, false);
    last_alone_ = folded;
  }

  /// Something that is no part of any token.
  void between() {
    end_run();
    last_alone_.clear();
  }

  void finish() {
    end_run();
    into_.resize(count_);
  }

 private:
  void begin_part(std::size_t at) {
    if (at > 0 && run_[at - 1] != '_') part_begins_.push_back(at);
  }

  void end_run() {
    while (run_.ends_with('_')) run_.pop_back();
    if (!run_.empty()) write_run();
    run_.clear();
    part_begins_.clear();
    before_that_ = before_ = Letter::none;
  }

  void write_run() {
    const bool several = !part_begins_.empty() || run_.find('_') != std::string::npos;
    if (several && run_.size() <= kTokenBytesMax) put(run_, position_, true);
    std::size_t begin = 0;
    auto next = part_begins_.begin();
    for (std::size_t at = 0; at <= run_.size(); ++at) {
      const bool divides = next != part_begins_.end() && at == *next;
      if (divides) ++next;
      if (!divides && at < run_.size() && run_[at] != '_') continue;
      put_part(std::string_view(run_).substr(begin, at - begin));
      begin = divides ? at : at + 1;
    }
  }

  void put_part(std::string_view part) {
    if (part.empty()) return;
    if (part.size() > kTokenBytesMax) {
      std::size_t end = kTokenBytesMax;
      while ((static_cast<unsigned char>(part[end]) & 0xC0U) == 0x80U) --end;
      part = part.substr(0, end);
    }
    put(part, position_++, false);
  }

  void put(std::string_view text, std::uint32_t position, bool joined) {
    next(position, joined).text.assign(text);
  }

  Token& next(std::uint32_t position, bool joined) {
    if (count_ == into_.size()) into_.emplace_back();
    Token& token = into_[count_++];
    token.position = position;
    token.joined = joined;
    return token;
  }

  std::vector<Token>& into_;
  std::size_t count_ = 0;
  std::uint32_t position_ = 0;
  std::string run_;                       // folded
  std::vector<std::size_t> part_begins_;  // in run_, where no `_` says so
  std::size_t last_letter_ = 0;           // where the last character began
  Letter before_ = Letter::none;
  Letter before_that_ = Letter::none;
  std::string last_alone_;
};

/// How many bytes at the beginning are a run of ASCII letters and digits that does not divide; 0 if
/// the run is of another kind.
std::size_t plain_run(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size()) {
    const auto byte = static_cast<unsigned char>(text[end]);
    if (byte >= kAsciiLetters.size() || byte == '_') return 0;
    const Letter kind = kAsciiLetters[byte].kind;
    if (kind == Letter::upper) return 0;
    if (kind == Letter::none) break;
    ++end;
  }
  return end;
}

bool is_plain_word(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

void tokenise(std::string_view utf8, std::vector<Token>& into) {
  Writer writer(into);
  for (std::size_t at = 0; at < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte < kAsciiLetters.size()) {
      const AsciiLetter& ascii = kAsciiLetters[byte];
      const bool begins = ascii.kind != Letter::none && writer.is_between();
      if (const std::size_t run = begins ? plain_run(utf8.substr(at)) : 0; run > 0) {
        writer.word(utf8.substr(at, run));
        at += run;
        continue;
      }
      if (ascii.kind != Letter::none) {
        writer.letter(std::string_view(&ascii.folded, 1), ascii.kind);
      } else if (byte == '_') {
        writer.underscore();
      } else {
        writer.between();
      }
      ++at;
      continue;
    }
    const FoldedCharacter character = fold_character(utf8.substr(at));
    switch (character.kind) {
      case CharacterKind::letter:
        writer.letter(character.folded(), character.letter);
        break;
      case CharacterKind::alone:
        writer.alone(character.folded());
        break;
      case CharacterKind::silent:
        break;
      case CharacterKind::other:
        writer.between();
        break;
    }
    at += character.bytes;
  }
  writer.finish();
}

void Stemmer::Free::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

Stemmer::Stemmer() : stemmer_(sb_stemmer_new("porter", "UTF_8")) {
  if (stemmer_ == nullptr) throw std::bad_alloc();
}
Stemmer::~Stemmer() = default;
Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;

std::string_view Stemmer::term_of(const Token& token) {
  return token.joined ? std::string_view(token.text) : term_of(std::string_view(token.text));
}

std::string_view Stemmer::term_of(std::string_view word) {
  constexpr std::size_t kShortest = 3;  // nothing is taken from a shorter word
  if (word.size() < kShortest || !is_plain_word(word)) return word;
  const auto known = known_.find(word);
  if (known != known_.end()) return known->second;
  if (known_.size() >= kStemsKept) known_.clear();
  const sb_symbol* stem =
      sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  const auto length = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
  return known_.emplace(word, std::string(reinterpret_cast<const char*>(stem), length))
      .first->second;
}

}  // namespace phasegate::rag
