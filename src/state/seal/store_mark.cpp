#include "state/seal/store_mark.h"

#include <charconv>
#include <optional>
#include <vector>

#include "base/hash.h"

namespace phasegate::state {
namespace {

constexpr std::string_view kKey = "seal_mark";
constexpr unsigned kWordBits = 32;
constexpr std::size_t kWordDigits = 8;
constexpr std::size_t kNumbers = 6;

base::Error damaged(const std::string& what) {
  return {"damaged",
          "the mark of state.db as a whole " + what +
              ", so nobody can tell whether sessions were changed, put back or taken out",
          "run `phasegate audit`, which names what differs; then put the newest copy back with "
          "`phasegate restore latest`, or let an approver accept the state as it is with "
          "`phasegate audit "
          "--accept`; nothing was changed",
          ""};
}

SealText text_of(const Seal& seal, const StoreMark& mark) {
  SealText text = seal.text("store");
  text.add(mark.counter).add(mark.last_number).add(mark.tombstones).add(mark.acceptances);
  text.add(mark.sealed_since).add(mark.unsealed_until).add(mark.sum.hex());
  // Mostly nothing is trusted; then nothing is said of it.
  if (!mark.trusted.empty()) text.add(mark.trusted);
  return text;
}

std::string numbers_of(const StoreMark& mark) {
  std::string text;
  for (const std::int64_t number : {mark.counter, mark.last_number, mark.tombstones,
                                    mark.acceptances, mark.sealed_since, mark.unsealed_until}) {
    text += std::to_string(number) + " ";
  }
  return text;
}

std::string value_of(const StoreMark& mark, std::string_view seal_mark) {
  return numbers_of(mark) + mark.sum.hex() + " " +
         (mark.trusted.empty() ? "" : mark.trusted + " ") + to_hex(seal_mark);
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc() || stopped != end) return std::nullopt;
  return number;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t end = text.find(' ');
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

std::optional<StoreMark> parse(Seal& seal, const std::string& value) {
  const auto words = words_of(value);
  const bool trusts = words.size() == kNumbers + 3;
  if (!trusts && words.size() != kNumbers + 2) return std::nullopt;
  std::array<std::int64_t, kNumbers> numbers{};
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const auto number = number_of(words[i]);
    if (!number) return std::nullopt;
    numbers[i] = *number;
  }
  StoreMark mark{numbers[0],
                 numbers[1],
                 numbers[2],
                 numbers[3],
                 numbers[4],
                 numbers[5],
                 DigestSum::from_hex(words[kNumbers]),
                 std::string(trusts ? words[kNumbers + 1] : "")};
  const auto seal_mark = from_hex(words.back());
  // Written again it must be the same: no second spelling counts.
  if (!seal_mark || value_of(mark, *seal_mark) != value) return std::nullopt;
  if (!seal.holds(*seal_mark, text_of(seal, mark))) return std::nullopt;
  return mark;
}

}  // namespace

void DigestSum::add(std::string_view mark) {
  const DigestSum other = from_hex(base::sha256_hex(mark));
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    carry += std::uint64_t{words_[i]} + other.words_[i];
    words_[i] = static_cast<std::uint32_t>(carry);
    carry >>= kWordBits;
  }
}

void DigestSum::take(std::string_view mark) {
  const DigestSum other = from_hex(base::sha256_hex(mark));
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t difference = std::uint64_t{words_[i]} - other.words_[i] - borrow;
    words_[i] = static_cast<std::uint32_t>(difference);
    borrow = (difference >> kWordBits) & 1U;
  }
}

std::string DigestSum::hex() const {
  std::string bytes;
  for (std::size_t i = words_.size(); i-- > 0;) {
    for (unsigned shift = kWordBits; shift > 0;) {
      shift -= 8;
      bytes += static_cast<char>((words_[i] >> shift) & 0xFFU);
    }
  }
  return to_hex(bytes);
}

DigestSum DigestSum::from_hex(std::string_view digits) {
  DigestSum sum;
  if (digits.size() != sum.words_.size() * kWordDigits) return sum;
  for (std::size_t i = 0; i < sum.words_.size(); ++i) {
    const std::string_view word =
        digits.substr((sum.words_.size() - 1 - i) * kWordDigits, kWordDigits);
    const auto [stopped, failed] =
        std::from_chars(word.data(), word.data() + word.size(), sum.words_[i], 16);
    if (failed != std::errc() || stopped != word.data() + word.size()) return {};
  }
  return sum;
}

base::Result<StoreMark> read_store_mark(Db& db, Seal& seal) {
  Statement row = db.prepare("SELECT value FROM meta WHERE key = ?");
  if (!row.bind_all(kKey).step()) return damaged("is missing");
  const auto mark = parse(seal, row.text(0));
  if (!mark) {
    return damaged(
        "is not what was written (or seal-keys is not the file with which it was "
        "sealed)");
  }
  return *mark;
}

std::optional<StoreMark> newest_mark_in(std::string_view page, Seal& seal) {
  // A record of SQLite's: two bytes are a number that says how long the value is; the key follows,
  // and then the value ("Database File Format", §2.1).
  constexpr std::size_t kNumberBytes = 2;
  constexpr unsigned kGoesOn = 0x80;
  constexpr unsigned kBits = 7;
  constexpr unsigned kEmptyText = 13;
  std::optional<StoreMark> newest;
  for (std::size_t at = page.find(kKey, kNumberBytes); at != std::string_view::npos;
       at = page.find(kKey, at + 1)) {
    const auto high = static_cast<unsigned char>(page[at - 2]);
    const auto low = static_cast<unsigned char>(page[at - 1]);
    const unsigned type = ((high & ~kGoesOn) << kBits) | low;
    if (high < kGoesOn || low >= kGoesOn || type < kEmptyText) continue;
    const auto mark =
        parse(seal, std::string(page.substr(at + kKey.size(), (type - kEmptyText) / 2)));
    if (mark && (!newest || mark->counter > newest->counter)) newest = mark;
  }
  return newest;
}

bool names_a_mark(std::string_view page) {
  return page.find(kKey) != std::string_view::npos;
}

std::string trust_digest(Db& db) {
  base::Digest digest;
  bool any = false;
  Statement rows = db.prepare(
      "SELECT digest, workflow, shown, principal, at, environment FROM trust ORDER BY digest");
  while (rows.step()) {
    any = true;
    digest.add(rows.text(0)).add(rows.text(1)).add(rows.text(2)).add(rows.text(3));
    digest.add(std::to_string(rows.integer(4))).add(rows.text(5));
  }
  return any ? digest.hex() : "";
}

void write_store_mark(Db& db, Seal& seal, const StoreMark& mark) {
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")
      .bind_all(kKey, value_of(mark, seal.mark(text_of(seal, mark))))
      .run();
}

}  // namespace phasegate::state
