#include "tests/soak/power_cut.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

namespace phasegate::soak {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kSectorBytes = 512;

void write_whole(const fs::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
}

/// What comes of changes that were not synced.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : seed_(seed), random_(seed) {
    constexpr double kParts[] = {0.1, 0.5, 0.9};
    part_ = kParts[random_() % std::size(kParts)];
    by_sectors_ = random_() % 2 == 0;
    in_order_ = random_() % 2 == 0;
  }

  [[nodiscard]] bool by_sectors() const { return seed_ > 1 && by_sectors_; }
  [[nodiscard]] bool in_order() const { return seed_ <= 1 || in_order_; }
  bool is_kept() {
    if (seed_ <= 1) return seed_ == 1;
    return std::generate_canonical<double, 32>(random_) < part_;
  }
  /// One of so many, the last one if everything is kept, the first one if nothing is.
  std::size_t one_of(std::size_t count) {
    if (seed_ <= 1) return seed_ == 1 ? count - 1 : 0;
    return random_() % count;
  }
  template <typename List>
  void shuffle(List& list) {
    std::shuffle(list.begin(), list.end(), random_);
  }

 private:
  std::uint64_t seed_;
  std::mt19937_64 random_;
  double part_ = 0;
  bool by_sectors_ = false;
  bool in_order_ = true;
};

}  // namespace

std::vector<DiskEvent> read_record(const fs::path& record) {
  std::ifstream in(record, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::vector<DiskEvent> events;
  std::size_t at = 0;
  const auto take = [&](std::size_t size) {
    if (bytes.size() - at < size) throw std::runtime_error("the record is cut short");
    at += size;
    return bytes.substr(at - size, size);
  };
  while (at < bytes.size()) {
    RecordHead head{};
    const std::string raw = take(sizeof head);
    std::memcpy(&head, raw.data(), sizeof head);
    DiskEvent event;
    event.kind = static_cast<RecordKind>(head.kind);
    event.inode = head.inode;
    event.offset = head.offset;
    event.path = take(head.path_bytes);
    event.other = take(head.other_bytes);
    event.data = take(head.data_bytes);
    events.push_back(std::move(event));
  }
  return events;
}

void Disk::apply(const Change& change, std::string& bytes) {
  const auto offset = static_cast<std::size_t>(change.offset);
  if (!change.data) {
    bytes.resize(offset);
    return;
  }
  if (bytes.size() < offset + change.data->size()) bytes.resize(offset + change.data->size());
  bytes.replace(offset, change.data->size(), *change.data);
}

std::uint64_t Disk::inode_of(const std::string& path) const {
  for (auto naming = pending_.rbegin(); naming != pending_.rend(); ++naming) {
    if (naming->path == path) return naming->inode;
  }
  const auto found = names_.find(path);
  return found == names_.end() ? 0 : found->second;
}

void Disk::happen(const DiskEvent& event) {
  switch (event.kind) {
    case RecordKind::made:
      // The number of a file that is gone may be given to a new one.
      files_[event.inode] = {};
      pending_.push_back({event.path, event.inode});
      break;
    case RecordKind::written:
      files_[event.inode].pending.push_back({event.offset, event.data});
      break;
    case RecordKind::truncated:
      files_[event.inode].pending.push_back({event.offset, std::nullopt});
      break;
    case RecordKind::synced: {
      File& file = files_[event.inode];
      for (const Change& change : file.pending) apply(change, file.synced);
      file.pending.clear();
      break;
    }
    case RecordKind::folder_synced:
      std::erase_if(pending_, [&](const Naming& naming) {
        if (fs::path(naming.path).parent_path() != fs::path(event.path)) return false;
        names_[naming.path] = naming.inode;
        return true;
      });
      break;
    case RecordKind::linked:
      pending_.push_back({event.other, event.inode});
      break;
    case RecordKind::renamed:
      pending_.push_back({event.other, event.inode});
      pending_.push_back({event.path, 0});
      break;
    case RecordKind::unlinked:
      pending_.push_back({event.path, 0});
      break;
    case RecordKind::said:
      break;
  }
}

void Disk::after_power_cut(std::uint64_t seed, const fs::path& folder) const {
  Chance chance(seed);
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);

  std::map<std::string, std::vector<std::uint64_t>> may_be;
  for (const auto& [path, inode] : names_) may_be[path].push_back(inode);
  for (const Naming& naming : pending_) {
    auto& list = may_be[naming.path];
    if (list.empty()) list.push_back(0);
    list.push_back(naming.inode);
  }
  std::map<std::uint64_t, std::string> contents;
  for (const auto& [path, list] : may_be) {
    const std::uint64_t inode = list[chance.one_of(list.size())];
    if (inode == 0) continue;
    const fs::path to = folder / fs::path(path).filename();
    if (path.ends_with("-shm")) {
      if (seed > 1) write_whole(to, std::string(32'768, static_cast<char>(seed)));
      continue;
    }
    if (!contents.contains(inode)) {
      const File& file = files_.at(inode);
      std::string bytes = file.synced;
      std::vector<Change> changes;
      for (const Change& change : file.pending) {
        if (!change.data || !chance.by_sectors()) {
          if (chance.is_kept()) changes.push_back(change);
          continue;
        }
        // Cut where sectors of the file begin, not where the write does.
        std::size_t at = 0;
        while (at < change.data->size()) {
          const auto begin = static_cast<std::size_t>(change.offset) + at;
          const std::size_t size =
              std::min(kSectorBytes - begin % kSectorBytes, change.data->size() - at);
          if (chance.is_kept()) {
            changes.push_back({static_cast<std::int64_t>(begin), change.data->substr(at, size)});
          }
          at += size;
        }
      }
      if (!chance.in_order()) chance.shuffle(changes);
      for (const Change& change : changes) apply(change, bytes);
      contents[inode] = std::move(bytes);
    }
    write_whole(to, contents[inode]);
  }
}

}  // namespace phasegate::soak
