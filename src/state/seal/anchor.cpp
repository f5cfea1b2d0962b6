#include "state/seal/anchor.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "state/db_failure.h"
#include "state/file_calls.h"
#include "state/files.h"

namespace phasegate::state {
namespace {

constexpr std::size_t kSlots = 2;
constexpr std::string_view kBegins = "phasegate anchor ";
/// The second edition also says what the file holds without its log.
constexpr std::string_view kFirst = "1";
constexpr std::string_view kSecond = "2";
constexpr std::size_t kFirstWords = 4;
constexpr std::size_t kSecondWords = 6;
/// In the place of a log's name. None is shorter than sixteen digits.
constexpr std::string_view kUnknownLog = "?";
constexpr std::string_view kNoLog = "-";

std::int64_t number_or_zero(std::string_view digits) {
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// What a slot says, whether it is true or not.
struct Claim {
  Anchor anchor;
  std::string_view edition;
  std::string mark;  ///< in hexadecimal digits
};

std::string name_in_slot(const std::optional<std::string>& log) {
  if (!log) return std::string(kUnknownLog);
  return log->empty() ? std::string(kNoLog) : *log;
}

std::optional<std::string> name_from_slot(std::string_view name) {
  if (name == kUnknownLog) return std::nullopt;
  return name == kNoLog ? std::string() : std::string(name);
}

SealText text_of(const Seal& seal, const Claim& claim) {
  SealText text = seal.text("anchor");
  text.add(claim.anchor.counter);
  if (claim.edition == kSecond) {
    text.add(claim.anchor.held).add(name_in_slot(claim.anchor.log));
  }
  return text;
}

std::string written(const Seal& seal, const Claim& claim) {
  std::string slot(kBegins);
  slot += std::string(claim.edition) + " " + seal.database_id() + " ";
  slot += std::to_string(claim.anchor.counter) + " ";
  if (claim.edition == kSecond) {
    slot += std::to_string(claim.anchor.held) + " " + name_in_slot(claim.anchor.log) + " ";
  }
  slot += claim.mark;
  slot.resize(kAnchorSlotBytes - 1, ' ');
  return slot + "\n";
}

std::string slot_of(Seal& seal, const Anchor& anchor) {
  Claim claim{anchor, kSecond, ""};
  claim.mark = to_hex(seal.mark(text_of(seal, claim)));
  return written(seal, claim);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Nullopt if it is not even in the form of this database's slots.
std::optional<Claim> claim_of(const Seal& seal, const std::string& slot) {
  if (!slot.starts_with(kBegins)) return std::nullopt;
  const auto words = words_of(std::string_view(slot).substr(kBegins.size()));
  Claim claim;
  if (words.size() == kFirstWords && words[0] == kFirst) {
    claim.edition = kFirst;
  } else if (words.size() == kSecondWords && words[0] == kSecond) {
    claim.edition = kSecond;
    claim.anchor.held = number_or_zero(words[3]);
    claim.anchor.log = name_from_slot(words[4]);
  } else {
    return std::nullopt;
  }
  claim.anchor.counter = number_or_zero(words[2]);
  claim.mark = words.back();
  // Written again it must be the same: no second spelling counts.
  if (written(seal, claim) != slot) return std::nullopt;
  return claim;
}

bool holds(Seal& seal, const Claim& claim) {
  const auto mark = from_hex(claim.mark);
  return mark && seal.holds(*mark, text_of(seal, claim));
}

base::Descriptor open_anchor(const Seal& seal, int flags) {
  const auto file = seal.folder() / kAnchorFileName;
  base::Descriptor fd = open_file(file, flags | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (!fd.open()) return fd;
  constexpr mode_t kOthers = 077;
  struct stat status{};
  const bool ours = ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                    status.st_uid == ::geteuid() && (status.st_mode & kOthers) == 0;
  if (ours) return fd;
  errno = EPERM;
  return {};
}

/// Nobody else raises the anchor while this lives. Not waited for long: some file systems have no
/// locks, and who holds this one may be stopped; then a slot may be written over by a lower one.
class AloneInFile {
 public:
  explicit AloneInFile(int fd) : fd_(fd) {
    constexpr int kTries = 200;
    for (int i = 0; i < kTries && !lock(F_WRLCK); ++i) std::this_thread::yield();
  }
  ~AloneInFile() { static_cast<void>(lock(F_UNLCK)); }
  AloneInFile(const AloneInFile&) = delete;
  AloneInFile& operator=(const AloneInFile&) = delete;

 private:
  [[nodiscard]] bool lock(short type) const {
    struct flock range{};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    return ::fcntl(fd_, F_OFD_SETLK, &range) == 0;
  }

  int fd_;
};

/// Where the slot of this counter begins.
off_t place_of(std::int64_t counter) {
  return static_cast<off_t>(static_cast<std::size_t>(counter) % kSlots * kAnchorSlotBytes);
}

std::optional<Anchor> highest(Seal& seal, int fd) {
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < kSlots; ++i) {
    std::string slot(kAnchorSlotBytes, '\0');
    const auto at = static_cast<off_t>(i * kAnchorSlotBytes);
    if (read_up_to_at(fd, slot, at) != static_cast<ssize_t>(slot.size())) continue;
    if (auto claim = claim_of(seal, slot)) claims.push_back(*std::move(claim));
  }
  // The higher one first: if it holds, the other one does not matter.
  std::sort(claims.begin(), claims.end(),
            [](const Claim& a, const Claim& b) { return a.anchor.counter > b.anchor.counter; });
  for (const Claim& claim : claims) {
    if (holds(seal, claim)) return claim.anchor;
  }
  return std::nullopt;
}

/// What the file holds after a commit that found `log`. A log begins anew only when all of the one
/// before is in the file; where nobody can tell whether it has, nothing new is claimed.
std::int64_t held_after(const std::optional<Anchor>& before,
                        const std::optional<std::string>& log) {
  if (!before) return 0;
  const bool begun_anew = before->log && log && *before->log != *log;
  return begun_anew ? before->counter : before->held;
}

}  // namespace

std::optional<Anchor> read_anchor(Seal& seal) {
  const base::Descriptor fd = open_anchor(seal, O_RDONLY);
  if (!fd.open()) return std::nullopt;
  // A slot that is being written at this moment may be read half; never both for long.
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    if (auto anchor = highest(seal, fd.get())) return anchor;
  }
  return std::nullopt;
}

std::optional<std::int64_t> anchored_counter(Seal& seal) {
  const auto anchor = read_anchor(seal);
  if (!anchor) return std::nullopt;
  return anchor->counter;
}

std::int64_t counter_of_any(const std::filesystem::path& folder) {
  const base::Descriptor fd = open_file(folder / kAnchorFileName, O_RDONLY | O_NONBLOCK);
  std::int64_t highest = 0;
  for (std::size_t i = 0; fd.open() && i < kSlots; ++i) {
    std::string slot(kAnchorSlotBytes, '\0');
    if (read_up_to_at(fd.get(), slot, static_cast<off_t>(i * kAnchorSlotBytes)) < 1) break;
    if (!slot.starts_with(kBegins)) continue;
    const auto words = words_of(std::string_view(slot).substr(kBegins.size()));
    if (words.size() >= kFirstWords) highest = std::max(highest, number_or_zero(words[2]));
  }
  return highest;
}

bool raise_anchor(Seal& seal, std::int64_t counter, const std::optional<std::string>& log,
                  bool sync) {
  const base::Descriptor fd = open_anchor(seal, O_RDWR | O_CREAT);
  if (!fd.open()) return false;
  // Who was held up since its commit must not write over what others have raised meanwhile.
  {
    const AloneInFile alone(fd.get());
    const auto there = highest(seal, fd.get());
    if (there && there->counter >= counter) return true;
    const Anchor raised{counter, held_after(there, log), log};
    if (!write_whole_at(fd.get(), slot_of(seal, raised), place_of(counter))) return false;
  }
  return !sync || sync_bytes(fd.get());
}

void renew_anchor(Seal& seal, std::int64_t counter, const std::optional<std::string>& log) {
  const auto file = seal.folder() / kAnchorFileName;
  const auto unfinished = unfinished_name(file);
  const RemoveOnExit cleanup(unfinished);
  create_private_file(unfinished);
  {
    const std::string slot = slot_of(seal, {counter, 0, log});
    const auto fd = open_file(unfinished, O_WRONLY | O_NOFOLLOW);
    if (!fd.open() || !write_whole_at(fd.get(), slot, place_of(counter))) {
      throw_errno(errno, "cannot be written");
    }
    if (!sync_file(fd.get())) throw_errno(errno, "cannot be synced");
  }
  if (std::rename(unfinished.c_str(), file.c_str()) != 0) throw_errno(errno, "cannot be written");
  sync_folder(seal.folder());
}

}  // namespace phasegate::state
