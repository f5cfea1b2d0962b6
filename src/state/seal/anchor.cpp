#include "state/seal/anchor.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "state/db_failure.h"
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
  base::Descriptor fd(::open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  if (!fd.open()) return fd;
  constexpr mode_t kOthers = 077;
  struct stat status{};
  const bool ours = ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                    status.st_uid == ::geteuid() && (status.st_mode & kOthers) == 0;
  return ours ? std::move(fd) : base::Descriptor();
}

std::optional<std::int64_t> highest(Seal& seal, int fd) {
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < kSlots; ++i) {
    std::string slot(kAnchorSlotBytes, '\0');
    const ssize_t got =
        ::pread(fd, slot.data(), slot.size(), static_cast<off_t>(i * kAnchorSlotBytes));
    if (got != static_cast<ssize_t>(slot.size())) continue;
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
  return fd.open() ? highest(seal, fd.get()) : std::nullopt;
}

bool raise_anchor(Seal& seal, std::int64_t counter, bool sync) {
  const base::Descriptor fd = open_anchor(seal, O_RDWR | O_CREAT);
  if (!fd.open()) return false;
  if (const auto there = highest(seal, fd.get()); there && *there >= counter) return true;
  const std::string slot = slot_of(seal, counter);
  const auto at = static_cast<off_t>(static_cast<std::size_t>(counter) % kSlots * kAnchorSlotBytes);
  if (::pwrite(fd.get(), slot.data(), slot.size(), at) != static_cast<ssize_t>(slot.size())) {
    return false;
  }
  return !sync || ::fdatasync(fd.get()) == 0;
}

void renew_anchor(Seal& seal, std::int64_t counter) {
  const auto file = seal.folder() / kAnchorFileName;
  const auto unfinished = unfinished_name(file);
  const RemoveOnExit cleanup(unfinished);
  create_private_file(unfinished);
  {
    const base::Descriptor fd(::open(unfinished.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!fd.open()) throw_errno(errno, "cannot be written");
    const std::string slot = slot_of(seal, counter);
    const auto at =
        static_cast<off_t>(static_cast<std::size_t>(counter) % kSlots * kAnchorSlotBytes);
    const ssize_t written = ::pwrite(fd.get(), slot.data(), slot.size(), at);
    if (written < 0) throw_errno(errno, "cannot be written");
    if (written != static_cast<ssize_t>(slot.size())) throw_errno(ENOSPC, "cannot be written");
    if (::fsync(fd.get()) != 0) throw_errno(errno, "cannot be synced");
  }
  if (std::rename(unfinished.c_str(), file.c_str()) != 0) throw_errno(errno, "cannot be written");
  sync_folder(seal.folder());
}

}  // namespace phasegate::state
