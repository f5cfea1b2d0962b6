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
constexpr std::string_view kBegins = "phasegate anchor 1 ";

/// What a slot says, whether it is true or not.
struct Claim {
  std::int64_t counter = 0;
  std::string slot;
};

std::string slot_of(Seal& seal, std::int64_t counter) {
  std::string slot(kBegins);
  slot += seal.database_id() + " " + std::to_string(counter) + " ";
  slot += to_hex(seal.mark(seal.text("anchor").add(counter)));
  slot.resize(kAnchorSlotBytes - 1, ' ');
  return slot + "\n";
}

/// Nullopt if it is not even in the form of this database's slots.
std::optional<Claim> claim_of(const Seal& seal, const std::string& slot) {
  const std::string begins = std::string(kBegins) + seal.database_id() + " ";
  if (slot.size() != kAnchorSlotBytes || !slot.starts_with(begins)) return std::nullopt;
  Claim claim{0, slot};
  const char* const end = slot.data() + slot.size();
  const auto [stopped, failed] = std::from_chars(slot.data() + begins.size(), end, claim.counter);
  if (failed != std::errc() || *stopped != ' ') return std::nullopt;
  return claim;
}

bool holds(Seal& seal, const Claim& claim) {
  const std::string begins =
      std::string(kBegins) + seal.database_id() + " " + std::to_string(claim.counter) + " ";
  const auto mark =
      from_hex(std::string_view(claim.slot).substr(begins.size(), Seal::kMarkBytes * 2));
  if (!mark || !seal.holds(*mark, seal.text("anchor").add(claim.counter))) return false;
  return claim.slot.find_first_not_of(' ', begins.size() + Seal::kMarkBytes * 2) ==
         kAnchorSlotBytes - 1;
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

std::optional<std::int64_t> highest(Seal& seal, int fd) {
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < kSlots; ++i) {
    std::string slot(kAnchorSlotBytes, '\0');
    const auto at = static_cast<off_t>(i * kAnchorSlotBytes);
    if (read_up_to_at(fd, slot, at) != static_cast<ssize_t>(slot.size())) continue;
    if (auto claim = claim_of(seal, slot)) claims.push_back(*std::move(claim));
  }
  // The higher one first: if it holds, the other one does not matter.
  std::sort(claims.begin(), claims.end(),
            [](const Claim& a, const Claim& b) { return a.counter > b.counter; });
  for (const Claim& claim : claims) {
    if (holds(seal, claim)) return claim.counter;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> read_anchor(Seal& seal) {
  const base::Descriptor fd = open_anchor(seal, O_RDONLY);
  if (!fd.open()) return std::nullopt;
  // A slot that is being written at this moment may be read half; never both for long.
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    if (const auto counter = highest(seal, fd.get())) return counter;
  }
  return std::nullopt;
}

std::int64_t counter_of_any(const std::filesystem::path& folder) {
  const base::Descriptor fd = open_file(folder / kAnchorFileName, O_RDONLY | O_NONBLOCK);
  std::int64_t highest = 0;
  for (std::size_t i = 0; fd.open() && i < kSlots; ++i) {
    std::string slot(kAnchorSlotBytes, '\0');
    if (read_up_to_at(fd.get(), slot, static_cast<off_t>(i * kAnchorSlotBytes)) < 1) break;
    if (!slot.starts_with(kBegins)) continue;
    const std::size_t id = slot.find(' ', kBegins.size());
    if (id == std::string::npos) continue;
    std::int64_t counter = 0;
    std::from_chars(slot.data() + id + 1, slot.data() + slot.size(), counter);
    highest = std::max(highest, counter);
  }
  return highest;
}

bool raise_anchor(Seal& seal, std::int64_t counter, bool sync) {
  const base::Descriptor fd = open_anchor(seal, O_RDWR | O_CREAT);
  if (!fd.open()) return false;
  // Who was held up since its commit must not write over what others have raised meanwhile.
  {
    const AloneInFile alone(fd.get());
    if (const auto there = highest(seal, fd.get()); there && *there >= counter) return true;
    if (!write_whole_at(fd.get(), slot_of(seal, counter), place_of(counter))) return false;
  }
  return !sync || sync_bytes(fd.get());
}

void renew_anchor(Seal& seal, std::int64_t counter) {
  const auto file = seal.folder() / kAnchorFileName;
  const auto unfinished = unfinished_name(file);
  const RemoveOnExit cleanup(unfinished);
  create_private_file(unfinished);
  {
    const std::string slot = slot_of(seal, counter);
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
