#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/soak/record_format.h"

/// What a disk may hold after the power went, made from a record of what programs did to it.
namespace phasegate::soak {

/// One thing that was done, as faults.cpp wrote it down.
struct DiskEvent {
  RecordKind kind = RecordKind::made;
  std::uint64_t inode = 0;
  std::int64_t offset = 0;  ///< bytes
  std::string path;
  std::string other;
  std::string data;
};

/// Reads a record. Throws std::runtime_error if it is cut short.
[[nodiscard]] std::vector<DiskEvent> read_record(const std::filesystem::path& record);

/// A disk on which events happen, and which may lose power after each of them. What was synced is
/// kept; of everything else any part may be there, in whatever order: writes whole, by sectors of
/// 512 bytes, or not at all, lengths, and each name by itself with what it stood for before or
/// after. This is less than file systems promise.
class Disk {
 public:
  void happen(const DiskEvent& event);

  /// Makes `folder` anew as it may be found after a power cut now. Seed 0: only what was synced;
  /// 1: everything; others: by chance. Files whose name ends in `-shm` are filled with rubbish or
  /// left out, since they are never synced and never may be trusted.
  void after_power_cut(std::uint64_t seed, const std::filesystem::path& folder) const;

 private:
  struct Change {
    std::int64_t offset;
    std::optional<std::string> data;  // nullopt: cut or extended to `offset`
  };
  struct File {
    std::string synced;
    std::vector<Change> pending;
  };
  struct Naming {
    std::string path;
    std::uint64_t inode;  // 0: none any more
  };

  static void apply(const Change& change, std::string& bytes);
  [[nodiscard]] std::uint64_t inode_of(const std::string& path) const;

  std::map<std::uint64_t, File> files_;
  std::map<std::string, std::uint64_t> names_;  // synced
  std::vector<Naming> pending_;
};

}  // namespace phasegate::soak
